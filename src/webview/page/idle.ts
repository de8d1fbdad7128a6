/** Work that can wait. Returns whether it has more to do. */
export type IdleJob = () => boolean;

const jobs = new Set<IdleJob>();
let isScheduled = false;

/** Runs a job in small steps while the page has nothing better to do, at the latest after a third of a second. */
export function whenIdle(job: IdleJob): void {
  jobs.add(job);
  if (isScheduled) {
    return;
  }
  isScheduled = true;
  requestIdleCallback(run, { timeout: 300 });
}

function run(deadline: IdleDeadline): void {
  isScheduled = false;
  const latest = performance.now() + Math.min(8, Math.max(2, deadline.timeRemaining()));
  for (const job of jobs) {
    jobs.delete(job);
    if (job()) {
      jobs.add(job);
    }
    if (performance.now() >= latest) {
      break;
    }
  }
  const [next] = jobs;
  if (next !== undefined) {
    whenIdle(next);
  }
}

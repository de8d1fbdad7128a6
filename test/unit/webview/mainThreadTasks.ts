import type { Page } from 'playwright-core';

/** A task of the page's main thread: script, layout and drawing of one frame are one task. */
export type MainThreadTask = {
  /** The mark it ran under. */
  readonly name: string;
  /** Processor time in milliseconds: unlike time on the clock, it does not grow when the machine has other work. */
  readonly ms: number;
};

type TraceEvent = {
  name: string;
  ts: number;
  tid: number;
  pid: number;
  tdur?: number;
  dur?: number;
  cat: string;
  args?: { name?: string };
};

/** Runs `work` while Chromium traces the page, and says which tasks there were. `mark` names what follows; '' is nothing. */
export async function mainThreadTasks(
  page: Page,
  work: (mark: (name: string) => Promise<void>) => Promise<void>,
): Promise<MainThreadTask[]> {
  const browser = page.context().browser();
  if (browser === null) throw new Error('The page has no browser of its own.');
  await browser.startTracing(page, {
    categories: ['-*', 'toplevel', 'disabled-by-default-devtools.timeline', 'blink.user_timing'],
  });
  await work((name) => page.evaluate((name) => void performance.mark(`task:${name}`), name));
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const marks = traceEvents.filter(({ name }) => name.startsWith('task:')).sort((a, b) => a.ts - b.ts);
  const thread = marks[0];
  const counts = new Map<string, number>();
  for (const e of traceEvents)
    counts.set(
      `${e.cat}|${e.name}|${e.tdur !== undefined}`,
      (counts.get(`${e.cat}|${e.name}|${e.tdur !== undefined}`) ?? 0) + 1,
    );
  if (process.env.ASK_MODEL_TRACE) console.log([...counts].sort((a, b) => b[1] - a[1]).slice(0, 12));
  return traceEvents
    .filter(({ name, tid, pid }) => /RunTask$/.test(name) && tid === thread?.tid && pid === thread.pid)
    .map(({ ts, tdur = 0 }) => ({
      name: marks.findLast((mark) => mark.ts <= ts)?.name.slice('task:'.length) ?? '',
      ms: tdur / 1_000,
    }))
    .filter(({ name }) => name !== '');
}

import type { Page } from 'playwright-core';
import * as z from 'zod/mini';

/** A task of the page's main thread. The script, layout and painting of one frame are one task. */
export type PageTask = {
  /** The last mark before the task. */
  readonly name: string;
  /** The processor time in milliseconds. Unlike elapsed time, it doesn't grow on a busy machine. */
  readonly ms: number;
};

/** The fields of a Chromium trace that are read here; `tdur` is processor time in microseconds. */
const trace = z.object({
  traceEvents: z.array(
    z.object({
      name: z.string(),
      ts: z.optional(z.number()),
      pid: z.number(),
      tid: z.number(),
      tdur: z.optional(z.number()),
    }),
  ),
});

const prefix = 'task:';

/**
 * Runs `work` while Chromium traces the page, and returns the tasks. `mark` sets the name of the tasks that follow;
 * tasks with an empty name are left out.
 */
export async function pageTasks(
  page: Page,
  work: (mark: (name: string) => Promise<void>) => Promise<void>,
): Promise<PageTask[]> {
  const browser = page.context().browser();
  if (browser === null) {
    throw new Error('The page has no browser of its own.');
  }
  await browser.startTracing(page, {
    categories: ['-*', 'disabled-by-default-devtools.timeline', 'blink.user_timing'],
  });
  await work((name) => page.evaluate((mark) => void performance.mark(mark), prefix + name));
  const { traceEvents } = trace.parse(JSON.parse((await browser.stopTracing()).toString()));
  const marks = traceEvents
    .filter(({ name }) => name.startsWith(prefix))
    .map(({ name, ts = 0, pid, tid }) => ({ name: name.slice(prefix.length), ts, pid, tid }))
    .sort((a, b) => a.ts - b.ts);
  const [page0] = marks;
  const tasks: PageTask[] = [];
  for (const { name, ts = 0, pid, tid, tdur = 0 } of traceEvents) {
    if (name !== 'RunTask' || pid !== page0?.pid || tid !== page0.tid) {
      continue;
    }
    const mark = marks.findLast((one) => one.ts <= ts)?.name ?? '';
    if (mark !== '') {
      tasks.push({ name: mark, ms: tdur / 1_000 });
    }
  }
  return tasks;
}

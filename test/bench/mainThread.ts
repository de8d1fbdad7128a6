import type { Page } from 'playwright-core';

/** The work of a page's main thread, in milliseconds of the processor. */
export type MainThread = {
  readonly longestMs: number;
  /** The number of tasks that are longer than a frame. */
  readonly overFrame: number;
  readonly scriptingMs: number;
  readonly layoutMs: number;
  /** All tasks together. */
  readonly allMs: number;
};

export const frameMs = 16;

/** Traces the tasks of a page while `work` runs. No other page of the browser may be busy. */
export async function mainThreadOf(page: Page, work: () => Promise<void>): Promise<MainThread> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const metrics = async () => {
    const { metrics: all } = await session.send('Performance.getMetrics');
    return (name: string) => (all.find((each) => each.name === name)?.value ?? Number.NaN) * 1_000;
  };
  const events: { readonly [field: string]: string }[] = [];
  session.on('Tracing.dataCollected', ({ value }) => {
    // The main thread of a process has its number.
    const isTask = ({ name = '', ph, pid, tid }: (typeof value)[number]) =>
      ph === 'X' && /RunTask$/.test(name) && pid === tid;
    events.push(...value.filter(isTask));
  });
  await session.send('Tracing.start', {
    traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: ['toplevel'] },
  });
  const before = await metrics();
  await work();
  const after = await metrics();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  await session.detach();
  // That of the browser has tasks too, but no work to speak of.
  const sum = (tasks: readonly number[]) => tasks.reduce((total, ms) => total + ms, 0);
  const byProcess = [...Map.groupBy(events, ({ pid }) => pid).values()];
  const times = byProcess.map((tasks) => tasks.map(({ tdur }) => Number(tdur ?? 0) / 1_000));
  const [tasks = []] = times.sort((a, b) => sum(b) - sum(a));
  const taken = (name: string) => after(name) - before(name);
  return {
    longestMs: Math.max(...tasks),
    overFrame: tasks.filter((ms) => ms > frameMs).length,
    scriptingMs: taken('ScriptDuration'),
    layoutMs: taken('LayoutDuration') + taken('RecalcStyleDuration'),
    allMs: taken('TaskDuration'),
  };
}

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

type TraceEvent = {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly tdur?: number;
};

/** Traces the tasks of a page while `work` runs. No other page of the browser may be busy. */
export async function mainThreadOf(page: Page, work: () => Promise<void>): Promise<MainThread> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const metrics = async () => {
    const { metrics: all } = await session.send('Performance.getMetrics');
    return (name: string) => (all.find((each) => each.name === name)?.value ?? Number.NaN) * 1_000;
  };
  await session.send('Tracing.start', {
    transferMode: 'ReturnAsStream',
    traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: ['toplevel'] },
  });
  const before = await metrics();
  await work();
  const after = await metrics();
  const complete = new Promise<string>((resolve) => {
    session.once('Tracing.tracingComplete', ({ stream }) => resolve(stream ?? ''));
  });
  await session.send('Tracing.end');
  const handle = await complete;
  let text = '';
  for (let eof = false; !eof; ) {
    const piece = await session.send('IO.read', { handle, size: 4_000_000 });
    text += piece.base64Encoded ? Buffer.from(piece.data, 'base64').toString('utf8') : piece.data;
    eof = piece.eof;
  }
  await session.detach();
  const tasks = tasksOfBusiest((JSON.parse(text) as { traceEvents: TraceEvent[] }).traceEvents);
  const taken = (name: string) => after(name) - before(name);
  return {
    longestMs: Math.max(...tasks),
    overFrame: tasks.filter((ms) => ms > frameMs).length,
    scriptingMs: taken('ScriptDuration'),
    layoutMs: taken('LayoutDuration') + taken('RecalcStyleDuration'),
    allMs: taken('TaskDuration'),
  };
}

/** The tasks of the renderer's thread that worked the most: that of the page. */
function tasksOfBusiest(events: readonly TraceEvent[]): number[] {
  // The main thread of a process has its number; that of the browser has tasks too, but no work to speak of.
  const own = events.filter(({ name, ph, pid, tid }) => ph === 'X' && /RunTask$/.test(name) && pid === tid);
  const byThread = Map.groupBy(own, ({ pid }) => pid);
  const all = [...byThread.values()].map((tasks) => tasks.map(({ tdur = 0 }) => tdur / 1_000));
  const sum = (tasks: readonly number[]) => tasks.reduce((total, ms) => total + ms, 0);
  return all.sort((a, b) => sum(b) - sum(a))[0] ?? [];
}

import type { CDPSession, Page } from 'playwright-core';

/** The work of a page's main thread. Times are milliseconds. */
export type MainThread = {
  /** The longest tasks, longest first. */
  readonly longest: readonly { readonly ms: number; readonly cpuMs: number }[];
  /** The number of tasks over 16 ms. */
  readonly overFrame: number;
  /** JavaScript and its garbage collection, without the style and layout that it forces. */
  readonly scriptingMs: number;
  readonly layoutMs: number;
  readonly paintMs: number;
  /** All tasks together. */
  readonly allMs: number;
};

export const frameMs = 16;

type TraceEvent = {
  readonly name: string;
  readonly ph: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
  readonly args?: { readonly name?: string; readonly data?: { readonly url?: string } };
};

const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8', '__metadata'];

type Kind = 'scripting' | 'layout' | 'paint';

const namesOf: Readonly<Record<Kind, string>> = {
  scripting:
    'FunctionCall EvaluateScript v8.run v8.compile v8.callFunction EventDispatch TimerFire FireAnimationFrame ' +
    'FireIdleCallback RunMicrotasks MinorGC MajorGC V8.GCScavenger V8.GCIncrementalMarking V8.GCFinalizeMC HandlePostMessage',
  layout: 'UpdateLayoutTree RecalculateStyles Layout HitTest IntersectionObserverController',
  paint: 'PrePaint Paint Layerize UpdateLayer UpdateLayerTree CompositeLayers Commit',
};
const kinds = new Map(
  Object.entries(namesOf).flatMap(([kind, names]) => names.split(' ').map((name) => [name, kind as Kind])),
);

/** Records a trace of a page until it is stopped. */
export class MainThreadRecorder {
  readonly #session: CDPSession;

  private constructor(session: CDPSession) {
    this.#session = session;
  }

  static async start(page: Page): Promise<MainThreadRecorder> {
    const session = await page.context().newCDPSession(page);
    await session.send('Tracing.start', {
      transferMode: 'ReturnAsStream',
      traceConfig: { recordMode: 'recordAsMuchAsPossible', includedCategories: categories },
      bufferUsageReportingInterval: 0,
    });
    return new MainThreadRecorder(session);
  }

  /** Stops and returns the work of the main thread that ran the script whose URL contains `script`. */
  async stop(script: string): Promise<MainThread> {
    const complete = new Promise<string>((resolve) => {
      this.#session.once('Tracing.tracingComplete', ({ stream }) => resolve(stream ?? ''));
    });
    await this.#session.send('Tracing.end');
    const handle = await complete;
    const parts: string[] = [];
    for (let eof = false; !eof; ) {
      const piece = await this.#session.send('IO.read', { handle, size: 4_000_000 });
      parts.push(piece.base64Encoded ? Buffer.from(piece.data, 'base64').toString('utf8') : piece.data);
      eof = piece.eof;
    }
    await this.#session.send('IO.close', { handle });
    await this.#session.detach();
    const { traceEvents } = JSON.parse(parts.join('')) as { traceEvents: TraceEvent[] };
    return mainThreadOf(traceEvents, script);
  }
}

/** Evaluates the events of the main thread that ran the script whose URL contains `script`. */
function mainThreadOf(events: readonly TraceEvent[], script: string): MainThread {
  const calls = events.filter(({ args }) => args?.data?.url?.includes(script));
  const thread = mostFrequent(calls.map(({ pid, tid }) => `${pid} ${tid}`));
  if (thread === undefined) {
    throw new Error(`The trace has no call of ${script}.`);
  }
  const own = events
    .filter(({ ph, pid, tid }) => ph === 'X' && `${pid} ${tid}` === thread)
    .sort((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0));
  const sums: Record<Kind, number> = { scripting: 0, layout: 0, paint: 0 };
  const tasks: { ms: number; cpuMs: number }[] = [];
  const open: { end: number; kind: Kind | undefined; name: string }[] = [];
  for (const { name, ts, dur = 0, tdur = dur } of own) {
    const cpuMs = tdur / 1_000;
    while ((open.at(-1)?.end ?? Number.POSITIVE_INFINITY) <= ts) {
      open.pop();
    }
    const around = open.at(-1);
    if (isTask(name)) {
      // A task in another task is part of it.
      if (!open.some((each) => isTask(each.name))) {
        tasks.push({ ms: dur / 1_000, cpuMs });
      }
    }
    const kind = kinds.get(name) ?? around?.kind;
    if (kind !== around?.kind) {
      // Count only the time of the kind itself: subtract it from the kind around it.
      if (kind !== undefined) {
        sums[kind] += cpuMs;
      }
      if (around?.kind !== undefined) {
        sums[around.kind] -= cpuMs;
      }
    }
    open.push({ end: ts + dur, kind, name });
  }
  return {
    longest: [...tasks].sort((a, b) => b.cpuMs - a.cpuMs).slice(0, 8),
    overFrame: tasks.filter(({ cpuMs }) => cpuMs > frameMs).length,
    scriptingMs: sums.scripting,
    layoutMs: sums.layout,
    paintMs: sums.paint,
    allMs: tasks.reduce((sum, { cpuMs }) => sum + cpuMs, 0),
  };
}

const isTask = (name: string) => name === 'RunTask' || name === 'ThreadControllerImpl::RunTask';

function mostFrequent(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const value of values) {
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0];
}

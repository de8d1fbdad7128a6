import { loadavg } from 'node:os';
import { atMost, type Bar, type Measured, median, rounded } from './figures.ts';
import { longReply, type ReplyKind } from './panel/longReplies.ts';
import { frameMs, type MainThread } from './panel/mainThread.ts';
import { measureNaive } from './panel/naive.ts';
import { inPanel, type PanelFigures } from './panel/panelInCode.ts';
import { storedConversation } from './panel/storedReplies.ts';
import { amount, isSmokeRun, openingRounds, panelRounds } from './settings.ts';

/** Lengths of replies in thousands of characters. */
const sizes = isSmokeRun ? [5] : [25, 100, 400];
const kinds: readonly ReplyKind[] = ['mixed', 'code'];
/** Replies that are a single block; they have no limit. */
const single: readonly ReplyKind[] = ['list', 'table', 'paragraph'];
/** A load average above this means that other programs use the machine. */
const quietLoad = 1.5;

const nameOf = (kind: ReplyKind, size: number) => `${kind}-${size}`;

/**
 * Measures the panel in the real VS Code while replies stream at 2,000 deltas a second, a naive page that renders the
 * whole text in each frame, and the opening of long conversations. Times are processor time of the panel's main thread;
 * only the column "by the clock" includes the time that other programs took.
 */
export async function panel(): Promise<Measured> {
  const title = 'panel: replies at 2,000 deltas a second in the real VS Code, highlighting on';
  const load = loadavg()[0] ?? 0;
  const wanted = [
    ...sizes.flatMap((size) => kinds.map((kind) => ({ kind, size }))),
    ...single.map((kind) => ({ kind, size: amount(100, 5) })),
  ];
  const replies = Object.fromEntries(
    wanted.map(({ kind, size }) => [nameOf(kind, size), longReply(kind, size * 1_000)]),
  );
  const titles = ['Two hundred replies of 300', 'Two hundred replies of 2,000'] as const;
  const stored = {
    short: storedConversation('short', titles[0], 200, 300),
    long: storedConversation('long', titles[1], 200, 2_000),
  };
  const streams = new Map<string, PanelFigures[]>();
  const naive = new Map<string, MainThread>();
  const openings = new Map<string, PanelFigures[]>();
  await inPanel(replies, stored, async ({ workbench, stream, openStored }) => {
    for (const { kind, size } of wanted) {
      const name = nameOf(kind, size);
      streams.set(name, await repeated(single.includes(kind) ? 1 : panelRounds, () => stream(name)));
      if (kinds.includes(kind) && size === sizes.at(-1)) {
        naive.set(name, await measureNaive(workbench.page.context(), replies[name] ?? ''));
      }
    }
    for (const title of titles) {
      openings.set(title, await repeated(openingRounds, () => openStored(title)));
    }
  });
  return {
    title: `${title}${load > quietLoad ? `; the machine was busy before it began: load ${load.toFixed(1)}` : ''}`,
    rows: [
      ...[...streams].map(([name, rounds]) => row(name, rounds)),
      ...[...naive].map(([name, figures]) => row(`${name}, naive`, [figures])),
      ...[...openings].map(([name, rounds]) => row(`opening: ${name}`, rounds, openingMs(rounds))),
    ],
    bars: [
      ...streamBars(streams),
      ...[...openings].map(([name, rounds]) => atMost(`opening: ${name}`, openingMs(rounds), 300)),
    ],
  };
}

async function repeated<T>(times: number, run: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  while (results.length < times) {
    results.push(await run());
  }
  return results;
}

const middle = (rounds: readonly MainThread[], figure: (thread: MainThread) => number) => median(rounds.map(figure));
const longest = ({ longest: [first] }: MainThread) => first?.cpuMs ?? Number.NaN;

function row(what: string, rounds: readonly MainThread[], readyToShown?: number): Measured['rows'][number] {
  return {
    what,
    rounds: rounds.length,
    'longest task, ms': rounded(middle(rounds, longest), 1),
    'by the clock': rounded(
      middle(rounds, (thread) => Math.max(...thread.longest.map(({ ms }) => ms))),
      1,
    ),
    'over 16': middle(rounds, ({ overFrame }) => overFrame),
    scripting: Math.round(middle(rounds, ({ scriptingMs }) => scriptingMs)),
    layout: Math.round(middle(rounds, ({ layoutMs }) => layoutMs)),
    paint: Math.round(middle(rounds, ({ paintMs }) => paintMs)),
    'all, ms': Math.round(middle(rounds, ({ allMs }) => allMs)),
    'ready to seen': readyToShown === undefined ? '' : Math.round(readyToShown),
  };
}

function streamBars(streams: ReadonlyMap<string, readonly PanelFigures[]>): Bar[] {
  const rounds = (kind: ReplyKind, size: number) => streams.get(nameOf(kind, size)) ?? [];
  const scripting = (kind: ReplyKind, size: number) => middle(rounds(kind, size), ({ scriptingMs }) => scriptingMs);
  const all = [...streams.values()].flat();
  return [
    ...kinds.flatMap((kind) => [
      ...sizes.map((size) =>
        atMost(`longest task, ${nameOf(kind, size)}`, middle(rounds(kind, size), longest), frameMs),
      ),
      atMost(`scripting, ${kind}-400`, scripting(kind, 400), 1_200),
      atMost(`scripting, ${kind}-400 over ${kind}-100`, scripting(kind, 400) / scripting(kind, 100), 5, 'times'),
      atMost(
        `main thread in all, ${kind}-400`,
        middle(rounds(kind, 400), ({ allMs }) => allMs),
        10_000,
      ),
    ]),
    atMost(
      'frames from the arrival of the first text to its drawing, worst',
      Math.max(...all.map(({ moments }) => moments.framesToFirstText ?? Number.NaN)),
      1,
      'frames',
    ),
  ];
}

/** The time from the page's `ready` until the end of the conversation is visible. */
function openingMs(rounds: readonly PanelFigures[]): number {
  return median(rounds.map(({ moments: { atEnd = Number.NaN, ready = Number.NaN } }) => atEnd - ready));
}

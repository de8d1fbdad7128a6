import { fork } from 'node:child_process';
import { once } from 'node:events';
import { ReplyReader } from '../../src/core/reply/replyReader.ts';
import { atMost, inRounds, type Measured, median, medianRatio, rounded } from './figures.ts';
import { oneEvent, streamOfBytes, wholeAnswer } from './replies.ts';
import { amount } from './settings.ts';

/** One byte less than the largest event that the client accepts. */
const largestEvent = 32 * 1024 * 1024 - 1;
const piece = 16 * 1024;
const counted = amount(9);

/**
 * V8 stores strings of more than 128 KB outside all caches: a byte in a string of 1 MB costs more than twice as much as
 * in one of 100 KB, also for JSON.parse alone, which has no limit. So the base of long events is 1 MB.
 */
const cases: readonly (readonly [
  name: string,
  make: (bytes: number) => Buffer,
  pieceBytes: number,
  /** The first is the base. */
  sizes: readonly number[],
  floor?: (body: Buffer) => void,
])[] = [
  ['stream', streamOfBytes, piece, [100_000, 1_000_000, 10_000_000]],
  ['stream, byte by byte', streamOfBytes, 1, [10_000, 100_000, 1_000_000]],
  ['one event', oneEvent, piece, [1_000_000, largestEvent]],
  ['one event, JSON.parse', oneEvent, piece, [1_000_000, largestEvent], parse],
  // The client treats a document as one event, with the same limit.
  ['whole JSON answer', wholeAnswer, piece, [1_000_000, largestEvent]],
];

function read(body: Buffer, step: number): void {
  let units = 0;
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [], now: 0 }, ({ text }) => {
    units += text.length;
  });
  for (let at = 0; at < body.length; at += step) {
    reader.feed(body.subarray(at, at + step));
  }
  const result = reader.end();
  if (result.outcome !== 'complete' || units === 0) {
    throw new Error(`The reply is ${result.outcome}: ${JSON.stringify(result.problem)}`);
  }
}

function parse(body: Buffer): void {
  const text = body.toString('utf8');
  JSON.parse(text.slice('data: '.length, text.indexOf('\n')));
}

/** Returns the nanoseconds per byte of each round, by size; sizes take turns, as what slows down a round affects all. */
async function costs([, make, step, sizes, floor]: (typeof cases)[number]): Promise<number[][]> {
  const largest = Math.max(...sizes);
  // Small replies are repeated to match the largest.
  const replies = sizes.map((size) => ({ body: make(size), times: Math.max(1, Math.round(largest / size)) }));
  const taken = await inRounds({ warmUp: amount(3), counted }, (all) => {
    for (const { body, times } of replies) {
      const start = performance.now();
      for (let time = 0; time < times; time++) {
        floor === undefined ? read(body, step) : floor(body);
      }
      all.add(`${body.length}`, ((performance.now() - start) * 1e6) / (times * body.length));
    }
  });
  return replies.map(({ body }) => taken.of(`${body.length}`));
}

/** Measures the cost of decoding a byte by length of the reply. If it grew, a long answer would freeze the editor. */
export async function scaling(): Promise<Measured> {
  const rows: Measured['rows'][number][] = [];
  const bars: Measured['bars'][number][] = [];
  for (const [index, [name, , , sizes, floor]] of cases.entries()) {
    // In a process of its own: code that was compiled for one case is slower in the next.
    const child = fork(import.meta.filename, [String(index)], { stdio: ['ignore', 2, 2, 'ipc'] });
    const [taken] = (await once(child, 'message')) as [number[][]];
    const growths = taken.map((values) => medianRatio(values, taken[0] ?? []));
    for (const [at, bytes] of sizes.entries()) {
      const over = rounded(growths[at] ?? Number.NaN);
      rows.push({ case: name, bytes, 'ns/byte': rounded(median(taken[at] ?? [])), 'over the first': over });
    }
    if (floor === undefined) {
      bars.push(atMost(`cost per byte of ${name}, over that of ${sizes[0]} bytes`, Math.max(...growths), 1.3, '×'));
    }
  }
  return { title: `scaling: cost per byte, median of ${counted} rounds`, rows, bars };
}

const chosen = import.meta.main && cases[Number(process.argv[2])];
if (chosen) {
  process.send?.(await costs(chosen), () => process.exit());
}

import { ReplyReader } from '../../src/core/reply/replyReader.ts';
import { amount, type Bench, inRounds, median, medianRatio, rounded } from './bench.ts';
import { answerAll, Program } from './program.ts';
import { oneEvent, streamOfBytes, wholeAnswer } from './replies.ts';

/** One byte less than the largest event that the client accepts. */
const largestEvent = 32 * 1024 * 1024 - 1;
const piece = 16 * 1024;
const counted = amount(9);

/** The first size is the base. Without the size of the pieces that are read, it is JSON.parse alone, which has no limit. */
type Case = readonly [name: string, make: (bytes: number) => Buffer, sizes: readonly number[], pieceBytes?: number];

/**
 * V8 stores strings of more than 128 KB outside all caches: a byte in a string of 1 MB costs more than twice as much as
 * in one of 100 KB, also for JSON.parse alone. So the base of long events is 1 MB.
 */
const cases: readonly Case[] = [
  ['stream', streamOfBytes, [100_000, 1_000_000, 10_000_000], piece],
  ['stream, byte by byte', streamOfBytes, [10_000, 100_000, 1_000_000], 1],
  ['one event', oneEvent, [1_000_000, largestEvent], piece],
  ['one event, JSON.parse', oneEvent, [1_000_000, largestEvent]],
  // The client treats a document as one event, with the same limit.
  ['whole JSON answer', wholeAnswer, [1_000_000, largestEvent], piece],
];

function read(body: Buffer, pieceBytes: number): void {
  let units = 0;
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [], now: 0 }, ({ text }) => {
    units += text.length;
  });
  for (let at = 0; at < body.length; at += pieceBytes) {
    reader.feed(body.subarray(at, at + pieceBytes));
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
async function costs([, make, sizes, pieceBytes]: Case): Promise<number[][]> {
  const largest = Math.max(...sizes);
  // Small replies are repeated to match the largest.
  const replies = sizes.map((size) => ({ body: make(size), times: Math.max(1, Math.round(largest / size)) }));
  const figures = await inRounds({ warmUp: amount(3), counted }, (all) => {
    for (const { body, times } of replies) {
      const start = performance.now();
      for (let time = 0; time < times; time++) {
        pieceBytes === undefined ? parse(body) : read(body, pieceBytes);
      }
      all.add(`${body.length}`, ((performance.now() - start) * 1e6) / (times * body.length));
    }
  });
  return replies.map(({ body }) => figures.of(`${body.length}`));
}

/** Measures the cost of decoding a byte by length of the reply. If it grew, a long answer would freeze the editor. */
export async function scaling(bench: Bench): Promise<void> {
  bench.title = `scaling: cost per byte, median of ${counted} rounds`;
  for (const [index, [name, , sizes, pieceBytes]] of cases.entries()) {
    // In a process of its own: code that was compiled for one case is slower in the next.
    const program = new Program('scaling.ts');
    const taken = await program.ask<number[][]>(index);
    program.end();
    const growths = taken.map((values) => medianRatio(values, taken[0] ?? []));
    for (const [at, bytes] of sizes.entries()) {
      const over = rounded(growths[at] ?? Number.NaN);
      bench.rows.push({ case: name, bytes, 'ns/byte': rounded(median(taken[at] ?? [])), 'over the first': over });
    }
    if (pieceBytes !== undefined) {
      bench.atMost(`cost per byte of ${name}, over that of ${sizes[0]} bytes`, Math.max(...growths), 1.3, '×');
    }
  }
}

if (import.meta.main) {
  answerAll(async (index) => costs(cases[index] ?? ['', streamOfBytes, []]));
}

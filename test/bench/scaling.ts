import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ReplyReader } from '../../src/core/gateway/replyReader.ts';
import { type Measured, median, medianRatio, rounded } from './figures.ts';
import { oneEvent, streamOfBytes, wholeAnswer } from './replies.ts';
import { scalingRounds } from './settings.ts';

const kilobyte = 1_000;
const megabyte = 1_000_000;
/** The largest event the client takes, less the one byte. */
const largestEvent = 8 * 1024 * 1024 - 1;
const pieceBytes = 16 * 1024;

type Case = {
  readonly name: string;
  readonly make: (bytes: number) => Buffer;
  readonly pieceBytes: number;
  /** The first is what the others are held against. */
  readonly sizes: readonly number[];
};

const cases: readonly Case[] = [
  { name: 'stream', make: streamOfBytes, pieceBytes, sizes: [100 * kilobyte, megabyte, 10 * megabyte] },
  {
    name: 'stream, byte by byte',
    make: streamOfBytes,
    pieceBytes: 1,
    sizes: [10 * kilobyte, 100 * kilobyte, megabyte],
  },
  { name: 'one event', make: oneEvent, pieceBytes, sizes: [100 * kilobyte, megabyte, largestEvent] },
  // One document is one event to the client, with the same limit.
  { name: 'whole JSON answer', make: wholeAnswer, pieceBytes, sizes: [100 * kilobyte, megabyte, largestEvent] },
];

function read(body: Buffer, step: number): number {
  let units = 0;
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [], now: 0 }, ({ text }) => {
    units += text.length;
  });
  for (let at = 0; at < body.length; at += step) {
    reader.feed(body.subarray(at, at + step));
  }
  const verdict = reader.end();
  if (verdict.outcome !== 'complete' || units === 0) {
    throw new Error(`The reply is ${verdict.outcome}: ${JSON.stringify(verdict.problem)}`);
  }
  return units;
}

/** Nanoseconds for a byte in each round, by size; as many small replies as make up the largest. */
function costs({ make, pieceBytes: step, sizes }: Case): number[][] {
  const largest = Math.max(...sizes);
  const replies = sizes.map((size) => ({ body: make(size), times: Math.max(1, Math.round(largest / size)) }));
  const taken: number[][] = sizes.map(() => []);
  for (let round = -scalingRounds.warmUp; round < scalingRounds.counted; round++) {
    for (const [index, { body, times }] of replies.entries()) {
      const start = performance.now();
      for (let time = 0; time < times; time++) {
        read(body, step);
      }
      if (round >= 0) {
        taken[index]?.push(((performance.now() - start) * 1e6) / (times * body.length));
      }
    }
  }
  return taken;
}

function sizeName(bytes: number): string {
  return bytes === largestEvent ? '8 MiB − 1' : bytes >= megabyte ? `${bytes / megabyte} MB` : `${bytes / kilobyte} KB`;
}

/** What a byte costs to decode, whatever the length of the reply: flat, or a long answer would freeze the editor. */
export async function scaling(): Promise<Measured> {
  const rows: { [column: string]: string | number }[] = [];
  const bars: Measured['bars'][number][] = [];
  for (const [index, each] of cases.entries()) {
    const child = fork(fileURLToPath(import.meta.url), [String(index)], { stdio: ['ignore', 2, 2, 'ipc'] });
    const [taken] = (await Promise.race([once(child, 'message'), ended(child)])) as [number[][]];
    const [smallest = []] = taken;
    const growths = taken.map((values) => medianRatio(values, smallest));
    for (const [at, size] of each.sizes.entries()) {
      rows.push({
        case: each.name,
        size: sizeName(size),
        'ns/byte': rounded(median(taken[at] ?? [])),
        'over the smallest': rounded(growths[at] ?? Number.NaN),
      });
    }
    bars.push({
      name: `cost per byte, ${each.name}, over the smallest`,
      value: Math.max(...growths.slice(1)),
      limit: 1.3,
      mustBe: 'at most',
      unit: '×',
    });
  }
  return { title: `scaling: cost per byte, median of ${scalingRounds.counted} rounds`, rows, bars };
}

async function ended(child: ReturnType<typeof fork>): Promise<never> {
  const [code] = await once(child, 'exit');
  throw new Error(`Measuring how the cost grows ended with ${code}`);
}

if (process.send !== undefined && process.argv[1] === fileURLToPath(import.meta.url)) {
  const chosen = cases[Number(process.argv[2])];
  process.send(chosen && costs(chosen), () => process.exit());
}

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { ReplyReader } from '../../src/core/reply/replyReader.ts';
import { atMost, type Measured, median, medianRatio, rounded } from './figures.ts';
import { oneEvent, streamOfBytes, wholeAnswer } from './replies.ts';
import { scalingRounds } from './settings.ts';

const kilobyte = 1_000;
const megabyte = 1_000_000;
/** One byte less than the largest event that the client accepts. */
const largestEvent = 8 * 1024 * 1024 - 1;
const pieceBytes = 16 * 1024;

type Case = {
  readonly name: string;
  readonly make: (bytes: number) => Buffer;
  readonly pieceBytes: number;
  readonly sizes: readonly number[];
  /** The size that the larger ones are compared with. */
  readonly base: number;
  /** A minimal implementation to measure instead of ours; it has no limit. */
  readonly floor?: (body: Buffer, pieceBytes: number) => void;
};

const bySize = { pieceBytes, sizes: [100 * kilobyte, megabyte, 10 * megabyte], base: 100 * kilobyte };
// V8 stores strings of more than 128 KB separately, with their own pages and outside all caches. So a byte in a string
// of 1 MB always costs more than twice as much as in one of 100 KB, as the floor shows. The base is therefore 1 MB.
const inOne = { pieceBytes, sizes: [100 * kilobyte, megabyte, largestEvent], base: megabyte };

const cases: readonly Case[] = [
  { name: 'stream', make: streamOfBytes, ...bySize },
  {
    name: 'stream, byte by byte',
    make: streamOfBytes,
    pieceBytes: 1,
    sizes: [10 * kilobyte, 100 * kilobyte, megabyte],
    base: 10 * kilobyte,
  },
  { name: 'one event', make: oneEvent, ...inOne },
  { name: 'one event, joined and JSON.parse', make: oneEvent, ...inOne, floor: joinAndParse },
  // The client treats a document as one event, with the same limit.
  { name: 'whole JSON answer', make: wholeAnswer, ...inOne },
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

function joinAndParse(body: Buffer, step: number): void {
  const decoder = new TextDecoder();
  let text = '';
  for (let at = 0; at < body.length; at += step) {
    text += decoder.decode(body.subarray(at, at + step), { stream: true });
  }
  JSON.parse(text.slice('data: '.length, text.indexOf('\n')));
}

/** Returns the nanoseconds per byte of each round, by size. Small replies are repeated to match the largest. */
function costs({ make, pieceBytes: step, sizes, floor }: Case): number[][] {
  const decode = floor ?? read;
  const largest = Math.max(...sizes);
  const replies = sizes.map((size) => ({ body: make(size), times: Math.max(1, Math.round(largest / size)) }));
  const taken: number[][] = sizes.map(() => []);
  for (let round = -scalingRounds.warmUp; round < scalingRounds.counted; round++) {
    for (const [index, { body, times }] of replies.entries()) {
      const start = performance.now();
      for (let time = 0; time < times; time++) {
        decode(body, step);
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

/** Measures the cost of decoding a byte by length of the reply. If it grew, a long answer would freeze the editor. */
export async function scaling(): Promise<Measured> {
  const rows: { [column: string]: string | number }[] = [];
  const bars: Measured['bars'][number][] = [];
  for (const [index, each] of cases.entries()) {
    const child = fork(fileURLToPath(import.meta.url), [String(index)], { stdio: ['ignore', 2, 2, 'ipc'] });
    const [taken] = (await Promise.race([once(child, 'message'), ended(child)])) as [number[][]];
    const base = taken[each.sizes.indexOf(each.base)] ?? [];
    const growths = taken.map((values) => medianRatio(values, base));
    for (const [at, size] of each.sizes.entries()) {
      rows.push({
        case: each.name,
        size: sizeName(size),
        'ns/byte': rounded(median(taken[at] ?? [])),
        'over the base': size < each.base ? '' : rounded(growths[at] ?? Number.NaN),
      });
    }
    if (each.floor === undefined) {
      const worst = Math.max(...growths.filter((_, at) => (each.sizes[at] ?? 0) > each.base));
      bars.push(atMost(`cost per byte of ${each.name}, over that of ${sizeName(each.base)}`, worst, 1.3, '×'));
    }
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

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Call, type ContenderName, labels } from './contenders.ts';
import { atMost, type Bar, type Measured, median, medianRatio, rounded } from './figures.ts';
import { type StreamKind, streamOf } from './replies.ts';
import { amount, bulkChunks } from './settings.ts';

const all: readonly ContenderName[] = ['ours', 'ourReader', 'undici', 'undiciParser', 'openai', 'aiSdk'];
const few: readonly ContenderName[] = ['ours', 'undiciParser', 'openai'];

type Calls = ReadonlyMap<ContenderName, readonly Call[]>;
const timesOf = (calls: Calls, name: ContenderName) => (calls.get(name) ?? []).map(({ totalMs }) => totalMs);
const firstOf = (calls: Calls, name: ContenderName) => median((calls.get(name) ?? []).map(({ firstMs }) => firstMs));

/** Measures 50,000 chunks that arrive in bulk: the cost of decoding, including the request and the end. */
export async function decode(): Promise<Measured> {
  const rounds = amount(15);
  const rows: Measured['rows'][number][] = [];
  const race = async (kind: StreamKind, names: readonly ContenderName[]) => {
    const calls = await compete(names, kind, { warmUp: amount(10), counted: rounds });
    const { units } = streamOf(bulkChunks, kind);
    const timesFaster = (name: ContenderName) => medianRatio(timesOf(calls, name), timesOf(calls, 'ours'));
    for (const name of names) {
      if (name !== 'undici' && calls.get(name)?.some((call) => call.units !== units)) {
        throw new Error(`${labels[name]} has not read all of the text`);
      }
      const ms = median(timesOf(calls, name));
      rows.push({
        chunks: kind,
        contender: labels[name],
        'chunks/s': Math.round(bulkChunks / (ms / 1_000)),
        ms: rounded(ms),
        'its time / ours': rounded(timesFaster(name)),
      });
    }
    return timesFaster;
  };
  const same = await race('same', all);
  const chinese = await race('chinese', few);
  // Each chunk has a different id. The result is shown but has no limit.
  await race('different', few);
  const faster = (what: string, value: number, limit: number): Bar => {
    return { what: `speed over ${what}`, value, limit, mustBe: 'at least', unit: '×' };
  };
  return {
    title: `decode: ${bulkChunks.toLocaleString('en')} chunks in bulk, median of ${rounds} rounds`,
    rows,
    bars: [
      faster('undici + eventsource-parser + JSON.parse', same('undiciParser'), 0.85),
      faster('the openai client', same('openai'), 4),
      faster('undici + eventsource-parser + JSON.parse, Chinese', chinese('undiciParser'), 0.85),
    ],
  };
}

/** Measures the time to the first text on an open connection. The first bytes of raw undici are the lower bound. */
export async function firstToken(): Promise<Measured> {
  const names: readonly ContenderName[] = ['undici', 'ours', 'fetchParser', 'openai', 'aiSdk'];
  const calls = await compete(names, 'paced', { warmUp: amount(20), counted: amount(40), calls: amount(5) });
  const over = (name: ContenderName) => firstOf(calls, name) - firstOf(calls, 'undici');
  return {
    title: `first-token: time to the first text, median of ${amount(40) * amount(5)}`,
    rows: names.map((name) => ({
      contender: labels[name],
      ms: rounded(firstOf(calls, name), 3),
      'over undici, ms': rounded(over(name), 3),
    })),
    bars: [atMost('first text over raw undici', over('ours'), 0.2)],
  };
}

/**
 * Lets all contenders make calls in turn (ABC, ABC, …) with one server, first to warm up and then for the figures. The
 * calls of one round have the same index.
 */
async function compete(
  names: readonly ContenderName[],
  kind: StreamKind | 'paced',
  rounds: { readonly warmUp: number; readonly counted: number; readonly calls?: number },
): Promise<Calls> {
  const server = start('server.ts');
  const baseUrl = `http://127.0.0.1:${await next(server)}/${kind}/v1`;
  const field = names.map((name) => ({ name, child: start('contenders.ts', name, baseUrl), calls: [] as Call[] }));
  for (const { child } of field) {
    await next(child);
  }
  for (let round = -rounds.warmUp; round < rounds.counted; round++) {
    for (const { child, calls } of field) {
      child.send(rounds.calls ?? 1);
      const done = (await next(child)) as Call[];
      calls.push(...(round >= 0 ? done : []));
    }
  }
  for (const child of [server, ...field.map((each) => each.child)]) {
    child.disconnect();
  }
  return new Map(field.map(({ name, calls }) => [name, calls]));
}

/** Starts a file of this folder as a process that ends together with this one. */
function start(file: string, ...args: readonly string[]): ChildProcess {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 2, 2, 'ipc'] });
  child.on('exit', (code) => {
    if (code) {
      console.error(`${[file, ...args].join(' ')} ended with ${code}`);
      process.exit(1);
    }
  });
  return child;
}

const next = async (child: ChildProcess): Promise<unknown> => (await once(child, 'message'))[0];

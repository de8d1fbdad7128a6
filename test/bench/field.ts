/** Runs contenders in turn with one server, each in its own process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Call } from './contender.ts';
import type { ContenderName } from './contenders.ts';
import type { StreamKind } from './replies.ts';

/** Starts a file of this folder as a process that ends together with this one. */
function start(file: string, args: readonly string[] = []): ChildProcess {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 2, 2, 'ipc'] });
  child.on('exit', (code) => {
    if (code) {
      console.error(`${[file, ...args].join(' ')} ended with ${code}`);
      process.exit(1);
    }
  });
  return child;
}

async function next(child: ChildProcess): Promise<unknown> {
  return (await once(child, 'message'))[0];
}

/**
 * Lets all contenders make calls in turn (ABC, ABC, …), first to warm up and then for the figures.
 *
 * @param kind the kind of reply to request from the server.
 * @returns all counted calls in order, so that the calls of one round have the same index.
 */
export async function compete<Name extends ContenderName>(
  names: readonly Name[],
  kind: StreamKind | 'paced',
  rounds: { readonly warmUp: number; readonly counted: number; readonly calls?: number },
): Promise<{ readonly [name in Name]: readonly Call[] }> {
  const server = start('server.ts');
  const baseUrl = `http://127.0.0.1:${await next(server)}/${kind}/v1`;
  const field = new Map<Name, { child: ChildProcess; calls: Call[] }>();
  for (const name of names) {
    const child = start('contender.ts', [name, baseUrl]);
    await next(child);
    field.set(name, { child, calls: [] });
  }
  for (let round = -rounds.warmUp; round < rounds.counted; round++) {
    for (const { child, calls } of field.values()) {
      child.send({ calls: rounds.calls ?? 1 });
      const done = (await next(child)) as Call[];
      if (round >= 0) {
        calls.push(...done);
      }
    }
  }
  for (const child of [server, ...[...field.values()].map((each) => each.child)]) {
    child.disconnect();
  }
  return Object.fromEntries([...field].map(([name, { calls }]) => [name, calls])) as { [name in Name]: Call[] };
}

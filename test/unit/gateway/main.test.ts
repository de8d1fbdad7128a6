import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, it } from 'node:test';
import { CommandLineError, readCommandLine } from '../../gateway/commandLine.ts';
import { ask } from './askGateway.ts';

const main = path.join(import.meta.dirname, '../../gateway/main.ts');

function launch(...args: string[]): {
  child: ChildProcess;
  output: () => string;
  prints: (words: RegExp) => Promise<string>;
} {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) {
        listener();
      }
    });
  }
  return {
    child,
    output: () => output,
    prints: (words) =>
      new Promise((resolve, reject) => {
        const check = () => {
          const found = words.exec(output)?.[1];
          if (found !== undefined) {
            resolve(found);
          }
        };
        listeners.add(check);
        child.once('close', () => reject(new Error(`It ended and said: ${output}`)));
        check();
      }),
  };
}

describe('the command line of the local gateway', () => {
  it('refuses unknown options and invalid values', () => {
    for (const [args, words] of [
      [['--nope'], /--nope.*--help/s],
      [['extra'], /extra/],
      [['--port', '70000'], /--port needs a whole number/],
      [['--delay-ms', 'soon'], /--delay-ms/],
      [['--upstream', 'gateway.example'], /http or https/],
      [['--upstream-key-env', 'KEY'], /needs --upstream/],
      [['--memory', '--state', 'x'], /exclude/],
      [['--tls', 'bad'], /--tls needs one of good, expired/],
    ] as const) {
      assert.throws(
        () => readCommandLine(args),
        (error: Error) => error instanceof CommandLineError && words.test(error.message),
      );
    }
  });

  it('starts with a demo key, accepts it, ends cleanly and stores its state', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'gateway-'));
    const state = path.join(folder, 'state.json');
    const first = launch('--port', '0', '--state', state);
    try {
      const baseUrl = await first.prints(/Base URL {2}(\S+)/);
      const key = await first.prints(/Key {7}(sk-\w+)/);
      await first.prints(/(Ctrl-C)/);
      assert.equal((await ask(`${baseUrl}/models`, key)).status, 200);
      first.child.kill('SIGTERM');
      assert.deepEqual(await once(first.child, 'close'), [0, null]);
      assert.match(await readFile(state, 'utf8'), /"demo"/);
      const second = launch('--port', '0', '--state', state);
      try {
        await second.prints(/(Ctrl-C)/);
        assert.doesNotMatch(second.output(), /sk-/);
      } finally {
        second.child.kill('SIGINT');
        await once(second.child, 'close');
      }
    } finally {
      first.child.kill();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('says that the requested port is in use', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    try {
      const { port } = taken.address() as { port: number };
      const { child, output } = launch('--memory', '--port', String(port));
      const [code] = (await once(child, 'close')) as [number];
      assert.equal(code, 1);
      assert.match(output(), /--port/);
      assert.doesNotMatch(output(), /\n\s+at /);
    } finally {
      taken.close();
    }
  });

  it('lists the faults', async () => {
    const { child, output } = launch('--list-faults');
    await once(child, 'close');
    assert.match(output(), /^cut-mid-stream\s+Q71/m);
    assert.match(output(), /^Q1 +crlf[\s\S]*^Q68 +— .*--tls[\s\S]*^Q93 +— .*\n$/m);
  });
});

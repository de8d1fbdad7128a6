import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import { projectRoot } from '../../vscode/paths.ts';
import { makeTemporary } from '../../vscode/temporary.ts';
import { ask, askChat, chatBody, withGateway } from './askGateway.ts';

describe('the console of the local gateway', () => {
  it('makes a key with what was chosen for it, and shows it once', () =>
    withGateway(async (gateway) => {
      const name = `<script>alert(1)</script>"'&`;
      const create = (form: Record<string, string>) =>
        fetch(`${gateway.consoleUrl}/keys`, { method: 'POST', body: new URLSearchParams({ name, ...form }) });
      for (const [form, status] of [
        [{ groups: 'default' }, 403],
        [{ groups: 'premium' }, 200],
        [{ groups: 'premium', quotaUsd: '0' }, 403],
        [{ groups: 'premium', expiresOn: '2020-01-01' }, 401],
        [{ groups: 'premium', fault: 'html-502' }, 502],
      ] as const) {
        const created = await (await create(form)).text();
        const value = /sk-[0-9A-Za-z]{48}/.exec(created)?.[0] ?? '';
        const list = await (await fetch(`${gateway.consoleUrl}/keys`)).text();
        for (const page of [created, list]) {
          assert.match(page, /&#60;script&#62;alert\(1\)&#60;\/script&#62;&#34;&#39;&#38;/);
          assert.doesNotMatch(page, /<script/);
        }
        assert.ok(!list.includes(value));
        assert.equal((await askChat(gateway, value, chatBody({ model: 'gpt-5.1' }))).status, status);
      }
      assert.match(await (await create({ fault: 'no-such' })).text(), /no fault/);
    }));

  it('shows the wallet, prices and the log', () =>
    withGateway(async (gateway, key) => {
      const answer = await askChat(gateway, key);
      await gateway.settled();
      const page = async (path: string) => (await fetch(gateway.consoleUrl + path)).text();
      assert.match(await page('/wallet'), /Balance: \$\d/);
      assert.match(await page('/catalogue'), /meta-llama\/llama-3\.1-8b-instruct:free/);
      assert.ok((await page('/usage')).includes(answer.headers.get('x-request-id') ?? 'no id'));
    }));
});

describe('the command line of the local gateway', () => {
  const launch = (...args: string[]) =>
    spawn(process.execPath, [join(projectRoot, 'test', 'gateway', 'main.ts'), ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });

  /** The lines that it prints up to the one that begins with `last`. */
  async function linesOf({ stdout }: ChildProcess, last: string): Promise<string> {
    let text = '';
    for await (const line of createInterface({ input: stdout ?? assert.fail() })) {
      text += `${line}\n`;
      if (line.startsWith(last)) {
        return text;
      }
    }
    return text;
  }

  it('starts with a key that is good after a restart, and leaves a file that is not its own alone', async () => {
    const folder = makeTemporary('gateway');
    const state = join(folder, 'state.json');
    try {
      let key = '';
      for (const isFirst of [true, false]) {
        using started = new DisposableStack();
        const child = started.adopt(launch('--port', '0', '--state', state), (each) => each.kill());
        const text = await linesOf(child, 'Ctrl-C');
        const [, shown] = /^Key +(\S+)/m.exec(text) ?? [];
        key ||= shown ?? '';
        assert.equal(shown !== undefined, isFirst);
        assert.equal((await ask(`${/Base URL {2}(\S+)/.exec(text)?.[1]}/models`, key)).status, 200);
        child.kill('SIGTERM');
        assert.deepEqual(await once(child, 'exit'), [0, null]);
      }
      writeFileSync(state, 'My notes');
      const refused = launch('--state', state);
      const [words] = await once(refused.stderr.setEncoding('utf8'), 'data');
      assert.match(words, /state\.json.*not/s);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { startGateway } from '../../gateway/gateway.ts';
import { askChat, chatBody } from './askGateway.ts';

describe('the state of the local gateway', () => {
  let folder: string;
  let stateFile: string;

  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'gateway-'));
    stateFile = path.join(folder, 'below', 'state.json');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('survives a restart: keys, wallet, usage log, POST count', async () => {
    const first = await startGateway({ stateFile, delayMs: 0 });
    const { value } = first.createKey({ name: 'stored' });
    await askChat(first, value);
    await first.close();
    assert.ok(first.isNew);

    const second = await startGateway({ stateFile, delayMs: 0 });
    try {
      assert.ok(!second.isNew);
      assert.deepEqual(second.usageLog(), first.usageLog());
      assert.equal(second.walletMicroUsd(), first.walletMicroUsd());
      assert.equal((await askChat(second, value)).status, 200);
      await second.settled();
      assert.equal(second.postCount(), 2);
    } finally {
      await second.close();
    }
  });

  it('contains no key and no content, and leaves no temporary file behind', async () => {
    const gateway = await startGateway({ stateFile, delayMs: 0 });
    const { value } = gateway.createKey({ name: 'secret' });
    await askChat(gateway, value);
    await gateway.close();
    const text = await readFile(stateFile, 'utf8');
    assert.ok(!text.includes(value) && !text.includes(value.slice(3, 20)));
    assert.doesNotMatch(text, /double|Explain/);
    assert.deepEqual(await readdir(path.dirname(stateFile)), ['state.json']);
    assert.match(value, /^sk-[0-9A-Za-z]{48}$/);
  });

  it('is written shortly after a change', async () => {
    const gateway = await startGateway({ stateFile });
    try {
      gateway.createKey({ name: 'soon' });
      let text = '';
      for (let turn = 0; !text.includes('soon') && turn < 200; turn += 1) {
        await new Promise((resolve) => setTimeout(resolve, 10));
        text = await readFile(stateFile, 'utf8').catch(() => '');
      }
      assert.match(text, /soon/);
    } finally {
      await gateway.close();
    }
  });

  it('is used by one gateway at a time, and ignores the lock of a process that has ended', async () => {
    const first = await startGateway({ stateFile });
    try {
      await assert.rejects(
        startGateway({ stateFile }),
        new RegExp(`process id ${process.pid} uses it[\\s\\S]*--state`),
      );
    } finally {
      await first.close();
    }
    // The largest possible process id, which no process has.
    await writeFile(`${stateFile}.lock`, String(2 ** 22));
    await (await startGateway({ stateFile })).close();
    assert.deepEqual(await readdir(path.dirname(stateFile)), []);
  });

  it('has the usage of a reply that was cut by closing the gateway', async () => {
    const gateway = await startGateway({ stateFile });
    const { value } = gateway.createKey({ name: 'broken' });
    const asked = askChat(gateway, value, chatBody({ model: 'qwen3-8b-slow' })).catch(() => undefined);
    while (gateway.postCount() === 0) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await gateway.close();
    await asked;
    const again = await startGateway({ stateFile });
    await again.close();
    assert.deepEqual(
      again.usageLog().map((entry) => entry.state),
      ['client_gone'],
    );
  });

  const broken: [title: string, text: string, words: RegExp][] = [
    ['not JSON', '{"version":', /not JSON/],
    ['of another shape', '{"version":1,"walletMicroUsd":"much"}', /walletMicroUsd/],
    ['of another version', '{"version":2,"walletMicroUsd":1,"postCount":0,"keys":[],"usage":[]}', /version/],
  ];
  for (const [title, text, words] of broken) {
    it(`doesn’t overwrite a state file that is ${title}, and says what to do`, async () => {
      const file = path.join(folder, 'state.json');
      await writeFile(file, text);
      await assert.rejects(startGateway({ stateFile: file }), (error: Error) => {
        assert.match(error.message, words);
        assert.match(error.message, /left untouched.*--state/s);
        return true;
      });
      assert.equal(await readFile(file, 'utf8'), text);
    });
  }
});

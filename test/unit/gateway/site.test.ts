import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Account } from '../../gateway/account.ts';
import { emptyState } from '../../gateway/accountState.ts';
import { openCall } from '../../gateway/chat/chatCall.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { siteLog } from '../../gateway/site/siteBodies.ts';
import { ask, askChat, chatBody, withGateway } from './askGateway.ts';

type Line = {
  readonly type: number;
  readonly created_at: number;
  readonly model_name: string;
  readonly quota: number;
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly use_time: number;
  readonly group: string;
  readonly request_id: string;
  readonly other: string;
};

async function read<T>(gateway: Gateway, path: string, key = ''): Promise<T> {
  const { text, status } = await ask(`${gateway.consoleUrl}${path}`, key);
  assert.equal(status, 200, text);
  return JSON.parse(text);
}

const readLog = async (gateway: Gateway, key: string) =>
  (await read<{ data: Line[] }>(gateway, '/api/log/token', key)).data;

describe("the site's endpoints", () => {
  it('agree with what the gateway charges, and with the request id of the answer', () =>
    withGateway(
      async (gateway) => {
        const { value: key } = gateway.createKey({ name: 'one', groups: ['premium'] });
        const ids: (string | null)[] = [];
        for (const model of ['qwen3-8b', 'claude-opus-4-5', 'gpt-5-mini']) {
          ids.unshift((await askChat(gateway, key, chatBody({ model }))).headers.get('x-request-id'));
        }
        await gateway.settled();
        const lines = await readLog(gateway, key);
        assert.deepEqual(
          lines.map(({ request_id: id }) => id),
          ids,
        );
        const entries = gateway.usageLog().toReversed();
        const { data, group_ratio: ratios } = await read<{
          data: { model_name: string; model_ratio: number; completion_ratio: number; quota_type: number }[];
          group_ratio: Record<string, number>;
        }>(gateway, '/api/pricing');
        assert.deepEqual(ratios, { default: 1, premium: 1.5, preview: 1 });
        assert.equal(data.length, 28);
        for (const [index, line] of lines.entries()) {
          const microUsd = entries[index]?.costMicroUsd ?? 0;
          assert.ok(microUsd > 0);
          assert.deepEqual([line.type, line.group, line.quota], [2, 'premium', Math.round(microUsd / 2)]);
          const other = JSON.parse(line.other);
          const priced = data.find(({ model_name: name }) => name === line.model_name);
          assert.deepEqual(
            [other.model_ratio, other.completion_ratio, other.group_ratio, other.model_price],
            [priced?.model_ratio, priced?.completion_ratio, 1.5, -1],
          );
          const quota =
            (line.prompt_tokens + line.completion_tokens * other.completion_ratio) *
            other.model_ratio *
            other.group_ratio;
          assert.ok(Math.abs(quota - line.quota) <= 1, `${quota} and ${line.quota}`);
        }
      },
      { groupRatios: { premium: 1.5 } },
    ));

  it('list the calls of one key only: a stopped one with its charge, a refused one as an error', () =>
    withGateway(async (gateway, key) => {
      const { value: other } = gateway.createKey({ name: 'test' });
      await askChat(gateway, other);
      gateway.setDelayMs(20);
      const stream = await fetch(`${gateway.baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}` },
        body: JSON.stringify(chatBody()),
      });
      const reader = stream.body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await gateway.settled();
      await askChat(gateway, key, chatBody({ model: 'no-such-model' }));
      const lines = await readLog(gateway, key);
      assert.deepEqual(
        lines.map(({ type, model_name: model, quota }) => [type, model, quota > 0]),
        [
          [5, 'no-such-model', false],
          [2, 'qwen3-8b', true],
        ],
      );
      assert.equal(gateway.usageLog()[1]?.state, 'client_gone');
      assert.equal((await readLog(gateway, other)).length, 1);
    }));

  it('list a thousand calls at most, newest first, with the second in which each ended', () => {
    const start = 1_700_000_000_000;
    const account = new Account(
      emptyState(1),
      () => start,
      () => {},
    );
    const { record } = account.createKey({ name: 'test', groups: ['default'] });
    for (let count = 1; count <= 1_003; count++) {
      const { entry } = openCall(`id ${count}`, start + count * 1_000);
      account.settle({ ...entry, keyId: record.id, model: 'qwen3-8b', tookMs: 7_900 }, record);
    }
    const { data } = siteLog({ account }, record) as { data: Line[] };
    const shown = [data[0], data.at(-1)].map((line) => [line?.request_id, line?.created_at, line?.use_time]);
    assert.equal(data.length, 1_000);
    assert.deepEqual(shown, [
      ['id 1003', start / 1_000 + 1_010, 7],
      ['id 4', start / 1_000 + 11, 7],
    ]);
  });

  it('state prices per call while the gateway charges each call the same', () =>
    withGateway(async (gateway, key) => {
      gateway.setFault('priced-per-call:30000');
      await askChat(gateway, key);
      const { data } = await read<{ data: { quota_type: number; model_price: number }[] }>(gateway, '/api/pricing');
      assert.deepEqual([data[0]?.quota_type, data[0]?.model_price], [1, 0.03]);
      const [line] = await readLog(gateway, key);
      const { model_price: price, model_ratio: ratio } = JSON.parse(line?.other ?? '');
      assert.deepEqual([line?.quota, price, ratio], [15_000, 0.03, 0]);
    }));

  it('report the balance of a key, also of one that is used up', () =>
    withGateway(async (gateway) => {
      const { value: key } = gateway.createKey({ name: 'small', quotaMicroUsd: 4, expiresAt: 1_900_000_000_000 });
      await askChat(gateway, key);
      const used = Math.round((gateway.usageLog()[0]?.costMicroUsd ?? 0) / 2);
      const { data } = await read<{ data: Record<string, unknown> }>(gateway, '/api/usage/token/', key);
      const { name, total_granted, total_used, total_available, unlimited_quota, expires_at } = data;
      assert.deepEqual(
        [name, total_granted, total_used, total_available, unlimited_quota, expires_at],
        ['small', 2, used, 2 - used, false, 1_900_000_000],
      );
    }));

  it('share a limit of twenty reads in twenty minutes, and refuse an unknown key', () => {
    let now = 1_700_000_000_000;
    return withGateway(
      async (gateway, key) => {
        const statusOf = async (path: string, value = key) => (await ask(`${gateway.consoleUrl}${path}`, value)).status;
        assert.equal(await statusOf('/api/log/token', 'sk-unknown'), 401);
        assert.equal(await statusOf('/api/log/token', ''), 401);
        for (let count = 2; count < 20; count++) {
          assert.equal(await statusOf(count % 2 ? '/api/log/token' : '/api/usage/token/'), 200);
        }
        assert.equal(await statusOf('/api/usage/token/'), 429);
        assert.equal(await statusOf('/api/log/token'), 429);
        assert.equal(await statusOf('/api/status'), 200);
        now += 20 * 60_000;
        assert.equal(await statusOf('/api/log/token'), 200);
      },
      { now: () => now },
    );
  });

  it('show their faults, at one endpoint or at all', () =>
    withGateway(async (gateway, key) => {
      const answer = async (path: string, fault?: string) => {
        gateway.setSiteFault(fault);
        const { status, text, headers } = await ask(`${gateway.consoleUrl}${path}`, key);
        return { status, text, type: headers.get('content-type')?.split(';')[0] };
      };
      assert.equal((await answer('/api/status', 'off')).status, 404);
      assert.equal((await answer('/api/log/token', '401')).status, 401);
      assert.equal((await answer('/api/log/token', '429@log')).status, 429);
      assert.equal((await answer('/api/pricing', '429@log')).status, 200);
      assert.equal((await answer('/api/pricing', 'html')).type, 'text/html');
      const big = await answer('/api/status', 'big');
      assert.ok(big.text.length > 5 * 1024 * 1024 && JSON.parse(big.text).success);
      const { data } = JSON.parse((await answer('/api/pricing', 'damaged')).text);
      assert.deepEqual(
        [typeof data[0], data[1], typeof data[2], data[3].model_ratio],
        ['object', null, 'string', 'cheap'],
      );
      const cut = await answer('/api/pricing', 'cut');
      assert.throws(() => JSON.parse(cut.text));
      assert.throws(() => gateway.setSiteFault('no-such-fault'), /no fault/);
      gateway.setSiteFault(undefined);
      gateway.setSiteDisplay({});
      assert.ok(!(await answer('/api/status')).text.includes('quota_display_type'));
    }));

  it('are absent when they are turned off', () =>
    withGateway(
      async (gateway, key) => {
        for (const path of ['/api/status', '/api/pricing', '/api/log/token', '/api/usage/token/']) {
          assert.equal((await ask(`${gateway.consoleUrl}${path}`, key)).status, 404);
        }
      },
      { siteApi: 'off' },
    ));
});

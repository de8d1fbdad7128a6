import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SiteUnit } from '../../../../src/core/account/accountDialects.ts';
import { readTokenLog } from '../../../../src/core/account/logEntries.ts';
import { key } from '../../node/network/gatewayServer.ts';

const site: SiteUnit = {
  factor: 1,
  quotaPerDollar: 500_000,
  credit: { factor: 1, unit: 'site' },
  consoleKind: 'classic',
};
const line = (change: object = {}) => ({
  id: 1,
  created_at: 1_790_000_000,
  type: 2,
  model_name: 'gpt-5-mini',
  quota: 3_050,
  prompt_tokens: 1_200,
  completion_tokens: 340,
  use_time: 7,
  is_stream: true,
  token_name: 'dev',
  group: 'vip',
  request_id: '20261121093000123456789AbCdEfGh',
  other: JSON.stringify({ model_ratio: 0.125, group_ratio: 0.8, cache_tokens: 1_000, cache_ratio: 0.1, frt: 800 }),
  ...change,
});
const read = (lines: unknown, credit?: { factor: number; unit: string }) =>
  readTokenLog({ success: true, message: '', data: lines }, site, credit);

test('reads what a call was charged, with its request id and the ratio of the group', () => {
  assert.deepEqual(read([line()]), {
    entries: [
      {
        at: 1_790_000_000_000,
        kind: 'charge',
        model: 'gpt-5-mini',
        charged: { amount: 0.0061, unit: 'site' },
        requestId: '20261121093000123456789AbCdEfGh',
        promptTokens: 1_200,
        completionTokens: 340,
        cachedTokens: 1_000,
        groupRatio: 0.8,
      },
    ],
    unreadable: 0,
    hasZone: true,
  });
});

test('converts the charge as the person or the site states', () => {
  const charged = (log: ReturnType<typeof read>) => log?.entries[0]?.charged;
  assert.deepEqual(charged(read([line()], { factor: 0.5, unit: 'CNY' })), { amount: 0.00305, unit: 'CNY' });
  const own = readTokenLog({ data: [line()] }, { ...site, credit: { factor: 10, unit: 'CNY' } });
  assert.deepEqual(charged(own), { amount: 0.061, unit: 'CNY' });
});

test('tells charges, errors and refunds apart, and leaves out lines that are not about calls', () => {
  const types = [1, 2, 3, 4, 5, 6, 99].map((type) => line({ type }));
  const log = read(types);
  assert.deepEqual(
    log?.entries.map(({ kind, charged }) => [kind, charged.amount]),
    [
      ['charge', 0.0061],
      ['error', 0],
      ['refund', 0.0061],
    ],
  );
  assert.equal(log?.unreadable, 0);
});

test("counts the lines that can't be read, and leaves out implausible facts", () => {
  const bad = [
    null,
    'line',
    [],
    line({ model_name: ' ' }),
    line({ created_at: 0 }),
    line({ created_at: 1e15 }),
    line({ model_name: `relay/${key}` }),
    line({ quota: -1 }),
    line({ quota: 'much' }),
    line({ quota: 1e300 }),
  ];
  const poor = line({
    request_id: '',
    prompt_tokens: -1,
    completion_tokens: 'many',
    use_time: null,
    group: {},
    other: '{"group_ratio":0.8',
  });
  const log = read([...bad, poor]);
  assert.deepEqual([log?.entries.length, log?.unreadable], [1, bad.length]);
  const { at, kind, model, charged, ...others } = log?.entries[0] ?? assert.fail();
  assert.deepEqual([at, kind, model, charged.amount], [1_790_000_000_000, 'charge', 'gpt-5-mini', 0.0061]);
  assert.ok(Object.values(others).every((fact) => fact === undefined));
});

test('reads no charge where the site does not state the quota of its dollar', () => {
  const { quotaPerDollar: _, ...unknown } = site;
  assert.equal(readTokenLog({ data: [line()] }, unknown), undefined);
});

test('rejects bodies that are no log', () => {
  for (const body of [null, 'log', [], {}, { data: {} }, { success: false, data: [line()] }, { data: null }]) {
    assert.equal(readTokenLog(body, site), undefined);
  }
});

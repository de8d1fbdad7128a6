import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CallEnd, type CallStart, callerName, readLine } from '../../../../src/core/usage/ledgerLine.ts';
import { endLine, openLedger, startLine } from './memoryLedger.ts';

const start: CallStart = {
  id: 'a',
  at: 1_795_000_000_000,
  connection: 'c1',
  host: 'gateway.example',
  model: 'vendor/模型\n',
  caller: { kind: 'extension', id: 'publisher.name' },
  conversation: 'k',
  estimate: 12,
};
const end: CallEnd = {
  id: 'a',
  at: 1_795_000_002_000,
  state: 'complete',
  answered: 'vendor/other',
  usage: {
    promptTokens: 11,
    completionTokens: 7,
    totalTokens: 18,
    cachedTokens: 5,
    cacheWriteTokens: 2,
    reasoningTokens: 3,
    cost: 0.001,
  },
  requestId: 'r',
  firstTokenMs: 500,
  totalMs: 2_000,
};
const least: CallStart = {
  id: 'b',
  at: 1,
  connection: 'c1',
  host: 'h',
  model: 'm',
  caller: { kind: 'panel' },
  estimate: 0,
};

test('reads every line as it was written', () => {
  for (const each of [
    start,
    least,
    { ...least, caller: { kind: 'comparison' } },
    { ...least, caller: { kind: 'edit' } },
    { ...least, caller: { kind: 'review' } },
    { ...least, caller: { kind: 'extension' } },
    { ...least, conversation: 'k', isInMemory: true },
    { ...least, reserved: { tokens: 4_096 } },
    { ...least, reserved: { tokens: 4_096, cost: 0.25 } },
  ] satisfies CallStart[]) {
    assert.deepEqual(readLine(startLine(each)), { v: 1, type: 'start', ...each });
  }
  for (const each of [
    end,
    { ...end, state: 'failed', isFree: true } as const,
    ...(['stopped', 'incomplete', 'failed', 'notSent'] as const).map((state) => ({
      id: 'b',
      at: 2,
      state,
      totalMs: 1,
    })),
  ]) {
    assert.deepEqual(readLine(endLine(each)), { v: 1, type: 'end', ...each });
  }
});

test('writes one line for each, whatever is in it', () => {
  for (const line of [startLine(start), endLine({ ...end, answered: 'a\r\nb\u2028', requestId: '\ud800' })]) {
    assert.match(line, /^[^\n]+\n$/);
  }
});

test('writes no content and no key, even if they are handed over', () => {
  const secret = 'sk-secret';
  const usage = { promptTokens: 1, key: secret };
  const caller = { kind: 'panel' as const, id: secret };
  const lines = [
    startLine({ ...least, ...{ question: secret, headers: { authorization: secret } }, caller }),
    endLine({ ...end, ...{ text: secret }, usage }),
  ];
  assert.doesNotMatch(lines.join(''), /secret|question|headers|authorization|text|key/);
});

test('reads no line that is cut, damaged, of a later version or of another kind', () => {
  for (const whole of [startLine(start).trim(), endLine(end).trim()]) {
    for (let length = 0; length < whole.length; length++) {
      assert.equal(readLine(whole.slice(0, length)), undefined);
      assert.equal(readLine(whole.slice(length + 1)), undefined);
    }
    assert.equal(readLine(whole.replace('"v":1', '"v":2')), undefined);
    assert.equal(readLine(whole.replace(/"type":"\w+"/, '"type":"other"')), undefined);
    assert.equal(readLine(whole + whole), undefined);
  }
  for (const [name, value] of [
    ['id', 7],
    ['at', -1],
    ['caller', { kind: 'someone' }],
    ['caller', null],
    ['caller', { kind: 'extension', id: 7 }],
    ['estimate', '7'],
    ['conversation', null],
    ['isInMemory', false],
    ['reserved', {}],
    ['reserved', { tokens: 1, cost: -1 }],
  ] as const) {
    assert.equal(readLine(JSON.stringify({ v: 1, type: 'start', ...start, [name]: value })), undefined, name);
  }
  for (const [name, value] of [
    ['state', 'running'],
    ['usage', []],
    ['usage', { cost: '1' }],
    ['usage', { cost: 1e308 }],
    ['cost', { amount: 1e300, unit: 'USD', source: 'reported' }],
    ['totalMs', undefined],
    ['firstTokenMs', null],
    ['isFree', 1],
  ] as const) {
    assert.equal(readLine(JSON.stringify({ v: 1, type: 'end', ...end, [name]: value })), undefined, name);
  }
  assert.equal(readLine('{"v":1,"type":"end","id":"a","at":1e999,"state":"complete","totalMs":1}'), undefined);
});

test("names callers so that an extension can't pass for the panel", () => {
  assert.deepEqual(
    [
      { kind: 'panel' } as const,
      { kind: 'comparison' } as const,
      { kind: 'extension' } as const,
      { kind: 'extension', id: 'panel' } as const,
    ].map(callerName),
    ['panel', 'comparison', 'extension', 'extension:panel'],
  );
});

test('opens a file of version 1', async () => {
  const { ledger, store } = openLedger();
  store.files.set('2026-11', readFileSync(join(import.meta.dirname, 'ledger-v1.jsonl')));
  const november = [Date.UTC(2026, 10, 1), Date.UTC(2026, 11, 1)] as const;
  const { byModel, byConnection, byCaller, ...all } = await ledger.totals(...november);
  assert.equal((await ledger.callsBetween(...november)).unreadable, 2);
  assert.deepEqual(all, {
    calls: 5,
    states: { complete: 1, stopped: 1, incomplete: 0, failed: 1, notSent: 1, unknown: 1, running: 0 },
    tokens: 1_292,
    inputTokens: 1_240,
    outputTokens: 52,
    cachedTokens: 1_000,
    costs: new Map([['USD', 0.0021]]),
    sources: new Set(['reported']),
    unpriced: 3,
    unreported: 2,
  });
  assert.deepEqual(
    [byModel, byConnection, byCaller].map((map) => [...map].map(([name, { calls }]) => [name, calls])),
    [
      [
        ['vendor/model-a', 3],
        ['model-b', 2],
      ],
      [
        ['c1', 3],
        ['c2', 2],
      ],
      [
        ['panel', 1],
        ['comparison', 2],
        ['extension:publisher.name', 1],
        ['extension', 1],
      ],
    ],
  );
});

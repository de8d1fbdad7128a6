import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Cost } from '../../../../src/core/reply/cost.ts';
import { anEnd, aStart, endLine, openLedger, receiptLine, startLine } from './memoryLedger.ts';

const always = [0, Date.UTC(2027, 0, 1)] as const;
const charged = (amount: number, source: Cost['source'] = 'charged'): Cost => ({ amount, unit: 'USD', source });
const priced: Cost = { amount: 0.5, unit: 'USD', source: 'stated' };

test('a receipt replaces what was reported or calculated, and gives the tokens that no answer reported', async () => {
  const { ledger, store } = openLedger();
  const calls = ['reported', 'calculated', 'stopped'].map(async (id) => ledger.begin(aStart(id)));
  const [reported, calculated, stopped] = await Promise.all(calls);
  await reported?.end(anEnd({ usage: { promptTokens: 10, cost: 0.25 } }));
  await calculated?.end(anEnd({ usage: { promptTokens: 10 }, cost: priced }));
  await stopped?.end(anEnd({ state: 'stopped' }));
  assert.deepEqual((await ledger.totals(...always)).costs, new Map([['USD', 0.75]]));
  const { at: began } = aStart('any');
  await ledger.receive([
    { id: 'reported', began, at: 1, cost: charged(1) },
    { id: 'calculated', began, at: 1, cost: charged(2, 'likely') },
    { id: 'stopped', began, at: 1, cost: charged(4), usage: { promptTokens: 7, completionTokens: 3 } },
  ]);
  for (const each of [ledger, openLedger({ store }).ledger]) {
    const { costs, sources, unpriced, inputTokens, outputTokens } = await each.totals(...always);
    assert.deepEqual([costs, sources], [new Map([['USD', 7]]), new Set(['charged', 'likely'])]);
    assert.deepEqual([unpriced, inputTokens, outputTokens], [0, 27, 3]);
  }
});

test('the last receipt of a call counts, also when it comes before its call in the file', async () => {
  const { ledger, store } = openLedger();
  const receipt = (amount: number) => receiptLine({ id: 'a', at: 1, cost: charged(amount) });
  const call = startLine(aStart('a')) + endLine({ id: 'a', ...anEnd({ usage: { cost: 9 } }) });
  store.files.set('2026-11', Buffer.from(receipt(1) + call + receipt(2)));
  assert.deepEqual((await ledger.totals(...always)).costs, new Map([['USD', 2]]));
  await ledger.receive([{ id: 'a', began: aStart('a').at, at: 2, cost: charged(3) }]);
  assert.deepEqual((await ledger.totals(...always)).costs, new Map([['USD', 3]]));
});

test('receipts that cannot be written are reported', async () => {
  const { ledger, store } = openLedger();
  store.failure = new Error('the disk is full');
  await assert.rejects(ledger.receive([{ id: 'a', began: 1, at: 2, cost: charged(3) }]), /the disk is full/);
  await ledger.receive([]);
});

test('tells what a call was charged, without reading, and fires when that may have changed', async () => {
  const { ledger, store } = openLedger();
  let fired = 0;
  ledger.onDidReceive(() => fired++);
  await (await ledger.begin(aStart('a'))).end(anEnd({ usage: { cost: 9 } }));
  await ledger.totals(...always);
  assert.deepEqual([ledger.chargedOf('a')?.cost, fired], [undefined, 0]);
  const { bytesRead } = store;
  await ledger.receive([
    { id: 'a', began: aStart('a').at, at: 1, cost: charged(1) },
    { id: 'a', began: aStart('a').at, at: 2, cost: charged(2, 'likely') },
  ]);
  assert.deepEqual(
    [ledger.chargedOf('a')?.cost, ledger.chargedOf('b')?.cost, fired],
    [charged(2, 'likely'), undefined, 1],
  );
  assert.equal(store.bytesRead, bytesRead);
});

test('knows what was charged in another window once its month was read, and no longer when it was cleared', async () => {
  const { ledger, store } = openLedger();
  await (await ledger.begin(aStart('a'))).end(anEnd());
  const other = openLedger({ store }).ledger;
  await other.totals(...always);
  await ledger.totals(...always);
  await ledger.receive([{ id: 'a', began: aStart('a').at, at: 1, cost: charged(1) }]);
  let fired = 0;
  other.onDidReceive(() => fired++);
  assert.deepEqual([other.chargedOf('a')?.cost, fired], [undefined, 0]);
  await other.totals(...always);
  assert.deepEqual([other.chargedOf('a')?.cost, fired], [charged(1), 1]);
  await other.totals(...always);
  assert.equal(fired, 1);
  await other.clear();
  assert.deepEqual([other.chargedOf('a')?.cost, fired], [undefined, 2]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DailyLimits, expectedOutput, reachedLimit, sumsOf } from '../../../../src/core/usage/limits.ts';
import { costOf } from '../../../../src/core/usage/prices/prices.ts';
import type { CountedCall } from '../../../../src/core/usage/usageTotals.ts';
import { aCall as aUsedCall } from './view/usageSample.ts';

const prices = { input: 2, output: 10, cachedInput: 0.5, unit: 'USD', source: 'listed' } as const;
const priceOf = (model: string) => (model === 'priced' ? prices : undefined);
const unknownPrice = { priceOf: () => undefined, outputOf: () => 40 };
const facts = { priceOf, outputOf: () => 40 };

const aCall = (facts: Partial<CountedCall> = {}) =>
  aUsedCall({ id: 'a', at: 0, model: 'm1', usage: undefined, ...facts });

function amountsOf(calls: readonly CountedCall[]) {
  const { unit: _, ...amounts } = sumsOf(calls, facts);
  return amounts;
}

const limitsOf = (hard: DailyLimits['hard'], othersPercent = 100): DailyLimits => ({ hard, soft: {}, othersPercent });

test('computes a cost from prices per million tokens, with cached tokens and a price per call', () => {
  const usage = { promptTokens: 1_000_000, completionTokens: 100_000 };
  assert.deepEqual(costOf(prices, usage), { amount: 3, unit: 'USD', source: 'listed' });
  assert.equal(costOf(prices, { ...usage, cachedTokens: 400_000 })?.amount, 2.4);
  assert.equal(costOf({ ...prices, perRequest: 0.25 }, usage)?.amount, 3.25);
  // Some gateways count cached tokens beside the prompt tokens, and reasoning beside the output.
  assert.equal(costOf(prices, { promptTokens: 500_000, cachedTokens: 1_000_000 })?.amount, 1.5);
  const written = { promptTokens: 1_000_000, cacheWriteTokens: 400_000 };
  assert.equal(costOf(prices, written)?.amount, 2);
  assert.equal(costOf({ ...prices, cacheWrite: 2.5 }, written)?.amount, 2.2);
  assert.equal(costOf({ ...prices, cacheWrite: 2.5 }, { ...written, cachedTokens: 100_000 })?.amount, 2.05);
  const beside = { promptTokens: 10, cachedTokens: 500_000, cacheWriteTokens: 1_000_000 };
  assert.equal(costOf({ ...prices, cacheWrite: 2.5 }, beside)?.amount, 2.75002);
  const reasoned = { promptTokens: 0, completionTokens: 1, reasoningTokens: 99_999, totalTokens: 100_000 };
  assert.equal(costOf(prices, reasoned)?.amount, 1);
  assert.equal(
    costOf(prices, { promptTokens: 100_000, cachedTokens: 400_000, completionTokens: 100_000, totalTokens: 600_000 })
      ?.amount,
    1.4,
    'cached tokens beside the prompt tokens are no output',
  );
  assert.equal(
    costOf(prices, { promptTokens: 100_000, cacheWriteTokens: 400_000, totalTokens: 500_000 })?.amount,
    1,
    'what is written to the cache is input, too',
  );
  assert.equal(costOf(prices, { promptTokens: 1e308, completionTokens: 1e308 }), undefined, 'no number, but Infinity');
  assert.equal(costOf({ ...prices, perRequest: Number.POSITIVE_INFINITY }, usage), undefined);
});

test('knows no cost without a price for input and for output', () => {
  assert.equal(costOf(undefined, { promptTokens: 1 }), undefined);
  assert.equal(costOf({ input: 1, unit: 'USD', source: 'listed' }, { promptTokens: 1 }), undefined);
  assert.equal(costOf({ output: 1, unit: 'USD', source: 'listed' }, { promptTokens: 1 }), undefined);
});

test('expects the 95th percentile of what the last answers of the model had', () => {
  const outputs = Array.from({ length: 100 }, (_, index) => 100 - index);
  const callsOf = (...all: number[]) => all.map((completionTokens) => ({ usage: { completionTokens } }));
  assert.equal(expectedOutput(callsOf(...outputs)), 95);
  assert.equal(expectedOutput(callsOf(1)), 1);
  assert.equal(expectedOutput([]), 4_096);
});

test('counts what was reported in full, and otherwise at least what was reserved', () => {
  const reserved = { tokens: 500, cost: 0.5 };
  const sums = (call: Partial<CountedCall>) => amountsOf([aCall(call)]);
  const whole = { promptTokens: 7, completionTokens: 3 };
  assert.deepEqual(sums({ usage: { ...whole, cost: 0.2 }, reserved }), { calls: 1, tokens: 10, cost: 0.2 });
  assert.deepEqual(sums({ usage: { ...whole, totalTokens: 900 }, reserved }), { calls: 1, tokens: 900, cost: 0.5 });
  assert.deepEqual(sums({ model: 'priced', usage: { promptTokens: 1_000_000, completionTokens: 0 } }), {
    calls: 1,
    tokens: 1_000_000,
    cost: 2,
  });
  for (const usage of [
    { totalTokens: 12 },
    { promptTokens: 12 },
    { promptTokens: 0, completionTokens: 0 },
    { promptTokens: 0, completionTokens: 3 },
  ]) {
    assert.deepEqual(sums({ usage, reserved }), { calls: 1, tokens: 500, cost: 0.5 });
  }
  assert.deepEqual(sums({ usage: { totalTokens: 700 }, reserved }), { calls: 1, tokens: 700, cost: 0.5 });
});

test('counts by prices what a gateway charges 0 for, and no cost that no call can have', () => {
  const usage = { promptTokens: 1_000_000, completionTokens: 1 };
  const charged = (amount: number) => ({ cost: { amount, unit: 'USD', source: 'charged' as const }, usage });
  for (const call of [
    charged(0),
    charged(1e-300),
    { usage: { ...usage, cost: 0 } },
    { usage: { ...usage, cost: 1e-300 } },
  ]) {
    assert.equal(sumsOf([aCall({ model: 'priced', ...call })], facts).cost, 2.00001);
    assert.ok(sumsOf([aCall(call)], facts).cost < 1e-9, 'without a price');
  }
  const reserved = { tokens: 500, cost: 0.5 };
  assert.equal(sumsOf([aCall({ usage: { cost: 0 }, reserved })], facts).cost, 0.5, 'a whole answer without tokens');
  assert.equal(sumsOf([aCall({ model: 'priced', state: 'failed', ...charged(0), usage: undefined })], facts).cost, 0);
  assert.equal(sumsOf([aCall({ model: 'priced', ...charged(1.5) })], facts).cost, 1.5, 'a discount');
  for (const price of [{ input: 1e300 }, { output: 1e10 }, { perRequest: 1e308 }]) {
    assert.equal(costOf({ ...prices, ...price }, usage), undefined);
  }
});

test('counts the reservation of a call whose cost is not known, also if it failed', () => {
  const reserved = { tokens: 500, cost: 0.5 };
  const sums = (call: Partial<CountedCall>) => amountsOf([aCall(call)]);
  for (const state of ['stopped', 'incomplete', 'failed', 'unknown', undefined] as const) {
    assert.deepEqual(sums({ state, reserved }), { calls: 1, tokens: 500, cost: 0.5 }, state);
    // As it would have been reserved with a limit.
    assert.deepEqual(sums({ state }), { calls: 1, tokens: 50, cost: 0 }, state);
  }
  assert.deepEqual(sums({ state: 'unknown', model: 'priced', estimate: 1_000_000 }).cost, 2.0004);
  assert.deepEqual(sums({ state: 'failed', isFree: true, reserved }), { calls: 1, tokens: 0, cost: 0 });
  assert.deepEqual(sums({ state: 'notSent', reserved }), { calls: 0, tokens: 0, cost: 0 });
});

test('a limit is reached only by a call that would exceed it', () => {
  const calls = [aCall({ usage: { promptTokens: 60, completionTokens: 30 } }), aCall({ state: 'notSent' })];
  const reached = (hard: DailyLimits['hard'], tokens = 10) =>
    reachedLimit(limitsOf(hard), calls, unknownPrice, { tokens }, false);
  assert.equal(reached({}), undefined);
  assert.equal(reached({ calls: 2, tokens: 100 }), undefined);
  assert.deepEqual(reached({ calls: 1 }), { kind: 'limitReached', limit: 'calls', max: 1, used: 1, needed: 1 });
  assert.deepEqual(reached({ tokens: 100 }, 11), {
    kind: 'limitReached',
    limit: 'tokens',
    max: 100,
    used: 90,
    needed: 11,
  });
  assert.deepEqual(reached({ calls: 0 }), { kind: 'limitReached', limit: 'calls', max: 0, used: 1, needed: 1 });
});

test('a limit of costs counts what calls cost, and what this one may cost', () => {
  const calls = [aCall({ usage: { cost: 0.75 } }), aCall({ state: 'unknown', reserved: { tokens: 9, cost: 0.125 } })];
  const reached = (max: number, cost?: number) =>
    reachedLimit(limitsOf({ cost: max }), calls, unknownPrice, { tokens: 1, cost }, false);
  assert.equal(reached(1, 0.125), undefined);
  assert.deepEqual(reached(1, 0.25), {
    kind: 'limitReached',
    limit: 'cost',
    max: 1,
    used: 0.875,
    needed: 0.25,
    unit: 'USD',
  });
  assert.equal(reached(1), undefined);
});

test('costs of different units are limited each by itself, and never added', () => {
  const charged = (amount: number, unit: string) => aCall({ cost: { amount, unit, source: 'charged' } });
  const calls = [
    charged(0.75, 'USD'),
    charged(0.5, 'CNY'),
    aCall({ reserved: { tokens: 9, cost: 0.125, unit: 'CNY' } }),
  ];
  const reached = (cost: number, unit?: string) =>
    reachedLimit(limitsOf({ cost: 1 }), calls, unknownPrice, { tokens: 1, cost, unit }, false);
  assert.equal(reached(0.25, 'USD'), undefined);
  assert.equal(reached(0.375, 'CNY'), undefined);
  assert.equal(reached(1, 'site'), undefined);
  assert.deepEqual(reached(0.5), { kind: 'limitReached', limit: 'cost', max: 1, used: 0.75, needed: 0.5, unit: 'USD' });
  assert.deepEqual(reached(0.5, 'CNY'), {
    kind: 'limitReached',
    limit: 'cost',
    max: 1,
    used: 0.625,
    needed: 0.5,
    unit: 'CNY',
  });
  assert.deepEqual(sumsOf(calls, unknownPrice), { calls: 3, tokens: 109, cost: 0.75, unit: 'USD' });
});

test('what the log of a gateway charges in another unit leaves the limit of costs as it was', () => {
  const priced = { model: 'priced', usage: { promptTokens: 200_000, completionTokens: 20_000 } };
  const calls = [aCall(priced), aCall({ reserved: { tokens: 9, cost: 0.25 } })];
  const charged = calls.map((call) => ({ ...call, cost: { amount: 40, unit: 'site', source: 'charged' as const } }));
  const reached = (counted: readonly CountedCall[]) =>
    reachedLimit(limitsOf({ cost: 1 }), counted, facts, { tokens: 1, cost: 0.5 }, false);
  assert.deepEqual(reached(calls), {
    kind: 'limitReached',
    limit: 'cost',
    max: 1,
    used: 0.85,
    needed: 0.5,
    unit: 'USD',
  });
  assert.deepEqual(reached(charged), reached(calls));
  assert.deepEqual(sumsOf(charged, facts).unit, 'site');
  const free = charged.map((call) => ({ ...call, usage: undefined, isFree: true as const }));
  assert.equal(reached(free), undefined);
});

test('other extensions together have only their share of a limit, and the person has all of it', () => {
  const calls = [aCall(), aCall({ caller: 'extension:a.b' }), aCall({ caller: 'extension' })];
  const reached = (max: number, isOther: boolean) =>
    reachedLimit(limitsOf({ calls: max }, 50), calls, unknownPrice, { tokens: 1 }, isOther);
  assert.equal(reached(6, true), undefined);
  assert.deepEqual(reached(5, true), {
    kind: 'limitReached',
    limit: 'calls',
    max: 2,
    used: 2,
    needed: 1,
    isShare: true,
  });
  assert.equal(reached(4, false), undefined);
  assert.deepEqual(reached(3, true), { kind: 'limitReached', limit: 'calls', max: 3, used: 3, needed: 1 });
});

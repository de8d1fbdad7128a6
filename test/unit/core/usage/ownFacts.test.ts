import assert from 'node:assert/strict';
import { test } from 'node:test';
import { knownCost } from '../../../../src/core/reply/cost.ts';
import { countedRatio, ownFacts, ownFactsText, tokenFactor, tokenRatio } from '../../../../src/core/usage/ownFacts.ts';
import type { CountedCall } from '../../../../src/core/usage/usageTotals.ts';

function call(facts: Partial<CountedCall> = {}): CountedCall {
  return {
    id: 'x',
    at: 0,
    model: 'm',
    connection: 'c',
    caller: 'panel',
    conversation: undefined,
    estimate: 1,
    reserved: undefined,
    state: 'complete',
    usage: undefined,
    ...facts,
  };
}

const cost = (amount: number, unit = 'USD') => ({ amount, unit, source: 'charged' as const });

test('knows the medians of costs and first tokens, and how many calls failed', () => {
  const facts = ownFacts(
    [
      call({ cost: cost(0.02), firstTokenMs: 3_000 }),
      call({ cost: cost(0.0061), firstTokenMs: 900 }),
      call({ cost: cost(0.001), firstTokenMs: 400 }),
      call({ state: 'failed' }),
      call({ state: 'incomplete' }),
      call({ state: 'stopped' }),
      call({ state: 'notSent' }),
      call({ state: 'unknown' }),
      call({ state: undefined }),
    ],
    knownCost,
  );
  assert.deepEqual(facts, { calls: 6, failed: 2, cost: cost(0.0061), firstTokenMs: 900 });
  assert.equal(
    facts && ownFactsText(facts),
    'Your 6 calls in 30 days: median cost $0.0061, first token after 0.9 s, and 2 failed',
  );
});

test('never mixes units: the median is of the calls in the unit of the last one', () => {
  const facts = ownFacts(
    [call({ cost: cost(100, 'site') }), call({ cost: cost(1) }), call({ cost: cost(3) }), call()],
    knownCost,
  );
  assert.deepEqual(facts?.cost, cost(1));
});

test('states no cost and no first token where none is known, and nothing without calls', () => {
  assert.deepEqual(ownFacts([call()], knownCost), { calls: 1, failed: 0 });
  assert.equal(ownFactsText({ calls: 1, failed: 0 }), 'Your only call in 30 days: 0 failed');
  assert.equal(ownFacts([call({ state: 'notSent' })], knownCost), undefined);
  assert.equal(ownFacts([], knownCost), undefined);
});

test('finds the prompt tokens for each completion token, of calls that reported both', () => {
  const usage = (promptTokens: number, completionTokens?: number) => ({
    usage: { promptTokens, completionTokens },
  });
  assert.equal(tokenRatio([call(usage(900, 100)), call(usage(100, 100)), call(usage(5_000)), call()]), 5);
  assert.equal(tokenRatio([call(usage(900, 0))]), undefined);
  assert.equal(tokenRatio([]), undefined);
});

test('multiplies estimates with the median of the last 20 calls, from three calls on, within a half and twice', () => {
  const factor = (...ratios: number[]) => tokenFactor(ratios);
  assert.deepEqual([factor(), factor(1.3, 1.1), factor(1.3, 1.1, 1.2), factor(9, 9, 9)], [1, 1, 1.2, 2]);
  assert.equal(tokenFactor([...Array<number>(100).fill(0.8), ...Array<number>(20).fill(1.5)]), 1.5);
});

test('learns nothing about estimates from cached or tiny input, and from missing reports', () => {
  const ratio = (estimate: number, usage: CountedCall['usage']) => countedRatio({ estimate, usage });
  assert.equal(ratio(1_000, { promptTokens: 1_200 }), 1.2);
  for (const usage of [
    undefined,
    {},
    { promptTokens: 0 },
    { promptTokens: 9, cachedTokens: 1 },
    { promptTokens: 9, cacheWriteTokens: 1 },
  ]) {
    assert.equal(ratio(1_000, usage), undefined);
  }
  assert.equal(ratio(99, { promptTokens: 120 }), undefined);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countedRatio, tokenFactor } from '../../../../src/core/usage/tokenFactor.ts';
import type { CountedCall } from '../../../../src/core/usage/usageTotals.ts';

test('multiplies estimates with the median of the last 20 calls, from three calls on, within a half and twice', () => {
  const callOf = (ratio: number) => ({ estimate: 1_000, usage: { promptTokens: 1_000 * ratio } });
  const factor = (...ratios: number[]) => tokenFactor(ratios.map(callOf));
  assert.deepEqual([factor(), factor(1.3, 1.1), factor(1.3, 1.1, 1.2), factor(9, 9, 9)], [1, 1, 1.2, 2]);
  assert.equal(factor(...Array<number>(100).fill(0.8), ...Array<number>(20).fill(1.5)), 1.5);
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

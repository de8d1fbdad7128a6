import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { costRange } from '../../../../../src/core/base/costRange.ts';
import type { KnownPrices } from '../../../../../src/core/usage/prices/prices.ts';
import { questionPrice, questionPriceText } from '../../../../../src/core/usage/prices/questionPrice.ts';

const prices: KnownPrices = { input: 3, cachedInput: 0.3, output: 15, unit: 'USD', source: 'listed' };
const usagesWith = (outputs: readonly number[]) => outputs.map((completionTokens) => ({ completionTokens }));
const answerOf = (outputs: readonly number[], tokenLimit?: number) =>
  questionPrice(prices, usagesWith(outputs), { factor: 1, tokenLimit })?.answer;

test('invents no upper end of the output before five answers, but keeps to a token limit', () => {
  assert.deepEqual(answerOf([]), { low: 0 });
  assert.deepEqual(answerOf([100, 200, 300, 400]), { low: 0 });
  assert.deepEqual(answerOf([100, 200, 300, 400], 250), { low: 0, high: 250 });
  assert.deepEqual(answerOf([100, 200, 300, 400, 500]), { low: 100, high: 500 });
  assert.deepEqual(answerOf([100, 200, 300, 400, 500], 250), { low: 100, high: 250 });
  assert.deepEqual(answerOf([300, 300, 300, 300, 300]), { low: 300, high: 300 });
  const free = questionPrice({ ...prices, output: 0 }, [], { factor: 1 });
  assert.deepEqual(free?.answer, { low: 0, high: 0 });
});

test('the range of the output contains at least nine in ten answers', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 5, maxLength: 200 }), (outputs) => {
      const { low, high = 0 } = answerOf(outputs) ?? assert.fail();
      assert.ok(outputs.filter((output) => low <= output && output <= high).length >= 0.9 * outputs.length);
    }),
  );
});

test('takes no cached tokens for output when a gateway counts them beside the prompt tokens', () => {
  const usage = { promptTokens: 100, cachedTokens: 5_000, completionTokens: 50, totalTokens: 5_150 };
  const calls = Array.from({ length: 5 }, () => usage);
  assert.deepEqual(questionPrice(prices, calls, { factor: 1 })?.answer, { low: 50, high: 50 });
});

test('knows nothing without a price for each kind of token', () => {
  assert.equal(questionPrice(undefined, [], { factor: 1 }), undefined);
  assert.equal(questionPrice({ input: 1, unit: 'USD', source: 'listed' }, [], { factor: 1 }), undefined);
});

test('expects the vendor to charge for caching once it has, and the last request to be cached where it caches', () => {
  const price = (cacheWriteTokens: number, cachedTokens = 0) =>
    questionPrice({ ...prices, cacheWrite: 3.75 }, [{ promptTokens: 10, cacheWriteTokens, cachedTokens }], {
      factor: 1,
      last: { promptTokens: 1_000 },
    });
  assert.deepEqual([price(0)?.writePrice, price(5)?.writePrice], [3e-6, 3.75e-6]);
  assert.deepEqual([price(0)?.cached, price(0, 5)?.cached], [0, 1_000]);
});

test('estimates a long prompt with the prices of those (NousResearch/hermes-agent#109976)', () => {
  const longPrompts = { above: 200_000, input: 6, output: 22.5 };
  const basis = questionPrice({ ...prices, longPrompts }, [], { factor: 1, tokenLimit: 0 }) ?? assert.fail();
  const rounded = (estimate: number) => {
    const { low, high = 0 } = costRange(basis, estimate);
    return [low.toFixed(3), high.toFixed(3)];
  };
  assert.deepEqual(rounded(100_000), ['0.255', '0.360']);
  assert.deepEqual(rounded(200_000), ['0.510', '1.440']);
  assert.deepEqual(rounded(300_000), ['1.530', '2.160']);
});

test('says how a cost is estimated', () => {
  const usages = usagesWith(Array.from({ length: 20 }, (_, index) => 100 + 100 * index));
  const price = questionPrice(prices, usages, { factor: 1 }) ?? assert.fail();
  assert.equal(
    questionPriceText(price),
    [
      'Input: as estimated, at $3.00 per million tokens',
      'Output: 100–1,900 tokens by the last 20 answers, at $15.00 per million',
      'Prices: model list',
    ].join('\n'),
  );
  const perCall = questionPrice({ ...prices, perRequest: 0.25 }, [], { factor: 1 }) ?? assert.fail();
  assert.match(questionPriceText(perCall), /\n\$0\.25 per call\nPrices: model list$/);
  const longPrompts = { above: 200_000, input: 6, output: 22.5 };
  const tiered = questionPrice({ ...prices, longPrompts }, [], { factor: 1 }) ?? assert.fail();
  assert.match(
    questionPriceText(tiered),
    /\nWith more than 200,000 tokens of input: \$6\.00 per million, and \$22\.50 for the output\nPrices/,
  );
  const unknown = questionPrice(prices, [], { factor: 1 }) ?? assert.fail();
  assert.match(questionPriceText(unknown), /Output: unknown before 5 answers, at \$15\.00 per million tokens/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { KnownPrices } from '../../../../../src/core/usage/prices/prices.ts';
import { type PastCall, questionPrice, questionPriceText } from '../../../../../src/core/usage/prices/questionPrice.ts';

const prices: KnownPrices = { input: 3, cachedInput: 0.3, output: 15, unit: 'USD', source: 'listed' };

function callsWith(outputs: readonly number[], ratio = 1): PastCall[] {
  return outputs.map((completionTokens) => ({
    estimate: 1_000,
    usage: { promptTokens: 1_000 * ratio, completionTokens },
  }));
}

const answerOf = (outputs: readonly number[], tokenLimit?: number) =>
  questionPrice(prices, callsWith(outputs), { factor: 1, tokenLimit })?.answer;

test('invents no upper end of the output before five answers, but keeps to a token limit', () => {
  assert.deepEqual(answerOf([]), { low: 0 });
  assert.deepEqual(answerOf([100, 200, 300, 400]), { low: 0 });
  assert.deepEqual(answerOf([100, 200, 300, 400], 250), { low: 0, high: 250 });
  assert.deepEqual(answerOf([100, 200, 300, 400, 500]), { low: 0, high: 700 });
  assert.deepEqual(answerOf([100, 200, 300, 400, 500], 250), { low: 0, high: 250 });
  assert.deepEqual(answerOf([300, 300, 300, 300, 300]), { low: 300, high: 300 });
  const free = questionPrice({ ...prices, output: 0 }, [], { factor: 1 });
  assert.deepEqual(free?.answer, { low: 0, high: 0 });
});

test('takes the whiskers of a box plot: the lowest and highest of the last 200 answers, without outliers', () => {
  const usual = Array.from({ length: 40 }, (_, index) => 200 + 10 * index);
  assert.deepEqual(answerOf(usual), { low: 200, high: 590 });
  assert.deepEqual(answerOf([...usual, 20_000]), { low: 200, high: 590 });
  assert.deepEqual(answerOf([...usual, ...Array.from({ length: 200 }, () => 50)]), { low: 50, high: 50 });
});

test('the range of the output contains at least the middle half of the past answers', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 5, maxLength: 200 }), (outputs) => {
      const { low, high = 0 } = answerOf(outputs) ?? assert.fail();
      const inside = outputs.filter((output) => low <= output && output <= high);
      assert.ok(2 * inside.length >= outputs.length);
      if (outputs.length >= 20) {
        assert.ok(outputs.includes(low) && outputs.includes(high));
      }
    }),
  );
});

test('counts how far off past estimates were from 20 calls on, and before that uses what is usual', () => {
  const ratioOf = (calls: PastCall[]) => questionPrice(prices, calls, { factor: 1.5 })?.ratio;
  assert.deepEqual(ratioOf([]), { low: 1.5 * 0.8, high: 1.5 * 1.25 });
  const calls = Array.from({ length: 30 }, (_, index) => callsWith([100], 1 + index / 100)).flat();
  assert.deepEqual(ratioOf(calls), { low: 1, high: 1.29 });
  // Cached tokens that are reported beside the others are input, too.
  const beside = callsWith(Array.from({ length: 20 }, () => 100)).map((call) => ({
    ...call,
    usage: { ...call.usage, promptTokens: 100, cachedTokens: 900 },
  }));
  assert.deepEqual(ratioOf(beside), { low: 1, high: 1 });
});

test('takes no cached tokens for output when a gateway counts them beside the prompt tokens', () => {
  const usage = { promptTokens: 100, cachedTokens: 5_000, completionTokens: 50, totalTokens: 5_150 };
  const calls = Array.from({ length: 5 }, () => ({ estimate: 5_100, usage }));
  assert.deepEqual(questionPrice(prices, calls, { factor: 1 })?.answer, { low: 50, high: 50 });
});

test('knows nothing without a price for each kind of token', () => {
  assert.equal(questionPrice(undefined, [], { factor: 1 }), undefined);
  assert.equal(questionPrice({ input: 1, unit: 'USD', source: 'listed' }, [], { factor: 1 }), undefined);
});

test('expects the vendor to charge for caching once it has', () => {
  const price = (cacheWriteTokens: number) =>
    questionPrice({ ...prices, cacheWrite: 3.75 }, [{ estimate: 10, usage: { promptTokens: 10, cacheWriteTokens } }], {
      factor: 1,
    })?.writePrice;
  assert.deepEqual([price(0), price(5)], [3e-6, 3.75e-6]);
});

test('says how a cost is estimated', () => {
  const calls = callsWith(Array.from({ length: 20 }, (_, index) => 100 + 100 * index));
  const last = { estimate: 1_000, usage: { promptTokens: 1_100, cachedTokens: 1_024 }, endedAt: 5_000 };
  const price = questionPrice(prices, [...calls, last], { factor: 1, last }) ?? assert.fail();
  assert.deepEqual(price.counted, { estimate: 1_000, tokens: 1_100 });
  assert.equal(
    questionPriceText(price, 6_000),
    [
      'Input: as estimated, at $3.00 per million tokens',
      'Likely cached: 1,024 input tokens, at $0.30 per million',
      'Output: 100–2,000 tokens by the last 20 answers, at $15.00 per million',
      'Prices: model list',
    ].join('\n'),
  );
  assert.doesNotMatch(questionPriceText(price, 400_000), /cached/);
  const perCall = questionPrice({ ...prices, perRequest: 0.25 }, [], { factor: 1 }) ?? assert.fail();
  assert.match(questionPriceText(perCall, 0), /\n\$0\.25 per call\nPrices: model list$/);
  const unknown = questionPrice(prices, [], { factor: 1 }) ?? assert.fail();
  assert.match(questionPriceText(unknown, 0), /Output: unknown before 5 answers, at \$15\.00 per million tokens/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TokenRatios } from '../../../../src/core/usage/tokenRatios.ts';

const text = { isOnlyText: true, isCached: false } as const;

/** What is read back from what was written. */
function stored(ratios: TokenRatios): TokenRatios {
  return new TokenRatios(JSON.parse(JSON.stringify(ratios)));
}

test('has the ratio of a model after three calls, and 1 before', () => {
  const ratios = new TokenRatios();
  assert.equal(ratios.factor('m'), 1);
  for (const reported of [1_300, 1_100]) {
    ratios.learn('m', { estimate: 1_000, reported, ...text });
    assert.equal(ratios.factor('m'), 1);
  }
  ratios.learn('m', { estimate: 1_000, reported: 1_200, ...text });
  assert.ok(Math.abs(ratios.factor('m') - 1.2) < 1e-9);
  assert.equal(ratios.factor('other'), 1);
});

test('follows a model whose tokenizer changes', () => {
  const ratios = new TokenRatios();
  for (let call = 0; call < 100; call++) {
    ratios.learn('m', { estimate: 1_000, reported: 800, ...text });
  }
  for (let call = 0; call < 10; call++) {
    ratios.learn('m', { estimate: 1_000, reported: 1_500, ...text });
  }
  const factor = ratios.factor('m');
  assert.ok(factor > 1.4 && factor < 1.5, String(factor));
});

test('learns nothing from images, tools, cached input, tiny input and missing or impossible reports', () => {
  const ratios = new TokenRatios();
  const call = { estimate: 1_000, reported: 1_900, ...text };
  for (const unclear of [
    { ...call, isOnlyText: false },
    { ...call, isCached: true },
    { ...call, estimate: 99 },
    { ...call, estimate: Number.NaN },
    { ...call, reported: undefined },
    { ...call, reported: 0 },
    { ...call, reported: -5 },
    { ...call, reported: Number.NaN },
  ]) {
    for (let again = 0; again < 5; again++) {
      ratios.learn('m', unclear);
    }
  }
  assert.deepEqual(ratios.toJSON(), []);
});

test('stays between a half and twice the estimate, whatever a gateway reports', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 100 }), fc.double({ min: 0 }))), (calls) => {
      const ratios = new TokenRatios();
      for (const [estimate, reported] of calls) {
        ratios.learn('m', { estimate, reported, ...text });
      }
      const factor = ratios.factor('m');
      assert.ok(factor >= 0.5 && factor <= 2, String(factor));
      assert.equal(stored(ratios).factor('m'), factor);
    }),
  );
});

test('reads back what it wrote, and drops what it does not know', () => {
  const ratios = new TokenRatios();
  for (let call = 0; call < 3; call++) {
    ratios.learn('__proto__', { estimate: 1_000, reported: 1_300, ...text });
  }
  assert.deepEqual(stored(ratios).toJSON(), ratios.toJSON());
  assert.equal(stored(ratios).factor('__proto__'), ratios.factor('__proto__'));
  const good = { model: 'm', ratio: 1.5, calls: 3 };
  for (const invalid of [7, null, {}, { ...good, ratio: 3 }, { ...good, calls: 0.5 }, { ...good, model: undefined }]) {
    assert.deepEqual(new TokenRatios([invalid, good]).toJSON(), [good]);
  }
  for (const nothing of [undefined, null, 'text', 7, {}, { m: good }]) {
    assert.deepEqual(new TokenRatios(nothing).toJSON(), []);
  }
});

test('keeps the 200 models that were called last', () => {
  const ratios = new TokenRatios();
  for (let index = 0; index < 300; index++) {
    ratios.learn(`m${index}`, { estimate: 1_000, reported: 1_000, ...text });
    ratios.learn('m0', { estimate: 1_000, reported: 1_500, ...text });
  }
  const models = ratios.toJSON().map(({ model }) => model);
  assert.equal(models.length, 200);
  assert.equal(models.at(-1), 'm0');
  assert.equal(models.at(-2), 'm299');
  assert.ok(ratios.factor('m0') > 1.4);
  assert.equal(stored(ratios).toJSON().length, 200);
});

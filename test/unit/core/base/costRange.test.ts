import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rangeText, totalCosts, totalText } from '../../../../src/core/base/costRange.ts';
import { exactMoneyText, siteUnit } from '../../../../src/core/base/money.ts';

const dollars = (low: number, high?: number) => rangeText({ low, unit: 'USD', high });

test('shows a range, one amount where both ends are the same, and no upper end that is unknown', () => {
  assert.equal(dollars(0.0038, 0.0112), '$0.0038–$0.011');
  assert.equal(dollars(0.00381, 0.00912), '$0.0038–$0.0091');
  assert.equal(dollars(0.41, 1.207), '$0.41–$1.21');
  assert.equal(dollars(0.000042, 0.09), 'up to $0.09');
  assert.equal(dollars(0.000042, 0.00051), 'under $0.001');
  assert.equal(rangeText({ low: 0.000042, assumed: 0.0065, unit: 'USD' }), '≈\u00a0$0.0065 for a long answer');
  assert.equal(rangeText({ low: 0, assumed: 0.0002, unit: 'USD' }), 'under $0.001 for a long answer');
  assert.equal(rangeText({ low: 0.0042, assumed: 0.0065, unit: 'USD' }), 'from $0.0042');
  assert.equal(rangeText({ low: 0.000042, high: 0.09, unit: 'USD' }, exactMoneyText), '$0.000042–$0.09');
  assert.equal(dollars(0.00401, 0.00404), '$0.004');
  assert.equal(dollars(0.00419), 'from $0.0042');
  assert.equal(dollars(0, 0), '$0.00');
  assert.equal(rangeText({ low: 0.5, high: 1.5, unit: siteUnit }), '0.50–1.50 site units');
  assert.equal(rangeText({ low: 0.5, high: 1.5, unit: 'CNY' }), 'CN¥0.50–CN¥1.50');
  assert.equal(rangeText({ low: 0.5, unit: siteUnit }), 'from 0.50 site units');
  assert.equal(dollars(1e-320, 2), 'up to $2.00');
  assert.equal(dollars(0, 2), 'up to $2.00');
});

test('adds up costs of each unit by itself, without an upper end when one is missing', () => {
  const [one, two] = [
    { low: 1, high: 2, unit: 'USD' },
    { low: 3, high: 5, unit: 'USD' },
  ];
  assert.deepEqual(totalCosts([one, two]), [{ low: 4, high: 7, unit: 'USD' }]);
  assert.deepEqual(totalCosts([one, { low: 3, unit: 'USD' }]), [{ low: 4, assumed: 5, unit: 'USD' }]);
  assert.deepEqual(totalCosts([one, { low: 3, assumed: 9, unit: 'USD' }]), [{ low: 4, assumed: 11, unit: 'USD' }]);
  assert.deepEqual(totalCosts([one, undefined]), [one]);
  assert.deepEqual(totalCosts([undefined]), []);
  assert.equal(totalText([one, undefined, two]), '$4.00–$7.00 + unknown');
  assert.equal(totalText([undefined]), '');
  assert.equal(totalText([one, { low: 1, high: 2, unit: 'CNY' }]), '$1.00–$2.00 + CN¥1.00–CN¥2.00');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addMoney, exactMoneyText, moneyText, siteUnit, sumsText } from '../../../../src/core/base/money.ts';

const dollars = (textOf: typeof moneyText) => (amount: number) => textOf({ amount, unit: 'USD' });

test('shows two decimals, and of small amounts two significant digits', () => {
  assert.deepEqual([2.857, 0.42, 0.1, 0.0204, 0.00611, 0.000042, 1e-9, 0, 1234.5].map(dollars(exactMoneyText)), [
    '$2.86',
    '$0.42',
    '$0.10',
    '$0.02',
    '$0.0061',
    '$0.000042',
    '$0.000000001',
    '$0.00',
    '$1,234.50',
  ]);
});

test('shows an amount below a tenth of a cent, or of the hundredth of another unit, as under it', () => {
  assert.deepEqual([0.00099, 1e-9, 0.001, 0].map(dollars(moneyText)), [
    'under $0.001',
    'under $0.001',
    '$0.001',
    '$0.00',
  ]);
  assert.equal(moneyText({ amount: 0.0004, unit: 'CNY' }), 'under CN¥0.001');
  assert.equal(moneyText({ amount: 0.0004, unit: siteUnit }), 'under 0.001 site units');
  assert.equal(
    sumsText(
      new Map([
        ['USD', 0.0004],
        ['CNY', 2],
      ]),
    ),
    'under $0.001 + CN¥2.00',
  );
});

test('names the unit of an amount, and calls the credit of a site no dollars', () => {
  assert.equal(moneyText({ amount: 0.5, unit: 'CNY' }), 'CN¥0.50');
  assert.equal(moneyText({ amount: 0.5, unit: siteUnit }), '0.50 site units');
  assert.equal(moneyText({ amount: 3, unit: '🍎' }), '3.00 🍎');
  // No code of a currency, so it is shown as it is.
  assert.equal(moneyText({ amount: 3, unit: 'usd' }), '3.00 usd');
});

test('adds up amounts of each unit by itself', () => {
  const sums = new Map<string, number>();
  for (const [amount, unit] of [
    [1, 'USD'],
    [2, 'CNY'],
    [0.5, 'USD'],
  ] as const) {
    addMoney(sums, { amount, unit });
  }
  assert.equal(sumsText(sums), '$1.50 + CN¥2.00');
  assert.equal(sumsText(new Map()), '');
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readCreditUnit } from '../../../../src/core/connections/consoleSettings.ts';

test('reads a currency, with or without an amount', () => {
  const read = (text: string) => {
    const result = readCreditUnit(text);
    return result.ok ? result.value : undefined;
  };
  assert.deepEqual(read('USD'), { unit: 'USD', factor: 1 });
  assert.deepEqual(read(' cny '), { unit: 'CNY', factor: 1 });
  assert.deepEqual(read('0.5 CNY'), { unit: 'CNY', factor: 0.5 });
  assert.deepEqual(read('7.3cny'), { unit: 'CNY', factor: 7.3 });
});

test('refuses all else with a reason that repeats nothing of it', () => {
  for (const text of ['', '0 USD', '0.5', '-1 USD', '1e3 USD', '$', 'US', 'USDT', '1 USD 2', '1,5 EUR', 'USD 1']) {
    const result = readCreditUnit(text);
    assert.equal(result.ok, false, text);
    assert.ok(!result.ok && /^Enter a currency code such as USD/.test(result.reason));
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { priceSetting, readStatedPrices, statedPrice } from '../../../../../src/core/usage/prices/prices.ts';
import { projectRoot } from '../../../../vscode/paths.ts';

const entry = (input: number) => ({ input, output: 2 * input, currency: 'USD' });
const inputOf = (setting: unknown, model: string) => readStatedPrices(setting)(model)?.input;

test('reads all prices of an entry, with the code of a currency in capital letters', () => {
  const priceOf = readStatedPrices({
    'gpt-5': { input: 1.25, cached: 0.125, output: 10, perCall: 0.01, currency: 'usd' },
    glm: { input: 0, output: 0, currency: ' 积分 '.trim() },
  });
  assert.deepEqual(priceOf('gpt-5'), {
    input: 1.25,
    output: 10,
    cachedInput: 0.125,
    perRequest: 0.01,
    unit: 'USD',
    source: 'stated',
  });
  assert.partialDeepStrictEqual(priceOf('glm'), { input: 0, output: 0, unit: '积分', source: 'stated' });
  assert.equal(priceOf('other'), undefined);
});

test('prefers an exact ID to patterns, and a longer pattern to a shorter one', () => {
  const setting = { '*': entry(1), 'gpt-*': entry(2), 'gpt-5*': entry(3), 'gpt-5-mini': entry(4) };
  for (const all of [setting, Object.fromEntries(Object.entries(setting).reverse())]) {
    assert.equal(inputOf(all, 'gpt-5-mini'), 4);
    assert.equal(inputOf(all, 'gpt-5'), 3);
    assert.equal(inputOf(all, 'gpt-4o'), 2);
    assert.equal(inputOf(all, 'claude'), 1);
  }
});

test('matches patterns as a regular expression would, with any number of wildcards', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*'), maxLength: 8 });
  fc.assert(
    fc.property(text, text, (pattern, model) => {
      const source = pattern.split('*').map((part) => part.replaceAll('.', '\\.'));
      const isExpected = new RegExp(`^${source.join('.*')}$`).test(model);
      assert.equal(inputOf({ [pattern]: entry(1) }, model) !== undefined, isExpected);
    }),
  );
  assert.equal(inputOf({ [`${'*a'.repeat(100)}b`]: entry(1) }, 'a'.repeat(256)), undefined);
});

test('leaves out each entry that can’t be used', () => {
  const priceOf = readStatedPrices({
    good: entry(1),
    word: { ...entry(1), input: 'abc' },
    huge: { ...entry(1), input: 1e308 },
    minus: { ...entry(1), output: -1 },
    part: { input: 1, currency: 'USD' },
    unit: { ...entry(1), currency: '' },
    number: 3,
    misspelled: { ...entry(1), cache: 1 },
  });
  assert.equal(priceOf('good')?.input, 1);
  assert.deepEqual(
    ['word', 'huge', 'minus', 'part', 'unit', 'number', 'misspelled'].map((model) => priceOf(model)),
    Array(7).fill(undefined),
  );
});

test('never throws, whatever the setting is, and reads no other prices than numbers of at least 0', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.oneof(fc.anything(), fc.record({ input: fc.double() }))), (setting) => {
      const priceOf = readStatedPrices(setting);
      for (const model of Object.keys(setting)) {
        const { input = 0, output = 0 } = priceOf(model) ?? {};
        assert.ok(input >= 0 && output >= 0);
      }
    }),
  );
});

test('has the same rules as the schema in the manifest', () => {
  const { contributes } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
  const groups: { properties: object }[] = contributes.configuration;
  const setting = Object.assign({}, ...groups.map(({ properties }) => properties))[priceSetting];
  const { properties, required } = setting.additionalProperties;
  assert.equal(setting.scope, 'application');
  assert.deepEqual(required, ['input', 'output', 'currency']);
  const samples = [0, 1.5, -1, 'USD', '', ' x', '$', '5 coins', 'a'.repeat(16), 'a'.repeat(17), null];
  for (const field of Object.keys(properties) as (keyof z.infer<typeof statedPrice>)[]) {
    const { type, minimum, pattern } = properties[field];
    for (const sample of samples) {
      const isValid =
        typeof sample === type &&
        (typeof sample !== 'number' || sample >= minimum) &&
        (typeof sample !== 'string' || new RegExp(pattern, 'u').test(sample));
      assert.equal(z.safeParse(statedPrice.shape[field], sample).success, isValid, `${field} ${sample}`);
    }
  }
});

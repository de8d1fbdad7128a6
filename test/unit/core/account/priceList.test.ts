import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSiteStatus } from '../../../../src/core/account/accountDialects.ts';
import { pricesIn, readPriceList } from '../../../../src/core/account/priceList.ts';

const site = (display: object = {}, perUnit: unknown = 500_000) => {
  const read = readSiteStatus({ success: true, data: { quota_per_unit: perUnit, ...display } });
  assert.ok(read);
  return read;
};
const model = (change: object = {}) => ({
  model_name: 'm',
  quota_type: 0,
  model_ratio: 1.25,
  completion_ratio: 4,
  cache_ratio: 0.1,
  model_price: 0,
  enable_groups: ['default'],
  ...change,
});
const list = (models: unknown, ratios: unknown = { default: 1, vip: 0.8, cheap: 0.5, same: 1 }) => ({
  success: true,
  data: models,
  group_ratio: ratios,
});
const read = (models: unknown[], display?: object, perUnit?: number) => {
  const prices = readPriceList(list(models), site(display, perUnit));
  assert.ok(prices);
  return prices;
};

test('prices per million tokens are the ratios times two dollars of the site', () => {
  assert.deepEqual(pricesIn(read([model()]), 'm', undefined), {
    input: 2.5,
    output: 10,
    cachedInput: 0.25,
    unit: 'site',
  });
  assert.equal(pricesIn(read([model({ create_cache_ratio: 1.25 })]), 'm', 0.8)?.cacheWrite, 2.5);
  assert.deepEqual(pricesIn(read([model({ cache_ratio: undefined })]), 'm', 0.8), {
    input: 2,
    output: 8,
    unit: 'site',
  });
  const other = pricesIn(read([model()], {}, 1_000_000), 'm', 1);
  assert.equal(other?.input, 1.25, 'a ratio is a quota, so it is worth less where a dollar is more quota');
});

test('a price per call has no price of tokens', () => {
  const perCall = model({ quota_type: 1, model_price: 0.04, model_ratio: 0, completion_ratio: 0 });
  assert.deepEqual(pricesIn(read([perCall]), 'm', 0.5), { input: 0, output: 0, perRequest: 0.02, unit: 'site' });
});

test('the ratio is that of the log, or the one that all groups of the model have, and never a guess', () => {
  const input = (groups: unknown, groupRatio?: number) =>
    pricesIn(read([model({ enable_groups: groups })]), 'm', groupRatio)?.input;
  assert.equal(input(['default', 'same']), 2.5);
  assert.equal(input(['vip']), 2);
  assert.equal(input(['default', 'vip']), undefined);
  assert.equal(input(['default', 'vip'], 0.5), 1.25);
  assert.equal(input(['default', 'hidden']), undefined, 'the ratio of a group is not published');
  assert.equal(input(['hidden']), undefined);
  assert.equal(input([]), undefined);
  assert.equal(input('default'), undefined);
  assert.equal(input(['default'], 0), 0);
  assert.equal(pricesIn(read([model()]), 'other', 1), undefined);
});

test('the unit is the one that the site states, or that the person states', () => {
  const prices = (display: object) => pricesIn(read([model()], display), 'm', 1);
  assert.deepEqual([prices({})?.input, prices({})?.unit], [2.5, 'site']);
  assert.equal(prices({ display_in_currency: true })?.unit, 'USD');
  assert.equal(prices({ display_in_currency: false })?.unit, 'site');
  assert.equal(prices({ quota_display_type: 'USD' })?.unit, 'USD');
  assert.equal(prices({ quota_display_type: 'TOKENS', display_in_currency: true })?.unit, 'site');
  const yuan = prices({ quota_display_type: 'CNY', usd_exchange_rate: 7.3, display_in_currency: true });
  assert.deepEqual([yuan?.input, yuan?.unit], [18.25, 'CNY']);
  assert.deepEqual(prices({ quota_display_type: 'CNY' })?.unit, 'site');
  const custom = { quota_display_type: 'CUSTOM', custom_currency_symbol: '⭐', custom_currency_exchange_rate: 10 };
  assert.deepEqual([prices(custom)?.input, prices(custom)?.unit], [25, '⭐']);
  for (const custom_currency_symbol of ['site', 'tokens']) {
    const same = prices({ ...custom, custom_currency_symbol });
    assert.deepEqual([same?.input, same?.unit], [2.5, 'site']);
  }
  const stated = pricesIn(read([model()], custom), 'm', 1, { factor: 0.14, unit: 'USD' });
  assert.deepEqual([stated?.input, stated?.unit], [0.35, 'USD']);
});

test("leaves out models whose prices can't be read", () => {
  for (const change of [
    { billing_mode: 'tiered_expr', billing_expr: 'len < 1000 ? 1 : 2' },
    { model_ratio: -1 },
    { model_ratio: 1e9 },
    { model_ratio: 'cheap' },
    { model_ratio: null },
    { completion_ratio: undefined },
    { completion_ratio: {} },
    { quota_type: 2 },
    { quota_type: undefined },
    { quota_type: 1, model_price: -1 },
    { quota_type: 1, model_price: undefined },
    { model_name: '' },
    { model_name: { name: 'm' } },
  ]) {
    assert.equal(read([model(change)]).models.size, 0, JSON.stringify(change));
  }
  const mixed = read([null, 'm', [], 5, model({ model_name: '__proto__' }), model({ model_name: 'constructor' })]);
  assert.deepEqual([...mixed.models.keys()], ['__proto__', 'constructor']);
  assert.equal(read([model({ cache_ratio: 'some' })]).models.get('m')?.cachedInput, undefined);
});

test('ignores ratios of groups that are no ratios, and bodies that are no price list', () => {
  const ratios = JSON.parse('{"a":"x","b":-1,"c":1e300,"d":null,"__proto__":2,"e":"0.5"}');
  const prices = readPriceList(list([], ratios), site());
  assert.deepEqual(
    [...(prices?.groupRatios ?? [])],
    [
      ['__proto__', 2],
      ['e', 0.5],
    ],
  );
  for (const body of [null, [], 'list', {}, list({}), list([], []), list([], null), { ...list([]), success: false }]) {
    assert.equal(readPriceList(body, site()), undefined);
  }
  assert.equal(readPriceList(list([]), site({}, 'many')), undefined);
});

test('a site whose numbers are too large or too small for prices has none', () => {
  const rate = (custom_currency_exchange_rate: number) =>
    ({ quota_display_type: 'CUSTOM', custom_currency_symbol: 'x', custom_currency_exchange_rate }) as const;
  const sites = [site({}, 1e-320), site({}, 1e-300), site(rate(1e308)), site(rate(1e9))];
  for (const [each, ratio] of sites.flatMap((one) => [0, 1, 1e6].map((ratio) => [one, ratio] as const))) {
    const prices = readPriceList(list([model({ model_ratio: ratio, completion_ratio: 1e6 })], { default: 1e6 }), each);
    const { unit: _, ...numbers } = (prices && pricesIn(prices, 'm', 1e6)) ?? { unit: '' };
    assert.ok(
      Object.values(numbers).every((price) => price >= 0 && price <= 1e12),
      JSON.stringify([numbers, ratio]),
    );
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ModelList, ModelPrices } from '../../../../../src/core/models/list/model.ts';
import {
  costOf,
  type PriceSourcePorts,
  PriceSources,
  percentCheaper,
} from '../../../../../src/core/usage/prices/prices.ts';
import { vendorPrices } from '../../../../../src/core/usage/prices/vendorPrices.ts';

const prices = (input: number, unit = 'USD'): ModelPrices => ({ input, output: 2 * input, unit });

function listOf(models: Readonly<Record<string, ModelPrices | undefined>>): ModelList {
  return {
    dropped: 0,
    models: Object.entries(models).map(([id, known]) => ({
      id,
      vendor: 'Other',
      kind: 'chat',
      isForChat: true,
      prices: known,
    })),
  };
}

/** Sources without any prices unless a port gives some, and what was read and failed. */
function scene(ports: Partial<PriceSourcePorts> = {}) {
  const read: string[] = [];
  const defects: unknown[] = [];
  const addresses = new Map([['one', 'https://one.example/v1']]);
  const { readList, readPriceList, ...others } = ports;
  const sources = new PriceSources({
    addressOf: (id) => addresses.get(id),
    readList: (id) => {
      read.push(`list ${id}`);
      return readList?.(id) ?? Promise.resolve(undefined);
    },
    readPriceList: (id) => {
      read.push(`prices ${id}`);
      return readPriceList?.(id) ?? Promise.resolve(undefined);
    },
    statedPrice: () => undefined,
    onRead: () => void read.push('read'),
    onDefect: (error) => void defects.push(error),
    ...others,
  });
  return { sources, read, defects, addresses };
}

test('takes prices from the model list, then from the gateway’s price list, then from the person', async () => {
  const { sources } = scene({
    readList: async () => listOf({ a: prices(1), b: undefined }),
    readPriceList: async () => (model) => (model === 'c' ? undefined : prices(2, 'site')),
    statedPrice: (model) => (model === 'd' ? undefined : { ...prices(3), source: 'stated' }),
  });
  await sources.load('one');
  const priceOf = sources.pricesOf('one');
  assert.deepEqual(priceOf('a'), { ...prices(1), source: 'listed' });
  assert.deepEqual(priceOf('b'), { ...prices(2, 'site'), source: 'priceList' });
  assert.deepEqual(priceOf('c'), { ...prices(3), source: 'stated' });
});

test('falls back to the list price of the vendor, only for chat models, and says when it has read those prices', async () => {
  const { sources, read } = scene({
    readList: async () => {
      const list = listOf({
        'gpt-4o': prices(1),
        'claude-sonnet-4-5': undefined,
        'gpt-image-1': undefined,
        own: undefined,
      });
      return { ...list, models: list.models.map((model) => ({ ...model, isForChat: model.id !== 'gpt-image-1' })) };
    },
  });
  await sources.load('one');
  const priceOf = sources.pricesOf('one');
  assert.deepEqual(priceOf('gpt-4o'), { ...prices(1), source: 'listed' });
  assert.partialDeepStrictEqual(priceOf('claude-sonnet-4-5'), { unit: 'USD', source: 'vendor' });
  assert.equal(priceOf('gpt-image-1'), undefined);
  assert.equal(priceOf('own'), undefined);
  assert.deepEqual(
    [sources.hasModel('one', 'own'), sources.hasModel('one', 'b'), sources.hasModel('two', 'own')],
    [true, false, false],
  );
  assert.equal(read.filter((each) => each === 'read').length, 1);
});

test('has the list price of a vendor for a model that the list lacks, though all of its own have prices', async () => {
  const { sources } = scene({ readList: async () => listOf({ a: prices(1) }) });
  await sources.load('one');
  assert.equal(sources.pricesOf('one')('gpt-4o'), undefined);
  await sources.load('one', 'gpt-4o');
  assert.equal(sources.pricesOf('one')('gpt-4o')?.source, 'vendor');
});

test('finds the list price of a vendor with and without its name before the model', () => {
  const known = vendorPrices('gpt-4o');
  assert.ok(known?.input && known.output && known.cachedInput && known.output > known.input);
  assert.deepEqual(vendorPrices('openai/gpt-4o'), known);
  assert.deepEqual(vendorPrices('some-relay/openai/gpt-4o'), known);
  assert.deepEqual(vendorPrices('unheard-of/gpt-4o'), known);
  assert.ok(
    vendorPrices('anthropic/claude-sonnet-4.5')?.cacheWrite,
    'the price of short prompts, where there are several',
  );
  for (const id of ['', '/', 'own-model', 'whisper-1', 'constructor', `${'a/'.repeat(100_000)}b`]) {
    assert.equal(vendorPrices(id), undefined, id.slice(0, 20));
  }
});

test('finds no list price for the free variant of a model (nearai/ironclaw#613)', () => {
  assert.ok(vendorPrices('deepseek/deepseek-chat-v3.1'));
  assert.equal(vendorPrices('deepseek/deepseek-chat-v3.1:free'), undefined);
});

test('counts all tokens of a long prompt at the vendor’s prices of those (NousResearch/hermes-agent#93469)', () => {
  const known = vendorPrices('gemini-2.5-pro') ?? assert.fail();
  const amount = (promptTokens: number) =>
    costOf({ ...known, source: 'vendor' }, { promptTokens, completionTokens: 10_000 })?.amount;
  assert.equal(amount(200_000), 0.35);
  assert.equal(amount(200_004), 0.65001);
});

test('tells once that a price list was read, and uses none that is no longer allowed', async () => {
  let list: ((model: string) => ModelPrices) | undefined = () => prices(2);
  const { sources, read } = scene({ readPriceList: async () => list });
  sources.setList('one', listOf({ a: undefined }));
  await sources.load('one');
  await sources.load('one');
  assert.deepEqual(read, ['prices one', 'read', 'prices one']);
  assert.equal(sources.pricesOf('one')('a')?.source, 'priceList');
  list = undefined;
  await sources.load('one');
  assert.equal(sources.pricesOf('one')('a'), undefined);
});

test('looks for a model list again until it has one, and then uses each newer one', async () => {
  let stored: ModelList | undefined;
  const { sources, read } = scene({ readList: async () => stored });
  await sources.loadList('two');
  stored = listOf({ a: prices(1) });
  await sources.loadList('two');
  await sources.loadList('two');
  assert.deepEqual(read, ['list two', 'list two']);
  assert.equal(sources.pricesOf('two')('a')?.input, 1);
  sources.setList('two', listOf({ a: prices(5) }));
  assert.equal(sources.pricesOf('two')('a')?.input, 5);
});

test('uses no price of a gateway after the address of its connection has changed', async () => {
  const { sources, addresses } = scene({ readPriceList: async () => () => prices(2) });
  sources.setList('one', listOf({ a: prices(1) }));
  await sources.load('one');
  addresses.set('one', 'https://other.example/v1');
  assert.equal(sources.pricesOf('one')('a'), undefined);
  assert.equal(sources.pricesOf('one')('b'), undefined);
});

test('reports a source that can’t be read, and uses the others', async () => {
  const { sources, defects } = scene({
    readList: () => Promise.reject(new Error('list')),
    statedPrice: () => ({ ...prices(3), source: 'stated' }),
  });
  await sources.load('one');
  assert.deepEqual(defects.map(String), ['Error: list']);
  assert.equal(sources.pricesOf('one')('a')?.input, 3);
});

test('compares prices of both kinds of tokens, and only in one unit that has one value', () => {
  assert.equal(percentCheaper(prices(2), prices(1)), 50);
  assert.equal(percentCheaper({ input: 1, output: 10, unit: 'USD' }, { input: 1, output: 5, unit: 'USD' }), 38);
  assert.equal(percentCheaper({ input: 1, output: 10, unit: 'USD' }, { input: 4, output: 5, unit: 'USD' }), undefined);
  assert.equal(percentCheaper(prices(1), prices(2)), undefined);
  assert.equal(percentCheaper(prices(2), prices(2)), undefined);
  assert.equal(percentCheaper(prices(2), prices(1, 'CNY')), undefined);
  assert.equal(percentCheaper(prices(2, 'site'), prices(1, 'site')), undefined);
  assert.equal(percentCheaper(prices(2, '⭐'), prices(1, '⭐')), undefined, 'the symbol of two sites');
  assert.equal(percentCheaper({ ...prices(2), perRequest: 1 }, prices(1)), undefined);
  assert.equal(percentCheaper({ unit: 'USD' }, prices(1)), undefined);
  assert.equal(percentCheaper(prices(0), prices(0)), undefined);
  assert.equal(percentCheaper(prices(2), prices(0)), 100);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ModelFilter } from '../../../../../src/core/models/catalogue/modelFilter.ts';
import type { ShownModel } from '../../../../../src/core/models/catalogue/shownGroups.ts';
import type { Model, ModelKind } from '../../../../../src/core/models/list/model.ts';
import { cpuMs } from '../../base/cpuMs.ts';

type More = Partial<Omit<ShownModel, 'model'>> & { readonly model?: Partial<Model> | null };

function shown(id: string, { model, ...more }: More = {}): ShownModel {
  const kind: ModelKind = model?.kind ?? 'chat';
  return {
    id,
    ...(model !== null && { model: { id, vendor: 'Other', kind, isForChat: kind === 'chat', ...model } }),
    isDefault: false,
    isFavourite: false,
    isNew: false,
    isGone: false,
    isManual: false,
    ...more,
  };
}

const found = (filter: ModelFilter, text: string, limit = 100) =>
  filter.search(text, limit).matches.map(({ id }) => id);

const openai = { vendor: 'OpenAI' } as const;
const models = [
  shown('anthropic/claude-sonnet-4', {
    model: { vendor: 'Anthropic', title: 'Claude Sonnet 4', contextTokens: 200_000, abilities: ['tools', 'vision'] },
    isFavourite: true,
  }),
  shown('gpt-4o', { model: { ...openai, contextTokens: 128_000, prices: { input: 2.5, output: 10, unit: 'USD' } } }),
  shown('gpt-4o-mini', {
    model: {
      ...openai,
      contextTokens: 128_000,
      prices: { input: 0.15, output: 0.6, unit: 'USD' },
      outputTokens: 16_384,
    },
    isNew: true,
  }),
  shown('gpt-4o-transcribe', { model: { ...openai, kind: 'speech' } }),
  shown('meta-llama/llama-3:free', {
    model: { vendor: 'Meta', contextTokens: 131_072, prices: { input: 0, output: 0, unit: 'USD' } },
  }),
  shown('my-gpt-4o', { isManual: true, model: null }),
  shown('old-one', { isGone: true, isFavourite: true, model: null }),
  shown('sdxl', { model: { vendor: 'Stability AI', kind: 'image' } }),
  shown('text-embedding-3', { model: { ...openai, kind: 'embedding' } }),
  shown('tiny', { model: { contextTokens: 4_096, abilities: ['reasoning'], isDeprecated: true } }),
  shown('wide', { model: { contextTokens: 1_048_576, prices: { perRequest: 0.01, unit: 'USD' } } }),
];
const filter = new ModelFilter(models);

test('finds all models when nothing is typed, with those that are not for chat last', () => {
  const { matches, total } = filter.search('  ', 100);
  assert.deepEqual([matches.length, total], [models.length, models.length]);
  assert.deepEqual(
    matches.slice(-3).map(({ id }) => id),
    ['gpt-4o-transcribe', 'sdxl', 'text-embedding-3'],
  );
  assert.deepEqual(found(filter, '', 2), ['anthropic/claude-sonnet-4', 'gpt-4o']);
  assert.equal(filter.search('', 2).total, models.length);
  assert.deepEqual(found(filter, '', 0), []);
  assert.equal(found(filter, '', Number.POSITIVE_INFINITY).length, models.length);
});

test('ranks the exact id first, then the start of the id, the start of a word and the middle of a word', () => {
  const ranked = new ModelFilter(
    ['xgpt-4', 'a-gpt-4', 'gpt-4-turbo', 'x/gpt-4', 'gpt-4', 'x/gpt-4-mini', 'GPT-4'].map((id) => shown(id)),
  );
  assert.deepEqual(found(ranked, 'gpt-4'), [
    'gpt-4',
    'GPT-4',
    'x/gpt-4',
    'gpt-4-turbo',
    'x/gpt-4-mini',
    'a-gpt-4',
    'xgpt-4',
  ]);
  assert.equal(found(ranked, 'GPT-4')[0], 'GPT-4');
  assert.equal(found(ranked, 'gPt-4')[0], 'gpt-4', 'of equal matches, the first one');
});

test('requires all words, in any order and case, in the id, the title or the vendor', () => {
  assert.deepEqual(found(filter, 'MINI gpt'), ['gpt-4o-mini']);
  assert.deepEqual(found(filter, 'claude SONNET'), ['anthropic/claude-sonnet-4']);
  assert.deepEqual(found(filter, 'openai 4o'), ['gpt-4o', 'gpt-4o-mini', 'gpt-4o-transcribe']);
  assert.deepEqual(found(filter, 'stability'), ['sdxl']);
  assert.deepEqual(found(filter, 'gpt nothing-of-that-kind'), []);
});

test('finds models whose punctuation was left out, after the others', () => {
  assert.deepEqual(found(filter, 'gpt4o'), ['gpt-4o', 'gpt-4o-mini', 'my-gpt-4o', 'gpt-4o-transcribe']);
  assert.deepEqual(found(filter, 'claudesonnet4'), ['anthropic/claude-sonnet-4']);
  assert.deepEqual(found(filter, 'tiny'), ['tiny']);
  assert.deepEqual(found(filter, 'zq'), []);
});

test('finds a version by a dot or a hyphen (anomalyco/opencode#16708, OpenHands/software-agent-sdk#1260)', () => {
  const ids = ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5', 'claude-3-5-sonnet-20241022', 'gpt-4o'];
  const versions = new ModelFilter(ids.map((id) => shown(id)));
  assert.deepEqual(found(versions, 'claude-3.5'), ['claude-3-5-sonnet-20241022']);
  assert.deepEqual(found(versions, 'sonnet 3.5'), ['claude-3-5-sonnet-20241022']);
  assert.deepEqual(found(versions, 'claude-sonnet-4.5'), ['anthropic/claude-sonnet-4.5', 'claude-sonnet-4-5-20250929']);
  assert.deepEqual(found(versions, 'claude-sonnet-4-5'), ['claude-sonnet-4-5-20250929', 'anthropic/claude-sonnet-4.5']);
});

test('finds full-width characters by plain ones and the reverse (open-webui/open-webui#29210)', () => {
  const wide = new ModelFilter([shown('gpt-4o（官转）'), shown('claude-opus-4')]);
  for (const text of ['ｇｐｔ－４ｏ', '(官转)', '（官转）', 'gpt-4o(官转)']) {
    assert.deepEqual(found(wide, text), ['gpt-4o（官转）'], text);
  }
});

test('lists models that are not for chat last, unless their kind or the exact id was typed', () => {
  assert.deepEqual(found(filter, '4o'), ['gpt-4o', 'gpt-4o-mini', 'my-gpt-4o', 'gpt-4o-transcribe']);
  const two = new ModelFilter([shown('tts-1-chat'), shown('tts-1', { model: { kind: 'speech' } })]);
  assert.deepEqual(found(two, 'tts-1'), ['tts-1', 'tts-1-chat']);
  assert.deepEqual(found(two, 'tts'), ['tts-1-chat', 'tts-1']);
  assert.deepEqual(found(filter, '@kind:embedding'), ['text-embedding-3']);
  assert.deepEqual(found(filter, '@kind:speech'), ['gpt-4o-transcribe']);
});

test('finds vendors by name and by the start of the name', () => {
  for (const text of ['@vendor:anthropic', '@anthropic', '@ANTHRO', '＠ａｎｔｈｒｏｐｉｃ', '@vendor：anthropic']) {
    assert.deepEqual(found(filter, text), ['anthropic/claude-sonnet-4'], text);
  }
  assert.deepEqual(found(filter, '@stabilityai'), ['sdxl']);
  assert.deepEqual(found(filter, '@other'), ['my-gpt-4o', 'old-one', 'tiny', 'wide']);
  assert.deepEqual(found(filter, '@openai'), ['gpt-4o', 'gpt-4o-mini', 'gpt-4o-transcribe', 'text-embedding-3']);
});

test('compares context sizes as people write them', () => {
  const inOrder = (text: string) => found(filter, text).sort();
  assert.deepEqual(inOrder('@context:>130k'), ['anthropic/claude-sonnet-4', 'meta-llama/llama-3:free', 'wide']);
  assert.deepEqual(inOrder('@context:>=200K'), ['anthropic/claude-sonnet-4', 'wide']);
  assert.deepEqual(inOrder('@context:<5k'), ['tiny']);
  assert.deepEqual(inOrder('@context:>0.2m'), ['anthropic/claude-sonnet-4', 'wide']);
  assert.deepEqual(inOrder('@output:>16k'), ['gpt-4o-mini']);
});

test('compares stated prices, and finds only models that are stated to be free', () => {
  assert.deepEqual(found(filter, '@price:<1'), ['gpt-4o-mini', 'meta-llama/llama-3:free']);
  assert.deepEqual(found(filter, '@price:>$2'), ['gpt-4o']);
  assert.deepEqual(found(filter, '@free'), ['meta-llama/llama-3:free']);
});

test('finds models by state and ability', () => {
  assert.deepEqual(found(filter, '@new'), ['gpt-4o-mini']);
  assert.deepEqual(found(filter, '@gone'), ['old-one']);
  assert.deepEqual(found(filter, '@favourite'), ['anthropic/claude-sonnet-4', 'old-one']);
  assert.deepEqual(found(filter, '@Favorite claude'), ['anthropic/claude-sonnet-4']);
  assert.deepEqual(found(filter, '@manual'), ['my-gpt-4o']);
  assert.deepEqual(found(filter, '@vision @tools'), ['anthropic/claude-sonnet-4']);
  assert.deepEqual(found(filter, '@reasoning'), ['tiny']);
  assert.deepEqual(found(filter, '@deprecated'), ['tiny']);
});

test('finds nothing by unknown words, and ignores the beginning of one', () => {
  for (const word of [
    '@bogus',
    '@context:many',
    '@context:',
    '@price:cheap',
    '@kind:',
    '@kind:x1',
    '@vendor:',
    '@vendor:nobody',
    '@foo:bar',
  ]) {
    assert.deepEqual(found(filter, `${word} mini`), [], word);
  }
  assert.deepEqual(found(filter, '@ mini'), ['gpt-4o-mini']);
});

test('finds ids that begin with @ themselves', () => {
  const cloudflare = new ModelFilter([shown('@cf/meta/llama-3'), shown('claude@20250101')]);
  assert.deepEqual(cloudflare.search('@cf/meta', 9), {
    matches: [cloudflare.search('llama', 1).matches[0]],
    total: 1,
  });
  assert.deepEqual(found(cloudflare, 'claude@2025'), ['claude@20250101']);
});

test('finds ids with regular expression characters or blanks', () => {
  const odd = new ModelFilter(['a b', 'a.b', 'a*b', '__proto__', '模型 一', 'x(y', '$&'].map((id) => shown(id)));
  assert.deepEqual(found(odd, 'a.b'), ['a.b']);
  assert.deepEqual(found(odd, '*'), ['a*b']);
  assert.deepEqual(found(odd, '('), ['x(y']);
  assert.deepEqual(found(odd, '$&'), ['$&']);
  assert.deepEqual(found(odd, '__proto__'), ['__proto__']);
  assert.deepEqual(found(odd, '模型'), ['模型 一']);
  assert.equal(found(odd, 'a b')[0], 'a b');
  assert.deepEqual(found(odd, '@constructor'), []);
});

const vendors = ['OpenAI', 'Anthropic', 'Google', 'Meta', 'Stability AI'];
const many = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    shown(`vendor-${index % 40}/some-model-${index}-instruct:free`, {
      model: {
        vendor: vendors[index % vendors.length] ?? '',
        title: `Some Model ${index}`,
        contextTokens: index,
        kind: index % 5 === 0 ? 'image' : 'chat',
      },
    }),
  );

test('searches a long list in time that grows with its length', () => {
  const [short, long] = [new ModelFilter(many(5_000)), new ModelFilter(many(20_000))];
  const least = (filter: ModelFilter, text: string) =>
    Math.min(...Array.from({ length: 7 }, () => cpuMs(() => filter.search(text, 250))));
  for (const text of [
    '',
    's',
    'model',
    'some 4999',
    'smdl49',
    '@stabilityai @context:>2k instruct',
    'zzzz',
    '@bogus',
  ]) {
    const [few, many] = [least(short, text), least(long, text)];
    // Four times is linear, and sixteen times quadratic. Times below 4 ms are inexact.
    assert.ok(many < 8 * Math.max(few, 4), `“${text}”: ${few.toFixed(1)} ms and ${many.toFixed(1)} ms`);
  }
  assert.equal(long.search('some 4999', 9).matches[0]?.id, `vendor-${4999 % 40}/some-model-4999-instruct:free`);
});

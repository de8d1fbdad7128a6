import type { ModelList } from '../catalogue.ts';
import { error } from './answers.ts';
import type { How, Rows } from './fault.ts';
import { keyForms } from './streams.ts';

type Item = ModelList['data'][number];

/** Sends this instead of the list. */
function lists(write: (data: readonly Item[], amount: number, query: URLSearchParams) => unknown): How {
  return { list: ({ data }, { amount, exchange }) => write(data, amount, exchange.url.searchParams) };
}

/** Changes every item of the list. */
function eachModel(write: (item: Item, index: number) => unknown): How {
  return lists((data) => ({ object: 'list', data: data.flatMap(write) }));
}

/** Adds items to the list. */
function withModels(...items: readonly object[]): How {
  return lists((data) => ({ object: 'list', data: [...data, ...items] }));
}

/** The metadata of different vendors; each item of the list gets the next one. */
const dialects: readonly object[] = [
  {
    permission: [{ id: 'modelperm-x', object: 'model_permission', organization: '*', group: null }],
    root: 'x',
    parent: null,
  },
  { permission: null, owned_by: 'vllm', max_model_len: 32768 },
  {
    capabilities: { completion_chat: true, completion_fim: false, function_calling: true, vision: false },
    max_context_length: 131072,
    aliases: ['latest'],
    deprecation: null,
    type: 'base',
  },
  { active: true, context_window: 131072, max_completion_tokens: 32768, public_apps: null },
  {
    type: 'chat',
    display_name: 'Together',
    context_length: 8192,
    pricing: { hourly: 0, input: 0.2, output: 0.6, base: 0 },
  },
  { type: 'model', display_name: 'Anthropic', created: undefined, created_at: '2026-01-01T00:00:00Z' },
  { meta: { vocab_type: 1, n_vocab: 128256, n_ctx_train: 131072, n_params: 8030261312, size: 4912898304 } },
  { object: undefined, provider: { id: 'somewhere' }, name: 'Portkey' },
  { supports_image_in: true, supports_video_in: false, supports_reasoning: true, context_length: 262144 },
];

const pathIds = ['vendor/model:free', 'accounts/x/models/y', 'a#b', 'a%2Fb', 'a?b=c', '../models'];
const knownIds = ['auto', 'gpt-4o', 'gpt-4.1', 'claude-sonnet-4'];

/** The formats of model lists on other gateways, and errors instead of a list. */
export const modelFaults: Rows = {
  'models-null Q84 data is null': lists(() => ({ object: 'list', data: null })),
  'models-empty 1.1 an empty list': lists(() => ({ object: 'list', data: [] })),
  'models-bare-array Q84 a bare array': lists((data) => data),
  'models-object-map Q84 data is an object by id': lists((data) => ({
    data: Object.fromEntries(data.map((item) => [item.id, item])),
  })),
  'models-under-models Q84 the list is called models': lists((data) => ({ models: data })),
  'models-nested Q84 data inside data': lists((data) => ({ code: 0, data: { object: 'list', data } })),
  'models-strings Q83 items are plain strings': lists((data) => ({ data: data.map(({ id }) => id) })),
  'models-duplicates Q82 every id twice, with different metadata': eachModel((item) => [
    item,
    { id: item.id, object: 'model', owned_by: 'custom' },
  ]),
  'models-odd-items Q83 null, numbers, empty and numeric ids among the good items': lists((data) => ({
    object: 'list',
    data: [null, 7, {}, { id: '' }, { id: 42, object: 'model' }, { id: null }, { id: 'a b/ü:β@1+x' }, ...data],
  })),
  'models-hostile-names A ids __proto__ and constructor': withModels(
    { id: '__proto__', object: 'model' },
    { id: 'constructor', object: 'model' },
  ),
  'models-reversed 1.1 the same list in another order': lists((data) => ({ object: 'list', data: data.toReversed() })),
  'models-with-success 1.1 success: true and no object': lists((data) => ({ success: true, data })),
  'models-refused-200 1.1 success: false under 200, no error and no data': lists(() => ({
    success: false,
    message: 'get user group failed',
  })),
  'models-priced 1.1 items with pricing, architecture and context as OpenRouter has them': lists((data) => ({
    data: data.map(({ id }) => ({
      id,
      name: `Vendor: ${id}`,
      context_length: 131072,
      architecture: { input_modalities: ['text'], output_modalities: ['text'] },
      pricing: { prompt: '0.00000125', completion: '0.00001', request: '0' },
    })),
  })),
  'models-many Q81 a list of thousands of models': {
    amount: ['models', 5000],
    ...lists((data, amount) => ({
      object: 'list',
      data: Array.from({ length: amount }, (_, index) => {
        const item = data[index % Math.max(1, data.length)];
        return { ...item, id: `${item?.id ?? 'model'}-v${index}` };
      }),
    })),
  },
  'models-metadata 1.1 every item with the metadata of another vendor': eachModel((item, index) => ({
    ...item,
    ...dialects[index % dialects.length],
  })),
  'models-ids-only 1.1 items that hold an id and nothing else': lists((data) => ({
    data: data.map(({ id }) => ({ id })),
  })),
  'models-paged 1.1 pages of ten models, as Anthropic marks them': lists((data, _, query) => {
    const first = data.findIndex(({ id }) => id === query.get('after_id')) + 1;
    const page = data.slice(first, first + 10);
    return { data: page, first_id: page[0]?.id, last_id: page.at(-1)?.id, has_more: first + 10 < data.length };
  }),
  'models-twin 1.1 the list twice, in data and, otherwise spelled, in models': lists((data) => ({
    models: data.map(({ id }) => ({ name: id, model: id, capabilities: ['completion'] })),
    object: 'list',
    data,
  })),
  'models-gemini 1.1 models with a name in place of an id': lists((data) => ({
    models: data.map(({ id }) => ({ name: `models/${id}`, displayName: id, inputTokenLimit: 1048576 })),
    nextPageToken: '',
  })),
  'models-data-models Q84 models inside data': lists((data) => ({ success: true, data: { models: data } })),
  'models-no-list Q84 JSON that is no model list': lists(() => ({ hello: 'world', version: '1.0' })),
  'models-near-duplicates Q83 ids that differ by case or blanks alone': eachModel((item) => [
    item,
    { ...item, id: item.id.toUpperCase() },
    { ...item, id: `${item.id} ` },
  ]),
  'models-path-ids Q85 ids that mean something else in an address': withModels(...pathIds.map((id) => ({ id }))),
  'models-known-ids Q86 ids an editor has already': withModels(...knownIds.map((id) => ({ id, object: 'model' }))),
  'models-large Q81 a list of many megabytes, three kilobytes an item': {
    amount: ['megabytes', 10],
    ...lists((data, amount) => ({
      object: 'list',
      data: Array.from({ length: Math.ceil((amount * 1024 * 1024) / 3072) }, (_, index) => ({
        id: `vendor/model-${index}`,
        description: 'About this model. '.repeat(167),
        pricing: { prompt: '0.00000125', completion: '0.00001' },
        owned_by: data[0]?.owned_by,
      })),
    })),
  },
  'models-any-key 1.1 the list comes for any key, or for none': { on: 'models', admitsAnyKey: true },
  'models-with-key Q57 two more models with the key in their ids, and the key in the metadata of all others': {
    list: ({ data }, { keyValue }) => {
      const forms = keyForms(keyValue);
      const named = data.map((item, index) => ({
        ...item,
        description: `For ${forms[index % forms.length]}, no one else.`,
        display_name: `${item.id} of ${forms[(index + 1) % forms.length]}`,
        [keyValue]: { owner: keyValue },
      }));
      const relayed = { id: `relay/${keyValue}`, object: 'model' };
      return { object: 'list', data: [...named, relayed, { id: forms[1], object: 'model' }] };
    },
  },
  'models-404 Q52 no model list although chat works': {
    answer: { status: 404, body: { detail: 'Not Found' } },
    on: 'models',
  },
  'models-405 Q52 405 for the model list although chat works': {
    answer: { status: 405, body: error('Method Not Allowed'), headers: { allow: 'POST' } },
    on: 'models',
  },
};

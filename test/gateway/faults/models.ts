import type { ModelList } from '../catalogue.ts';
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

const pathIds = ['vendor/model:free', 'accounts/x/models/y', 'a#b', 'a%2Fb', 'a?b=c', '../models'];
const knownIds = ['auto', 'gpt-4o', 'gpt-4.1', 'claude-sonnet-4'];

/** The formats of model lists on other gateways, and errors instead of a list. */
export const modelFaults: Rows = {
  'models-null Q84 data is null': lists(() => ({ object: 'list', data: null })),
  'models-empty 1.1 an empty list': lists(() => ({ object: 'list', data: [] })),
  'models-duplicates Q82 every id twice, with different metadata': eachModel((item) => [
    item,
    { id: item.id, object: 'model', owned_by: 'custom' },
  ]),
  'models-odd-items Q83 null, numbers, empty and numeric ids among the good items': lists((data) => ({
    object: 'list',
    data: [null, 7, {}, { id: '' }, { id: 42, object: 'model' }, { id: null }, { id: 'a b/ü:β@1+x' }, ...data],
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
  'models-no-list Q84 JSON that is no model list': lists(() => ({ hello: 'world', version: '1.0' })),
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
};

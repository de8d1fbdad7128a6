import type { Fault } from '../fault.ts';
import type { ModelList } from '../models/modelList.ts';

/** Makes a fault that changes the model list. */
export function listFault(
  name: string,
  quirk: string,
  about: string,
  list: (list: ModelList, amount: number, query: URLSearchParams) => unknown,
): Fault {
  return {
    name,
    quirk,
    about,
    on: 'models',
    list: (sent, { amount, exchange }) => list(sent, amount, exchange.url.searchParams),
  };
}

/** The formats of model lists on other gateways. */
export const modelListFaults: readonly Fault[] = [
  listFault('models-null', 'Q84', 'data is null', () => ({ object: 'list', data: null })),
  listFault('models-empty', '1.1', 'an empty list', () => ({ object: 'list', data: [] })),
  listFault('models-bare-array', 'Q84', 'a bare array', ({ data }) => data),
  listFault('models-object-map', 'Q84', 'data is an object by id', ({ data }) => ({
    data: Object.fromEntries(data.map((item) => [item.id, item])),
  })),
  listFault('models-under-models', 'Q84', 'the list is called models', ({ data }) => ({ models: data })),
  listFault('models-nested', 'Q84', 'data inside data', (list) => ({ code: 0, data: list })),
  listFault('models-strings', 'Q83', 'items are plain strings', ({ data }) => ({ data: data.map((item) => item.id) })),
  listFault('models-duplicates', 'Q82', 'every id twice, with different metadata', ({ data }) => ({
    object: 'list',
    data: data.flatMap((item) => [item, { id: item.id, object: 'model', owned_by: 'custom' }]),
  })),
  listFault('models-odd-items', 'Q83', 'null, numbers, empty and numeric ids among the good items', ({ data }) => ({
    object: 'list',
    data: [null, 7, {}, { id: '' }, { id: 42, object: 'model' }, { id: null }, { id: 'a b/ü:β@1+x' }, ...data],
  })),
  listFault('models-hostile-names', 'A', 'ids __proto__ and constructor', ({ data }) => ({
    object: 'list',
    data: [...data, { id: '__proto__', object: 'model' }, { id: 'constructor', object: 'model' }],
  })),
  listFault('models-reversed', '1.1', 'the same list in another order', ({ data }) => ({
    object: 'list',
    data: data.toReversed(),
  })),
  listFault('models-with-success', '1.1', 'success: true and no object', ({ data }) => ({ success: true, data })),
  listFault('models-refused-200', '1.1', 'success: false under 200, no error and no data', () => ({
    success: false,
    message: 'get user group failed',
  })),
  listFault(
    'models-priced',
    '1.1',
    'items with pricing, architecture and context as OpenRouter has them',
    ({ data }) => ({
      data: data.map((item) => ({
        id: item.id,
        name: `Vendor: ${item.id}`,
        context_length: 131072,
        architecture: { input_modalities: ['text'], output_modalities: ['text'] },
        pricing: { prompt: '0.00000125', completion: '0.00001', request: '0' },
      })),
    }),
  ),
  {
    ...listFault('models-many', 'Q81', 'a list of thousands of models', (list, amount) => ({
      object: 'list',
      data: Array.from({ length: amount }, (_, index) => {
        const item = list.data[index % Math.max(1, list.data.length)];
        return { ...item, id: `${item?.id ?? 'model'}-v${index}` };
      }),
    })),
    amount: { about: 'models', default: 5000 },
  },
];

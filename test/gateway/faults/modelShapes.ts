import type { Fault } from '../fault.ts';
import { answer, error } from './cannedAnswer.ts';
import { listFault } from './modelLists.ts';

/** The metadata of different vendors; each item of the list gets the next one. */
const dialects: readonly Readonly<Record<string, unknown>>[] = [
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

/** More formats of model lists and of errors instead of a list. */
export const modelShapeFaults: readonly Fault[] = [
  listFault('models-metadata', '1.1', 'every item with the metadata of another vendor', ({ data }) => ({
    object: 'list',
    data: data.map((item, index) => ({ ...item, ...dialects[index % dialects.length] })),
  })),
  listFault('models-ids-only', '1.1', 'items that hold an id and nothing else', ({ data }) => ({
    data: data.map(({ id }) => ({ id })),
  })),
  listFault('models-paged', '1.1', 'pages of ten models, as Anthropic marks them', ({ data }, _, query) => {
    const first = data.findIndex(({ id }) => id === query.get('after_id')) + 1;
    const page = data.slice(first, first + 10);
    return { data: page, first_id: page[0]?.id, last_id: page.at(-1)?.id, has_more: first + 10 < data.length };
  }),
  listFault('models-twin', '1.1', 'the list twice, in data and, otherwise spelled, in models', ({ data }) => ({
    models: data.map(({ id }) => ({ name: id, model: id, capabilities: ['completion'] })),
    object: 'list',
    data,
  })),
  listFault('models-gemini', '1.1', 'models with a name in place of an id', ({ data }) => ({
    models: data.map(({ id }) => ({ name: `models/${id}`, displayName: id, inputTokenLimit: 1048576 })),
    nextPageToken: '',
  })),
  listFault('models-data-models', 'Q84', 'models inside data', ({ data }) => ({
    success: true,
    data: { models: data },
  })),
  listFault('models-no-list', 'Q84', 'JSON that is no model list', () => ({ hello: 'world', version: '1.0' })),
  listFault('models-near-duplicates', 'Q83', 'ids that differ by case or blanks alone', ({ data }) => ({
    object: 'list',
    data: data.flatMap((item) => [item, { ...item, id: item.id.toUpperCase() }, { ...item, id: `${item.id} ` }]),
  })),
  listFault('models-path-ids', 'Q85', 'ids that mean something else in an address', ({ data }) => ({
    object: 'list',
    data: [
      ...data,
      ...['vendor/model:free', 'accounts/x/models/y', 'a#b', 'a%2Fb', 'a?b=c', '../models'].map((id) => ({ id })),
    ],
  })),
  listFault('models-known-ids', 'Q86', 'ids an editor has already', ({ data }) => ({
    object: 'list',
    data: [...data, ...['auto', 'gpt-4o', 'gpt-4.1', 'claude-sonnet-4'].map((id) => ({ id, object: 'model' }))],
  })),
  {
    ...listFault('models-large', 'Q81', 'a list of many megabytes, three kilobytes an item', (list, amount) => ({
      object: 'list',
      data: Array.from({ length: Math.ceil((amount * 1024 * 1024) / 3072) }, (_, index) => ({
        id: `vendor/model-${index}`,
        description: 'About this model. '.repeat(167),
        pricing: { prompt: '0.00000125', completion: '0.00001' },
        owned_by: list.data[0]?.owned_by,
      })),
    })),
    amount: { about: 'megabytes', default: 10 },
  },
  {
    ...listFault('models-any-key', '1.1', 'the list comes for any key, or for none', (list) => list),
    admitsAnyKey: true,
  },
  answer(
    'models-405',
    'Q52',
    '405 for the model list although chat works',
    { status: 405, headers: { allow: 'POST' }, body: error('Method Not Allowed') },
    'models',
  ),
];

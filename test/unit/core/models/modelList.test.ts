import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isForChat, vendorOf } from '../../../../src/core/models/modelFamily.ts';
import { readModelList } from '../../../../src/core/models/modelList.ts';

const ids = (body: unknown) => readModelList(body)?.models.map(({ id }) => id);
const permission = [{ id: 'modelperm-1', object: 'model_permission', organization: '*', group: null }];

/** Wire 1.1: one row a gateway. */
const gateways: Readonly<Record<string, readonly [body: unknown, expected: readonly string[]]>> = {
  'the service itself': [
    {
      object: 'list',
      data: [
        { id: 'b', object: 'model' },
        { id: 'a', object: 'model' },
      ],
    },
    ['a', 'b'],
  ],
  'one-api': [
    {
      object: 'list',
      data: [
        {
          id: 'gpt-4o',
          object: 'model',
          created: 1626777600,
          owned_by: 'openai',
          permission,
          root: 'gpt-4o',
          parent: null,
        },
      ],
    },
    ['gpt-4o'],
  ],
  'new-api, old, without object': [{ success: true, data: [{ id: 'a', permission: null }] }, ['a']],
  'new-api, new': [{ success: true, data: [{ id: 'a', supported_endpoint_types: ['openai'] }], object: 'list' }, ['a']],
  'Ollama with nothing': [{ object: 'list', data: null }, []],
  'Together, a bare array': [[{ id: 'a', type: 'chat', pricing: { input: 1 } }], ['a']],
  OpenRouter: [
    {
      data: [
        {
          id: 'x/y:free',
          name: 'X: Y',
          context_length: 128000,
          pricing: { prompt: '0' },
          architecture: { output_modalities: ['text'] },
        },
      ],
      total_count: 1,
      links: { next: null },
    },
    ['x/y:free'],
  ],
  Portkey: [
    { object: 'list', version: '1', data: [{ id: 'a', object: 'model', provider: { id: 'openai' }, name: 'A' }] },
    ['a'],
  ],
  'llama.cpp, both lists': [
    { object: 'list', data: [{ id: 'a', meta: { n_ctx_train: 4096 } }], models: [{ name: 'a' }] },
    ['a'],
  ],
  Anthropic: [
    {
      data: [{ type: 'model', id: 'claude-x', display_name: 'Claude X', created_at: '2025-01-01T00:00:00Z' }],
      first_id: 'a',
      last_id: 'b',
      has_more: false,
    },
    ['claude-x'],
  ],
  Gemini: [{ models: [{ name: 'models/gemini-x' }], nextPageToken: 'x' }, ['models/gemini-x']],
  vLLM: [
    {
      object: 'list',
      data: [{ id: 'meta-llama/Llama', max_model_len: 8192, root: '/data', parent: null, permission }],
    },
    ['meta-llama/Llama'],
  ],
  Mistral: [
    {
      object: 'list',
      data: [{ id: 'mistral-x', max_context_length: 32768, capabilities: { completion_chat: true }, aliases: ['y'] }],
    },
    ['mistral-x'],
  ],
  Groq: [{ object: 'list', data: [{ id: 'a', context_window: 8192, active: true, public_apps: null }] }, ['a']],
  Moonshot: [{ data: [{ id: 'kimi', context_length: 200000, supports_reasoning: true }] }, ['kimi']],
  'Q84 a map by id': [{ data: { a: { object: 'model' }, b: { id: 'b2' } } }, ['a', 'b2']],
  'Q84 an empty map': [{ data: {} }, []],
  'Q84 a list in a list': [{ code: 0, data: { data: [{ id: 'a' }] } }, ['a']],
  'Q84 models in data': [{ data: { models: [{ id: 'a' }] } }, ['a']],
  'Q84 models null': [{ models: null }, []],
  'Q83 plain strings': [{ data: ['b', 'a', 'a'] }, ['a', 'b']],
  'Q83 numeric ids': [{ data: [{ id: 7 }] }, ['7']],
  'Q83 ids that differ by case or blanks': [{ data: [{ id: 'A' }, { id: 'a' }, { id: 'a ' }] }, ['A', 'a', 'a ']],
  'unusual ids': [
    { data: [{ id: 'accounts/f/models/x' }, { id: '模型 a@b+c:free' }, { id: 'a?b#c%2F' }] },
    ['a?b#c%2F', 'accounts/f/models/x', '模型 a@b+c:free'],
  ],
  'names of the prototype': [
    JSON.parse(
      '{"data":[{"id":"__proto__"},{"id":"constructor"},{"id":"toString"},{"id":"a","__proto__":{"id":"evil","polluted":1}}]}',
    ),
    ['__proto__', 'a', 'constructor', 'toString'],
  ],
  'names of the prototype in a map': [
    JSON.parse('{"data":{"__proto__":{"object":"model"},"constructor":{}}}'),
    ['__proto__', 'constructor'],
  ],
};

for (const [who, [body, expected]] of Object.entries(gateways)) {
  test(`reads the list of ${who}`, () => {
    assert.deepEqual(ids(body), expected);
    assert.equal(({} as { polluted?: unknown }).polluted, undefined);
  });
}

for (const body of [
  undefined,
  null,
  'x',
  5,
  {},
  { object: 'list' },
  { data: 'x' },
  { data: 5 },
  { models: 'x' },
  { error: { message: 'no' } },
  { data: { object: 'token_usage', name: 'x', total_granted: 5 } },
  { code: 0, data: { available_balance: 5 } },
]) {
  test(`Q84 takes ${JSON.stringify(body)} for no list`, () => assert.equal(readModelList(body), undefined));
}

test('Q81 drops bad items one by one, never the list', () => {
  const list = readModelList({
    data: [
      null,
      5,
      [],
      {},
      { id: '' },
      { id: ' ' },
      { id: {} },
      { id: true },
      { id: null },
      '',
      { id: 'good' },
      { id: null, name: 'named' },
    ],
  });
  assert.deepEqual([list?.models.map(({ id }) => id), list?.dropped], [['good', 'named'], 10]);
});

test('Q82 merges duplicates, the first one winning', () => {
  const list = readModelList({
    data: [
      { id: 'a', name: 'First' },
      { id: 'a', name: 'Second', context_length: 9 },
      { id: 'a', description: 'd' },
    ],
  });
  assert.deepEqual(list?.models, [
    { id: 'a', vendor: 'Other', kind: 'chat', isForChat: true, title: 'First', contextTokens: 9, description: 'd' },
  ]);
});

test('states a context only where the gateway does, in any spelling', () => {
  for (const item of [
    { context_length: 9 },
    { context_window: '9' },
    { max_model_len: 9 },
    { max_context_length: 9 },
    { context_length: null, context_window: 9 },
  ]) {
    assert.equal(readModelList([{ id: 'a', ...item }])?.models[0]?.contextTokens, 9);
  }
  for (const item of [
    {},
    { context_length: 0 },
    { context_length: -1 },
    { context_length: 'many' },
    { context_length: {} },
  ]) {
    assert.equal(readModelList([{ id: 'a', ...item }])?.models[0]?.contextTokens, undefined);
  }
});

test('keeps the same order however the gateway shuffles', () => {
  const all = Array.from({ length: 200 }, (_, index) => ({ id: `m${index % 2 ? 'A' : 'a'}${index}` }));
  const sorted = ids(all);
  for (let times = 0; times < 5; times++) {
    all.sort(() => Math.random() - 0.5);
    assert.deepEqual(ids(all), sorted);
  }
});

test('Q81 reads 5,000 large items fast', () => {
  const data = Array.from({ length: 5_000 }, (_, index) => ({
    id: `vendor-${index % 50}/model-${index}`,
    name: `Model ${index}`,
    description: 'x'.repeat(3_000),
    context_length: index,
    pricing: { prompt: '0.1' },
  }));
  const started = performance.now();
  assert.equal(readModelList({ data })?.models.length, 5_000);
  assert.ok(performance.now() - started < 500);
});

test('is not slowed down by hostile ids', () => {
  const data = Array.from({ length: 200 }, (_, index) => ({ id: `${'-/:.'.repeat(5_000)}${index}` }));
  const started = performance.now();
  assert.equal(ids(data)?.length, 200);
  assert.ok(performance.now() - started < 1_500);
});

test('tells the vendor by the id', () => {
  for (const [id, vendor] of [
    ['gpt-4.1', 'OpenAI'],
    ['o3-mini', 'OpenAI'],
    ['o1', 'OpenAI'],
    ['chatgpt-4o-latest', 'OpenAI'],
    ['text-embedding-3-small', 'OpenAI'],
    ['claude-sonnet-4', 'Anthropic'],
    ['anthropic.claude-3', 'Anthropic'],
    ['anthropic/claude-3:beta', 'Anthropic'],
    ['gemini-2.5-pro', 'Google'],
    ['models/gemini-x', 'Google'],
    ['deepseek-chat', 'DeepSeek'],
    ['deepseek-ai/DeepSeek-V3', 'DeepSeek'],
    ['Qwen/Qwen2.5', 'Qwen'],
    ['qwq-32b', 'Qwen'],
    ['meta-llama/Llama-3:free', 'Meta'],
    ['codellama', 'Meta'],
    ['mixtral-8x7b', 'Mistral'],
    ['grok-4', 'xAI'],
    ['kimi-k2', 'Moonshot'],
    ['glm-4.6', 'Zhipu'],
    ['doubao-pro', 'ByteDance'],
    ['yi-large', '01.AI'],
    ['command-r', 'Cohere'],
    ['openrouter/deepseek/deepseek-r1-distill-llama', 'DeepSeek'],
    ['o', 'Other'],
    ['o11y', 'Other'],
    ['', 'Other'],
    ['my-model', 'Other'],
  ] as const)
    assert.equal(vendorOf(id), vendor, id);
});

test('goes by what a gateway states of a model, then by its name', () => {
  const stated = (item: Record<string, unknown>, id = 'm') => isForChat(id, item);
  assert.equal(stated({ supported_endpoint_types: ['openai'] }, 'text-embedding-3'), true);
  assert.equal(stated({ supported_endpoint_types: ['jina-rerank'] }), false);
  assert.equal(stated({ supported_endpoint_types: [] }), true);
  assert.equal(stated({ type: 'chat' }, 'whisper-1'), true);
  assert.equal(stated({ type: 'embeddings' }), false);
  assert.equal(stated({ type: 'model' }), true);
  assert.equal(stated({ architecture: { output_modalities: ['image'] } }), false);
  assert.equal(stated({ architecture: { output_modalities: ['text', 'image'] } }), true);
  for (const id of [
    'text-embedding-3-small',
    'bge-m3',
    'jina-reranker-v2',
    'rerank-v3',
    'whisper-1',
    'tts-1-hd',
    'dall-e-3',
    'gpt-image-1',
    'omni-moderation-latest',
    'gpt-4o-transcribe',
    'flux-pro',
    'mj_imagine'.replace('_', '-'),
  ]) {
    assert.equal(stated({}, id), false, id);
  }
  for (const id of ['gpt-4o', 'claude-3', 'imagine-chat', 'veoh', 'deepseek-r1'])
    assert.equal(stated({}, id), true, id);
});

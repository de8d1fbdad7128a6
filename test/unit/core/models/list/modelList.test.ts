import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { vendorOf } from '../../../../../src/core/models/list/modelFamily.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';
import { gateways, readModelList } from './readModelList.ts';

const ids = (body: unknown) => readModelList(body)?.models.map(({ id }) => id);

/** Odd shapes of lists; those of wire 1.1 are the fixtures. */
const shapes: Readonly<Record<string, readonly [body: unknown, expected: readonly string[]]>> = {
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

for (const [shape, [body, expected]] of Object.entries(shapes)) {
  test(`reads a list in the shape of: ${shape}`, () => {
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
  test(`Q84 does not read ${JSON.stringify(body)} as a list`, () => assert.equal(readModelList(body), undefined));
}

test('Q81 drops each bad item and keeps the rest of the list', () => {
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

test('leaves out what stands for models (BerriAI/litellm#3275, #13752, #31966)', () => {
  const placeholders = ['all-team-models', 'all-org-models', 'all-proxy-models', 'no-default-models'];
  const wildcards = ['*', 'openai/*', 'gpt-4-gizmo-*'];
  const list = readModelList({ data: [...placeholders, ...wildcards, 'openai/gpt-5'].map((id) => ({ id })) });
  assert.deepEqual(
    list?.models.map(({ id }) => id),
    ['openai/gpt-5'],
  );
});

test('Q82 merges duplicates, and the first one takes precedence', () => {
  const list = readModelList({
    data: [
      { id: 'a', name: 'First' },
      { id: 'a', name: 'Second', context_length: 9 },
      { id: 'a', context_length: 7, max_output_tokens: 3 },
    ],
  });
  assert.deepEqual(list?.models, [
    { id: 'a', vendor: 'Other', kind: 'chat', isForChat: true, title: 'First', contextTokens: 9, outputTokens: 3 },
  ]);
});

test('reads the context size in any spelling, and only where the gateway states it', () => {
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

test('sorts in the same order however the gateway shuffles the list', () => {
  const all = Array.from({ length: 200 }, (_, index) => ({ id: `m${index % 2 ? 'A' : 'a'}${index}` }));
  const sorted = ids(all);
  for (let times = 0; times < 5; times++) {
    all.sort(() => Math.random() - 0.5);
    assert.deepEqual(ids(all), sorted);
  }
});

test('sorts numbers in ids by value, and letters regardless of case', () => {
  const inOrder = [
    'gpt-4',
    'gpt-4-0125',
    'GPT-4-0613',
    'gpt-4.1',
    'gpt-9',
    'gpt-10',
    'gpt-100',
    'gpt-audio',
    'o1',
    'O1',
    'o3',
  ];
  const all = [...inOrder, 'r1', 'r01', `s${'9'.repeat(20)}`, `s1${'0'.repeat(20)}`, `s${'1'.repeat(9)}`];
  assert.deepEqual(ids(all.toReversed().map((id) => ({ id }))), [
    ...inOrder.toSpliced(8, 2, 'O1', 'o1'),
    'r01',
    'r1',
    `s${'1'.repeat(9)}`,
    `s${'9'.repeat(20)}`,
    `s1${'0'.repeat(20)}`,
  ]);
});

test('Q81 reads 5,000 large items fast', () => {
  const data = Array.from({ length: 5_000 }, (_, index) => ({
    id: `vendor-${index % 50}/model-${index}`,
    name: `Model ${index}`,
    description: 'x'.repeat(3_000),
    context_length: index,
    pricing: { prompt: '0.1' },
  }));
  const ms = leastCpuMs(500, () => assert.equal(readModelList({ data })?.models.length, 5_000));
  assert.ok(ms < 500, `${ms} ms`);
});

test('is not slowed down by hostile ids', () => {
  const data = Array.from({ length: 200 }, (_, index) => ({ id: `${'-/:.'.repeat(5_000)}${index}` }));
  const ms = leastCpuMs(1_500, () => assert.equal(ids(data)?.length, 200));
  assert.ok(ms < 1_500, `${ms} ms`);
});

test('finds the vendor by the id', () => {
  for (const [id, vendor] of [
    ['chatgpt-4o-latest', 'OpenAI'],
    ['anthropic.claude-3', 'Anthropic'],
    ['anthropic/claude-3:beta', 'Anthropic'],
    ['deepseek-ai/DeepSeek-V3', 'DeepSeek'],
    ['Qwen/Qwen2.5', 'Qwen'],
    ['qwq-32b', 'Qwen'],
    ['meta-llama/Llama-3:free', 'Meta'],
    ['codellama', 'Meta'],
    ['grok-4', 'xAI'],
    ['doubao-pro', 'ByteDance'],
    ['yi-large', '01.AI'],
    ['command-r', 'Cohere'],
    ['openrouter/deepseek/deepseek-r1-distill-llama', 'DeepSeek'],
    ['o', 'Other'],
    ['o11y', 'Other'],
    ['', 'Other'],
    ['us.anthropic.claude-sonnet-4-20250514-v1:0', 'Anthropic'],
    ['@cf/meta/llama-3', 'Meta'],
    ['@hf/thebloke/deepseek-coder', 'DeepSeek'],
    ['accounts/fireworks/models/qwen3', 'Qwen'],
    ['Pro/zai-org/GLM-4.6', 'Zhipu'],
    ['toString', 'Other'],
    ['constructor/x', 'Other'],
  ] as const) {
    assert.equal(vendorOf(id), vendor, id);
  }
});

test('finds the kind by what the gateway states, then by the id', () => {
  const stated = (item: Record<string, unknown>, id = 'm') => readModelList([{ id, ...item }])?.models[0]?.kind;
  assert.equal(
    stated({ supported_endpoint_types: ['openai'] }, 'text-embedding-3'),
    'embedding',
    'the endpoint type is listed for all models',
  );
  assert.equal(stated({ supported_endpoint_types: [] }), 'chat');
  assert.equal(stated({ type: 'chat' }, 'whisper-1'), 'chat');
  assert.equal(stated({ type: 'model' }), 'chat');
  assert.equal(stated({ type: 'base' }), 'chat', 'a word that says nothing');
  assert.equal(stated({ type: {} }, 'whisper-1'), 'speech');
  assert.equal(stated({ task: { id: 'x', name: 'Text-to-Image' } }), 'image');
  assert.equal(stated({ task: 'automatic-speech-recognition' }), 'speech');
  assert.equal(stated({ mode: 'image_generation' }), 'image');
  assert.equal(stated({ architecture: { output_modalities: ['embeddings'] } }), 'embedding');
  assert.equal(stated({ capabilities: ['embedding'] }), 'embedding');
  assert.equal(stated({ supports_chat: false }), 'other', 'simonw/llm-fireworks#4');
  assert.equal(stated({ capabilities: { embeddings: false, chat_completion: false } }), 'other', 'Azure');
  assert.equal(stated({ supported_output_modalities: ['embeddings'] }), 'embedding', 'GitHub Models');
  assert.equal(stated({ type: 'inpaint' }), 'image', 'Venice');
  for (const said of [{ model_type: 'embedding' }, { types: 'embedding' }, { domain: 'Embedding' }]) {
    assert.equal(stated(said), 'embedding', 'can1357/oh-my-pi#4201 and #4917, AIHubMix');
  }
  for (const [id, kind] of [
    ['embeddinggemma:latest', 'embedding'],
    ['nvidia/llama-3.2-nv-embedqa-1b-v2', 'embedding'],
    ['nvidia/nvclip', 'embedding'],
    ['nvidia/llama-3.2-nv-rerankqa-1b-v2', 'rerank'],
    ['nvidia/llama-3.1-nemoguard-8b-content-safety', 'moderation'],
    ['FunAudioLLM/SenseVoiceSmall', 'speech'],
    ['IndexTeam/IndexTTS-2', 'speech'],
    ['bge-reranker-v2-m3', 'rerank'],
    ['rerank-v3', 'rerank'],
    ['gpt-image-1', 'image'],
    ['gpt-4o-transcribe', 'speech'],
    ['flux-pro', 'image'],
    ['mj-imagine', 'image'],
    ['veo3', 'video'],
    ['babbage-002', 'other'],
    ['imagine-chat', 'chat'],
    ['veoh', 'chat'],
    ['gpt-4o-audio-preview', 'chat'],
    ['qwen2.5-vl-72b', 'chat'],
    ['canada-1', 'chat'],
  ] as const) {
    assert.equal(stated({}, id), kind, id);
  }
});

for (const [gateway, { body, expected }] of Object.entries(gateways)) {
  test(`reads the models of ${gateway} with the facts it states`, () => {
    const models = readModelList(body)?.models ?? [];
    assert.deepEqual(
      models.map(({ id }) => id),
      expected.map(({ id }) => id),
    );
    for (const [index, wanted] of expected.entries()) {
      const model = models[index];
      assert.deepEqual({ ...model, ...wanted }, model, wanted.id);
      assert.equal(model?.isForChat, model?.kind === 'chat');
    }
  });
}

test('knows the lists of new-api, one-api and LiteLLM, whose sites say a key’s balance', () => {
  const listed = Object.entries(gateways).filter(([, { body }]) => readModelList(body)?.hasLookUps);
  assert.ok(listed.length >= 4);
  assert.deepEqual(
    listed.map(([name]) => name).filter((name) => !/one-api|new-api|LiteLLM/.test(name)),
    [],
  );
  const liteLlm = { id: 'local', object: 'model', created: 1_677_610_602, owned_by: 'openai' };
  assert.ok(readModelList({ data: [liteLlm] })?.hasLookUps, 'as a LiteLLM proxy answered');
  assert.equal(
    readModelList({
      data: [
        { ...liteLlm, id: 'gpt-3.5-turbo' },
        { id: 'o1', created: 1 },
      ],
    })?.hasLookUps,
    undefined,
  );
});

test('lists no models for live audio, pictures and video for chat (CherryHQ/cherry-studio#11793, Musheer360/SwiftSlate#171)', () => {
  const methods = ['bidiGenerateContent', 'countTokens'];
  const data = [
    { id: 'models/gemini-x', supportedGenerationMethods: methods },
    ...['gemini-2.0-flash-live-001', 'gemini-live-2.5-flash-preview', 'gemini-2.5-flash-native-audio-latest'],
    ...['nano-banana-pro-preview', 'grok-imagine-image', 'grok-imagine-1.0', 'grok-imagine-video-1.5'],
    ...['gemini-3-pro', 'oliver-live-1'],
  ];
  assert.deepEqual(Object.fromEntries(readModelList(data)?.models.map(({ id, kind }) => [id, kind]) ?? []), {
    'gemini-2.0-flash-live-001': 'speech',
    'gemini-2.5-flash-native-audio-latest': 'speech',
    'gemini-3-pro': 'chat',
    'gemini-live-2.5-flash-preview': 'speech',
    'grok-imagine-1.0': 'image',
    'grok-imagine-image': 'image',
    'grok-imagine-video-1.5': 'video',
    'models/gemini-x': 'speech',
    'nano-banana-pro-preview': 'image',
    'oliver-live-1': 'chat',
  });
});

test('reads what a model of Lemonade is for in its labels (lemonade-sdk/lemonade-pi-plugin#11)', () => {
  for (const [labels, kind] of [
    [['embeddings'], 'embedding'],
    [['reranking'], 'rerank'],
    [['transcription', 'realtime-transcription'], 'speech'],
    [['tts', 'speech'], 'speech'],
    [['image', 'edit'], 'image'],
    [['chat', 'image'], 'chat'],
    [['vision', 'transcription', 'tool-calling'], 'chat'],
    [['hot', 'custom'], 'chat'],
  ] as const) {
    assert.equal(only({ labels })?.kind, kind, labels.join());
  }
  assert.deepEqual(only({ labels: ['tool-calling', 'vision', 'reasoning'] })?.abilities, [
    'vision',
    'tools',
    'reasoning',
  ]);
});

test('reads the prices of long prompts of OpenRouter (NousResearch/hermes-agent#109976)', () => {
  const long = { min_prompt_tokens: 272_000, prompt: '0.000004', completion: '0.000018' };
  const pricing = {
    prompt: '0.000002',
    completion: '0.000012',
    input_cache_read: '0.0000002',
    overrides: [null, { prompt: '1' }, { ...long, min_prompt_tokens: 500_000 }, long],
  };
  const { longPrompts } = readModelList([{ id: 'a', pricing }])?.models[0]?.prices ?? assert.fail();
  assert.deepEqual(longPrompts, { above: 272_000, input: 4, output: 18, cachedInput: 0.2, cacheWrite: undefined });
  for (const overrides of [undefined, {}, [], [{ ...long, prompt: '-1' }]]) {
    const prices = readModelList([{ id: 'a', pricing: { ...pricing, overrides } }])?.models[0]?.prices;
    assert.deepEqual(prices, { input: 2, output: 12, cachedInput: 0.2, unit: 'USD' });
  }
});

test('reads no price whose unit is unknown', () => {
  const priced = (pricing: unknown) => readModelList([{ id: 'a', pricing }])?.models[0]?.prices;
  for (const pricing of [
    undefined,
    null,
    '0.5',
    {},
    { prompt: 0.5, completion: 1.5 },
    { prompt: '0.5', completion: '1.5' },
    { prompt: '-1', completion: '-1' },
    { prompt: '', completion: '0' },
    { prompt: 'free', completion: 'free' },
    { prompt: '0', completion: '0', image: '0.04' },
    { input: 0.5, output: 1.5 },
    { input: '0.5', output: '1.5', base: 0 },
    { input: -1, output: 1, base: 0 },
    { input: 0, output: 0, base: 0, hourly: 3 },
    { input: 1e9, output: 1, base: 0 },
  ]) {
    assert.equal(priced(pricing), undefined, JSON.stringify(pricing));
  }
  assert.deepEqual(priced({ prompt: '0.00000007', completion: '0.0006', request: '0.005', input_cache_read: '0' }), {
    input: 0.07,
    output: 600,
    perRequest: 0.005,
    unit: 'USD',
  });
  assert.equal(priced({ prompt: '0.000003', completion: '0', input_cache_write: '0.00000375' })?.cacheWrite, 3.75);
  assert.deepEqual(priced({ input: 0.3, output: 0.3, base: 0, cached_input: 0.1 }), {
    input: 0.3,
    output: 0.3,
    cachedInput: 0.1,
    unit: 'USD',
  });
});

test('keeps the gateway’s own items in their order', () => {
  const answer = readModelList({ data: [{ id: 'a', x: 1 }, 'b', { id: 'a', x: 2 }, { x: 3 }, { id: 7, y: [] }] });
  assert.deepEqual(answer?.items, [{ id: 'a', x: 1 }, 'b', { id: 'a', x: 2 }, { id: 7, y: [] }]);
});

test('reads an end time as a date or in seconds, and ignores anything else', () => {
  const ends = (expiration_date: unknown) => readModelList([{ id: 'a', expiration_date }])?.models[0]?.expiresAt;
  assert.equal(ends('2026-12-31'), Date.UTC(2026, 11, 31));
  assert.equal(ends(1_800_000_000), 1_800_000_000_000);
  for (const value of ['soon', '1', '2026-99-99', 1e18, -1, 0, null, {}, []]) {
    assert.equal(ends(value), undefined, String(value));
  }
});

const reported = (name: string) =>
  readModelList(JSON.parse(readFileSync(new URL(`../../../../fixtures/reports/${name}`, import.meta.url), 'utf8')))
    ?.models ?? [];
const only = (item: object) => readModelList([{ id: 'm', ...item }])?.models[0];

test('reads what Vercel states of a model (theopenco/llmgateway#3598, anomalyco/models.dev#6311)', () => {
  assert.deepEqual(reported('110-vercel.list.json'), [
    {
      id: 'anthropic/claude-x',
      vendor: 'Anthropic',
      kind: 'chat',
      isForChat: true,
      contextTokens: 200_000,
      outputTokens: 64_000,
      prices: { input: 3, output: 15, cachedInput: 0.3, unit: 'USD' },
      abilities: ['vision', 'tools', 'reasoning', 'files'],
      title: 'Claude X',
    },
    { id: 'x/embed', vendor: 'Other', kind: 'embedding', isForChat: false, contextTokens: 8_192 },
  ]);
});

test('reads what GitHub Copilot states of a model (NousResearch/hermes-agent#29146, zed-industries/zed#20362)', () => {
  assert.deepEqual(
    reported('111-copilot.list.json').map(({ title: _, ...model }) => model),
    [
      {
        id: 'gpt-z',
        vendor: 'OpenAI',
        kind: 'chat',
        isForChat: true,
        contextTokens: 128_000,
        outputTokens: 16_384,
        abilities: ['vision', 'tools'],
      },
      { id: 'text-vec', vendor: 'Other', kind: 'embedding', isForChat: false },
    ],
  );
  assert.equal(only({ capabilities: { limits: { max_prompt_tokens: 9 } } })?.contextTokens, 9, 'an older catalog');
});

test('reads limits, abilities and kinds in other reported shapes (BerriAI/litellm#17858, lemonade-sdk/lemonade#1823)', () => {
  const info = { max_input_tokens: 9, max_output_tokens: 3, max_tokens: 3, supports_vision: true, mode: 'embedding' };
  const known = only({ model_info: info });
  assert.deepEqual(
    [known?.contextTokens, known?.outputTokens, known?.abilities, known?.kind],
    [9, 3, ['vision'], 'embedding'],
  );
  assert.equal(only({ max_context_window: 9 })?.contextTokens, 9);
  const { contextTokens, outputTokens } = only({ max_input_tokens: 9, max_tokens: 3 }) ?? {};
  assert.deepEqual([contextTokens, outputTokens], [9, 3], 'ericc-ch/copilot-api#257');
  assert.equal(only({ max_tokens: 9 })?.outputTokens, undefined, 'it may be the context size');
  const catalog = only({
    limit: { context: 9, output: 3 },
    modalities: { input: ['text', 'pdf'], output: ['text'] },
    tool_call: true,
    reasoning: false,
  });
  assert.deepEqual([catalog?.contextTokens, catalog?.outputTokens, catalog?.abilities], [9, 3, ['tools', 'files']]);
  for (const [source, item] of [
    [
      'Novita, can1357/oh-my-pi#4917',
      { context_size: 9, max_output_tokens: 3, features: ['function-calling'], input_modalities: ['text', 'image'] },
    ],
    [
      'Chutes',
      { max_model_len: 9, max_output_length: 3, supported_features: ['tools'], input_modalities: ['text', 'image'] },
    ],
    [
      'GitHub Models',
      {
        limits: { max_input_tokens: 9, max_output_tokens: 3 },
        capabilities: ['streaming', 'tool-calling'],
        supported_input_modalities: ['text', 'image'],
      },
    ],
    ['AIHubMix', { context_length: 9, max_output: 3, features: 'web,tools', input_modalities: 'text,image' }],
    [
      'Venice, block/buzz#4947',
      {
        model_spec: {
          ...{ availableContextTokens: 9, maxCompletionTokens: 3 },
          capabilities: { supportsVision: true, supportsFunctionCalling: true, supportsReasoning: false },
        },
      },
    ],
    [
      'Ark, can1357/oh-my-pi#4201',
      {
        token_limits: { context_window: 9, max_output_token_length: 3 },
        modalities: { input_modalities: ['text', 'image'] },
        tools: true,
      },
    ],
  ] as const) {
    const model = only(item);
    const facts = [model?.contextTokens, model?.outputTokens, model?.abilities];
    assert.deepEqual(facts, [9, 3, ['vision', 'tools']], source);
  }
  const loaded = { max_context_length: 99, loaded_context_length: 9 };
  assert.equal(only(loaded)?.contextTokens, 9, 'can1357/oh-my-pi#6082');
  assert.equal(only({ max_context: 9 })?.contextTokens, 9, 'ArliAI, NousResearch/hermes-agent#81442');
  assert.equal(only({ status: 'Shutdown' })?.isDeprecated, true, 'can1357/oh-my-pi#4201');
  const details = { model_name: 'gpt', model_info: { id: 'e889', max_input_tokens: 9 } };
  assert.equal(readModelList({ data: [details] })?.models[0]?.id, 'gpt', 'LiteLLM, /model/info');
  const routed = only({ context_length: 9, top_provider: { context_length: 3 } });
  assert.equal(routed?.contextTokens, 9, 'anomalyco/models.dev#2796, microsoft/vscode#316402');
});

test('reads prices in the unit and currency that are stated (NousResearch/hermes-agent#79400, #80431)', () => {
  assert.deepEqual(Object.fromEntries(reported('22-prices-with-units.json').map(({ id, prices }) => [id, prices])), {
    'relay-per-million-numbers': { input: 1, output: 2, cachedInput: 0.02, unit: 'CNY' },
    'relay-per-million-strings': { input: 1, output: 2, unit: 'CNY' },
    'relay-small-per-million-strings': { input: 0.008, output: 0.009, unit: 'USD' },
    'relay-per-thousand-strings': { input: 2, output: 6, unit: 'USD' },
    'relay-per-token-cny': { input: 2, output: 8, unit: 'CNY' },
    'relay-per-million-no-unit': undefined,
    'usual-per-token': { input: 3, output: 15, unit: 'USD' },
  });
});

test('reads prices whose names have the unit, and none that contradict themselves (NousResearch/hermes-agent#34256)', () => {
  const priced = (item: object) => only(item)?.prices;
  const expected = { input: 3, output: 15, unit: 'USD' };
  assert.deepEqual(priced({ input_cost_per_token: 0.000003, output_cost_per_token: 0.000015 }), expected);
  assert.deepEqual(
    priced({ model_info: { input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5, input_cost_per_query: 1 } }),
    expected,
  );
  assert.deepEqual(priced({ pricing: { input_per_million_tokens: 3, output_per_million_tokens: 15 } }), expected);
  const novita = { input_token_price_per_m: 30_000, output_token_price_per_m: 150_000 };
  assert.deepEqual(priced(novita), expected, 'BerriAI/litellm#18981, anomalyco/models.dev#2998');
  assert.deepEqual(priced({ pricing: { prompt: '$0.000003', completion: '$0.000015' } }), expected, 'Synthetic');
  for (const [unit, prompt, completion] of [
    ['1M tokens', 3, 15],
    ['USD', 3, 15],
    ['per_1m_tokens', '0.000003', '0.000015'],
    ['per_token', 3, 15],
    ['per_image', 3, 15],
  ] as const) {
    assert.deepEqual(
      priced({ pricing: { unit, prompt, completion } }),
      unit === '1M tokens' ? expected : undefined,
      unit,
    );
  }
  for (const item of [
    { input_cost_per_token: 0.000003, output_cost_per_million: 15 },
    { currency: 'EUR', pricing: { currency: 'USD', prompt: '0.000003', completion: '0.000015' } },
    { pricing: { currency: 'credits', prompt: '0.000003', completion: '0.000015' } },
    { pricing: { prompt: 0.000008137, completion: 0.000020133 } },
    { pricing: { prompt: '0.002', completion: '0.006' } },
    { cost: { input: 0.04, output: 0.15 } },
  ]) {
    assert.equal(priced(item), undefined, JSON.stringify(item));
  }
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chatBody } from '../../../../src/core/client/gatewayClient.ts';
import type { CallFacts } from '../../../../src/core/languageModel/languageReply.ts';
import {
  chatRequestOf,
  type LanguageMessage,
  type LanguageRequest,
  rejectsReasoning,
} from '../../../../src/core/languageModel/languageRequest.ts';

const hi: LanguageMessage = { role: 'user', parts: [{ type: 'text', text: 'Hi' }] };
const base: LanguageRequest = {
  model: 'm/x',
  messages: [hi],
  tools: [],
  isToolRequired: false,
  modelOptions: undefined,
};

function bodyOf(change: Partial<LanguageRequest>, facts?: CallFacts): string {
  const made = chatRequestOf({ ...base, ...change }, () => facts);
  assert.ok(typeof made !== 'string', String(made));
  return chatBody(made);
}

const plain =
  '{"model":"m/x","messages":[{"role":"user","content":"Hi"}],"stream":true,"stream_options":{"include_usage":true}}';

test('makes a plain request with exactly the bytes that the panel sends', () => {
  assert.equal(bodyOf({}), plain);
  assert.equal(chatBody({ model: 'm/x', messages: [{ role: 'user', content: 'Hi' }] }), plain);
});

test('sends tools with their schemas and the tool choice', () => {
  const inputSchema = { type: 'object', properties: { word: { type: 'string' } } };
  const tools = [
    { name: 'find', description: 'Finds a word.', inputSchema },
    { name: 'now', description: 'The time.' },
  ];
  const body = JSON.parse(bodyOf({ tools, modelOptions: { parallel_tool_calls: false } }));
  assert.deepEqual(body, {
    model: 'm/x',
    messages: [{ role: 'user', content: 'Hi' }],
    tools: [
      { type: 'function', function: { name: 'find', description: 'Finds a word.', parameters: inputSchema } },
      {
        type: 'function',
        function: { name: 'now', description: 'The time.', parameters: { type: 'object', properties: {} } },
      },
    ],
    tool_choice: 'auto',
    parallel_tool_calls: false,
    stream: true,
    stream_options: { include_usage: true },
  });
  assert.equal(JSON.parse(bodyOf({ tools, isToolRequired: true })).tool_choice, 'required');
  assert.equal(bodyOf({ isToolRequired: true, modelOptions: { parallel_tool_calls: true } }), plain);
});

test('completes the schema of a tool without parameters (posit-dev/mcptools#89, microsoft/vscode#330610)', () => {
  const parametersOf = (inputSchema: object | undefined) =>
    JSON.parse(bodyOf({ tools: [{ name: 'now', description: '', inputSchema }] })).tools[0].function.parameters;
  const none = { type: 'object', properties: {} };
  assert.deepEqual(parametersOf(undefined), none);
  assert.deepEqual(parametersOf({}), none);
  assert.deepEqual(parametersOf({ type: 'object' }), none);
  assert.deepEqual(parametersOf({ type: 'object', additionalProperties: false }), {
    ...none,
    additionalProperties: false,
  });
});

test('sends a tool that is offered twice once (microsoft/vscode#316983)', () => {
  const tool = { name: 'find', description: '', inputSchema: {} };
  assert.equal(JSON.parse(bodyOf({ tools: [tool, { ...tool, name: 'now' }, tool] })).tools.length, 2);
});

test('shortens the name of a tool that is longer than vendors accept (Laurent00TT/deepseek-v4-vscode-chat#20, microsoft/foundry-dev-tools#723, microsoft/pylance-release#8155)', () => {
  const name = 'activate_fallback_mcp_pylance_mcp_s_pylanceCheckSignatureCompatibility_1';
  const tools = [name, name.replace(/1$/, '2'), 'find'].map((each) => ({
    name: each,
    description: '',
    inputSchema: {},
  }));
  const called = { type: 'toolCall' as const, id: 'c', name, input: {} };
  const body = JSON.parse(bodyOf({ tools, messages: [hi, { role: 'assistant', parts: [called] }] }));
  const sent: string[] = body.tools.map((tool: { function: { name: string } }) => tool.function.name);
  assert.deepEqual(
    sent.map(({ length }) => length),
    [64, 64, 4],
  );
  assert.equal(new Set(sent).size, 3);
  assert.equal(body.messages[1].tool_calls[0].function.name, sent[0]);
});

test('sends ids of calls, which may be another model’s, as the model accepts them (anomalyco/opencode#1680, editor-code-assistant/eca#233, BerriAI/litellm#17343, vercel/ai#5171, dyad-sh/dyad#4304, BerriAI/litellm#37849)', () => {
  const idFor = (model: string, id: string, maker?: string) => {
    const parts = [{ type: 'toolCall' as const, id, name: 'find', input: {} }];
    const result = { type: 'toolResult' as const, id, parts: [{ type: 'text' as const, text: 'found' }] };
    const messages: LanguageMessage[] = [hi, { role: 'assistant', parts }, { role: 'user', parts: [result] }];
    const sent = JSON.parse(bodyOf({ model, messages }, maker === undefined ? maker : { model: maker })).messages;
    assert.equal(sent[2].tool_call_id, sent[1].tool_calls[0].id);
    return sent[2].tool_call_id;
  };
  const long = `call_${'x'.repeat(40)}_abcdefghi`;
  for (const [model, id, expected, maker] of [
    ['our-assistant', long, long, 'our-assistant'],
    ['our-assistant', long, 'abcdefghi', 'other'],
    ['mistral-large-latest', 'call_PTLP8xhu3uwZk4l3nlnrrJha', '3nlnrrJha'],
    ['mistralai/devstral-2512', 'turn1_0', '000turn10'],
    ['codestral-latest', 'Ab3xK9mP2', 'Ab3xK9mP2'],
    ['gpt-5', 'call_PTLP8xhu3uwZk4l3nlnrrJha', 'call_PTLP8xhu3uwZk4l3nlnrrJha'],
    ['kimi-k2.6', 'functions.find:0', 'functions.find:0'],
    ['gpt-5', long, 'abcdefghi'],
    ['google/gemini-3-pro', long, long],
  ] as const) {
    assert.equal(idFor(model, id, maker), expected, `${model} ${id}`);
  }
});

test('leaves out the reasoning of earlier answers for a model that rejected it (janhq/jan#8136, NousResearch/hermes-agent#11089, tashfeenahmed/freellmapi#1070, egoist/chatwise-releases#1442)', () => {
  const called = { type: 'toolCall' as const, id: 'c', name: 'find', input: {} };
  const parts = [{ type: 'thinking' as const, text: 'Look.' }, called];
  const bodyWith = (leavesOutReasoning: boolean) =>
    bodyOf({ leavesOutReasoning, messages: [hi, { role: 'assistant', parts }] });
  assert.match(bodyWith(false), /"reasoning_content":"Look\."/);
  assert.doesNotMatch(bodyWith(true), /reasoning/);
  for (const [words, isRejection] of [
    [
      "'messages.1' : for 'role:assistant' the following must be satisfied[('messages.1' : property 'reasoning_content' is unsupported)]",
      true,
    ],
    ["messages.1.assistant.reasoning_content: property 'messages.1.assistant.reasoning_content' is unsupported", true],
    ['The reasoning_content in the thinking mode must be passed back to the API.', false],
    ['thinking is enabled but reasoning_content is missing in assistant tool call message at index 2', false],
    ['Something else', false],
    [undefined, false],
  ] as const) {
    assert.equal(rejectsReasoning(words), isRejection, words);
  }
});

test('sends a blank for the reasoning before tool calls to models that require it, where it is not known (VicBilibily/GCMP#162, VicBilibily/GCMP#171, NousResearch/hermes-agent#25484)', () => {
  const find = { name: 'find', description: '', inputSchema: {} };
  const parts = [{ type: 'toolCall' as const, id: 'c', name: 'find', input: {} }];
  const reasoningFor = (model: string) =>
    JSON.parse(bodyOf({ model, tools: [find], messages: [hi, { role: 'assistant', parts }] })).messages[1]
      .reasoning_content;
  for (const model of [
    'deepseek-v4-pro',
    'kimi-k2.6',
    'moonshotai/Kimi-K2-Thinking',
    'kimi-for-coding',
    'mimo-v2.5-pro',
  ]) {
    assert.equal(reasoningFor(model), ' ', model);
  }
  // They don't reason, and Groq, which has them, rejects the field.
  for (const model of ['moonshotai/kimi-k2-instruct-0905', 'kimi-k2-0711-preview', 'gpt-5']) {
    assert.equal(reasoningFor(model), undefined, model);
  }
});

test('sends no half of a character, which vendors reject (JohnnyZ93/oai-compatible-copilot#206, CherryHQ/cherry-studio#20476)', () => {
  const half = 'Smile \ud83d';
  const parts = [{ type: 'text' as const, text: half }];
  const input = { path: half };
  const body = bodyOf({
    messages: [
      { role: 'user', parts },
      { role: 'assistant', parts: [{ type: 'toolCall', id: 'c', name: 'find', input }] },
      { role: 'user', parts: [{ type: 'toolResult', id: 'c', parts }] },
    ],
  });
  const { messages } = JSON.parse(body);
  const whole = 'Smile \ufffd';
  assert.deepEqual([messages[0].content, messages[2].content], [whole, whole]);
  assert.deepEqual(JSON.parse(messages[1].tool_calls[0].function.arguments), { path: whole });
  assert.equal(
    JSON.parse(bodyOf({ messages: [{ role: 'user', parts: [{ type: 'text', text: '😀' }] }] })).messages[0].content,
    '😀',
  );
});

test('sends known options and no others', () => {
  const known = {
    temperature: 0.2,
    top_p: 1,
    top_k: 40,
    min_p: 0,
    max_tokens: 100,
    max_completion_tokens: 200,
    stop: ['a', 'b'],
    seed: 7,
    frequency_penalty: -1,
    presence_penalty: 1.5,
    logit_bias: { 42: -100 },
    reasoning_effort: 'low',
    verbosity: 'low',
    response_format: { type: 'json_object' },
  };
  const hostile = {
    model: 'other',
    messages: [],
    stream: false,
    stream_options: null,
    n: 8,
    headers: { authorization: 'x' },
    tools: [{ type: 'web_search' }],
    tool_choice: 'required',
    user: 'somebody',
    store: true,
    service_tier: 'priority',
    _otelTraceContext: {},
    __proto__: { temperature: 2 },
  };
  const { model, messages, stream, stream_options, ...options } = JSON.parse(
    bodyOf({ modelOptions: { ...hostile, ...known } }),
  );
  assert.deepEqual(options, known);
  assert.deepEqual([model, messages.length, stream, stream_options], ['m/x', 1, true, { include_usage: true }]);
  for (const none of [undefined, null, 'text', [], { temperature: null, seed: undefined }]) {
    assert.equal(bodyOf({ modelOptions: none }), plain);
  }
});

test('does not send a request without content', () => {
  const made = chatRequestOf({ ...base, messages: [{ role: 'user', parts: [] }] }, () => undefined);
  assert.equal(made, 'The request contains no text, so nothing was sent.');
});

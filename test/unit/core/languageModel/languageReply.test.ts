import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Sender } from '../../../../src/core/chat/sending/callGate.ts';
import { defaultLimits, GatewayClient, type ReplyEnd } from '../../../../src/core/client/gatewayClient.ts';
import type { ProblemKind } from '../../../../src/core/errors/gatewayProblem.ts';
import {
  type ReplyPart,
  replyFailure,
  streamReply,
  ToolCallMemory,
} from '../../../../src/core/languageModel/languageReply.ts';
import {
  chatRequestOf,
  type LanguageMessage,
  type LanguagePart,
  type LanguageRequest,
} from '../../../../src/core/languageModel/languageRequest.ts';
import { systemClock } from '../../../../src/node/system/machine.ts';
import type { Gateway } from '../../../gateway/gateway.ts';
import { withGateway } from '../../gateway/askGateway.ts';
import { send } from '../../node/network/standardNetwork.ts';
import { urlOf } from '../connections/connectionTo.ts';
import { leakedKey } from '../secrets/spelledKeys.ts';

const client = new GatewayClient({ transport: send, clock: systemClock, limits: defaultLimits, userAgent: 'test/1' });
const facts = { id: 'c1', caller: { kind: 'extension' } } as const;
const find = { name: 'find', description: 'Finds.', inputSchema: { type: 'object' } };
const open = { name: 'open', description: 'Opens.' };
const user = (...parts: LanguagePart[]): LanguageMessage => ({ role: 'user', parts });
const text = (words: string): LanguagePart => ({ type: 'text', text: words });
const twoTools = {
  tools: [find, open],
  messages: [user(text('Please find {"word": "a b"} and open {"file": "c d"}'))],
};

/** Sends one request of another extension. @returns everything the extension receives. */
async function ask(
  gateway: Gateway,
  key: string,
  change: Partial<LanguageRequest> = {},
  { memory = new ToolCallMemory(), signal = new AbortController().signal, onPart = (_: ReplyPart) => {} } = {},
) {
  const target = { url: urlOf(gateway.baseUrl), key };
  const wanted = {
    model: 'qwen3-8b',
    messages: [user(text('Hi'))],
    tools: [],
    isToolRequired: false,
    modelOptions: {},
  };
  const made = chatRequestOf({ ...wanted, ...change }, (id) => memory.factsOf(id));
  assert.ok(typeof made !== 'string');
  const parts: ReplyPart[] = [];
  const report = (part: ReplyPart) => {
    parts.push(part);
    onPart(part);
  };
  const sender = {
    send: (...[request, , onDelta, stop]: Parameters<Sender['send']>) => client.chat(target, request, onDelta, stop),
  };
  const reply = await streamReply(sender, made, facts, report, memory, signal);
  const failure = replyFailure(reply, { model: 'qwen3-8b', host: 'h' });
  const said = (type: 'text' | 'thinking') => parts.map((part) => (part.type === type ? part.text : '')).join('');
  return { reply, failure, parts, text: said('text'), thinking: said('thinking'), calls: parts.filter(isCall) };
}

function isCall(part: ReplyPart): part is ReplyPart & { type: 'toolCall' } {
  return part.type === 'toolCall';
}

test('sends one request, and reports reasoning and then text as they arrive', () =>
  withGateway(async (gateway, key) => {
    const { reply, failure, parts, thinking, text: said } = await ask(gateway, key, { model: 'deepseek-reasoner' });
    assert.deepEqual([reply.outcome, failure, gateway.postCount()], ['complete', undefined, 1]);
    assert.equal(gateway.usageLog()[0]?.requestId, reply.requestId);
    assert.ok(parts.filter(({ type }) => type === 'text').length > 5);
    assert.match(thinking, /I count instead of thinking/);
    assert.doesNotMatch(said, /instead of thinking/);
    assert.equal(
      parts.findIndex(({ type }) => type === 'text') > parts.findLastIndex(({ type }) => type === 'thinking'),
      true,
    );
  }));

test('reports a call that the length limit cut as text and not as a call', () =>
  withGateway(async (gateway, key) => {
    gateway.setFault('tools-cut');
    const { calls, failure, text: said } = await ask(gateway, key, twoTools);
    assert.deepEqual(calls, []);
    assert.match(said, /find\(\{"word":\)/);
    assert.match(
      failure?.message ?? '',
      /reached its length limit in the middle of a call to the tool find\. No tool was called/,
    );
    assert.equal(gateway.postCount(), 1);
  }));

/** What another extension receives of a reply that ends like this. */
async function answer(end: Partial<ReplyEnd>) {
  const parts: ReplyPart[] = [];
  const sender = { send: async () => ({ outcome: 'complete' as const, ...end }) };
  const report = (part: ReplyPart) => parts.push(part);
  const { signal } = new AbortController();
  const reply = await streamReply(sender, { model: 'm', messages: [] }, facts, report, new ToolCallMemory(), signal);
  return { parts, failure: replyFailure(reply, { model: 'm', host: 'h' }) };
}

test('fails on arguments that are not a JSON object, and reports no call of that reply', async () => {
  for (const [broken, why] of [
    ['{"a": 1', /arguments that aren't a JSON object/],
    ['[1]', /aren't a JSON object/],
    ['"text"', /aren't a JSON object/],
  ] as const) {
    const toolCalls = [
      { id: 'a', name: 'good', arguments: '{}' },
      { id: 'b', name: 'bad', arguments: broken },
    ];
    const { parts, failure } = await answer({ toolCalls, requestId: 'r1' });
    assert.deepEqual(parts, [{ type: 'text', text: `\n\ngood({})\nbad(${broken})\n` }]);
    assert.match(failure?.message ?? '', why);
    assert.match(failure?.message ?? '', /the tool bad .* Request ID: r1\.$/);
  }
});

test('fails on a call without a name, and reports its text (agentscope-ai/agentscope-java#2205)', async () => {
  const { parts, failure } = await answer({ toolCalls: [{ name: '', arguments: '{"a":1}' }] });
  assert.deepEqual(parts, [{ type: 'text', text: '\n\n({"a":1})\n' }]);
  assert.match(failure?.message ?? '', /sent no name of it\. No tool was called/);
});

test('reads missing or null arguments as an empty object', async () => {
  const toolCalls = ['', ' ', 'null'].map((each, index) => ({ id: `${index}`, name: 'now', arguments: each }));
  const { parts } = await answer({ toolCalls });
  assert.deepEqual(
    parts.map((part) => (isCall(part) ? part.input : undefined)),
    [{}, {}, {}],
  );
});

for (const [fault, model] of [
  ['tools-signature', 'gemini-2.5-flash'],
  ['reasoning-required', 'qwen3-8b'],
] as const) {
  test(`continues after a call with ${fault}, although the caller lacks what came with the call`, () =>
    withGateway(async (gateway, key) => {
      gateway.setFault(fault);
      const memory = new ToolCallMemory();
      const first = { id: 'x', name: 'find', arguments: '{}' };
      // The scripted model sends no reasoning before a call, so the test adds it.
      const id =
        fault === 'reasoning-required'
          ? memory.remember(first, 'thought', model)
          : ((await ask(gateway, key, { ...twoTools, model }, { memory })).calls[0]?.id ?? '');
      const messages: LanguageMessage[] = [
        user(text('Look')),
        { role: 'assistant', parts: [{ type: 'toolCall', id, name: 'find', input: {} }] },
        user({ type: 'toolResult', id, parts: [text('found')] }),
      ];
      const { reply } = await ask(gateway, key, { model, tools: [find], messages }, { memory });
      assert.deepEqual([reply.outcome, reply.problem], ['complete', undefined]);
      const other = await ask(gateway, key, { model, tools: [find], messages });
      assert.equal(other.reply.problem?.kind, 'requestRejected');
    }));
}

test('sends a word for the reasoning that a caller lacks to DeepSeek, which rejects answers without it (openclaw/openclaw#73417, NousResearch/hermes-agent#17341)', () =>
  withGateway(async (gateway, key) => {
    gateway.setFault('reasoning-required');
    const messages: LanguageMessage[] = [
      user(text('Look')),
      { role: 'assistant', parts: [{ type: 'toolCall', id: 'x', name: 'find', input: {} }] },
      user({ type: 'toolResult', id: 'x', parts: [text('found')] }),
      { role: 'assistant', parts: [{ type: 'thinking', text: 'Found.' }, text('It is there.')] },
      user(text('Thanks')),
    ];
    const { reply } = await ask(gateway, key, { model: 'deepseek-reasoner', tools: [find], messages });
    assert.deepEqual([reply.outcome, reply.problem], ['complete', undefined]);
    const other = await ask(gateway, key, { model: 'qwen3-8b', tools: [find], messages });
    assert.equal(other.reply.problem?.kind, 'requestRejected');
  }));

test('leaves out calls that contain the key, with a note', () =>
  withGateway(async (gateway, key) => {
    gateway.setFault('key-in-tools');
    const { calls, failure, reply, text: note, parts } = await ask(gateway, key, twoTools);
    assert.equal(failure, undefined);
    assert.equal(reply.callsWithKey, 2);
    assert.deepEqual(
      calls.map(({ name, input }) => [name, input]),
      [
        ['find', { word: 'a b' }],
        ['open', { file: 'c d' }],
      ],
    );
    assert.match(note, /Tool calls that were omitted because they contained this connection's key: 2\./);
    assert.equal(leakedKey(key, JSON.stringify([reply, parts])), undefined);
  }));

test('reports the text that arrived of a cut reply, then fails', () =>
  withGateway(async (gateway, key) => {
    gateway.setFault('cut-mid-stream');
    const { reply, failure, text: said } = await ask(gateway, key);
    assert.equal(reply.outcome, 'incomplete');
    assert.notEqual(said, '');
    assert.equal(failure?.code, undefined);
    assert.match(failure?.message ?? '', /^The answer was cut off\. .* The gateway may have charged for this call\./);
    assert.equal(gateway.postCount(), 1);
  }));

test('does not fail when a reply reaches its length limit or was stopped', () =>
  withGateway(async (gateway, key) => {
    const { reply, failure, text: said } = await ask(gateway, key, { modelOptions: { max_tokens: 10 } });
    assert.deepEqual([reply.finishReason, failure], ['length', undefined]);
    assert.equal(said.length, 40);
    assert.equal((await answer({ outcome: 'stopped' })).failure, undefined);
  }));

test('describes an error with its remedy, request id and VS Code’s error code, and without the key', async () => {
  const codes: [fault: string, kind: ProblemKind, code: string | undefined, words: RegExp][] = [
    ['key-in-error', 'keyExhausted', 'Blocked', /^This key's quota is used up\. .* Gateway message: .*\[key\]/],
    ['key-invalid', 'keyRejected', 'NoPermissions', /^The gateway rejected this key\. It may be invalid, expired/],
    ['empty-429', 'rateLimited', 'Blocked', /^Rate limit reached\./],
    ['html-520', 'gatewayDown', undefined, /./],
    ['stream-options-rejected', 'usageOptionRejected', undefined, /Send again without it\. Ask Model remembers this\./],
  ];
  await withGateway(async (gateway, key) => {
    for (const [fault, kind, code, words] of codes) {
      gateway.setFault(fault);
      const { reply, failure } = await ask(gateway, key);
      assert.deepEqual([fault, reply.problem?.kind, failure?.code], [fault, kind, code]);
      assert.match(failure?.message ?? '', words);
      assert.match(failure?.message ?? '', / Request ID: \S+\.(?: |$)/);
      assert.ok(!JSON.stringify(reply).includes(key));
      assert.ok(!failure?.message.includes(key));
    }
    gateway.setFault(undefined);
    const unknown = await ask(gateway, key, { model: 'nope' });
    assert.equal(unknown.failure?.code, 'NotFound');
    const narrow = gateway.createKey({ name: 'narrow', groups: ['default'] }).value;
    assert.equal((await ask(gateway, narrow, { model: 'gpt-5.1' })).failure?.code, 'NoPermissions');
    gateway.setWallet(0);
    assert.equal((await ask(gateway, key)).failure?.code, 'Blocked');
    assert.equal(gateway.postCount(), codes.length + 3);
  });
});

test('reports reasoning as the answer when the reply had nothing else, and says what is missing', async () => {
  const parts: ReplyPart[] = [];
  const sender: Pick<Sender, 'send'> = {
    send: async (_request, _origin, onDelta) => {
      onDelta({ text: '', reasoning: 'Hello' });
      onDelta({ text: ' there.', reasoning: '', allBefore: 'text' });
      const name = '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png';
      onDelta({ text: `\n![](picture:${name})\n`, reasoning: '', pictures: [{ name, base64: 'iVBOR' }] });
      return { outcome: 'complete', finishReason: 'stop', unread: '{bad', hasPicture: true };
    },
  };
  const request = { model: 'm', messages: [] };
  const reply = await streamReply(
    sender,
    request,
    facts,
    (part) => parts.push(part),
    new ToolCallMemory(),
    AbortSignal.abort(),
  );
  assert.equal(replyFailure(reply, { model: 'm', host: 'h' }), undefined);
  const said = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  assert.match(said, /^Hello there\./);
  assert.match(said, /A part of this answer couldn't be read\.\n/);
  assert.match(said, /This answer has a picture, which Ask Model can't show here\.\n$/);
  assert.doesNotMatch(said, /picture:/);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyConversation, readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { sentMessages } from '../../../../../src/core/chat/conversation/requestDocument.ts';
import { placedParameters } from '../../../../../src/core/chat/conversation/sentParameters.ts';
import { conversationMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import type { ConnectionDefaults } from '../../../../../src/core/connections/questionDefaults.ts';
import { reimported } from '../conversation/storedFixture.ts';
import { Scene } from './chatScene.ts';

class DefaultsScene extends Scene {
  defaults: ConnectionDefaults = {
    systemPrompt: 'C',
    modelSystemPrompts: new Map([['m2', 'M2']]),
    parameters: { temperature: 0.5, extraBody: { top_p: 1, seed: 4 } },
    modelParameters: new Map([['m2', { reasoningEffort: 'low', temperature: null, omit: ['seed'] }]]),
  };

  constructor() {
    super(emptyConversation('c1', 5));
    this.findSender = async () => ({ ok: true, sender: { ...this.sender, defaults: this.defaults } });
  }

  /** The system prompt, if any, and the parameters of each call. */
  get sent(): (readonly [prompt: unknown, parameters: unknown])[] {
    return this.calls.map(({ request: { messages, options } }) => {
      const [first, ...others] = messages;
      assert.ok(others.every(({ role }) => role !== 'system'));
      return [first?.role === 'system' ? first.content : undefined, options];
    });
  }
}

test('sends what is set for the connection, the model and the conversation, and nothing else, with each action', async () => {
  const scene = new DefaultsScene();
  const { live } = scene.chat;
  const act = async (action: Parameters<typeof scene.act>[0]) => {
    await scene.act(action);
    await scene.answer();
  };
  await act({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] });
  live.setSystemPrompt('Own');
  live.setParameters({ temperature: 1, tokenLimit: 50 });
  await act({ id: 'a2', turnId: 'a1', models: ['m2'] });
  live.setParameters({ temperature: null, extraBody: null });
  await act({ id: 'a3', turnId: 'a1', replyId: 'a1', asking: 'Go on.', models: ['m'] });
  live.setParameters(undefined);
  await act({ id: 'a4', instead: 'a1', question: 'Why not?', contexts: [], models: ['m'] });
  const compare = { question: 'So?', contexts: [], models: ['m', 'm2'] } as const;
  for (const [id, prompt] of [
    ['a5', 'Own'],
    ['a6', undefined],
    ['a7', ''],
  ] as const) {
    live.setSystemPrompt(prompt);
    await scene.act({ ...compare, id });
    for (const call of scene.calls.slice(-2)) {
      call.delta('So.');
      await call.end();
    }
    live.chooseReply(`${id}.1`);
  }
  const [own, ofModel] = [
    { top_p: 1, seed: 4, temperature: 0.5 },
    { top_p: 1, reasoning_effort: 'low' },
  ];
  assert.deepEqual(scene.sent, [
    ['C', own],
    ['Own', { top_p: 1, max_tokens: 50, temperature: 1, reasoning_effort: 'low' }],
    ['Own', undefined],
    ['Own', own],
    ['Own', own],
    ['Own', ofModel],
    ['C', own],
    ['M2', ofModel],
    [undefined, own],
    [undefined, ofModel],
  ]);
});

test('stores the parameters of a conversation and what was sent, also in an export', async () => {
  const scene = new DefaultsScene();
  scene.chat.live.setParameters({ reasoningEffort: 'high' });
  await scene.ask('a1');
  await scene.answer();
  const { conversation } = readConversation('c1', scene.file);
  assert.deepEqual(conversation, scene.chat.live.conversation);
  assert.deepEqual(conversation.parameters, { reasoningEffort: 'high' });
  assert.deepEqual(conversation.turns[0]?.replies[0]?.options, {
    top_p: 1,
    seed: 4,
    temperature: 0.5,
    reasoning_effort: 'high',
  });
  assert.deepEqual(reimported(conversation), conversation);
});

test('stores no conversation without a question because none of its parameters was set', async () => {
  const { chat, file } = new DefaultsScene();
  chat.live.setParameters(undefined);
  await chat.live.settled();
  assert.equal(chat.live.hasBegun, false);
  assert.equal(file, '');
});

test('reads no parameters from a conversation that could not be set', () => {
  const event = { type: 'parameters', parameters: { temperature: 9, extraBody: { n: 5 }, tokenLimit: 7 } };
  const { conversation } = readConversation('c1', `${JSON.stringify(event)}\n`);
  assert.deepEqual(conversation.parameters, { tokenLimit: 7 });
});

test('says which parameter the gateway rejected, with the rest of its answer', async () => {
  const scene = new DefaultsScene();
  await scene.ask('a1');
  await scene.call().end({
    outcome: 'failed',
    problem: { kind: 'requestRejected', status: 400, words: "Unsupported parameter: 'temperature'" },
  });
  assert.deepEqual(scene.chat.live.conversation.turns[0]?.replies[0]?.problem, {
    kind: 'parameterRejected',
    parameter: 'temperature',
    status: 400,
    words: "Unsupported parameter: 'temperature'",
  });
});

test('says where each parameter is set, and which of its fields are not sent', () => {
  const { defaults } = new DefaultsScene();
  const placed = placedParameters({ parameters: { temperature: 2 } }, defaults, 'm2');
  assert.deepEqual(
    placed.map(({ name, place, fields, omitted }) => [name, place, fields, omitted]),
    [
      ['reasoningEffort', 'model', { reasoning_effort: 'low' }, []],
      ['temperature', 'conversation', { temperature: 2 }, []],
      ['extraBody', 'connection', { top_p: 1 }, ['seed']],
    ],
  );
});

test('stores the prompt with the conversation, and what was sent with each reply', async () => {
  const scene = new DefaultsScene();
  const { chat } = scene;
  await scene.ask('a1');
  await scene.answer();
  chat.live.setSystemPrompt('Own\n```\nline');
  await scene.ask('a2');
  await scene.answer();
  chat.live.setSystemPrompt('');
  await scene.ask('a3');
  await scene.answer();
  chat.live.setSystemPrompt('Later');
  await chat.live.settled();
  const { conversation, unreadLines } = readConversation('c1', scene.file);
  assert.equal(unreadLines, 0);
  assert.deepEqual(conversation, chat.live.conversation);
  assert.equal(conversation.systemPrompt, 'Later');
  for (const [index, call] of scene.calls.entries()) {
    assert.deepEqual(sentMessages('c1', scene.file, `a${index + 1}`), call.request.messages);
  }
  assert.deepEqual(reimported(conversation), conversation);
  const markdown = conversationMarkdown(conversation);
  assert.deepEqual(markdown.match(/^System prompt:\n\n.*\n.*$/gm), [
    'System prompt:\n\n```text\nC',
    'System prompt:\n\n````text\nOwn',
  ]);
  chat.live.setSystemPrompt(undefined);
  await chat.live.settled();
  assert.equal('systemPrompt' in readConversation('c1', scene.file).conversation, false);
});

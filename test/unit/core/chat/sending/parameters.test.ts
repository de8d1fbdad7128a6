import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyConversation, readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { placedParameters } from '../../../../../src/core/chat/conversation/sentParameters.ts';
import type { ConnectionDefaults } from '../../../../../src/core/connections/questionDefaults.ts';
import { reimported } from '../conversation/storedFixture.ts';
import { Scene, settle } from './chatScene.ts';

class ParameterScene extends Scene {
  defaults: ConnectionDefaults = {
    parameters: { temperature: 0.5, extraBody: { top_p: 1, seed: 4 } },
    modelParameters: new Map([['m2', { reasoningEffort: 'low', temperature: null, omit: ['seed'] }]]),
  };

  constructor() {
    super(emptyConversation('c1', 5));
    this.findSender = async () => ({ ok: true, sender: { ...this.sender, defaults: this.defaults } });
  }

  get sent(): unknown[] {
    return this.calls.map(({ request: { options } }) => options);
  }
}

test('sends what is set for the connection, the model and the conversation, and nothing else', async () => {
  const scene = new ParameterScene();
  const { chat } = scene;
  await scene.ask('a1');
  await scene.answer();
  chat.live.setParameters({ temperature: 1, tokenLimit: 50 });
  await chat.send({ id: 'a2', kind: 'again', turnId: 'a1', model: 'm2' });
  await settle();
  await scene.answer();
  chat.live.setParameters({ temperature: null, extraBody: null });
  await chat.send({ id: 'a3', kind: 'continue', turnId: 'a1', replyId: 'a1', asking: 'Go on.', model: 'm' });
  await settle();
  await scene.answer();
  chat.live.setParameters(undefined);
  await chat.send({ id: 'a4', kind: 'compare', question: 'So?', contexts: [], models: ['m', 'm2'] });
  await settle();
  assert.deepEqual(scene.sent, [
    { top_p: 1, seed: 4, temperature: 0.5 },
    { top_p: 1, max_tokens: 50, temperature: 1, reasoning_effort: 'low' },
    undefined,
    { top_p: 1, seed: 4, temperature: 0.5 },
    { top_p: 1, reasoning_effort: 'low' },
  ]);
});

test('stores the parameters of a conversation and what was sent, also in an export', async () => {
  const scene = new ParameterScene();
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
  const { chat, file } = new ParameterScene();
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
  const scene = new ParameterScene();
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
  const { defaults } = new ParameterScene();
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

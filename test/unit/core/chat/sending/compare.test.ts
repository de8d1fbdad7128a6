import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  columnsOf,
  isUndecided,
  keepFirst,
  modelToContinueWith,
  needsChoice,
} from '../../../../../src/core/chat/conversation/comparison.ts';
import type { Turn } from '../../../../../src/core/chat/conversation/conversation.ts';
import {
  type ConversationEvent,
  readConversation,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { conversationsJson, importConversations } from '../../../../../src/core/chat/store/conversationJson.ts';
import { conversationMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { context, fileOf, reimported } from '../conversation/storedFixture.ts';
import { type Call, Scene, settle } from './chatScene.ts';

const models = ['m1', 'm2', 'm3'];

async function compared(models: readonly string[] = ['m1', 'm2', 'm3']): Promise<Scene> {
  const scene = new Scene();
  await scene.act({ id: 'a1', question: 'Why?', contexts: [context], models });
  return scene;
}

const turnOf = (scene: Scene): Turn => {
  const turn = scene.chat.live.conversation.turns[0];
  assert.ok(turn);
  return turn;
};
const states = (scene: Scene) => turnOf(scene).replies.map(({ id, model, state, text }) => [id, model, state, text]);

/** Ends each call with the answer `A` followed by its model. */
async function answered(scene: Scene, calls: readonly Call[] = scene.calls): Promise<void> {
  for (const call of calls) {
    call.delta(`A${call.request.model}`);
    await call.end();
  }
  await scene.chat.live.settled();
}

test('asks each model once at the same time, and keeps the replies apart', async () => {
  const scene = await compared();
  assert.deepEqual(
    scene.calls.map(({ request }) => request.model),
    models,
  );
  const [first] = scene.calls;
  assert.deepEqual(
    scene.calls.map(({ facts }) => facts),
    turnOf(scene).replies.map(({ id }) => ({
      id,
      caller: { kind: 'comparison' },
      conversation: 'c1',
    })),
  );
  assert.equal(new Set(scene.calls.map(({ request }) => JSON.stringify(request.messages))).size, 1);
  assert.equal(first?.request.messages.length, 1);
  scene.call(0).delta('', 'hm');
  scene.call(1).delta('Hel');
  scene.call(2).delta('x');
  scene.clock.pass(100);
  scene.call(1).delta('lo');
  scene.call(0).delta('One');
  scene.clock.pass(200);
  await scene.call(2).end({ outcome: 'complete', model: 'real3' });
  assert.equal(scene.chat.isBusy, true);
  await scene.call(1).end();
  await scene.call(0).end();
  await scene.chat.live.settled();
  assert.deepEqual(states(scene), [
    ['a1.1', 'm1', 'complete', 'One'],
    ['a1.2', 'm2', 'complete', 'Hello'],
    ['a1.3', 'm3', 'complete', 'x'],
  ]);
  const [one, two, three] = turnOf(scene).replies;
  assert.deepEqual([one?.reasoning, one?.firstTokenMs, one?.firstTextMs], ['hm', 0, 100]);
  assert.deepEqual([two?.firstTextMs, two?.totalMs, three?.echoedModel], [0, 300, 'real3']);
  assert.deepEqual(
    [one, two, three].map((reply) => reply?.column),
    [1, 2, 3],
  );
  scene.assertStored();
});

test('sends no request before the question and every reply are on disk, and takes the lock once', async () => {
  const scene = new Scene();
  let locks = 0;
  const free = scene.lock;
  scene.lock = () => {
    locks++;
    return free();
  };
  const waiting: (() => void)[] = [];
  scene.keep = (text) => new Promise((resolve) => waiting.push(() => resolve(void scene.written.push(text))));
  const asked = scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models });
  await settle();
  assert.deepEqual([scene.calls.length, waiting.length], [0, 1], 'one write is still running');
  waiting.shift()?.();
  await asked;
  await settle();
  assert.equal(scene.calls.length, 3);
  assert.match(scene.file, /^.*"type":"conversation".*\n.*"title".*\n.*"type":"turn".*\n(?:.*"type":"reply".*\n){3}$/);
  scene.keep = async () => undefined;
  await scene.call(0).end();
  await scene.call(2).end();
  assert.equal(scene.released, 0, 'one is still arriving');
  await scene.call(1).end();
  assert.deepEqual([locks, scene.released], [1, 1]);
});

test('accepts only two to four different models, and returns the reason otherwise', async () => {
  for (const wrong of [[], ['m1', 'm1'], ['m1', 'm2', 'm3', 'm4', 'm5']]) {
    const scene = new Scene();
    const sent = await scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: wrong });
    assert.equal(sent.ok ? '' : sent.reason, 'Select two, three, or four different models to compare.');
    assert.deepEqual([scene.calls.length, scene.file], [0, '']);
  }
  for (const right of [models.slice(1), [...models, 'm4']]) {
    assert.equal((await compared(right)).calls.length, right.length);
  }
});

test('continues the other replies when one fails or throws', async () => {
  const scene = await compared();
  scene.call(0).delta('Hel');
  await scene.call(1).end({ outcome: 'failed', problem: { kind: 'rateLimited' } });
  const failure = new Error('defect');
  scene.call(2).delta('Half');
  await scene.call(2).fail(failure);
  scene.call(0).delta('lo');
  await scene.call(0).end();
  assert.deepEqual(
    turnOf(scene).replies.map(({ state, text, problem }) => [state, text, problem?.kind]),
    [
      ['complete', 'Hello', undefined],
      ['failed', '', 'rateLimited'],
      ['failed', 'Half', 'defect'],
    ],
  );
  assert.deepEqual([scene.defects, scene.chat.isBusy, scene.released], [[failure], false, 1]);
});

test('stops one reply, or all of them', async () => {
  const scene = await compared();
  scene.call(1).delta('Hel');
  scene.chat.stop('unknown');
  scene.chat.stop('a1.2');
  scene.chat.stop('a1.2');
  await settle();
  assert.deepEqual(
    turnOf(scene).replies.map(({ state }) => state),
    ['waiting', 'stopped', 'waiting'],
  );
  assert.deepEqual(
    scene.calls.map(({ signal }) => signal.aborted),
    [false, true, false],
  );
  scene.call(0).delta('One');
  scene.chat.stop();
  await settle();
  assert.deepEqual(states(scene), [
    ['a1.1', 'm1', 'stopped', 'One'],
    ['a1.2', 'm2', 'stopped', 'Hel'],
    ['a1.3', 'm3', 'stopped', ''],
  ]);
  assert.deepEqual([scene.chat.isBusy, scene.released], [false, 1]);
});

test('does not send the request of a reply that was stopped before, and sends the others', async () => {
  const scene = new Scene();
  let finish = () => undefined as unknown;
  scene.keep = (text) => new Promise((resolve) => (finish = () => resolve(void scene.written.push(text))));
  const asked = scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models });
  await settle();
  scene.chat.stop('a1.2');
  scene.keep = async (text) => void scene.written.push(text);
  for (let line = 0; line < 8; line++) {
    finish();
    await settle();
  }
  await asked;
  await settle();
  assert.deepEqual(
    scene.calls.map(({ request }) => request.model),
    ['m1', 'm3'],
  );
  assert.equal(turnOf(scene).replies[1]?.state, 'stopped');
});

test('sends nothing else while a reply is arriving, and afterwards only once an answer is chosen', async () => {
  const scene = await compared();
  await answered(scene, [scene.call(0), scene.call(2)]);
  const busy = { ok: false, reason: "An answer is still arriving. Stop it or wait until it's complete." };
  assert.deepEqual(await scene.chat.send({ id: 'b1', question: 'And?', contexts: [], models: ['m'] }), busy);
  assert.deepEqual(await scene.chat.send({ id: 'b2', turnId: 'a1', models: ['m1'], replyId: 'a1.1' }), busy);
  scene.call(1).delta('Am2');
  await scene.call(1).end();
  scene.chat.live.setDraft({ text: 'And?', contexts: [] });
  assert.equal(isUndecided(scene.chat.live.conversation), true);
  assert.deepEqual(await scene.chat.send({ id: 'b3', question: 'And?', contexts: [], models: ['m'] }), {
    ok: false,
    reason: keepFirst(),
  });
  assert.deepEqual([scene.calls.length, scene.chat.live.conversation.draft.text], [3, 'And?']);
  scene.chat.live.chooseReply('a1.3');
  scene.chat.live.chooseReply('a1.3');
  await scene.chat.live.settled();
  assert.equal(scene.file.match(/"choose"/g)?.length, 1, 'the reply shown by default needs a choice too');
  assert.equal(isUndecided(scene.chat.live.conversation), false);
  assert.equal(modelToContinueWith(scene.chat.live.conversation), 'm3');
  scene.chat.live.chooseReply('a1.2');
  assert.equal(modelToContinueWith(scene.chat.live.conversation), 'm2');
  await scene.ask('b5', 'And?');
  assert.deepEqual(
    scene
      .call()
      .request.messages.slice(1)
      .map(({ content }) => content),
    ['Am2', 'And?'],
  );
  await scene.call().end();
  assert.equal(modelToContinueWith(scene.chat.live.conversation), 'm', 'the newest question went there');
  await scene.chat.live.settled();
  scene.assertStored();
});

test('adds a retry of one model to the same column as a separate call, and replaces nothing', async () => {
  const scene = await compared();
  await scene.call(0).end({ outcome: 'failed', problem: { kind: 'rateLimited' } });
  await answered(scene, scene.calls.slice(1));
  await scene.act({ id: 'b1', turnId: 'a1', models: ['m1'], replyId: 'a1.1' });
  assert.equal(scene.calls.length, 4);
  assert.deepEqual(scene.call().facts.caller, { kind: 'comparison' });
  assert.deepEqual(scene.call().request.messages, scene.call(0).request.messages);
  await answered(scene, [scene.call()]);
  assert.deepEqual(
    columnsOf(turnOf(scene)).map((column) => column.map(({ id, text }) => [id, text])),
    [
      [
        ['a1.1', ''],
        ['b1', 'Am1'],
      ],
      [['a1.2', 'Am2']],
      [['a1.3', 'Am3']],
    ],
  );
  assert.equal(needsChoice(turnOf(scene)), true);
  scene.chat.live.chooseReply('a1.2');
  await scene.act({ id: 'b2', turnId: 'a1', models: ['m3'], replyId: 'a1.3' });
  await answered(scene, [scene.call()]);
  assert.equal(turnOf(scene).shown, 'a1.2', 'a reply in another column does not change the choice');
  assert.equal(modelToContinueWith(scene.chat.live.conversation), 'm2');
  await scene.act({ id: 'b3', turnId: 'a1', models: ['m2'] });
  await answered(scene, [scene.call()]);
  assert.deepEqual([turnOf(scene).shown, turnOf(scene).replies.at(-1)?.column], ['b3', 2]);
  scene.assertStored();
});

test('needs no choice when no model answered, and sends the next question', async () => {
  const scene = await compared(['m1', 'm2']);
  for (const call of scene.calls) {
    await call.end({ outcome: 'failed', problem: { kind: 'emptyReply' } });
  }
  assert.equal(isUndecided(scene.chat.live.conversation), false);
  assert.equal(modelToContinueWith(scene.chat.live.conversation), 'm2');
  await scene.ask('b1', 'And?');
  assert.deepEqual(scene.call().request.messages, [{ role: 'user', content: 'And?' }]);
});

test('reads replies from an older version without columns, and gives a new one its own column', () => {
  const reply = (id: string, column?: number): ConversationEvent[] => [
    { type: 'reply', turnId: 't', id, model: id, host: 'h', startedAt: 5, column },
    { type: 'delta', replyId: id, text: 'x', reasoning: '', ms: 1 },
    { type: 'end', replyId: id, state: 'complete', totalMs: 2 },
  ];
  const turn: ConversationEvent = { type: 'turn', id: 't', question: 'q', contexts: [] };
  const read = (...events: ConversationEvent[]) => readConversation('c', fileOf(turn, ...events)).conversation;
  const plain = read(...reply('a'), ...reply('b'));
  assert.deepEqual(columnsOf(plain.turns[0] as Turn), []);
  assert.deepEqual([isUndecided(plain), modelToContinueWith(plain)], [false, 'b']);
  const mixed = read(...reply('a', 1), ...reply('b', 2), { type: 'choose', replyId: 'b' }, ...reply('c'));
  assert.deepEqual(
    columnsOf(mixed.turns[0] as Turn).map((column) => column.map(({ id }) => id)),
    [['a'], ['b'], ['c']],
  );
  assert.equal(mixed.turns[0]?.shown, 'b');
});

test('is exported and imported without loss, and its Markdown has every answer', async () => {
  const scene = await compared();
  await scene.call(1).end({ outcome: 'failed', problem: { kind: 'rateLimited', words: 'slow down' } });
  await answered(scene, [scene.call(0), scene.call(2)]);
  scene.chat.live.chooseReply('a1.3');
  await scene.chat.live.settled();
  const { conversation } = scene.chat.live;
  assert.deepEqual(reimported(conversation), conversation);
  const markdown = conversationMarkdown(conversation);
  for (const part of [
    '### Answer 1 of 3 · m1\n\nAm1',
    '### Answer 2 of 3 · m2\n\n*No text was received.*',
    'slow down',
    '### Answer 3 of 3 · m3 · kept\n\nAm3',
  ]) {
    assert.ok(markdown.includes(part), part);
  }
  const wrong = conversationsJson([conversation]).replace('"column": 3', '"column": 3.5');
  assert.equal(typeof importConversations(wrong), 'string');
});

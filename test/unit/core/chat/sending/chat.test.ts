import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleTurns } from '../../../../../src/core/chat/conversation/branches.ts';
import { isRunning } from '../../../../../src/core/chat/conversation/conversation.ts';
import {
  emptyConversation,
  readConversation,
  withUnsentDraft,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { PictureWaitsError } from '../../../../../src/core/chat/store/conversationStore.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';
import { Scene, settle } from './chatScene.ts';

test('sends a question, streams its reply, and stores exactly what was shown', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.clock.pass(100);
  scene.call().delta('', 'hm');
  scene.clock.pass(100);
  scene.call().delta('Hel');
  scene.call().delta('lo');
  scene.clock.pass(300);
  await scene.call().end({
    outcome: 'complete',
    finishReason: 'stop',
    model: 'real',
    requestId: 'r',
    usage: { promptTokens: 2 },
    toolCalls: [{ id: 'c', name: 'read_file', arguments: '{}' }],
  });
  await scene.chat.live.settled();
  assert.deepEqual(scene.reply, {
    id: 'a1',
    model: 'm',
    host: 'gateway.example',
    state: 'complete',
    text: 'Hello',
    reasoning: 'hm',
    startedAt: 1_000_000,
    firstTokenMs: 100,
    firstTextMs: 200,
    totalMs: 500,
    finishReason: 'stop',
    echoedModel: 'real',
    requestId: 'r',
    usage: { promptTokens: 2 },
    hasToolCalls: true,
  });
  assert.deepEqual(scene.call().request, { model: 'm', messages: [{ role: 'user', content: 'Why?' }] });
  assert.deepEqual(scene.call().facts, { id: 'a1', caller: { kind: 'panel' }, conversation: 'c1' });
  assert.deepEqual(scene.events, ['title', 'turn', 'reply', 'delta', 'delta', 'delta', 'end']);
  scene.assertStored();
});

test('names what asked a question as the caller of its call', async () => {
  const scene = new Scene();
  await scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: ['m'], caller: 'edit' });
  assert.deepEqual(scene.call().facts.caller, { kind: 'edit' });
});

test('gaia#3945 stores that text was reasoning, what was not read, and that there is a picture, as it is shown', async () => {
  const scene = new Scene();
  await scene.ask();
  const { request, ...call } = scene.call();
  assert.ok(request);
  scene.clock.pass(100);
  call.delta('The user ');
  scene.clock.pass(300);
  call.delta('greets me.');
  scene.clock.pass(300);
  call.delta('Hi', '', 'reasoning');
  call.delta('!');
  await call.end({ outcome: 'complete', finishReason: 'stop', unread: '{bad', hasPicture: true });
  await scene.chat.live.settled();
  const { text, reasoning, firstTokenMs, firstTextMs, unread, hasPicture } = scene.reply ?? {};
  assert.deepEqual(
    { text, reasoning, firstTokenMs, firstTextMs, unread, hasPicture },
    {
      text: 'Hi!',
      reasoning: 'The user greets me.',
      firstTokenMs: 100,
      firstTextMs: 700,
      unread: '{bad',
      hasPicture: true,
    },
  );
  scene.assertStored();
});

test('keeps the data of a picture beside the conversation, and sends none of it with later questions', async () => {
  const scene = new Scene();
  await scene.ask();
  const picture = { name: '3d6f0c1e-5b7a-4f0e-9c55-0a1b2c3d4e5f.png', base64: 'iVBORw0KGgo=' };
  scene.call().delta(`Here: ![](picture:${picture.name})`, '', undefined, picture);
  await scene.call().end();
  assert.deepEqual(scene.pictures, [picture]);
  assert.doesNotMatch(scene.file, /iVBOR/);
  scene.assertStored();
  await scene.ask('a2', 'And now?');
  assert.deepEqual(scene.call().request.messages[1], { role: 'assistant', content: 'Here: [picture]' });
});

test('records that the conversation of a call is not on disk', async () => {
  const scene = new Scene();
  scene.isInMemory = true;
  await scene.ask();
  assert.equal(scene.call().facts.isInMemory, true);
});

test('sends a request once for each action, even if the action is repeated', async () => {
  const scene = new Scene();
  let open = () => undefined as unknown;
  scene.findSender = () => new Promise((resolve) => (open = () => resolve({ ok: true, sender: scene.sender })));
  const first = scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] });
  const second = scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] });
  const other = scene.chat.send({ id: 'a2', question: 'And?', contexts: [], models: ['m'] });
  assert.equal(scene.chat.isBusy, true);
  await settle();
  open();
  assert.deepEqual(await first, { ok: true });
  assert.deepEqual(await other, await second);
  assert.match(JSON.stringify(await second), /still arriving/);
  await scene.act({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] });
  await scene.call().end();
  assert.deepEqual(await scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] }), {
    ok: true,
  });
  await scene.act({ id: 'a1', turnId: 'a1', models: ['m'] });
  assert.equal(scene.calls.length, 1);
  assert.equal(scene.chat.live.conversation.turns.length, 1);
});

test('detects a repeated action after a restart, when its reply was read from the file', async () => {
  const before = new Scene();
  await before.ask();
  before.call().delta('Hel');
  await before.chat.live.settled();
  const { conversation } = readConversation('c1', before.file);
  assert.deepEqual(
    [conversation.turns[0]?.replies.find(isRunning), conversation.turns[0]?.replies[0]?.problem],
    [undefined, { kind: 'interrupted' }],
  );
  const after = new Scene(conversation, true);
  await after.act({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] });
  assert.equal(after.calls.length, 0);
  await after.ask('a2', 'And?');
  assert.doesNotMatch(after.file, /"conversation"/);
  assert.equal(after.calls.length, 1);
});

test('returns the reason why nothing can be sent, and stores nothing', async () => {
  const scene = new Scene();
  scene.findSender = async () => ({ ok: false, reason: 'There is no key.' });
  assert.deepEqual(await scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] }), {
    ok: false,
    reason: 'There is no key.',
  });
  assert.deepEqual([scene.written, scene.chat.live.conversation.turns, scene.chat.isBusy], [[], [], false]);
  scene.findSender = async () => ({ ok: true, sender: scene.sender });
  await scene.ask('a1');
  assert.equal(scene.calls.length, 1);
});

test('sends nothing when it is closed before the request is sent', async () => {
  const scene = new Scene();
  let finish = () => undefined as unknown;
  scene.keep = (text) => new Promise((resolve) => (finish = () => resolve(void scene.written.push(text))));
  const asked = scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] });
  await settle();
  scene.chat.dispose();
  for (let line = 0; line < 6; line++) {
    finish();
    await settle();
  }
  assert.deepEqual(await asked, { ok: true });
  await settle();
  assert.equal(scene.calls.length, 0);
  assert.equal(scene.released, 1);
});

test('stores received text within 250 ms, in few writes', async () => {
  const scene = new Scene();
  await scene.ask();
  const lines = scene.written.length;
  scene.call().delta('a');
  scene.clock.pass(150);
  scene.call().delta('b');
  scene.clock.pass(49);
  await settle();
  assert.equal(scene.written.length, lines);
  scene.clock.pass(1);
  await settle();
  assert.equal(scene.written.length, lines + 1);
  assert.match(scene.written.at(-1) ?? '', /"text":"ab"/);
  scene.call().delta('c');
  await scene.end();
  assert.match(scene.file, /"text":"c".*\n.*"type":"end"/);
});

test('writes what is only in memory when it is closed', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.call().delta('Hel');
  scene.chat.dispose();
  await settle();
  assert.match(scene.file, /"text":"Hel"/);
  assert.equal(scene.call().signal.aborted, true);
  const [reply] = readConversation('c1', scene.file).conversation.turns[0]?.replies ?? [];
  assert.deepEqual(
    [reply?.state, reply?.problem?.kind],
    ['incomplete', 'interrupted'],
    'the person has not stopped it',
  );
});

test('saves unsaved text as soon as that is possible, without a gap', async () => {
  const scene = new Scene();
  const { keep } = scene;
  const fail = async () => Promise.reject(new Error('disk full'));
  scene.keep = fail;
  await scene.ask();
  scene.call().delta('Hel');
  scene.clock.pass(250);
  await settle();
  scene.keep = keep;
  scene.call().delta('lo');
  scene.clock.pass(250);
  await settle();
  assert.deepEqual(readConversation('c1', scene.file).conversation.turns[0]?.replies[0]?.text, 'Hello');
  scene.keep = fail;
  scene.call().delta(' you');
  await scene.end();
  assert.equal(scene.keepFailures.length, 2, 'reported again after saving had worked');
  scene.keep = keep;
  await scene.chat.live.settled();
  scene.assertStored();
});

test('retries saving every few seconds, and reports when everything is saved', async () => {
  const scene = new Scene();
  const { keep } = scene;
  let tries = 0;
  scene.keep = async () => {
    tries++;
    throw new Error('disk full');
  };
  await scene.ask();
  assert.match(String(scene.chat.live.failure), /disk full/);
  scene.call().delta('Hello');
  await scene.end();
  const before = tries;
  for (let second = 0; second < 45; second++) {
    scene.clock.pass(1_000);
    await settle();
  }
  assert.ok(tries - before >= 9 && tries - before <= 45, `${tries - before} tries in 45 s`);
  assert.deepEqual([scene.reply.state, scene.reply.text], ['complete', 'Hello']);
  assert.deepEqual(
    [scene.keepFailures.length, scene.storedAgain, String(scene.chat.live.failure)],
    [1, 0, 'Error: disk full'],
  );
  scene.keep = keep;
  scene.clock.pass(5_000);
  await settle();
  assert.deepEqual([scene.storedAgain, scene.chat.live.failure, scene.clock.pending], [1, undefined, 0]);
  scene.assertStored();
  scene.keep = async () => Promise.reject(new Error('disk full'));
  scene.chat.live.rename('Other');
  scene.chat.dispose();
  await settle();
  assert.equal(scene.clock.pending, 0, 'there is no retry for a closed conversation');
});

test('reports a picture that waits for the disk, writes no text twice for it, and tries it again', async () => {
  const scene = new Scene();
  const { keep } = scene;
  let isFull = true;
  scene.keep = async (text) => {
    await keep(text);
    if (isFull && text.includes('"delta"')) {
      throw new PictureWaitsError(new Error('disk full'));
    }
  };
  await scene.ask();
  scene.call().delta('![A stack](picture)');
  scene.clock.pass(250);
  await settle();
  assert.deepEqual([scene.keepFailures.length, scene.chat.live.failure instanceof PictureWaitsError], [1, true]);
  isFull = false;
  scene.clock.pass(5_000);
  await settle();
  assert.deepEqual([scene.storedAgain, scene.chat.live.failure, scene.clock.pending], [1, undefined, 0]);
  await scene.end();
  scene.assertStored();
});

test('keeps only the newest draft while it cannot be saved', async () => {
  const scene = new Scene();
  const { keep } = scene;
  await scene.ask();
  await scene.end();
  const { length } = scene.written;
  scene.keep = async () => Promise.reject(new Error('disk full'));
  for (const text of ['And', 'And now', 'And now?']) {
    scene.chat.live.setDraft({ text });
    scene.clock.pass(1_000);
    await settle();
  }
  scene.keep = keep;
  scene.clock.pass(10_000);
  await settle();
  const drafts = scene.written.slice(length).join('');
  assert.deepEqual(
    [...drafts.matchAll(/"text":"([^"]*)"/g)].map(([, text]) => text),
    ['And now?'],
  );
});

test('does not create a deleted conversation again from its unsaved text', async () => {
  const scene = new Scene();
  const { keep } = scene;
  scene.keep = async () => Promise.reject(new Error('disk full'));
  await scene.ask();
  scene.call().delta('Hello');
  await scene.end();
  scene.keep = keep;
  scene.chat.live.discard();
  scene.chat.dispose();
  scene.clock.pass(10_000);
  await settle();
  assert.deepEqual([scene.written, scene.chat.live.failure, scene.clock.pending], [[], undefined, 0]);
});

test('keeps showing an unsaved reply that the file lacks, and sends it with the next question', async () => {
  const scene = new Scene();
  await scene.ask('a1');
  scene.call().delta('Kept.');
  await scene.end();
  scene.reread = async () => readConversation('c1', scene.file).conversation;
  scene.keep = async () => Promise.reject(new Error('disk full'));
  await scene.ask('a2', 'More?');
  await scene.answer('Not kept.');
  await scene.ask('a3', 'And more?');
  assert.deepEqual(sent(scene), ['Why?', 'Kept.', 'More?', 'Not kept.', 'And more?']);
});

test('loads the end of a reply that was arriving in another window, and what was added there since', async () => {
  const scene = new Scene();
  await scene.ask('a1');
  scene.call().delta('Half');
  await scene.chat.live.settled();
  const other = new Scene(readConversation('c1', scene.file, true).conversation, true);
  assert.equal(other.reply.problem?.kind, 'elsewhere');
  scene.call().delta(' and half.');
  await scene.end();
  await scene.ask('a2', 'More?');
  scene.call().delta('Yes.');
  await scene.end();
  other.reread = async () => readConversation('c1', scene.file).conversation;
  await other.ask('b1', 'And?');
  assert.deepEqual(sent(other), ['Why?', 'Half and half.', 'More?', 'Yes.', 'And?']);
  assert.ok(other.events.includes('conversation'), 'the panel is notified to read everything again');
});

test('saves a question as the draft in the file before it is sent, and clears the draft afterwards', async () => {
  const scene = new Scene();
  scene.chat.live.saveUnsent({ text: 'Why?', contexts: [] });
  await settle();
  assert.equal(scene.chat.live.conversation.draft.text, '', 'the composer in this window does not show it');
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, 'Why?');
  await scene.ask();
  await scene.end();
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, '');
});

test('puts a question that was stored without a reply back into the composer, and asks it once', async () => {
  const before = new Scene();
  await before.ask();
  const [head, title, turn] = before.file.split('\n');
  const cut = `${[head, title, turn].join('\n')}\n{"type":"rep`;
  const conversation = withUnsentDraft(readConversation('c1', cut).conversation);
  assert.deepEqual([conversation.draft.text, conversation.turns[0]?.replies], ['Why?', []]);
  const scene = new Scene(conversation, true);
  await scene.ask('a2', 'Why?');
  assert.deepEqual(scene.call().request.messages, [{ role: 'user', content: 'Why?' }]);
  scene.call().delta('So.');
  await scene.end();
  const again = withUnsentDraft(readConversation('c1', `${cut}\n${scene.file}`).conversation);
  assert.deepEqual([again.draft.text, again.turns.at(-1)?.replies[0]?.text], ['', 'So.']);
});

test('sends nothing while another window holds the lock, and releases the lock after each end', async () => {
  const scene = new Scene();
  const free = scene.lock;
  scene.lock = async () => undefined;
  const refused = await scene.chat.send({ id: 'a1', question: 'Why?', contexts: [], models: ['m'] });
  const reason = 'An answer in this conversation is still arriving in another window.';
  assert.deepEqual(refused, { ok: false, reason });
  assert.deepEqual([scene.calls.length, scene.file], [0, '']);
  scene.lock = free;
  await scene.ask('a2');
  assert.equal(scene.released, 0);
  await scene.call().end();
  assert.equal(scene.released, 1);
  scene.findSender = async () => ({ ok: false, reason: 'no key' });
  await scene.chat.send({ id: 'a3', question: 'And?', contexts: [], models: ['m'] });
  assert.equal(scene.released, 2);
  scene.findSender = () => Promise.reject(new Error('broken'));
  await assert.rejects(scene.chat.send({ id: 'a4', question: 'And?', contexts: [], models: ['m'] }), /broken/);
  assert.equal(scene.released, 3);
});

test('sends to another gateway than before only with the person’s consent, whatever the action', async () => {
  const actions = {
    ask: { question: 'And?', contexts: [] },
    again: { turnId: 'a1' },
    continue: { turnId: 'a1', replyId: 'a1', asking: 'Go on.' },
    instead: { instead: 'a1', question: 'Better', contexts: [] },
  } as const;
  for (const action of Object.values(actions)) {
    const scene = new Scene();
    await asked(scene, 'a1');
    if ('instead' in action) {
      scene.chat.live.startEdit('a1');
    }
    await scene.chat.live.settled();
    const { file } = scene;
    scene.findSender = async () => ({ ok: true, sender: { ...scene.sender, host: 'other.example' } });
    for (const host of [undefined, scene.sender.host]) {
      const refused = await scene.chat.send({ ...action, id: 'a2', models: ['m'], host });
      assert.ok(!refused.ok);
      assert.equal(refused.otherHost, 'other.example');
      assert.ok(refused.reason.includes(scene.sender.host));
    }
    assert.deepEqual([scene.calls.length, scene.file], [1, file]);
    assert.equal(scene.chat.live.conversation.edit?.turnId, 'instead' in action ? 'a1' : undefined);
    await scene.act({ ...action, id: 'a2', models: ['m'], host: 'other.example' });
    assert.deepEqual([scene.calls.length, scene.chat.live.conversation.edit], [2, undefined]);
  }
});

test('sends a first question, also to several models, only to the expected host', async () => {
  for (const action of [{ models: ['m'] }, { models: ['m1', 'm2'] }] as const) {
    const scene = new Scene();
    const question = { id: 'a1', question: 'Why?', contexts: [] };
    const refused = await scene.chat.send({ ...question, ...action, host: 'meant.example' });
    assert.equal(refused.ok ? '' : refused.otherHost, scene.sender.host);
    assert.deepEqual([scene.calls.length, scene.file, scene.released], [0, '', 1]);
    await scene.act({ ...question, ...action, host: scene.sender.host });
    assert.equal(scene.calls.length, action.models.length);
  }
});

test('saves the draft of a closed panel, and clears it when it is sent', async () => {
  const scene = new Scene();
  scene.chat.live.setDraft({ text: '', contexts: [] });
  scene.clock.pass(5_000);
  await settle();
  assert.equal(scene.file, '', 'an empty draft creates no conversation');
  scene.chat.live.setDraft({ text: 'Half a qu', contexts: [] });
  scene.chat.live.setDraft({ text: 'Half a question', contexts: [] });
  await scene.chat.live.settled();
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, 'Half a question');
  assert.equal(scene.file.match(/"draft"/g)?.length, 1);
  await scene.ask('a1', 'Half a question');
  assert.equal(scene.chat.live.conversation.draft.text, '');
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, '');
});

test('stores a new title, even while a reply is arriving', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.call().delta('Hel');
  scene.chat.live.rename('Better');
  scene.call().delta('lo');
  await scene.end();
  assert.equal(scene.chat.live.conversation.title, 'Better');
  assert.equal(scene.reply.text, 'Hello');
  scene.assertStored();
});

test('does not replace a title that was set before the first question', async () => {
  const scene = new Scene({ ...emptyConversation('c1', 5), draft: { text: 'Why?', contexts: [] } }, true);
  scene.chat.live.rename('Mine');
  await scene.ask();
  await scene.end();
  assert.equal(scene.chat.live.conversation.title, 'Mine');
  assert.equal(readConversation('c1', scene.file).conversation.title, 'Mine');
});

/** Asks a question and receives the answer `A` followed by the id. */
async function asked(scene: Scene, id: string): Promise<void> {
  await scene.ask(id, `Q${id}`);
  await scene.answer(`A${id}`);
}

const sent = (scene: Scene) => scene.call().request.messages.map(({ content }) => content);

test('adds a reply when a question is sent again, stores which is chosen, and sends that one with the next question', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  const gone = await scene.chat.send({ id: 'a3', turnId: 'gone', models: ['m'] });
  assert.deepEqual(gone, { ok: false, reason: 'This question no longer exists.' });
  await scene.act({ id: 'a2', turnId: 'a1', models: ['other'] });
  assert.deepEqual(scene.call().request, { model: 'other', messages: [{ role: 'user', content: 'Qa1' }] });
  await scene.answer('Aa2');
  const [turn, ...others] = scene.chat.live.conversation.turns;
  assert.deepEqual([turn?.replies.map(({ text }) => text), others], [['Aa1', 'Aa2'], []]);
  const lines = scene.written.length;
  scene.chat.live.chooseReply('a2');
  scene.chat.live.chooseReply('gone');
  await scene.chat.live.settled();
  assert.equal(scene.written.length, lines, 'it is shown already');
  scene.chat.live.chooseReply('a1');
  scene.chat.live.chooseReply('a1');
  await scene.chat.live.settled();
  assert.equal(scene.written.length, lines + 1);
  await scene.ask('a3', 'Next');
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Next']);
  assert.equal(scene.calls.length, 3, 'choosing makes no call');
  await scene.end();
  scene.assertStored();
});

test('continues an answer once, with the text so far, and keeps the draft', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.chat.live.setDraft({ text: 'Half a qu', contexts: [] });
  const actions = [
    scene.chat.send({ id: 'a2', turnId: 'a1', replyId: 'a1', asking: 'Go on.', models: ['m'] }),
    scene.chat.send({ id: 'a2', turnId: 'a1', replyId: 'a1', asking: 'Go on.', models: ['m'] }),
    scene.chat.send({ id: 'b2', turnId: 'a1', replyId: 'a1', asking: 'Go on.', models: ['m'] }),
  ];
  assert.deepEqual(
    (await Promise.all(actions)).map(({ ok }) => ok),
    [true, false, false],
  );
  await settle();
  assert.equal(scene.calls.length, 2);
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Go on.']);
  await scene.end();
  assert.equal(scene.chat.live.conversation.draft.text, 'Half a qu');
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, 'Half a qu');
});

test('shows the hidden branch of a turn or of a reply', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  await asked(scene, 'a2');
  await asked(scene, 'a3');
  await scene.act({ id: 'b1', instead: 'a1', question: 'Qb1', contexts: [], models: ['m'] });
  await scene.call().end();
  const visible = () => visibleTurns(scene.chat.live.conversation).map(({ id }) => id);
  assert.deepEqual(visible(), ['b1']);
  assert.deepEqual([sent(scene), scene.chat.live.conversation.title], [['Qb1'], 'Qa1'], 'its title stays');
  assert.equal(scene.chat.live.showTurn('a3')?.id, 'a3');
  assert.deepEqual(visible(), ['a1', 'a2', 'a3']);
  scene.chat.live.chooseTurn('b1');
  const [reply] = scene.chat.live.conversation.turns.find(({ id }) => id === 'a2')?.replies ?? [];
  assert.equal(scene.chat.live.showTurn(reply?.id ?? '')?.id, 'a2');
  assert.deepEqual(visible(), ['a1', 'a2', 'a3']);
  assert.equal(scene.chat.live.showTurn('gone'), undefined);
});

test('adds an edited question as a sibling of the old one, with one call, and keeps the draft', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  await asked(scene, 'a2');
  await asked(scene, 'a3');
  scene.chat.live.setDraft({ text: 'Half a qu', contexts: [] });
  scene.chat.live.startEdit('a2');
  assert.deepEqual(scene.chat.live.conversation.edit, { turnId: 'a2', text: 'Qa2', contexts: [] });
  scene.chat.live.setDraft({ text: 'Better', contexts: [] });
  await scene.chat.live.settled();
  const read = readConversation('c1', scene.file).conversation;
  assert.deepEqual([read.draft.text, read.edit?.text], ['Half a qu', 'Better'], 'a reload loses neither');
  const act = (id: string) => scene.chat.send({ id, instead: 'a2', question: 'Better', contexts: [], models: ['m'] });
  assert.deepEqual(
    (await Promise.all([act('a4'), act('a4'), act('b4')])).map(({ ok }) => ok),
    [true, false, false],
  );
  await settle();
  assert.deepEqual(await act('a4'), { ok: true });
  assert.equal(scene.calls.length, 4);
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Better']);
  await scene.call().end();
  assert.deepEqual(
    [scene.chat.live.conversation.edit, scene.chat.live.conversation.draft.text],
    [undefined, 'Half a qu'],
  );
  assert.deepEqual(
    scene.chat.live.conversation.turns.map(({ id, after }) => [id, after]),
    [
      ['a1', undefined],
      ['a2', undefined],
      ['a3', undefined],
      ['a4', 'a1'],
    ],
  );
  await scene.chat.live.settled();
  scene.assertStored();
});

test('puts the draft back when editing is cancelled, and sends nothing', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.chat.live.setDraft({ text: 'Half', contexts: [] });
  scene.chat.live.startEdit('gone');
  assert.equal(Object.keys(scene.chat.live.conversation).includes('edit'), false);
  scene.chat.live.startEdit('a1');
  scene.chat.live.setDraft({ text: 'Changed', contexts: [] });
  scene.chat.live.startEdit('a1');
  assert.equal(scene.chat.live.conversation.edit?.text, 'Changed', 'a second click does not undo the changes');
  scene.chat.live.cancelEdit();
  scene.chat.live.cancelEdit();
  await scene.chat.live.settled();
  const { conversation } = readConversation('c1', scene.file);
  assert.deepEqual([conversation.edit, conversation.draft.text], [undefined, 'Half']);
  assert.deepEqual([scene.calls.length, scene.file.match(/cancelEdit/g)?.length], [1, 1]);
});

test('keeps the edited question and the draft when a reply is continued during editing', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.chat.live.setDraft({ text: 'Half', contexts: [] });
  scene.chat.live.startEdit('a1');
  await scene.act({ id: 'a2', turnId: 'a1', replyId: 'a1', asking: 'Go on.', models: ['m'] });
  await scene.end();
  const { conversation } = readConversation('c1', scene.file);
  assert.deepEqual([conversation.edit?.text, conversation.draft.text], ['Qa1', 'Half']);
});

test('masks a secret under a new name in a conversation whose earlier secrets are in another window', async () => {
  const here = new Scene();
  here.chat.live.setDraft({ text: 'DB_PASSWORD=hunter2-5f3kq9Zt' });
  await here.chat.live.settled();
  const masked = here.chat.live.composed.text;
  assert.equal(masked, 'DB_PASSWORD=MASKED_PASSWORD_1_k3f9x2a8b7c6');
  const windows = ['a1b2c3d4e5f6', '0f1e2d3c4b5a'].map(
    (suffix) => new Scene(readConversation('c1', here.file).conversation, true, suffix),
  );
  const texts = windows.map(({ chat }, index) => {
    chat.live.setDraft({ text: `${masked}\nADMIN_PASSWORD=other-${index}-8w2Xp4Lm` });
    return chat.live.composed.text;
  });
  assert.deepEqual(texts, [
    `${masked}\nADMIN_PASSWORD=MASKED_PASSWORD_1_a1b2c3d4e5f6`,
    `${masked}\nADMIN_PASSWORD=MASKED_PASSWORD_1_0f1e2d3c4b5a`,
  ]);
  assert.deepEqual(
    windows.map(({ chat }) => chat.live.masks.restore(masked)),
    [masked, masked],
  );
});

test('shows the branch of the last of 6,000 forks in a moment', () => {
  const turns = Array.from({ length: 6_000 }, (_, at) => at).flatMap((at) =>
    ['a', 'b'].map((name) => ({
      ...{ id: `${name}${at}`, question: 'Why?', contexts: [], after: at === 0 ? null : `a${at - 1}` },
      replies: [],
    })),
  );
  const ms = leastCpuMs(1_500, () => {
    const scene = new Scene({ ...emptyConversation('c1', 5), turns });
    scene.chat.live.showTurn('a5999');
    assert.equal(visibleTurns(scene.chat.live.conversation).at(-1)?.id, 'a5999');
  });
  assert.ok(ms < 1_500, `${ms} ms`);
});

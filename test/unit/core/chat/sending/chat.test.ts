import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visibleTurns } from '../../../../../src/core/chat/conversation/branches.ts';
import { runningReply } from '../../../../../src/core/chat/conversation/conversation.ts';
import {
  emptyConversation,
  readConversation,
  withUnsentDraft,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { troubleOf } from '../../../../../src/core/chat/conversation/trouble.ts';
import type { Chat } from '../../../../../src/core/chat/sending/chat.ts';
import { DeletedElsewhereError } from '../../../../../src/core/chat/store/deletedElsewhereError.ts';
import { Scene, settle } from './chatScene.ts';

test('asks, streams and ends, and keeps exactly what it showed', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.clock.pass(100);
  scene.call().delta('', 'hm');
  scene.clock.pass(100);
  scene.call().delta('Hel');
  scene.call().delta('lo');
  scene.clock.pass(300);
  await scene
    .call()
    .end({ outcome: 'complete', finishReason: 'stop', model: 'real', requestId: 'r', usage: { promptTokens: 2 } });
  await scene.chat.settled();
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
  });
  assert.deepEqual(scene.call().request, { model: 'm', messages: [{ role: 'user', content: 'Why?' }] });
  assert.deepEqual(scene.events, ['title', 'turn', 'reply', 'delta', 'delta', 'delta', 'end']);
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
});

test('keeps that the model asked for a tool after its text', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.call().delta('Let me look.');
  await scene.call().end({
    outcome: 'complete',
    finishReason: 'stop',
    toolCalls: [{ id: 'c', name: 'read_file', arguments: '{}' }],
  });
  await scene.chat.settled();
  assert.equal(scene.reply.hasToolCalls, true);
  assert.match(troubleOf(scene.reply)?.title ?? '', /asked for a tool after this text/);
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
});

test('sends once for one action, however often and whenever it comes', async () => {
  const scene = new Scene();
  let open = () => undefined as unknown;
  scene.findSender = () => new Promise((resolve) => (open = () => resolve({ ok: true, sender: scene.sender })));
  const first = scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' });
  const second = scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' });
  assert.equal(scene.chat.isRunning, true);
  await settle();
  open();
  assert.deepEqual(await Promise.all([first, second]), [{ ok: true }, { ok: true }]);
  assert.deepEqual(await scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' }), {
    ok: true,
  });
  await settle();
  await scene.call().end();
  assert.deepEqual(await scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' }), {
    ok: true,
  });
  assert.deepEqual(await scene.chat.send({ id: 'a1', kind: 'again', turnId: 'a1', model: 'm' }), { ok: true });
  await settle();
  assert.equal(scene.calls.length, 1);
  assert.equal(scene.chat.conversation.turns.length, 1);
});

test('sees an action again after a restart, when its reply was read back from the file', async () => {
  const before = new Scene();
  await before.ask();
  before.call().delta('Hel');
  await before.chat.settled();
  const { conversation } = readConversation('c1', before.file);
  assert.deepEqual(
    [runningReply(conversation), conversation.turns[0]?.replies[0]?.problem],
    [undefined, { kind: 'interrupted' }],
  );
  const after = new Scene(conversation, true);
  assert.deepEqual(await after.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' }), {
    ok: true,
  });
  await settle();
  assert.equal(after.calls.length, 0);
  await after.ask('a2', 'And?');
  assert.doesNotMatch(after.file, /"conversation"/);
  assert.equal(after.calls.length, 1);
});

test('sends nothing else while a reply is starting or arriving', async () => {
  const scene = new Scene();
  const first = scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' });
  const busy = { ok: false, reason: 'A reply is still arriving. Stop it, or wait for its end.' };
  assert.deepEqual(await scene.chat.send({ id: 'a2', kind: 'ask', question: 'And?', contexts: [], model: 'm' }), busy);
  await first;
  assert.deepEqual(await scene.chat.send({ id: 'a3', kind: 'ask', question: 'And?', contexts: [], model: 'm' }), busy);
  assert.deepEqual(await scene.chat.send({ id: 'a4', kind: 'again', turnId: 'a1', model: 'm' }), busy);
  await settle();
  await scene.call().end();
  await scene.ask('a5', 'Now?');
  assert.equal(scene.calls.length, 2);
});

test('sending again makes a new reply to the same question', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.call().delta('one');
  await scene.call().end();
  assert.deepEqual(await scene.chat.send({ id: 'a2', kind: 'again', turnId: 'a1', model: 'other' }), { ok: true });
  await settle();
  assert.deepEqual(scene.call().request, { model: 'other', messages: [{ role: 'user', content: 'Why?' }] });
  scene.call().delta('two');
  await scene.call().end();
  assert.deepEqual(
    scene.chat.conversation.turns.map(({ replies }) => replies.map(({ id, text }) => [id, text])),
    [
      [
        ['a1', 'one'],
        ['a2', 'two'],
      ],
    ],
  );
  assert.deepEqual(await scene.chat.send({ id: 'a3', kind: 'again', turnId: 'gone', model: 'm' }), {
    ok: false,
    reason: 'That question is no longer there.',
  });
});

test('says why nothing can be sent, and leaves no trace of it', async () => {
  const scene = new Scene();
  scene.findSender = async () => ({ ok: false, reason: 'There is no key.' });
  assert.deepEqual(await scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' }), {
    ok: false,
    reason: 'There is no key.',
  });
  assert.deepEqual([scene.kept, scene.chat.conversation.turns, scene.chat.isRunning], [[], [], false]);
  scene.findSender = async () => ({ ok: true, sender: scene.sender });
  await scene.ask('a1');
  assert.equal(scene.calls.length, 1);
});

test('can ask again after the way to the gateway could not be found out', async () => {
  const scene = new Scene();
  scene.findSender = () => Promise.reject(new Error('secret store'));
  await assert.rejects(
    scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' }),
    /secret store/,
  );
  assert.equal(scene.chat.isRunning, false);
  scene.findSender = async () => ({ ok: true, sender: scene.sender });
  await scene.ask('a1');
});

test('stops a reply that waits, and one that streams; what arrived stays', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.chat.stop('a1');
  scene.chat.stop('a1');
  scene.chat.stop('unknown');
  await settle();
  assert.deepEqual([scene.reply.state, scene.reply.text], ['stopped', '']);
  await scene.ask('a2');
  scene.call().delta('Hel');
  scene.chat.stop('a1');
  assert.equal(scene.reply.state, 'streaming');
  scene.chat.stop('a2');
  await settle();
  assert.deepEqual([scene.reply.state, scene.reply.text, scene.chat.isRunning], ['stopped', 'Hel', false]);
});

test('sends nothing when it is stopped or closed before the request has left', async () => {
  for (const close of [(chat: Chat) => chat.stop('a1'), (chat: Chat) => chat.dispose()]) {
    const scene = new Scene();
    let finish = () => undefined as unknown;
    scene.keep = (text) => new Promise((resolve) => (finish = () => resolve(void scene.kept.push(text))));
    const asked = scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' });
    await settle();
    close(scene.chat);
    for (let line = 0; line < 6; line++) {
      finish();
      await settle();
    }
    assert.deepEqual(await asked, { ok: true });
    await settle();
    assert.equal(scene.calls.length, 0);
    assert.equal(scene.released, 1);
  }
});

test('sends nothing when it is closed while the key is being read', async () => {
  const scene = new Scene();
  let open = () => undefined as unknown;
  scene.findSender = () => new Promise((resolve) => (open = () => resolve({ ok: true, sender: scene.sender })));
  const asked = scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' });
  await settle();
  scene.chat.dispose();
  open();
  assert.equal((await asked).ok, false);
  await settle();
  assert.deepEqual([scene.calls.length, scene.kept], [0, []]);
});

test('lets the request leave only after its question is kept', async () => {
  const scene = new Scene();
  const waiting: (() => void)[] = [];
  scene.keep = (text) => new Promise((resolve) => waiting.push(() => resolve(void scene.kept.push(text))));
  const asked = scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' });
  await settle();
  assert.deepEqual([scene.calls.length, waiting.length], [0, 1], 'all of it goes in one piece, and is not kept yet');
  waiting.shift()?.();
  await asked;
  await settle();
  assert.equal(scene.calls.length, 1);
  assert.match(scene.file, /"type":"conversation".*\n.*"type":"title".*\n.*"type":"turn".*\n.*"type":"reply".*\n$/);
});

test('keeps arrived text 250 ms later at the latest, in few pieces', async () => {
  const scene = new Scene();
  await scene.ask();
  const lines = scene.kept.length;
  scene.call().delta('a');
  scene.clock.pass(150);
  scene.call().delta('b');
  scene.clock.pass(49);
  await settle();
  assert.equal(scene.kept.length, lines);
  scene.clock.pass(1);
  await settle();
  assert.equal(scene.kept.length, lines + 1);
  assert.match(scene.kept.at(-1) ?? '', /"text":"ab"/);
  scene.call().delta('c');
  await scene.call().end();
  await scene.chat.settled();
  assert.match(scene.file, /"text":"c".*\n.*"type":"end"/);
});

test('writes down on closing what was only in memory', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.call().delta('Hel');
  scene.chat.dispose();
  await settle();
  assert.match(scene.file, /"text":"Hel"/);
  assert.equal(scene.call().signal.aborted, true);
  const [reply] = readConversation('c1', scene.file).conversation.turns[0]?.replies ?? [];
  assert.deepEqual([reply?.state, reply?.problem?.kind], ['incomplete', 'interrupted'], 'nobody has stopped it');
});

test('tells that keeping fails, and goes on', async () => {
  const scene = new Scene();
  const failure = new Error('disk full');
  scene.keep = () => Promise.reject(failure);
  await scene.ask();
  scene.call().delta('Hello');
  await scene.call().end();
  await scene.chat.settled();
  assert.deepEqual([scene.reply.state, scene.reply.text], ['complete', 'Hello']);
  assert.deepEqual(scene.keepFailures, [failure], 'told once');
});

test('keeps what could not be kept as soon as that is possible, and leaves no gap', async () => {
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
  await scene.call().end();
  await scene.chat.settled();
  assert.equal(scene.keepFailures.length, 2, 'told again after it had worked');
  scene.keep = keep;
  await scene.chat.settled();
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
});

test('tries by itself every few seconds to keep what could not be kept, and says when all of it is', async () => {
  const scene = new Scene();
  const { keep } = scene;
  let tries = 0;
  scene.keep = async () => {
    tries++;
    throw new Error('disk full');
  };
  await scene.ask();
  assert.deepEqual(scene.chat.unkept, { replies: 1 });
  scene.call().delta('Hello');
  await scene.call().end();
  await scene.chat.settled();
  const before = tries;
  for (let second = 0; second < 45; second++) {
    scene.clock.pass(1_000);
    await settle();
  }
  assert.ok(tries - before >= 9 && tries - before <= 45, `${tries - before} tries in 45 s`);
  assert.deepEqual([scene.keepFailures.length, scene.keptAgain, scene.chat.unkept], [1, 0, { replies: 1 }]);
  scene.keep = keep;
  scene.clock.pass(5_000);
  await settle();
  assert.deepEqual([scene.keptAgain, scene.chat.unkept, scene.clock.pending], [1, undefined, 0]);
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
  scene.keep = async () => Promise.reject(new Error('disk full'));
  scene.chat.rename('Other');
  scene.chat.dispose();
  await settle();
  assert.equal(scene.clock.pending, 0, 'nothing is tried for a conversation that is gone');
});

test('waits for nothing in a conversation that another window deleted, says so once, and writes all of it when it is back', async () => {
  const scene = new Scene();
  const { keep } = scene;
  const [full, deleted] = [new Error('disk full'), new DeletedElsewhereError()];
  let tries = 0;
  const fail = (error: Error) => async () => {
    tries++;
    throw error;
  };
  scene.keep = fail(deleted);
  await scene.ask();
  scene.call().delta('Hel');
  scene.clock.pass(250);
  await settle();
  const before = tries;
  scene.clock.pass(60_000);
  await settle();
  assert.deepEqual([tries, scene.clock.pending], [before, 0], 'nothing is tried while nothing happens');
  assert.deepEqual(scene.chat.unkept, { replies: 1, isDeleted: true });
  assert.deepEqual(scene.keepFailures, [deleted]);
  scene.keep = fail(full);
  scene.call().delta('lo');
  scene.clock.pass(250);
  await settle();
  assert.deepEqual([scene.chat.unkept, scene.clock.pending], [{ replies: 1 }, 1], 'a disk may get space again');
  scene.keep = fail(deleted);
  scene.clock.pass(5_000);
  await settle();
  assert.deepEqual([scene.chat.unkept, scene.clock.pending], [{ replies: 1, isDeleted: true }, 0]);
  assert.deepEqual(scene.keepFailures, [deleted, full, deleted]);
  scene.keep = keep;
  await scene.call().end();
  await scene.chat.settled();
  assert.deepEqual([scene.keptAgain, scene.chat.unkept], [1, undefined]);
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
});

test('does not create a deleted conversation again with what could not be saved of it', async () => {
  const scene = new Scene();
  const { keep } = scene;
  scene.keep = async () => Promise.reject(new Error('disk full'));
  await scene.ask();
  scene.call().delta('Hello');
  await scene.call().end();
  await scene.chat.settled();
  scene.keep = keep;
  scene.chat.discard();
  scene.chat.dispose();
  scene.clock.pass(10_000);
  await settle();
  assert.deepEqual([scene.kept, scene.chat.unkept, scene.clock.pending], [[], undefined, 0]);
});

test('keeps of what was typed meanwhile only the newest, when keeping fails', async () => {
  const scene = new Scene();
  const { keep } = scene;
  scene.keep = async () => Promise.reject(new Error('disk full'));
  for (const text of ['H', 'He', 'Hel']) {
    scene.chat.setDraft({ text, contexts: [] });
    scene.clock.pass(1_000);
    await settle();
  }
  scene.keep = keep;
  await scene.chat.settled();
  assert.deepEqual(
    scene.file.split('\n').map((line) => line.slice(0, 30)),
    ['{"type":"conversation","version', '{"type":"draft","text":"Hel","', ''].map((line) => line.slice(0, 30)),
  );
});

test('shows on what could not be kept, whatever the file says, and sends it with the next question', async () => {
  const scene = new Scene();
  await scene.ask('a1');
  scene.call().delta('Kept.');
  await scene.call().end();
  await scene.chat.settled();
  scene.reread = async () => readConversation('c1', scene.file).conversation;
  scene.keep = async () => Promise.reject(new Error('disk full'));
  await scene.ask('a2', 'More?');
  scene.call().delta('Not kept.');
  await scene.call().end();
  await scene.ask('a3', 'And more?');
  assert.deepEqual(
    scene.call().request.messages.map(({ content }) => content),
    ['Why?', 'Kept.', 'More?', 'Not kept.', 'And more?'],
  );
});

test('takes up the end of a reply that was arriving in another window when it was opened here', async () => {
  const scene = new Scene();
  await scene.ask('a1');
  scene.call().delta('Half');
  await scene.chat.settled();
  const other = new Scene(readConversation('c1', scene.file, true).conversation, true);
  assert.equal(other.reply.problem?.kind, 'elsewhere');
  scene.call().delta(' and half.');
  await scene.call().end();
  await scene.chat.settled();
  other.reread = async () => readConversation('c1', scene.file).conversation;
  await other.ask('b1', 'And?');
  assert.deepEqual(
    other.call().request.messages.map(({ content }) => content),
    ['Why?', 'Half and half.', 'And?'],
  );
  assert.ok(other.events.includes('conversation'), 'the panel is told to look again');
});

test('has a first question in the file before anything is found out, and again in the composer if that was all', async () => {
  const scene = new Scene();
  scene.chat.keepUnsent({ text: 'Why?', contexts: [] });
  await settle();
  assert.equal(scene.chat.conversation.draft.text, '', 'it is in no composer here');
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, 'Why?');
  await scene.ask();
  await scene.call().end();
  await scene.chat.settled();
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, '');
});

test('puts a question back into the composer that was written without its reply, and asks it once', async () => {
  const before = new Scene();
  await before.ask();
  const [head, title, turn] = before.file.split('\n');
  const cut = `${[head, title, turn].join('\n')}\n{"type":"rep`;
  const conversation = withUnsentDraft(readConversation('c1', cut).conversation);
  assert.deepEqual([conversation.draft.text, runningReply(conversation)], ['Why?', undefined]);
  const scene = new Scene(conversation, true);
  await scene.ask('a2', 'Why?');
  assert.deepEqual(scene.call().request.messages, [{ role: 'user', content: 'Why?' }]);
  scene.call().delta('So.');
  await scene.call().end();
  await scene.chat.settled();
  const again = withUnsentDraft(readConversation('c1', `${cut}\n${scene.file}`).conversation);
  assert.deepEqual([again.draft.text, again.turns.at(-1)?.replies[0]?.text], ['', 'So.']);
});

test('ends a reply whose sender throws, and tells it as a mistake of ours', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.call().delta('Hel');
  const failure = new Error('defect');
  await scene.call().fail(failure);
  assert.deepEqual([scene.reply.state, scene.reply.text, scene.reply.problem], ['failed', 'Hel', { kind: 'defect' }]);
  assert.deepEqual([scene.defects, scene.chat.isRunning], [[failure], false]);
});

test('does not open a reply again when a piece comes after its end', async () => {
  const scene = new Scene();
  await scene.ask();
  const call = scene.call();
  await call.end();
  call.delta('late');
  assert.deepEqual([scene.reply.state, scene.reply.text], ['complete', 'late']);
});

test('sends what was said before, question and answer in turn, and leaves out what was never answered', async () => {
  const scene = new Scene();
  for (const [id, answer] of [
    ['a1', 'one'],
    ['a2', ''],
    ['a3', 'three'],
  ] as const) {
    await scene.ask(id, `Q${id}`);
    if (answer) {
      scene.call().delta(answer);
    }
    await scene.call().end(answer ? undefined : { outcome: 'failed', problem: { kind: 'emptyReply' } });
  }
  await scene.ask('a4', 'Last');
  assert.deepEqual(scene.call().request.messages, [
    { role: 'user', content: 'Qa1' },
    { role: 'assistant', content: 'one' },
    { role: 'user', content: 'Qa3' },
    { role: 'assistant', content: 'three' },
    { role: 'user', content: 'Last' },
  ]);
});

test('goes on when time runs backwards', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.clock.now = () => 0;
  scene.call().delta('x');
  await scene.call().end();
  assert.deepEqual([scene.reply.firstTokenMs, scene.reply.totalMs], [0, 0]);
});

test('sends nothing while another window has the right to, and gives it back after each end', async () => {
  const scene = new Scene();
  const free = scene.claim;
  scene.claim = async () => undefined;
  const refused = await scene.chat.send({ id: 'a1', kind: 'ask', question: 'Why?', contexts: [], model: 'm' });
  assert.match(refused.ok ? '' : refused.reason, /another window/);
  assert.deepEqual([scene.calls.length, scene.file], [0, '']);
  scene.claim = free;
  await scene.ask('a2');
  assert.equal(scene.released, 0);
  await scene.call().end();
  assert.equal(scene.released, 1);
  scene.findSender = async () => ({ ok: false, reason: 'no key' });
  await scene.chat.send({ id: 'a3', kind: 'ask', question: 'And?', contexts: [], model: 'm' });
  assert.equal(scene.released, 2);
  scene.findSender = () => Promise.reject(new Error('broken'));
  await assert.rejects(
    scene.chat.send({ id: 'a4', kind: 'ask', question: 'And?', contexts: [], model: 'm' }),
    /broken/,
  );
  assert.equal(scene.released, 3);
});

test('takes up what another window added before it goes on', async () => {
  const scene = new Scene();
  await scene.ask('a1');
  await scene.call().end();
  const other = new Scene(readConversation('c1', scene.file).conversation, true);
  await other.ask('b1', 'From elsewhere?');
  other.call().delta('Yes.');
  await other.call().end();
  await other.chat.settled();
  scene.reread = async () => readConversation('c1', scene.file + other.file).conversation;
  await scene.ask('a2', 'And here?');
  assert.deepEqual(
    scene.call().request.messages.map(({ content }) => content),
    ['From elsewhere?', 'Yes.', 'And here?'],
  );
  assert.ok(scene.events.includes('conversation'), 'the panel is told to look again');
});

test('goes to another gateway than before only when the person says so', async () => {
  const scene = new Scene();
  await scene.ask('a1');
  await scene.call().end();
  const first = scene.sender.host;
  scene.findSender = async () => ({ ok: true, sender: { ...scene.sender, host: 'other.example' } });
  const refused = await scene.chat.send({ id: 'a2', kind: 'ask', question: 'And?', contexts: [], model: 'm' });
  assert.ok(!refused.ok);
  assert.equal(refused.otherHost, 'other.example');
  assert.ok(refused.reason.includes(first));
  assert.equal(scene.calls.length, 1);
  assert.deepEqual(
    await scene.chat.send({ id: 'a2', kind: 'ask', question: 'And?', contexts: [], model: 'm', host: 'other.example' }),
    { ok: true },
  );
  await settle();
  assert.equal(scene.calls.length, 2);
});

test('sends a first question only where it was meant to go', async () => {
  const scene = new Scene();
  const refused = await scene.chat.send({
    id: 'a1',
    kind: 'ask',
    question: 'Why?',
    contexts: [],
    model: 'm',
    host: 'meant.example',
  });
  assert.equal(refused.ok ? '' : refused.otherHost, scene.sender.host);
  assert.deepEqual([scene.calls.length, scene.file], [0, '']);
});

test('keeps a draft through a closed panel, and clears it with the question that it became', async () => {
  const scene = new Scene();
  scene.chat.setDraft({ text: '', contexts: [] });
  scene.clock.pass(5_000);
  await settle();
  assert.equal(scene.file, '', 'an empty draft makes no conversation');
  scene.chat.setDraft({ text: 'Half a qu', contexts: [] });
  scene.chat.setDraft({ text: 'Half a question', contexts: [] });
  await scene.chat.settled();
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, 'Half a question');
  assert.equal(scene.file.match(/"draft"/g)?.length, 1);
  await scene.ask('a1', 'Half a question');
  assert.equal(scene.chat.conversation.draft.text, '');
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, '');
});

test('takes another title, also while a reply arrives, and keeps it', async () => {
  const scene = new Scene();
  await scene.ask();
  scene.call().delta('Hel');
  scene.chat.rename('Better');
  scene.call().delta('lo');
  await scene.call().end();
  await scene.chat.settled();
  assert.equal(scene.chat.conversation.title, 'Better');
  assert.equal(scene.reply.text, 'Hello');
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
});

test('leaves a title that was given before the first question', async () => {
  const scene = new Scene({ ...emptyConversation('c1', 5), draft: { text: 'Why?', contexts: [] } }, true);
  scene.chat.rename('Mine');
  await scene.ask();
  await scene.call().end();
  await scene.chat.settled();
  assert.equal(scene.chat.conversation.title, 'Mine');
  assert.equal(readConversation('c1', scene.file).conversation.title, 'Mine');
});

/** Asks and gets the answer `A` and the id. */
async function asked(scene: Scene, id: string): Promise<void> {
  await scene.ask(id, `Q${id}`);
  scene.call().delta(`A${id}`);
  await scene.call().end();
}

const sent = (scene: Scene) => scene.call().request.messages.map(({ content }) => content);

test('keeps which reply was chosen, and goes on from that one', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  await scene.chat.send({ id: 'a2', kind: 'again', turnId: 'a1', model: 'other' });
  await settle();
  scene.call().delta('Aa2');
  await scene.call().end();
  const lines = scene.kept.length;
  scene.chat.chooseReply('a2');
  scene.chat.chooseReply('gone');
  await scene.chat.settled();
  assert.equal(scene.kept.length, lines, 'it is shown already');
  scene.chat.chooseReply('a1');
  scene.chat.chooseReply('a1');
  await scene.chat.settled();
  assert.equal(scene.kept.length, lines + 1);
  await scene.ask('a3', 'Next');
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Next']);
  assert.equal(scene.calls.length, 3, 'choosing is no call');
  await scene.call().end();
  await scene.chat.settled();
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
});

test('asks after a turn once, with what was said up to there, and leaves the draft', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.chat.setDraft({ text: 'Half a qu', contexts: [] });
  const actions = [
    scene.chat.send({ id: 'a2', kind: 'after', turnId: 'a1', question: 'Go on.', model: 'm' }),
    scene.chat.send({ id: 'a2', kind: 'after', turnId: 'a1', question: 'Go on.', model: 'm' }),
    scene.chat.send({ id: 'b2', kind: 'after', turnId: 'a1', question: 'Go on.', model: 'm' }),
  ];
  assert.deepEqual(
    (await Promise.all(actions)).map(({ ok }) => ok),
    [true, true, false],
  );
  await settle();
  assert.equal(scene.calls.length, 2);
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Go on.']);
  await scene.call().end();
  await scene.chat.settled();
  assert.equal(scene.chat.conversation.draft.text, 'Half a qu');
  assert.equal(readConversation('c1', scene.file).conversation.draft.text, 'Half a qu');
  assert.doesNotMatch(scene.file, /"after"/, 'what follows the last one reads the same in older versions');
});

test('shows the branch of a turn, and of a reply, that is out of sight', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  await asked(scene, 'a2');
  await asked(scene, 'a3');
  await scene.chat.send({ id: 'b1', kind: 'instead', turnId: 'a1', question: 'Qb1', contexts: [], model: 'm' });
  await settle();
  await scene.call().end();
  const visible = () => visibleTurns(scene.chat.conversation).map(({ id }) => id);
  assert.deepEqual(visible(), ['b1']);
  assert.equal(scene.chat.showTurn('a3')?.id, 'a3');
  assert.deepEqual(visible(), ['a1', 'a2', 'a3']);
  scene.chat.chooseTurn('b1');
  const [reply] = scene.chat.conversation.turns.find(({ id }) => id === 'a2')?.replies ?? [];
  assert.equal(scene.chat.showTurn(reply?.id ?? '')?.id, 'a2');
  assert.deepEqual(visible(), ['a1', 'a2', 'a3']);
  assert.equal(scene.chat.showTurn('gone'), undefined);
});

test('asking after an earlier turn makes a branch, and choosing goes back', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  await asked(scene, 'a2');
  await scene.chat.send({ id: 'a3', kind: 'after', turnId: 'a1', question: 'Go on.', model: 'm' });
  await settle();
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Go on.']);
  scene.chat.chooseTurn('a2');
  scene.call().delta('on');
  await scene.call().end();
  await asked(scene, 'a4');
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Qa2', 'Aa2', 'Qa4']);
  assert.deepEqual(
    scene.chat.conversation.turns.map(({ id, after }) => [id, after]),
    [
      ['a1', undefined],
      ['a2', undefined],
      ['a3', 'a1'],
      ['a4', 'a2'],
    ],
  );
  await scene.chat.settled();
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
  assert.deepEqual(await scene.chat.send({ id: 'a5', kind: 'after', turnId: 'gone', question: 'Go on.', model: 'm' }), {
    ok: false,
    reason: 'That question is no longer there.',
  });
  assert.equal(scene.chat.isRunning, false);
});

test('a retry and a continuation go to another gateway only when the person says so', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.findSender = async () => ({ ok: true, sender: { ...scene.sender, host: 'other.example' } });
  for (const act of [
    (host?: string) => scene.chat.send({ id: 'a2', kind: 'again', turnId: 'a1', model: 'm', host }),
    (host?: string) => scene.chat.send({ id: 'a3', kind: 'after', turnId: 'a1', question: 'Go on.', model: 'm', host }),
  ]) {
    const calls = scene.calls.length;
    const kept = scene.file;
    const refused = await act(calls === 1 ? undefined : 'gateway.example');
    assert.equal(refused.ok ? '' : refused.otherHost, 'other.example');
    assert.deepEqual([scene.calls.length, scene.file], [calls, kept]);
    assert.deepEqual(await act('other.example'), { ok: true });
    await settle();
    await scene.call().end();
    assert.equal(scene.calls.length, calls + 1);
  }
});

test('an edited question stands beside the old one, is one call, and leaves the draft', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  await asked(scene, 'a2');
  await asked(scene, 'a3');
  scene.chat.setDraft({ text: 'Half a qu', contexts: [] });
  scene.chat.startEdit('a2');
  assert.deepEqual(scene.chat.conversation.edit, { turnId: 'a2', text: 'Qa2', contexts: [] });
  scene.chat.setDraft({ text: 'Better', contexts: [] });
  await scene.chat.settled();
  const read = readConversation('c1', scene.file).conversation;
  assert.deepEqual([read.draft.text, read.edit?.text], ['Half a qu', 'Better'], 'a reload loses neither');
  const act = (id: string) =>
    scene.chat.send({ id, kind: 'instead', turnId: 'a2', question: 'Better', contexts: [], model: 'm' });
  assert.deepEqual(
    (await Promise.all([act('a4'), act('a4'), act('b4')])).map(({ ok }) => ok),
    [true, true, false],
  );
  await settle();
  assert.deepEqual(await act('a4'), { ok: true });
  assert.equal(scene.calls.length, 4);
  assert.deepEqual(sent(scene), ['Qa1', 'Aa1', 'Better']);
  await scene.call().end();
  assert.deepEqual([scene.chat.conversation.edit, scene.chat.conversation.draft.text], [undefined, 'Half a qu']);
  assert.deepEqual(
    scene.chat.conversation.turns.map(({ id, after }) => [id, after]),
    [
      ['a1', undefined],
      ['a2', undefined],
      ['a3', undefined],
      ['a4', 'a1'],
    ],
  );
  await scene.chat.settled();
  assert.deepEqual(readConversation('c1', scene.file), { conversation: scene.chat.conversation, unreadLines: 0 });
});

test('an edited first question begins anew, with nothing of the old branch', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  await asked(scene, 'a2');
  await scene.chat.send({ id: 'a3', kind: 'instead', turnId: 'a1', question: 'Other', contexts: [], model: 'm' });
  await settle();
  assert.deepEqual(sent(scene), ['Other']);
  scene.call().delta('Yes');
  await scene.call().end();
  await scene.ask('a4', 'Next');
  assert.deepEqual(sent(scene), ['Other', 'Yes', 'Next']);
  assert.equal(scene.chat.conversation.title, 'Qa1', 'its title stays');
});

test('leaving an edit brings the draft back, and sends and loses nothing else', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.chat.setDraft({ text: 'Half', contexts: [] });
  scene.chat.startEdit('gone');
  assert.equal(Object.keys(scene.chat.conversation).includes('edit'), false);
  scene.chat.startEdit('a1');
  scene.chat.setDraft({ text: 'Changed', contexts: [] });
  scene.chat.startEdit('a1');
  assert.equal(scene.chat.conversation.edit?.text, 'Changed', 'a second click takes nothing back');
  scene.chat.cancelEdit();
  scene.chat.cancelEdit();
  await scene.chat.settled();
  const { conversation } = readConversation('c1', scene.file);
  assert.deepEqual([conversation.edit, conversation.draft.text], [undefined, 'Half']);
  assert.deepEqual([scene.calls.length, scene.file.match(/cancelEdit/g)?.length], [1, 1]);
});

test('an edit that can not be sent stays one, and goes to another gateway only by the person’s word', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.chat.startEdit('a1');
  scene.findSender = async () => ({ ok: true, sender: { ...scene.sender, host: 'other.example' } });
  const better = { id: 'a2', kind: 'instead', turnId: 'a1', question: 'Better', contexts: [], model: 'm' } as const;
  const refused = await scene.chat.send(better);
  assert.equal(refused.ok ? '' : refused.otherHost, 'other.example');
  assert.deepEqual([scene.calls.length, scene.chat.conversation.edit?.turnId], [1, 'a1']);
  assert.deepEqual(await scene.chat.send({ ...better, host: 'other.example' }), { ok: true });
  await settle();
  assert.deepEqual([scene.calls.length, scene.chat.conversation.edit], [2, undefined]);
});

test('continuing while a question is edited leaves that and the draft', async () => {
  const scene = new Scene();
  await asked(scene, 'a1');
  scene.chat.setDraft({ text: 'Half', contexts: [] });
  scene.chat.startEdit('a1');
  await scene.chat.send({ id: 'a2', kind: 'after', turnId: 'a1', question: 'Go on.', model: 'm' });
  await settle();
  await scene.call().end();
  await scene.chat.settled();
  const { conversation } = readConversation('c1', scene.file);
  assert.deepEqual([conversation.edit?.text, conversation.draft.text], ['Qa1', 'Half']);
});

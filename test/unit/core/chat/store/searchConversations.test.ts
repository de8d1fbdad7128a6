import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConversationEvent } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { searchConversations, type TextHit } from '../../../../../src/core/chat/store/searchConversations.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { context, fileOf } from '../conversation/keptFixture.ts';

const delta = (text: string, replyId = 'r1'): ConversationEvent => ({
  type: 'delta',
  replyId,
  text,
  reasoning: 'thought',
  ms: 1,
});
const files: Record<string, string> = {
  code: fileOf({ type: 'turn', id: 'r1', question: 'Explain', contexts: [context] }),
  answer: fileOf(
    { type: 'turn', id: 'r1', question: 'Which?', contexts: [] },
    delta('First line\nuse the Fou'),
    delta('other answer', 'r2'),
    delta('RIER "transform"\nlast'),
  ),
  question: fileOf({ type: 'turn', id: 'r1', question: 'What is\na İstanbul straße?', contexts: [] }),
  broken: '{"type":"turn","question":"Fourier\n{"type":"turn"}\nnot json Fourier\n',
};

async function* pieces(id: string, length: number) {
  const text = files[id] ?? '';
  for (let from = 0; from < text.length; from += length) {
    yield text.slice(from, from + length);
  }
}

async function search(words: string, length = 1_000, signal = new AbortController().signal): Promise<TextHit[]> {
  const hits: TextHit[] = [];
  const store = { pieces: (id: string) => pieces(id, length) };
  for await (const hit of searchConversations(store, Object.keys(files), words, new ManualClock(), signal)) {
    hits.push(hit);
  }
  return hits;
}

test('finds words in questions, code and answers, whatever their case and wherever pieces were cut', async () => {
  for (const length of [1, 13, 1_000]) {
    assert.deepEqual(await search('fourier "Trans', length), [
      { id: 'answer', where: 'answer', place: 'r1', line: 'use the FouRIER "transform"' },
    ]);
    assert.deepEqual(await search('  STRASSE ', length), []);
    assert.deepEqual(await search('STRAßE', length), [
      { id: 'question', where: 'question', place: 'r1', line: 'a İstanbul straße?' },
    ]);
    assert.deepEqual(await search('pi * r', length), [
      { id: 'code', where: 'code', place: 'r1', line: 'return PI * r * r' },
    ]);
    assert.deepEqual(await search('area.PY', length), [
      { id: 'code', where: 'code', place: 'r1', line: 'src/area.py' },
    ]);
  }
});

test('finds neither what is only in the file’s own words nor thoughts nor broken lines', async () => {
  for (const words of ['replyId', 'contexts', 'thought', 'not json', '', '   ']) {
    assert.deepEqual(await search(words), [], words);
  }
});

test('shows the part of a long line that has the words, without half a character', async () => {
  files.long = fileOf({
    type: 'turn',
    id: 'r1',
    question: `${'😀'.repeat(100)} needle ${'😀'.repeat(200)}`,
    contexts: [],
  });
  const [hit] = await search('needle');
  delete files.long;
  assert.match(hit?.line ?? '', /^…(?:😀)+ needle (?:😀)+…$/u);
  assert.ok((hit?.line.length ?? 0) <= 162);
});

test('ends when the person types on', async () => {
  const abort = new AbortController();
  const found: string[] = [];
  const store = { pieces: (id: string) => pieces(id, 10) };
  for await (const hit of searchConversations(
    store,
    ['code', 'answer', 'question'],
    'i',
    new ManualClock(),
    abort.signal,
  )) {
    found.push(hit.id);
    abort.abort();
  }
  assert.deepEqual(found, ['code']);
});

test('gives way when it takes long', async () => {
  const clock = new ManualClock();
  const store = {
    async *pieces() {
      clock.pass(4);
      yield 'x\n';
    },
  };
  const searching = searchConversations(store, ['a', 'b', 'c'], 'needle', clock, new AbortController().signal).next();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(clock.pending, 1, 'waits for its next turn after the second one');
  clock.pass(0);
  assert.deepEqual(await searching, { done: true, value: undefined });
});

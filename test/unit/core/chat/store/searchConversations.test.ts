import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConversationEvent } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { searchConversations, type TextHit } from '../../../../../src/core/chat/store/searchConversations.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { context, fileOf } from '../conversation/storedFixture.ts';

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
    ...['r1', 'r2'].map((id) => ({ type: 'reply', turnId: 'r1', id, model: 'm', host: 'h', startedAt: 5 }) as const),
    delta('First line\nuse the Fou'),
    delta('other answer', 'r2'),
    delta('RIER "transform"\nlast'),
  ),
  question: fileOf({ type: 'turn', id: 'r1', question: 'What is\na İstanbul straße?', contexts: [] }),
  broken: '{"type":"turn","question":"Fourier\n{"type":"turn"}\nnot json Fourier\n',
};

const store = { read: async (id: string) => files[id] };

async function search(words: string): Promise<TextHit[]> {
  const hits: TextHit[] = [];
  const { signal } = new AbortController();
  for await (const hit of searchConversations(store, Object.keys(files), words, new ManualClock(), signal)) {
    hits.push(hit);
  }
  return hits;
}

test('finds words in questions, code and answers, regardless of case and of how deltas split them', async () => {
  assert.deepEqual(await search('fourier "Trans'), [
    { id: 'answer', where: 'answer', place: 'r1', line: 'use the FouRIER "transform"' },
  ]);
  assert.deepEqual(await search('  STRASSE '), []);
  assert.deepEqual(await search('STRAßE'), [
    { id: 'question', where: 'question', place: 'r1', line: 'a İstanbul straße?' },
  ]);
  assert.deepEqual(await search('pi * r'), [{ id: 'code', where: 'code', place: 'r1', line: 'return PI * r * r' }]);
  assert.deepEqual(await search('area.PY'), [{ id: 'code', where: 'code', place: 'r1', line: 'src/area.py' }]);
});

test('finds nothing in field names, reasoning or broken lines', async () => {
  for (const words of ['replyId', 'contexts', 'thought', 'not json', '', '   ']) {
    assert.deepEqual(await search(words), [], words);
  }
});

test('shows the part of a long line that contains the match, without half a surrogate pair', async () => {
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

test('ends when its signal is aborted', async () => {
  const abort = new AbortController();
  const found: string[] = [];
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

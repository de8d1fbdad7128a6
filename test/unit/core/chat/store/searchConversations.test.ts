import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ConversationEvent } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { findText } from '../../../../../src/core/chat/store/searchConversations.ts';
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

const search = (words: string) =>
  Object.entries(files).flatMap(([id, file]) => {
    const hit = findText(id, file, words.trim().toLowerCase());
    return hit ? [{ id, ...hit }] : [];
  });

test('finds words in questions, code and answers, regardless of case and of how deltas split them', () => {
  assert.deepEqual(search('fourier "Trans'), [
    { id: 'answer', where: 'answer', place: 'r1', line: 'use the FouRIER "transform"' },
  ]);
  assert.deepEqual(search('  STRASSE '), []);
  assert.deepEqual(search('STRAßE'), [{ id: 'question', where: 'question', place: 'r1', line: 'a İstanbul straße?' }]);
  assert.deepEqual(search('pi * r'), [{ id: 'code', where: 'code', place: 'r1', line: 'return PI * r * r' }]);
  assert.deepEqual(search('area.PY'), [{ id: 'code', where: 'code', place: 'r1', line: 'src/area.py' }]);
});

test('finds words as the panel shows them, across the marks of bold text and code (marktext/marktext#1728)', () => {
  files.marked = fileOf({
    type: 'turn',
    id: 'r1',
    question: 'The **brain** research: **注意**：`a * b`',
    contexts: [],
  });
  for (const words of ['the brain research', '注意：a * b', '**brain** res', 'a * b']) {
    assert.deepEqual(
      search(words).map(({ id }) => id),
      ['marked'],
      words,
    );
  }
  delete files.marked;
  assert.deepEqual(search('**'), []);
});

test('finds words written without their accents, and Japanese only with its marks (gammons/slk#14, verygoodplugins/whatsapp-mcp#197)', () => {
  files.accents = fileOf({
    type: 'turn',
    id: 'r1',
    question: 'À la réunion: cà phê Việt e\u0301te\u0301 ガラス 한글',
    contexts: [],
  });
  for (const words of ['reunion', 'réunion: CÀ', 'ca phe viet', 'été', 'ガラス', '한글']) {
    assert.deepEqual(
      search(words).map(({ id }) => id),
      ['accents'],
      words,
    );
  }
  assert.deepEqual(search('カラス'), []);
  delete files.accents;
});

test('finds nothing in field names, reasoning or broken lines', () => {
  for (const words of ['replyId', 'contexts', 'thought', 'not json']) {
    assert.deepEqual(search(words), [], words);
  }
});

test('shows the part of a long line that contains the match, without half a surrogate pair', () => {
  files.long = fileOf({
    type: 'turn',
    id: 'r1',
    question: `${'😀'.repeat(100)} needle ${'😀'.repeat(200)}`,
    contexts: [],
  });
  const [hit] = search('needle');
  delete files.long;
  assert.match(hit?.line ?? '', /^…(?:😀)+ needle (?:😀)+…$/u);
  assert.ok((hit?.line.length ?? 0) <= 162);
});

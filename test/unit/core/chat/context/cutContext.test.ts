import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cutTo } from '../../../../../src/core/chat/context/cutContext.ts';
import { type CodeContext, userMessage } from '../../../../../src/core/chat/context/prompt.ts';

function fileOf(lines: readonly string[], facts: Partial<CodeContext> = {}): CodeContext {
  const text = `${lines.join('\n')}\n`;
  return {
    kind: 'file',
    id: 'f',
    path: 'src/cart.ts',
    languageId: 'typescript',
    startLine: 1,
    endLine: lines.length,
    text,
    ...facts,
  };
}

test('names the lines of a part of a selection and of pasted code', () => {
  const lines = { startLine: 10, endLine: 12 };
  const heading = (facts: Partial<CodeContext>) =>
    userMessage('', [cutTo(fileOf(Array(40).fill('x'), facts), lines)])
      .trim()
      .split('\n')[0];
  assert.equal(heading({ kind: 'selection', startLine: 5, endLine: 44 }), 'From `src/cart.ts`, lines 10–12 of 5–44:');
  assert.equal(heading({ kind: 'pasted', path: '' }), 'Pasted code, lines 10–12 of 40:');
  assert.match(heading({ kind: 'instructions' }) ?? '', /from the file `src\/cart\.ts`, lines 10–12 of 40:$/);
});

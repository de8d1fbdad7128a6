import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contextTokens, cutTo, fittingLines } from '../../../../../src/core/chat/context/cutContext.ts';
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

/** Functions of six lines with a blank line after each. */
const functions = fileOf(
  Array.from({ length: 300 }, (_, index) => [
    `export function total${index}(lines: Line[]): number {`,
    '  let sum = 0;',
    '  for (const line of lines) {',
    '    sum += line.amount;',
    '  }',
    '  return sum; }',
    '',
  ]).flat(),
);

test('cuts a file to as much as fits, and says which lines are sent', () => {
  const lines = fittingLines(functions, 2_000);
  assert.ok(lines);
  const part = cutTo(functions, lines);
  assert.ok(contextTokens(part) <= 2_000);
  assert.ok(contextTokens(part) > 1_850, 'and sends about as much as fits');
  assert.equal(lines.startLine, 1);
  assert.ok(functions.text.startsWith(part.text));
  assert.match(
    userMessage('Why?', [part]),
    new RegExp(`^Why\\?\n\nFrom \`src/cart.ts\`, lines 1–${lines.endLine} of 2100:`),
  );
});

test('cuts around lines that the question also includes', () => {
  const lines = fittingLines(functions, 2_000, { startLine: 1_000, endLine: 1_010 });
  assert.ok(lines);
  assert.ok(lines.startLine <= 1_000 && lines.endLine >= 1_010);
  assert.ok(contextTokens(cutTo(functions, lines)) <= 2_000);
});

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

test('leaves out what is not lines of a file, and what would be cut to a few lines', () => {
  assert.equal(fittingLines({ ...functions, kind: 'changes' }, 2_000), undefined);
  assert.equal(fittingLines(functions, 60), undefined);
  assert.equal(fittingLines(fileOf(['x'.repeat(400_000)]), 2_000), undefined);
});

test('sends whole lines in their order, within the limit, whatever the file and the lines around which it is cut', () => {
  const line = fc.oneof(
    fc.constant(''),
    fc.constant('  }'),
    fc.string({ maxLength: 40 }).map((text) => text.replace(/[\r\n]/g, '')),
  );
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 200 }),
      fc.integer({ min: 1, max: 2_000 }),
      fc.integer({ min: 1, max: 1_000 }),
      fc.option(fc.tuple(fc.nat(199), fc.nat(20)), { nil: undefined }),
      (lines, maxTokens, startLine, around) => {
        const file = fileOf(lines, { startLine, endLine: startLine + lines.length - 1 });
        const first = startLine + Math.min(around?.[0] ?? 0, lines.length - 1);
        const near = around && { startLine: first, endLine: Math.min(first + around[1], file.endLine) };
        const found = fittingLines(file, maxTokens, near);
        if (found === undefined) {
          return;
        }
        assert.ok(
          found.startLine >= file.startLine && found.endLine <= file.endLine && found.startLine <= found.endLine,
        );
        const part = cutTo(file, found);
        const expected = lines.slice(found.startLine - startLine, found.endLine - startLine + 1);
        assert.equal(part.text, `${expected.join('\n')}\n`);
        assert.ok(contextTokens(part) <= maxTokens);
      },
    ),
  );
});

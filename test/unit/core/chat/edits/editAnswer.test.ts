import assert from 'node:assert/strict';
import { test } from 'node:test';
import { linesOf, wholeLines } from '../../../../../src/core/chat/edits/codeTarget.ts';
import {
  editQuestion,
  findLines,
  fitEdit,
  onlyBlock,
  readEdit,
} from '../../../../../src/core/chat/edits/editAnswer.ts';
import { withCode } from '../../../../../src/core/chat/edits/fitCode.ts';

const typescript = { languageId: 'typescript', path: 'src/a.ts' };
/** The file after an edit of its lines from `start` to `end`, both included and from 0. */
function afterEdit(file: string, start: number, end: number, answer: string): string {
  const lines = linesOf(file);
  const text = lines.slice(start, end + 1).join('\n');
  const read = readEdit(answer, { text, ...typescript });
  if ('reason' in read) {
    return read.reason;
  }
  const change = fitEdit(file, wholeLines(lines, start, end), read.code, text);
  return change ? withCode(file, change.place, change.code) : 'changes other lines';
}

test('puts exactly the new lines in the place of the old ones, whatever is around the code in the answer, also after the file has changed', () => {
  const [before, after] = [
    ['# first line', '', 'def area(r):'],
    ['    return 0', '', 'last line', ''],
  ];
  const old = ['    if r > 0:', '        return 3.14 * r'];
  for (const wanted of [
    ['    if r > 0:', '        check(r)', '        return 3.14 * r'],
    ['    if r > 0:', '        return pi * r'],
    ['    if r > 0:'],
    ['        if r > 0:', '            return 3.14 * r'],
  ]) {
    for (const answer of [
      ['```', ...wanted, '```'],
      ['```python', ...wanted, '```', ''],
      ['Here is the new code:', '', '~~~~ python', ...wanted, '~~~~', '', 'It does what you asked for.'],
    ]) {
      for (const eol of ['\n', '\r\n']) {
        const text = old.join(eol);
        const file = [...before, ...old, ...after].join(eol);
        const read = readEdit(answer.join('\n'), { text, languageId: 'python', path: 'a.py' });
        assert.ok('code' in read, 'reason' in read ? read.reason : '');
        // The file got other lines above and below in the meantime.
        const more = ['# above', '# too'];
        const now = [...more, file, ...more].join(eol);
        const change = fitEdit(
          now,
          findLines(now, file, { text, startLine: 4, endLine: 5 }) ?? assert.fail(),
          read.code,
          text,
        );
        assert.ok(change);
        assert.equal(
          withCode(now, change.place, change.code),
          [...more, ...before, ...wanted, ...after, ...more].join(eol),
        );
      }
    }
  }
});

test('asks for the new text of the lines alone', () => {
  const code = { kind: 'selection', id: '1', startLine: 3, endLine: 9, text: 'a', ...typescript };
  assert.equal(
    editQuestion(' Use const. ', code),
    'Use const.\n\nAnswer with one code block that has only the new text for src/a.ts, lines 3–9: all of it, with its indentation. Leave nothing out, and write nothing else.',
  );
});

test('gives an answer without the indentation of the lines that indentation', () => {
  const file = 'class A {\n\tb() {\n\t\treturn 1;\n\t}\n}\n';
  const answer = '```ts\nb(): number {\n  return 2;\n}\n```';
  assert.equal(afterEdit(file, 1, 3, answer), 'class A {\n\tb(): number {\n\t\treturn 2;\n\t}\n}\n');
});

test('keeps the lines around as they are if the answer repeats them, and refuses an answer that changes them', () => {
  const file = 'function a() {\n  const x = 1;\n  return x;\n}\n\nfunction b() {}\n';
  const repeated = '```ts\nfunction a() {\n  const x = 2;\n  return x;\n}\n```';
  assert.equal(afterEdit(file, 1, 1, repeated), file.replace('x = 1', 'x = 2'));
  const changed = '```ts\nfunction a() {\n  const x = 2;\n  return x + 1;\n}\n```';
  assert.equal(afterEdit(file, 1, 1, changed), 'changes other lines');
});

test('removes the lines with their line break for an empty block, also at the end of the file', () => {
  assert.equal(afterEdit('a();\nb();\nc();', 1, 1, '```\n```'), 'a();\nc();');
  assert.equal(afterEdit('a();\nb();\nc();', 2, 2, '```\n\n```'), 'a();\nb();');
  assert.equal(afterEdit('a();', 0, 0, '```\n```'), '');
});

test('applies a diff and SEARCH/REPLACE only to the lines', () => {
  const file = 'let a = 1;\nlet b = 2;\nlet c = 3;\n';
  assert.equal(afterEdit(file, 0, 1, '```diff\n-let b = 2;\n+const b = 2;\n```'), file.replace('let b', 'const b'));
  assert.match(afterEdit(file, 0, 1, '```diff\n-let c = 3;\n+const c = 3;\n```'), /not found in src\/a\.ts/);
  const search = '```\n<<<<<<< SEARCH\nlet a = 1;\n=======\nconst a = 1;\n>>>>>>> REPLACE\n```';
  assert.equal(afterEdit(file, 0, 1, search), file.replace('let a', 'const a'));
});

test('refuses what is not all of the code: words, several blocks, an open block, and parts that are left out', () => {
  const file = 'let a = 1;\nlet b = 2;\n';
  assert.equal(afterEdit(file, 0, 1, 'I can only help with code.'), 'This answer has no code block.');
  assert.equal(
    afterEdit(file, 0, 1, '```\nlet a = 1;\n```\nor\n```\nlet a = 2;\n```'),
    "This answer has several code blocks, so it isn't clear which one to use.",
  );
  assert.equal(afterEdit(file, 0, 1, '```\nlet a = 1;\n'), 'The code block of this answer has no end.');
  assert.equal(
    afterEdit(file, 0, 1, '```\nlet a = 3;\n// ... existing code ...\n```'),
    'This answer leaves out code: "// ... existing code ...".',
  );
});

test('finds the end of a block of Markdown that has blocks of its own, and no end in indented code', () => {
  const markdown = '# Usage\n\n```js\nrun();\n```\n\n~~~\nout\n~~~';
  assert.deepEqual(onlyBlock(`\`\`\`markdown\n${markdown}\n\`\`\``), { fence: 'markdown', text: markdown, lead: '' });
  assert.deepEqual(onlyBlock('So:\n```py\n"""\n    ```\n"""\n```'), {
    fence: 'py',
    text: '"""\n    ```\n"""',
    lead: 'So:',
  });
});

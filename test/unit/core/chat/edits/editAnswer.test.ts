import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { linesOf, wholeLines } from '../../../../../src/core/chat/edits/codeTarget.ts';
import {
  editQuestion,
  findLines,
  fitEdit,
  onlyBlock,
  readEdit,
} from '../../../../../src/core/chat/edits/editAnswer.ts';
import { withCode } from '../../../../../src/core/chat/edits/fitCode.ts';
import '../../../propertyRuns.ts';

/** Code with a function at the top, nested lines and a second function. */
const languages = {
  typescript: [
    'function area(r: number) {',
    '\tconst pi = 3.14;',
    '\tif (r > 0) {',
    '\t\treturn pi * r * r;',
    '\t}',
    '}',
  ],
  python: ['def area(r):', '    pi = 3.14', '    if r > 0:', '        return pi * r * r', '    return 0'],
  go: [
    'func area(r float64) float64 {',
    '\tpi := 3.14',
    '\tif r > 0 {',
    '\t\treturn pi * r * r',
    '\t}',
    '\treturn 0',
    '}',
  ],
  rust: [
    'fn area(r: f64) -> f64 {',
    '    let pi = 3.14;',
    '    if r > 0.0 {',
    '        pi * r * r',
    '    } else { 0.0 }',
    '}',
  ],
  yaml: ['shapes:', '  circle:', '    pi: 3.14', '    radius: 2', '  square:', '    side: 4'],
};
const before = ['# first line', ''];
const after = ['', 'last line of the file', ''];

type Kind = 'insert' | 'replace' | 'delete' | 'indent';

/** What a model makes of some lines, with their indentation. */
function edited(kind: Kind, lines: readonly string[], at: number, step: string): string[] {
  const indent = /^[ \t]*/.exec(lines[at] ?? '')?.[0] ?? '';
  switch (kind) {
    case 'insert':
      return [...lines.slice(0, at), `${indent}inserted_${at} = call(${at});`, ...lines.slice(at)];
    case 'replace':
      return lines.map((line, index) => (index === at ? `${indent}replaced_${at} = call(${at});` : line));
    case 'delete':
      return lines.filter((_, index) => index !== at);
    case 'indent':
      return lines.map((line) => step + line);
    default:
      return kind satisfies never;
  }
}

test('puts exactly the new lines in the place of the old ones and changes nothing else, in five languages, also after the file has changed', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...(Object.keys(languages) as (keyof typeof languages)[])),
      fc.constantFrom<Kind>('insert', 'replace', 'delete', 'indent'),
      fc.constantFrom('\n', '\r\n'),
      fc.nat(5),
      fc.nat(5),
      fc.nat(5),
      fc.constantFrom<'asked' | 'fenced' | 'prose' | 'bare'>('asked', 'fenced', 'prose', 'bare'),
      fc.nat(3),
      (languageId, kind, eol, from, size, which, form, moved) => {
        const code = languages[languageId];
        const start = from % code.length;
        const selected = code.slice(start, start + 1 + (size % (code.length - start)));
        const wanted = edited(kind, selected, which % selected.length, code.join('').includes('\t') ? '\t' : '    ');
        const file = (body: readonly string[]) => [...before, ...body, ...after].join(eol);
        const old = file(code);
        const text = selected.join(eol);
        const answer = {
          asked: ['```', ...wanted, '```'],
          fenced: [`\`\`\`${languageId}`, ...wanted, '```', ''],
          prose: [
            'Here is the new code:',
            '',
            `~~~~ ${languageId}`,
            ...wanted,
            '~~~~',
            '',
            'It does what you asked for.',
          ],
          // Only code that has a line of the old one is known as code.
          bare: wanted.some((line) => /\w{2}/.test(line) && selected.some((each) => each.trim() === line.trim()))
            ? wanted
            : ['```', ...wanted, '```'],
        }[form].join('\n');
        const read = readEdit(answer, { text, languageId, path: 'a' });
        assert.ok('code' in read, 'reason' in read ? read.reason : '');
        // The file got other lines above and below in the meantime.
        const changed = Array.from({ length: moved }, (_, index) => `# above ${index}`);
        const now = [...changed, old, ...changed].join(eol);
        const lines = { text, startLine: before.length + start + 1, endLine: before.length + start + selected.length };
        const place = findLines(now, old, lines);
        if (place === undefined) {
          // Lines that are in several places are asked about.
          assert.ok(
            moved > 0 && selected.length === 1 && code.filter((line) => line.trim() === text.trim()).length > 1,
          );
          return;
        }
        const change = fitEdit(now, place, read.code, text);
        assert.ok(change);
        const expected = [
          ...changed,
          file([...code.slice(0, start), ...wanted, ...code.slice(start + selected.length)]),
          ...changed,
        ].join(eol);
        assert.equal(withCode(now, change.place, change.code), expected);
      },
    ),
    { numRuns: 200 },
  );
});

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

test('finds the lines right around that an answer repeats (can1357/oh-my-pi#1664)', () => {
  const vue = '<template/>\n<script setup>\nlet a = 1\n</script>\n';
  assert.equal(
    afterEdit(vue, 2, 2, '```vue\n<script setup>\nlet a = 2\n</script>\n```'),
    vue.replace('a = 1', 'a = 2'),
  );
  const script = 'func a():\n\tx()\n\tb()\n\tz()\n';
  assert.equal(afterEdit(script, 1, 1, '```\nfunc a():\n\ty()\n\tb()\n```'), script.replace('x', 'y'));
  const nested = 'if a {\n  if b {\n    c()\n  }\n  d()\n}\n';
  const all = nested.replace('c()', 'e()');
  assert.equal(afterEdit(nested, 1, 2, `\`\`\`\n${all}\`\`\``), all);
});

test('finds the comment and the decorators right above that an answer repeats (can1357/oh-my-pi#1090)', () => {
  const python = 'class A:\n\t@a\n\t@b(1)\n\tdef c(self):\n\t\tx()\n\n\tdef d(self):\n\t\ty()\n';
  const answer = '```python\n\t@a\n\t@b(1)\n\tdef c(self):\n\t\tz()\n```';
  assert.equal(afterEdit(python, 3, 4, answer), python.replace('x', 'z'));
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { contextLine } from '../../../../../src/core/chat/context/contextText.ts';
import {
  enclosingSymbol,
  type OutlineSymbol,
  symbolWord,
} from '../../../../../src/core/chat/context/enclosingSymbol.ts';
import { problemLimit, problemList } from '../../../../../src/core/chat/context/problemList.ts';
import { type CodeContext, joinedFiles, newPieces, userMessage } from '../../../../../src/core/chat/context/prompt.ts';
import { readConversation } from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { codeTargets, contextsFor } from '../../../../../src/core/chat/edits/codeTarget.ts';
import { conversationMarkdown } from '../../../../../src/core/chat/store/conversationMarkdown.ts';
import { context, conversationOf, fileOf, reimported, replyOf } from '../conversation/storedFixture.ts';

const file: CodeContext = { ...context, id: 'x2', kind: 'file', startLine: 1, endLine: 9, text: 'PI = 3\n' };
const symbol: CodeContext = { ...context, id: 'x3', kind: 'symbol', name: 'area', symbol: 'function' };
const problems: CodeContext = {
  ...context,
  id: 'x4',
  kind: 'problems',
  text: 'line 3, error: no (py 5)',
  count: 1,
};
const changes: CodeContext = {
  ...context,
  id: 'x5',
  kind: 'changes',
  path: 'shop',
  languageId: 'diff',
  text: '+ `a`\n',
};
const folder: CodeContext = {
  ...context,
  id: 'x6',
  kind: 'folder',
  path: 'src',
  languageId: 'text',
  text: joinedFiles([
    { path: 'src/a.py', text: 'A = 1' },
    { path: 'src/b\n.py', text: 'B = 2\n' },
  ]),
  count: 2,
};
const pasted: CodeContext = { ...context, id: 'x9', kind: 'pasted', path: '', startLine: 1, endLine: 2, text: 'a\nb' };
const command: CodeContext = {
  ...context,
  id: 'x7',
  kind: 'terminal',
  path: '',
  languageId: 'plaintext',
  text: 'one failed',
  name: 'npm `test`\nnext',
  exitCode: 1,
};
const cell: CodeContext = { ...context, id: 'x8', kind: 'cell', path: 'a.ipynb', startLine: 1, cell: 3 };
const all = [context, file, symbol, problems, changes, folder, pasted, command, cell];

test('gives each piece of context a heading that names its kind', () => {
  const headings = userMessage('Q', all).match(/^(?:From|The|Problems|Pasted|Cell)\b.*$/gm);
  assert.deepEqual(headings, [
    'From `src/area.py`, lines 3–5:',
    'The whole file `src/area.py`:',
    'The function `area` in `src/area.py`, lines 3–5:',
    'Problems that the editor reports in `src/area.py`, lines 3–5:',
    'The uncommitted changes in `shop`:',
    'The files of the folder `src`, each after a line with its path:',
    'Pasted code:',
    'The terminal command `` npm `test` next `` (exit code 1) and its output:',
    'Cell 3 of the notebook `a.ipynb`:',
  ]);
  assert.ok(userMessage('Q', [command]).endsWith('\n```text\none failed\n```'));
  for (const [facts, heading] of [
    [{ exitCode: undefined }, '(exit code unknown) and its output:'],
    [
      { exitCode: undefined, isRunning: true, cut: 9 },
      '(still running) and its output so far, without the first 9 characters:',
    ],
    [{ text: '' }, '(exit code 1) and its output, of which nothing was recorded:'],
  ] as const) {
    assert.equal(
      userMessage('Q', [{ ...command, name: 'x', ...facts }]).split('\n')[2],
      `The terminal command \`x\` ${heading}`,
    );
  }
  assert.ok(userMessage('Q', [folder]).endsWith('\n```text\n=== src/a.py ===\nA = 1\n\n=== src/b .py ===\nB = 2\n```'));
  assert.ok(userMessage('Q', [changes]).endsWith('\n```diff\n+ `a`\n```'));
  assert.ok(userMessage('Q', [problems]).endsWith('\n```text\nline 3, error: no (py 5)\n```'));
  assert.match(userMessage('Q', [{ ...symbol, name: '', symbol: '' }]), /^The symbol in `src\/area\.py`/m);
});

const problem = (line: number, severity: number, message: string, source?: string, code?: string | number) => {
  return { range: { start: { line: line - 1 } }, severity, message, source, code };
};

test('lets no code, name, path, language or linter message close its fence and pass for the person’s text', () => {
  const hostile = fc
    .array(fc.constantFrom('`', '```', '````', '~~~', '\n', '\r\n', '\r', ' ', 'Ignore this.', '\u2028', '```ts\n'), {
      maxLength: 20,
    })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(
      hostile,
      hostile,
      fc.constantFrom('problems', 'symbol', 'file', 'folder', 'pasted', 'terminal', 'cell', 'later'),
      (words, name, kind) => {
        const text = kind === 'problems' ? problemList([problem(3, 0, words, name, words)]) : words;
        const message = userMessage('Q', [
          { ...context, kind, text, name, path: name, symbol: name, languageId: name },
        ]);
        const lines = message.split(/\r\n|\n|\r/);
        assert.equal(lines[0], 'Q');
        const at = lines.findIndex((line) => /^`{3,}[^`\s]*$/.test(line));
        assert.equal(at, 3, 'the heading before the fence is a single line');
        const fence = /^`+/.exec(lines[at] ?? '')?.[0] ?? '';
        const closing = lines.findIndex(
          (line, index) => index > at && /^ {0,3}`+[ \t]*$/.test(line) && line.trim().length >= fence.length,
        );
        assert.equal(closing, lines.length - 1);
        const end = text.endsWith('\n') ? '' : '\n';
        assert.ok(message.endsWith(`${lines[at]}\n${text}${end}${fence}`), 'the fence contains exactly the text');
      },
    ),
  );
});

test('lists problems by line and severity, on one line each, and counts those over the limit', () => {
  assert.equal(
    problemList([problem(9, 1, 'b'), problem(2, 3, 'c', 'ts', 6133), problem(2, 0, ' two\n  lines\u2028 ', 'eslint')]),
    'line 2, error: two lines (eslint)\nline 2, hint: c (ts 6133)\nline 9, warning: b',
  );
  const many = problemList(
    Array.from({ length: problemLimit + 3 }, (_, at) => problem(at + 1, 2, 'x'.repeat(2_000))),
  ).split('\n');
  assert.equal(many.length, problemLimit + 1);
  assert.equal(many.at(-1), 'and 3 more');
  assert.equal(many[0], `line 1, info: ${'x'.repeat(1_000)}…`);
});

test('names a piece of context by its file, or else by its command', () => {
  const terminal = { ...context, kind: 'terminal', path: '', startLine: 1, endLine: 20 };
  assert.equal(contextLine(file), 'src/area.py, lines 1–9');
  assert.equal(contextLine({ ...terminal, name: 'npm test' }), 'npm test, lines 1–20');
  assert.equal(contextLine({ ...terminal, kind: 'pasted', endLine: 1 }), 'Context, line 1');
});

const at = (line: number, character = 0) => ({ line, character });
const range = (from: number, to: number) => ({ start: at(from), end: at(to, 1) });
const outline: OutlineSymbol[] = [
  {
    name: 'Cart',
    kind: 4,
    range: range(2, 20),
    children: [
      { name: 'total', kind: 5, range: range(5, 9), children: [{ name: 'sum', kind: 12, range: range(6, 6) }] },
      { name: 'rate', kind: 6, range: range(12, 12) },
      { name: 'options', kind: 6, range: range(14, 16) },
    ],
  },
  { name: 'later', kind: 12, range: range(22, 25) },
  { name: 'text', kind: 14, range: range(30, 33) },
];

test('finds the innermost function, class or similar symbol around a position', () => {
  for (const [line, name, word] of [
    [6, 'total', 'method'],
    [9, 'total', 'method'],
    [10, 'Cart', 'class'],
    [12, 'Cart', 'class'],
    [15, 'options', 'property'],
    [23, 'later', 'variable'],
    [21, undefined, undefined],
    [31, undefined, undefined],
  ] as const) {
    const found = enclosingSymbol(outline, at(line));
    assert.deepEqual([found?.name, found && symbolWord(found.kind)], [name, word], `line ${line}`);
  }
  assert.equal(enclosingSymbol(outline, at(9, 2))?.name, 'Cart', 'after the last character');
  assert.equal(enclosingSymbol([], at(0)), undefined);
});

test('detects contexts with the same content, even if their kinds differ', () => {
  assert.deepEqual(newPieces([context, file], [{ ...symbol, text: context.text }]), [file]);
  assert.deepEqual(newPieces([context], [file]), [context]);
  assert.equal(newPieces([{ ...problems, text: 'x' }], [{ ...context, text: 'x' }]).length, 1);
  assert.deepEqual(newPieces([context, { ...symbol, id: 'x9' }], []), [context], 'two that are added together');
  assert.equal(newPieces([{ ...command, name: 'other' }], [command]).length, 1, 'two commands that print the same');
});

test('lets answers replace code, but not problems', () => {
  const turn = (id: string, ...contexts: CodeContext[]) => ({ id, question: '', contexts, replies: [] });
  const turns = [turn('1', file, problems), turn('2', problems), turn('3')];
  for (const id of ['1', '2', '3']) {
    assert.deepEqual(contextsFor(turns, id), [file], id);
  }
  assert.deepEqual(contextsFor([turn('1', problems)], '1'), []);
  assert.deepEqual(codeTargets([symbol, file], 'area.py'), [symbol, file]);
});

test('preserves every kind on disk and in an export, including one from a later version', () => {
  const later = { ...context, id: 'x5', kind: 'diff', text: '+ a', base: 'HEAD', hunks: [1, 2] };
  const contexts = [...all, later];
  const { conversation, unreadLines } = readConversation(
    'c1',
    fileOf({ type: 'turn', id: 't', question: 'Why?', contexts }, { type: 'draft', text: 'x', contexts }),
  );
  assert.equal(unreadLines, 0);
  assert.deepEqual(conversation.turns[0]?.contexts, contexts);
  assert.deepEqual(conversation.draft.contexts, contexts);
  const answered = { id: 't', question: 'Why?', contexts, replies: [replyOf()] };
  const again = reimported(conversationOf({ turns: [answered] }));
  assert.deepEqual(again.turns[0]?.contexts, contexts);
  const markdown = conversationMarkdown(conversationOf({ turns: [answered] }));
  assert.match(markdown, /^The function `area` in `src\/area\.py`, lines 3–5:$/m);
  assert.match(markdown, /^```text\nline 3, error: no \(py 5\)\n```$/m);
  assert.match(markdown, /^From `src\/area\.py`, lines 3–5:\n```python\n\+ a\n```$/m);
});

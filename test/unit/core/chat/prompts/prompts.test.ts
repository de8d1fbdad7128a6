import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { shortLine } from '../../../../../src/core/base/shortLine.ts';
import {
  builtInPrompts,
  filledPrompt,
  isPromptName,
  mergedPrompts,
  promptLimit,
  promptVariables,
  written,
} from '../../../../../src/core/chat/prompts/namedPrompt.ts';
import { promptFolder, promptsOfSetting, readPromptFile } from '../../../../../src/core/chat/prompts/promptFile.ts';

const [selection, file] = [written('selection'), written('file')];
const input = (inner: string) => `$\{input:${inner}}`;
const unknown = `\${workspaceFolder}`;

test('finds each variable of a prompt once, in the order of the text', () => {
  const text = `${file} ${selection} ${input('why')} ${input('why: Say: why')} ${file} ${unknown} $ {x} \${a\nb}`;
  assert.deepEqual(promptVariables(text), [
    { kind: 'file', raw: file },
    { kind: 'selection', raw: selection },
    { kind: 'input', raw: input('why'), name: 'why', placeholder: '' },
    { kind: 'input', raw: input('why: Say: why'), name: 'why', placeholder: 'Say: why' },
    { kind: 'unknown', raw: unknown },
  ]);
});

test('never replaces a variable inside a value, and leaves all other text as it is', () => {
  const part = fc.oneof(fc.constantFrom(selection, file, input('a'), '$', '{', '}', '$&', '$1', '\n'), fc.string());
  fc.assert(
    fc.property(fc.array(part), fc.array(part), (before, after) => {
      const value = `${selection}${file}${after.join('')}$&`;
      const text = before.join('').replaceAll('{', '(');
      assert.equal(filledPrompt(`${text}${selection}${text}`, new Map([[selection, value]])), `${text}${value}${text}`);
    }),
  );
  fc.assert(
    fc.property(fc.array(part), (parts) => {
      const text = parts.join('');
      assert.equal(filledPrompt(text, new Map()), text);
      assert.equal(filledPrompt(text, new Map(promptVariables(text).map(({ raw }) => [raw, raw]))), text);
    }),
  );
});

test('has built-in prompts with names that can be typed and with variables that are known', () => {
  const names = [
    'explain',
    'fix',
    'tests',
    'document',
    'improve',
    'review',
    'review-changes',
    'explain-changes',
    'commit',
  ];
  for (const hasProblems of [true, false]) {
    const prompts = builtInPrompts(hasProblems);
    assert.deepEqual(
      prompts.map(({ name }) => name),
      names,
    );
    assert.ok(
      prompts.every(({ name, description }) => isPromptName(name) && shortLine(description, 120) === description),
    );
    const kinds = prompts.map(({ text }) => promptVariables(text).map(({ kind }) => kind));
    assert.deepEqual(kinds, [
      ['selection'],
      hasProblems ? ['selection', 'problems'] : ['selection'],
      ['selection', 'language'],
      ['selection', 'language'],
      ['selection'],
      ['selection'],
      ['changes'],
      ['changes'],
      ['changes'],
    ]);
  }
});

test('reads a prompt file as VS Code writes it', () => {
  const content = [
    '---',
    "description: 'Ask: why' # a comment",
    'name: "why-so"',
    'mode: agent',
    'tools:',
    '  - search',
    'model: gpt # x',
    'a line that is no entry',
    '---',
    '',
    `Why ${selection}?`,
    '---',
    'And how?',
    '',
  ];
  for (const end of ['\n', '\r\n']) {
    assert.deepEqual(readPromptFile('x.prompt.md', content.join(end)), {
      name: 'why-so',
      description: 'Ask: why',
      text: `Why ${selection}?\n---\nAnd how?`,
    });
  }
});

test('reads a prompt file without a head, with an open one, and with a name that cannot be typed', () => {
  const texts: readonly (readonly [string, string])[] = [
    ['Why?\nSo?', 'Why?…'],
    ['---\nname: x\nWhy?', '---…'],
    ['---\nname: a b/c\ndescription: |\n  lines\n---\nWhy?', 'Why?'],
    ['---\n---\nWhy?', 'Why?'],
    ['---\ndescription: # nothing\n---\nWhy?', 'Why?'],
  ];
  for (const [content, description] of texts) {
    const prompt = readPromptFile('ask me.prompt.md', content);
    assert.deepEqual([prompt?.name, prompt?.description], ['ask-me', description], content);
  }
  for (const content of ['', ' \n', '---\nname: x\n---\n \n', '---\nname: x\n---']) {
    assert.equal(readPromptFile('x.prompt.md', content), undefined, content);
  }
  assert.equal(readPromptFile('.prompt.md', 'Why?'), undefined);
});

test('reads any text as a prompt file without losing any of a text that has no head', () => {
  const line = fc.oneof(fc.constantFrom('---', 'name: a', 'tools: [', '"', ': :', '\r'), fc.string());
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const content = lines.join('\n');
      const prompt = readPromptFile('a.prompt.md', content);
      if (prompt !== undefined) {
        assert.ok(isPromptName(prompt.name));
        assert.equal(prompt.text, prompt.text.trim());
        if (!content.startsWith('---')) {
          assert.equal(prompt.text, content.trim().replaceAll('\r\n', '\n'));
        }
      }
    }),
  );
});

test('takes only full paths and those in the home folder for the folder of prompt files', () => {
  for (const [path, folder] of [
    ['/a/b', '/a/b'],
    ['C:\\a', 'C:\\a'],
    ['c:/a', 'c:/a'],
    ['\\\\server\\a', '\\\\server\\a'],
    ['~', '/home/me/'],
    ['~/a b/c', '/home/me/a b/c'],
    ['~\\a', '/home/me/a'],
    ['~other/a', undefined],
    ['a/b', undefined],
    ['./a', undefined],
    ['../a', undefined],
    ['', undefined],
  ] as const) {
    assert.equal(promptFolder(path, '/home/me'), folder, path);
  }
});

test('reads prompts from the setting, and leaves out what is none', () => {
  const prompts = promptsOfSetting({
    why: ' Why?\nSo? ',
    how: { prompt: 'How?', description: 'Asks how' },
    'a b': 'x',
    empty: ' ',
    number: 5,
    other: { prompts: 'x' },
    long: 'x'.repeat(promptLimit + 1),
    none: null,
  });
  assert.deepEqual(prompts, [
    { name: 'why', description: 'Why?…', text: 'Why?\nSo?' },
    { name: 'how', description: 'Asks how', text: 'How?' },
  ]);
  assert.deepEqual(promptsOfSetting(undefined), []);
  assert.deepEqual(promptsOfSetting(['x']), []);
});

test('replaces a built-in prompt with an own one of the same name', () => {
  const own = { name: 'fix', description: 'Mine', text: 'Fix it.' };
  const merged = mergedPrompts(builtInPrompts(false), [own, { ...own, name: 'new' }]);
  assert.equal(merged.length, 10);
  assert.deepEqual(merged[1], own);
  assert.equal(merged.at(-1)?.name, 'new');
});

test('cuts a long first line without breaking a character', () => {
  assert.equal(shortLine(`\n${'😀'.repeat(100)}\nx`, 120), `${'😀'.repeat(60)}…`);
  assert.equal(shortLine(`a${'😀'.repeat(100)}`, 120), `a${'😀'.repeat(59)}…`);
});

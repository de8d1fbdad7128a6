import assert from 'node:assert/strict';
import { test } from 'node:test';
import hljs from 'highlight.js/lib/common';
import { highlight } from '../../../../src/webview/code/highlight.ts';
import { languageName, languageWords } from '../../../../src/webview/code/languages.ts';

const odd = 'a <b> "c\n/* d $\u007Be} \'f\' `g` # h */ -- i\n@j 1.5e3 {k: "l\\n"}\n<?php $x ?> \u{1F600}\u0000\n';

test('keeps every character of the code, in every language', () => {
  for (const language of hljs.listLanguages()) {
    for (const code of [
      odd,
      '',
      '\n\n',
      '}}}',
      '"""',
      '/*',
      '<script>let a = 1;</script><style>a{color:red}</style>',
    ]) {
      const { runs } = highlight(code, language);
      assert.equal(runs.map((run) => run.text).join(''), code, language);
    }
  }
});

test('distinguishes keywords, strings and comments', () => {
  const { runs } = highlight('const a = "x"; // y', 'ts');
  assert.deepEqual(runs, [
    { text: 'const', token: 'keyword' },
    { text: ' a = ', token: undefined },
    { text: '"x"', token: 'string' },
    { text: '; ', token: undefined },
    { text: '// y', token: 'comment' },
  ]);
});

test('highlights a language inside another one', () => {
  const { runs } = highlight('<style>a { color: red }</style>', 'html');
  assert.ok(runs.some((run) => run.token === 'property' && run.text === 'color'));
});

test('reports when code ends inside a comment or a string, because the code after it belongs to it', () => {
  assert.equal(highlight('let a = 1;\n', 'js').isWhole, true);
  assert.equal(highlight('let a = `one\n', 'js').isWhole, false);
  assert.equal(highlight('/* one\n', 'c').isWhole, false);
});

test('knows languages by the names people and models use (sourcegraph/cody#5564, openai/codex#42221, chatboxai/chatbox#1474, github/pages-gem#223)', () => {
  const names = [
    'ts',
    'tsx',
    'js',
    'py',
    'c++',
    'cs',
    'sh',
    'ps1',
    'yml',
    'html',
    'golang',
    'rs',
    'kt',
    'docker',
    'console',
    'dart',
    'objective-c',
    'vue',
  ];
  assert.deepEqual(
    names.filter((name) => languageName(name) === undefined),
    [],
  );
  assert.equal(languageName('typescript'), 'TypeScript');
  assert.equal(languageName('html'), 'HTML');
  assert.equal(languageName('klingon'), undefined);
  assert.equal(languageName('constructor'), undefined);
});

test('has exactly the names and aliases of its grammars, and two more, apart from those of plain text and of sessions', () => {
  const named = hljs.listLanguages().filter((name) => !/^(?:plaintext|php-template|python-repl)$/.test(name));
  const words = named.flatMap((name) => [name, ...(hljs.getLanguage(name)?.aliases ?? [])]);
  assert.deepEqual([...languageWords].sort(), [...new Set([...words, 'objective-c', 'vue'])].sort());
});

test('does not highlight code that a grammar would need seconds for', () => {
  const slow: [string, string][] = [
    ['java', '$'.repeat(10_000)],
    ['ini', 'a'.repeat(10_000)],
    ['csharp', 'int a\n'.repeat(2_000)],
    ['csharp', `class A {\n${'public a '.repeat(1_000)}`],
    ['cpp', `${'a'.repeat(299)}\n`.repeat(30)],
    ['json', `{"a": "${'x'.repeat(400)}"}`],
  ];
  for (const [language, code] of slow) {
    assert.deepEqual(highlight(code, language), { runs: [{ text: code, token: undefined }], isWhole: true }, language);
  }
  const wide = `const list = [${'1, '.repeat(90)}];\n`;
  assert.ok(wide.length < 300 && highlight(wide.repeat(20), 'javascript').runs.length > 100);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { contextPlaces } from '../../../../../src/core/chat/context/contextPath.ts';
import { applyHunks } from '../../../../../src/core/chat/edits/applyHunks.ts';
import { codeTargets, contextsFor, lineBefore, linesOf } from '../../../../../src/core/chat/edits/codeTarget.ts';
import { fitCode, withCode } from '../../../../../src/core/chat/edits/fitCode.ts';
import { findCode, locateCode, locateInFile } from '../../../../../src/core/chat/edits/locateCode.ts';
import { findOmission } from '../../../../../src/core/chat/edits/omission.ts';
import { namedPath } from '../../../../../src/core/chat/edits/readBlock.ts';
import { leastCpuMs } from '../../base/cpuMs.ts';

/** The lines of a place, from 1, with its columns when it is not whole lines. */
function placeText(file: string, place: ReturnType<typeof findCode>): string | undefined {
  if (place === undefined) {
    return undefined;
  }
  const { startLine, startCharacter, endLine, endCharacter } = place;
  const isWhole = startCharacter === 0 && endCharacter === linesOf(file)[endLine]?.length;
  return isWhole
    ? `${startLine + 1}-${endLine + 1}`
    : `${startLine + 1}:${startCharacter}-${endLine + 1}:${endCharacter}`;
}

const file = `import { round } from './round';

export function net(lines) {
  let sum = 0;
  for (const line of lines) {
    sum += line.price;
  }
  return round(sum);
}

export function gross(lines) {
  let sum = 0;
  for (const line of lines) {
    sum += line.price * line.tax;
  }
  return round(sum);
}
`;

for (const [title, changed, text, startLine, place] of [
  ['where it was', file, '  let sum = 0;', 4, '4-4'],
  ['the nearest of two, below', file, '  let sum = 0;', 11, '12-12'],
  ['the nearest of two, above', file, '  let sum = 0;', 6, '4-4'],
  ['the upper of two equally near', 'a\nx\nb\nx\nc', 'x', 3, '2-2'],
  ['moved down', `\n\n\n${file}`, 'export function net(lines) {\n  let sum = 0;', 3, '6-7'],
  ['moved up', file.split('\n').slice(2).join('\n'), 'export function gross(lines) {\n', 11, '9-9'],
  [
    'with another indentation',
    file.replaceAll('  ', '\t'),
    '  for (const line of lines) {\n    sum += line.price;\n  }',
    5,
    '5-7',
  ],
  ['with other line breaks', file.replaceAll('\n', '\r\n'), '  }\n  return round(sum);\n', 7, '7-8'],
  ['selected after its indentation', file, 'let sum = 0;\n  for', 4, '4:0-5:5'],
  ['a word in a line', file, 'line.price', 14, '14:11-14:21'],
  [
    'the trimmed one nearest to the old place',
    'if (a) {\n  b();\n}\n\nif (a) {\n  b();\n}',
    '\tif (a) {\n\t\tb();\n\t}',
    5,
    '5-7',
  ],
  ['with blank lines around it', file, '\n\nexport function net(lines) {\n', 2, '3-3'],
  [
    'not when a word of it was changed',
    file.replaceAll('round(sum)', 'ceil(sum)'),
    '  }\n  return round(sum);\n',
    7,
    undefined,
  ],
  ['not when it is gone', 'nothing', 'let sum = 0;', 4, undefined],
  ['not when it is blank', file, ' \n\t\n', 2, undefined],
  ['not in an empty file', '', 'x', 1, undefined],
] as const) {
  test(`finds selected code: ${title}`, () => {
    assert.equal(placeText(changed, findCode(changed, { text, startLine })), place);
  });
}

const place = (startLine: number, startCharacter: number, endLine: number, endCharacter: number) => ({
  startLine,
  startCharacter,
  endLine,
  endCharacter,
});
const selected = (from: number, to: number) => place(from - 1, 0, to - 1, linesOf(file)[to - 1]?.length ?? 0);

for (const [title, from, to, code, place] of [
  ['lines replace lines', 5, 7, 'const sum = total(lines);', '5-7'],
  ['a function replaces itself', 3, 9, 'export function net(lines) {\n  return 1;\n}', '3-9'],
  ['the function around the selected lines', 5, 7, 'export function net(lines) {\n  return 1;\n}', '3-9'],
  ['not a function that ends above them', 12, 14, 'export function net(lines) {\n  return 1;\n}', '12-14'],
  ['the whole file around them', 5, 7, file.replace('sum += line.price;', 'sum += line.price * line.count;'), '1-17'],
  ['one function of a whole file', 1, 17, 'export function gross(lines) {\n  return 2;\n}', '11-17'],
  [
    'two functions of a whole file',
    1,
    17,
    'export function net(lines) {\n  return 1;\n}\n\nexport function gross(lines) {\n  return 2;\n}',
    '3-17',
  ],
  [
    'a function and a new one after it',
    1,
    17,
    'export function net(lines) {\n  return 1;\n}\n\nfunction half() {\n  return 2;\n}',
    '3-9',
  ],
  ['a whole file replaces itself', 1, 17, file.replace('round(sum)', 'sum'), '1-17'],
  ['a function that begins in them and ends below', 3, 5, 'export function net(lines) {\n  return 1;\n}', '3-9'],
  ['a function that begins in them, but is not whole', 3, 5, 'export function net(lines) {\n  let sum = 1;', '3-5'],
  ['the selection, when nothing matches', 1, 17, 'print("hello")', '1-17'],
  ['the selection, when only a bracket matches', 5, 7, '}\n}', '5-7'],
  ['the selection, for empty code', 5, 7, '\n', '5-7'],
] as const) {
  test(`locates what the code replaces: ${title}`, () => {
    assert.equal(placeText(file, locateCode(file, selected(from, to), code)), place);
  });
}

test('locates code by its indentation in a language without brackets', () => {
  const python = 'import os\n\ndef a():\n    x = 1\n\n    return x\n\ndef b():\n    return 2\n';
  const place = { startLine: 5, startCharacter: 0, endLine: 5, endCharacter: 12 };
  assert.equal(placeText(python, locateCode(python, place, 'def a():\n    return 1\n')), '3-6');
});

test('locates the comment or decorator right above that code repeats (can1357/oh-my-pi#1090)', () => {
  const java =
    'class A {\n  /**\n   * B.\n   */\n  @C\n  int b() {\n    return 1;\n  }\n\n  int c() {\n    return 1;\n  }\n}\n';
  const above = '/**\n * B.\n */\n@C\n';
  const body = 'int b() {\n  return 2;\n}';
  const located = (from: number, to: number, code: string) => {
    const endCharacter = linesOf(java)[to - 1]?.length ?? 0;
    const selected = { startLine: from - 1, startCharacter: 0, endLine: to - 1, endCharacter };
    return placeText(java, locateCode(java, selected, code));
  };
  assert.equal(located(6, 8, above + body), '2-8');
  assert.equal(located(6, 8, `@C\n${body}`), '5-8');
  assert.equal(located(7, 7, above + body), '2-8');
  assert.equal(located(6, 8, above.replace('B.', 'D.') + body), '6-8');
  assert.equal(located(10, 12, `}\n\n${body}`), '10-12');
});

test('replaces only the selected part of a line', () => {
  const place = { startLine: 7, startCharacter: 9, endLine: 7, endCharacter: 19 };
  assert.deepEqual(locateCode(file, place, 'export function net(lines) {'), place);
});

const inner = 'class A {\n    run() {\n        go();\n    }\n}\n';
const run = place(1, 0, 3, 5);

for (const [title, text, at, code, asked, fitted] of [
  ['indents it more', inner, run, 'run() {\n    stop();\n}\n', '    run() {', '    run() {\n        stop();\n    }'],
  ['indents it less', 'a();\nb();\n', place(0, 0, 0, 4), '    c();\n      d();', 'a();', 'c();\n  d();'],
  ['leaves the right indentation as it is', inner, run, '    run() {\n    }', '    run() {', '    run() {\n    }'],
  [
    'adds the indentation of the first line, which the selection lacked too',
    inner,
    run,
    'run() {\n        stop();\n    }',
    'run() {\n        go();\n    }',
    '    run() {\n        stop();\n    }',
  ],
  [
    'indents all lines, although only the first line of the selection lacked it',
    inner,
    run,
    'run() {\n    stop();\n}',
    'run() {\n        go();\n    }',
    '    run() {\n        stop();\n    }',
  ],
  [
    'indents code that replaces two indented lines',
    'f() {\n    a = 1\n    b = 2\n}',
    place(1, 0, 2, 9),
    'if (c) {\n    a = 1\n}',
    '    a = 1\n    b = 2',
    '    if (c) {\n        a = 1\n    }',
  ],
  [
    'converts spaces to tabs',
    'class A {\n\trun() {\n\t\tgo();\n\t}\n}\n',
    place(1, 0, 3, 2),
    'run() {\n  if (x) {\n    go();\n  }\n}',
    '\trun() {',
    '\trun() {\n\t\tif (x) {\n\t\t\tgo();\n\t\t}\n\t}',
  ],
  [
    'spaces around a block comment become tabs',
    'class A {\n\trun() {\n\t\tgo();\n\t}\n}\n',
    place(1, 0, 3, 2),
    'run() {\n    /**\n     * Goes.\n     */\n    go();\n}',
    '\trun() {',
    '\trun() {\n\t\t/**\n\t\t * Goes.\n\t\t */\n\t\tgo();\n\t}',
  ],
  [
    'eight spaces become one tab, as the code of kernels has it (aws/amazon-q-developer-cli#3401)',
    'int f(void)\n{\n\treturn g();\n}\n',
    place(0, 0, 3, 1),
    'int f(void)\n{\n        if (r)\n                return -1;\n        return g();\n}',
    'int f(void)',
    'int f(void)\n{\n\tif (r)\n\t\treturn -1;\n\treturn g();\n}',
  ],
  ['converts tabs to spaces', inner, run, 'run() {\n\tgo();\n}', '    run() {', '    run() {\n        go();\n    }'],
  [
    'uses the line breaks of the file',
    inner.replaceAll('\n', '\r\n'),
    run,
    'run() {\n}\n',
    '    run() {',
    '    run() {\r\n    }',
  ],
  [
    'empties blank lines and removes those at the ends',
    inner,
    run,
    '\n\nrun() {\n  \n}\n\n',
    '    run() {',
    '    run() {\n\n    }',
  ],
  [
    'indents code in the middle of a line',
    '    x = f(a);\n',
    place(0, 8, 0, 12),
    'g(\n  a,\n)',
    'f(a)',
    'g(\n      a,\n    )',
  ],
  ['accepts empty code', inner, run, '\n', '    run() {', ''],
] as const) {
  test(`adapts code to its place: ${title}`, () => {
    assert.equal(fitCode(text, at, code, asked), fitted);
  });
}

test('changes nothing when code replaces itself', () => {
  for (const text of [file, file.replaceAll('\n', '\r\n'), inner, inner.replaceAll('    ', '\t')]) {
    const lines = linesOf(text);
    for (const [start, line] of lines.entries()) {
      for (let end = start; end < lines.length; end++) {
        const taken = lines.slice(start, end + 1).join('\n');
        if (line.trim() === '' || (lines[end] ?? '').trim() === '') {
          continue;
        }
        const at = place(start, 0, end, lines[end]?.length ?? 0);
        assert.equal(withCode(text, at, fitCode(text, at, taken, taken)), text, `${start}-${end}`);
      }
    }
  }
});

test('puts code into a part of a line, and at the end of a file without a final line break', () => {
  assert.equal(withCode('a b c\r\nd', place(0, 2, 0, 3), 'x'), 'a x c\r\nd');
  assert.equal(withCode('a\r\nd', place(1, 0, 1, 1), 'x'), 'a\r\nx');
});

test('searches for a file only inside the workspace folders', () => {
  const [app, api, web] = [{ name: 'app' }, { name: 'api' }, { name: 'web' }];
  assert.deepEqual(contextPlaces('src/a.ts', [app]), [{ folder: app, path: 'src/a.ts' }]);
  assert.deepEqual(contextPlaces('web/src/a.ts', [api, web]), [
    { folder: web, path: 'src/a.ts' },
    { folder: api, path: 'web/src/a.ts' },
    { folder: web, path: 'web/src/a.ts' },
  ]);
  assert.deepEqual(contextPlaces('src/a.ts', [api, web], 'web/b.ts'), [
    { folder: web, path: 'src/a.ts' },
    { folder: api, path: 'src/a.ts' },
  ]);
  assert.deepEqual(contextPlaces('src/a.ts', []), []);
  assert.deepEqual(contextPlaces('..a/b..ts', [app]), [{ folder: app, path: '..a/b..ts' }]);
  for (const path of [
    '',
    '/etc/passwd',
    '../a.ts',
    'src/../../a.ts',
    'src/..',
    './a.ts',
    'src//a.ts',
    'src/',
    'C:/a.ts',
    'c:a.ts',
    'file:a',
    'vscode-userdata:/a',
    '..\\a.ts',
    '\\\\host\\share',
    'a\0b',
    'a\nb',
  ]) {
    assert.deepEqual(contextPlaces(path, [app, { name: 'src' }]), [], path);
  }
});

test('a code block may replace the code of the file that it names, by the whole path or its end', () => {
  const code = (path: string) => ({ path, languageId: 'typescript', startLine: 1, endLine: 2, text: 'x' });
  const all = [code('src/a.ts'), code('src/b.ts'), code('web/src/a.ts')];
  const paths = (named: string) => codeTargets(all, named).map(({ path }) => path);
  assert.deepEqual(paths('src/b.ts'), ['src/b.ts']);
  assert.deepEqual(paths('b.ts'), ['src/b.ts']);
  assert.deepEqual(paths('a.ts'), ['src/a.ts', 'web/src/a.ts']);
  assert.deepEqual(paths('app/src/b.ts'), ['src/b.ts']);
  assert.deepEqual(paths('c.ts'), []);
});

for (const [title, code, place] of [
  ['a function', 'export function net(lines) {\n  return 1;\n}', '3-9'],
  ['a function with another signature', 'export function gross(lines, tax) {\n  return 1;\n}', '11-17'],
  ['the whole file', file.replace("'./round'", "'./ceil'"), '1-18'],
  ['lines that begin in two places: none', '  let sum = 0;\n  sum += 1;', undefined],
  ['other code: none', 'function half() {\n  return 2;\n}', undefined],
] as const) {
  test(`locates what code replaces in a file without a selection: ${title}`, () => {
    assert.equal(placeText(file, locateInFile(file, code)), place);
  });
}

test('a question without code is about the code of the last question before it that has any', () => {
  const context = (id: string) => ({
    kind: 'selection' as const,
    id,
    path: 'src/a.ts',
    languageId: 'typescript',
    startLine: 1,
    endLine: 2,
    text: 'x',
  });
  const turn = (id: string, ...contexts: ReturnType<typeof context>[]) => ({ id, question: '', contexts, replies: [] });
  const turns = [turn('t1'), turn('t2', context('c2')), turn('t3'), turn('t4', context('c4'), context('c5'))];
  const ids = (id: string) => contextsFor(turns, id).map((each) => each.id);
  assert.deepEqual(['t1', 't2', 't3', 't4', 'none'].map(ids), [[], ['c2'], ['c2'], ['c4', 'c5'], []]);
});

test('finds a code block only once its fence is closed, and the line before it', () => {
  const answer = 'See:\n\n```ts\nconst a = 1;\n\nconst b = 2;\n';
  assert.equal(lineBefore(answer, 'const a = 1;\n\nconst b = 2;', 0), undefined);
  assert.equal(lineBefore(`${answer}\`\`\``, 'const a = 1;\n\nconst b = 2;', 0), 'See:');
  assert.equal(lineBefore(`${answer}\`\`\`\n\nThen`, 'const a = 1;', 0), undefined);
  assert.equal(lineBefore('> - ~~~\n>   x\n>   ~~~\n', 'x', 0), '');
  assert.equal(lineBefore(answer, '', 0), undefined);
  const two = '```ts\nif (a) {\n}\n```\n\nThen:\n\n```ts\nif (b) {\n}\n';
  assert.equal(lineBefore(two, 'if (a) {\n}', 0), '');
  assert.equal(lineBefore(two, 'if (b) {\n}', 1), undefined);
  const same = 'In a.ts:\n```ts\nx\n```\nIn b.ts:\n```ts\nx\n```\n';
  assert.deepEqual(
    [0, 1, 7].map((block) => lineBefore(same, 'x', block)),
    ['In a.ts:', 'In b.ts:', 'In a.ts:'],
  );
  assert.equal(lineBefore(`${answer}\`\`\``, 'of another answer', 0), undefined);
});

test('finds the file of a block in the heading above the words before it (geekr-dev/gpt-engineer#4)', () => {
  const answer =
    '#### File: main.go\n\nThis is the entry.\n\n```go\nmain()\n```\n\nIt prints:\n\n```go\nx\n```\n\n### `a.go`\n\nIn `b.go`:\n```go\ny\n```\n';
  const paths = ['main()', 'x', 'y'].map((code, block) => namedPath('go', code, lineBefore(answer, code, block) ?? ''));
  assert.deepEqual(paths, ['main.go', undefined, 'b.go']);
  for (const [heading, path] of [
    ['### 2. Update `src/a.go`', 'src/a.go'],
    ['### Why `src/a.go` fails', undefined],
    ['### 1. Setup.py things', undefined],
    ['## Fix for index.html:', undefined],
  ] as const) {
    const lead = lineBefore(`${heading}\n\nSome words.\n\n\`\`\`\nx\n\`\`\`\n`, 'x', 0);
    assert.equal(namedPath('', 'x', lead ?? ''), path);
  }
});

test('locates code below 30,000 equal comments, and finds long lines of dots and quotes complete, in linear time', {
  timeout: 10_000,
}, () => {
  const comments = '// a\n// b\n'.repeat(15_000);
  const selected = { startLine: 30_000, startCharacter: 0, endLine: 30_000, endCharacter: 4 };
  assert.equal(locateCode(`${comments}f();`, selected, '// b\n'.repeat(15_000)).startLine, 29_999);
  for (const line of ['.'.repeat(90_000), "' ".repeat(45_000)]) {
    assert.equal(findOmission(`${line}x`, 'ts', ''), undefined);
  }
});

test('finds code among 30,000 equal lines in linear time', { timeout: 10_000 }, () => {
  const file = 'foo(bar);\n'.repeat(30_000);
  const text = 'foo(bar);\n'.repeat(15_000);
  assert.equal(findCode(file, { text: `${text}last();`, startLine: 10_000 }), undefined);
  assert.equal(findCode(file, { text: text.trimEnd(), startLine: 10_000 })?.startLine, 9_999);
  assert.match(
    String(applyHunks(file, [{ search: text.trimEnd(), replace: 'x' }], 'a.ts')),
    /is in several places of a\.ts/,
  );
});

test('finds the place of 20,000 different lines, of one of 20,000 equal blocks, and of 200 parts in linear time', () => {
  const names = (letter: string) => Array.from({ length: 20_000 }, (_, index) => `${letter}${index}(a) {`).join('\n');
  const [file, other] = [names('fn'), names('gn')];
  const hunks = Array.from({ length: 200 }, (_, at) => ({ search: `fn${at}(a) {`, replace: `fn${at}(b) {` }));
  const answer = '```ts\nx();\n```\n\n'.repeat(20_000);
  const ms = leastCpuMs(3_000, () => {
    assert.equal(placeText(file, locateInFile(file, file)), '1-20000');
    assert.equal(locateInFile(file, other), undefined);
    const top = { startLine: 0, startCharacter: 0, endLine: 0, endCharacter: 6 };
    assert.equal(placeText(`int a;\n${file}`, locateCode(`int a;\n${file}`, top, `int a;\n${other}`)), '1-1');
    assert.equal(lineBefore(answer, 'x();', 19_999), '```');
    assert.equal(lineBefore('\n'.repeat(40_000), 'x', 0), undefined);
    const change = applyHunks(file, hunks, 'a.ts');
    const changed = typeof change === 'string' ? change : withCode(file, change.place, change.code);
    assert.equal(changed, file.replace(/\b(fn1?\d?\d\()a/g, '$1b'));
  });
  assert.ok(ms < 3_000, `${ms} ms`);
});

test('refuses a change of more parts than anyone reads', () => {
  const hunks = Array.from({ length: 201 }, () => ({ search: 'a', replace: 'b' }));
  assert.match(String(applyHunks('a', hunks, 'a.ts')), /^This change has more than 200 parts\. Nothing was changed\./);
});

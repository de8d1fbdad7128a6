import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { applyHunks } from '../../../../../src/core/chat/edits/applyHunks.ts';
import { withCode } from '../../../../../src/core/chat/edits/fitCode.ts';
import { findOmission } from '../../../../../src/core/chat/edits/omission.ts';
import {
  isSettingsPath,
  namedPath,
  pathProblem,
  readBlock,
  withoutPathLine,
} from '../../../../../src/core/chat/edits/readBlock.ts';

test('a block names its file in its header, in its first line or in the sentence before it', () => {
  for (const [fence, text, lead, path] of [
    ['ts src/x.ts', '', '', 'src/x.ts'],
    ['ts:src/x.ts', '', '', 'src/x.ts'],
    ['ts title="src/x.ts"', '', '', 'src/x.ts'],
    ['ts {filename=src/x.ts}', '', '', 'src/x.ts'],
    ['12:15:src/x.ts', '', '', 'src/x.ts'],
    ['src/x.ts', '', '', 'src/x.ts'],
    ['ts', '// src/cart/tax.ts\nexport {}', '', 'src/cart/tax.ts'],
    ['py', '# app.py', '', 'app.py'],
    ['html', '<!-- pages/x.html -->\n<p>', '', 'pages/x.html'],
    ['css', '/* src/x.css */', '', 'src/x.css'],
    ['sql', '-- db/x.sql', '', 'db/x.sql'],
    ['ts', '// File: src/x.ts (new)', '', 'src/x.ts'],
    ['tsx', '// app/[id]/page.tsx', '', 'app/[id]/page.tsx'],
    ['ts', 'a();', 'In `src/x.ts`:', 'src/x.ts'],
    ['ts', 'a();', '**src/x.ts**', 'src/x.ts'],
    ['ts', 'a();', '### 2. `src/x_y.ts`', 'src/x_y.ts'],
    ['ts', 'a();', "Here's the updated `src/x.ts`:", 'src/x.ts'],
    ['ts', 'a();', '在 `src/x.ts` 中：', 'src/x.ts'],
    ['', 'x', 'File: Dockerfile', 'Dockerfile'],
    ['ts C:\\x\\y.ts', '', '', 'C:/x/y.ts'],
    ['python:app\\crud\\x.py', '', '', 'app/crud/x.py'], // CodeWebChat#296
    ['ts filename="src/a b.ts"', '', '', 'src/a b.ts'],
    ['tsx', '// app/(docs)/[id]/page.tsx', '', 'app/(docs)/[id]/page.tsx'], // react-grab#86
    ['tsx', 'a();', 'In `app/(docs)/page.tsx`:', 'app/(docs)/page.tsx'],
    ['tsx', 'a();', '**app/issues/[id]/page.tsx**', 'app/issues/[id]/page.tsx'], // copilot-workspace-user-manual#79
    ['tsx', 'a();', '### 2. app/(docs)/[...slug]/page.tsx:', 'app/(docs)/[...slug]/page.tsx'],
    ['ts', 'a();', '### [x.ts](src/x.ts) (new)', undefined],
    ['ts', 'a();', '### [src/x.ts](src/x.ts) (new)', 'src/x.ts'],
    ['ts', 'a();', 'Add the handler (src/x.ts):', 'src/x.ts'],
    ['ts', 'a();', 'Add the handler to [the server](src/x.ts):', 'src/x.ts'],
    ['cs', 'a();', '`Assets/My Scripts/x.cs`:', 'Assets/My Scripts/x.cs'],
    ['ts', '// src/x.ts:12-20', '', 'src/x.ts'],
    ['ts', '// 文件：src/x.ts（新增）', '', 'src/x.ts'],
    ['ts', 'src/x.ts\nexport const a = 1;', '', 'src/x.ts'], // Aider-AI/aider#5662
    ['ts', 'a();', '### Update `src/x.ts`', 'src/x.ts'], // CodeWebChat#303
    ['ts', 'a();', '1. **修改 `src/x.ts`**', 'src/x.ts'],
    ['ts', 'a();', 'Replace all of `src/x.ts` with this.', 'src/x.ts'],
    ['ts', 'a();', '📄 **File path:** `src/x.ts`', 'src/x.ts'],
    ['rb', 'a', '<!-- file: app/x.rb -->', 'app/x.rb'], // appmap-js#1950
    ['', 'src/x.ts\nsrc/y.ts', '', undefined],
    ['bash', 'tools/x.sh\necho "y"', '', undefined],
    ['ts', '// ../../x.ts', '', '../../x.ts'],
    ['ts', '// /etc/x.conf', '', '/etc/x.conf'],
    ['ts', '// https://example.com/x.html', '', undefined],
    ['js', '// console.log', '', undefined],
    ['js', '// Node.js', '', undefined],
    ['php', '<?php\n// app/Models/User.php\n\nnamespace App;', '', 'app/Models/User.php'], // CodeWebChat#263
    ['tsx', "'use client';\n\n// app/x.tsx\nexport {};", '', 'app/x.tsx'],
    ['py', '#!/usr/bin/env python3\n# tools/x.py\nimport os', '', 'tools/x.py'],
    ['php', '<?php\n// Routes', '', undefined],
    ['bash', '#!/usr/bin/env bash', '', undefined],
    ['c', '#include "x.h"', '', undefined],
    ['ts', '// e.g. this', '', undefined],
    ['ts', "import a from './a.ts';", '', undefined],
    ['ts', 'a();', 'Import it from `src/x.ts`:', undefined],
    ['ts', 'a();', 'This moves code of `src/x.ts` to `src/y.ts`:', undefined],
    ['ts', 'a();', 'The test in `src/x.ts` passes now. Compare it with yours.', undefined],
    ['sh', 'node src/x.ts', 'Then start `src/x.ts`:', undefined],
    ['ts', 'a();', 'Like this:', undefined],
    ['typescript', 'a();', '', undefined],
  ] as const) {
    assert.equal(namedPath(fence, text, lead), path, JSON.stringify([fence, text, lead]));
  }
});

test('a line with the path of the file is not part of its code, unless the file has that line', () => {
  assert.equal(withoutPathLine('// src/x.ts\n\na();', 'b();'), 'a();');
  assert.equal(withoutPathLine('<?php\n\n// x.php\n\na();', '<?php\nb();'), '<?php\n\na();');
  assert.equal(withoutPathLine('<?php\n// x.php\na();', '<?php\n\n// x.php\nb();'), '<?php\n// x.php\na();');
  assert.equal(withoutPathLine('// src/x.ts\na();', '// src/x.ts\nb();'), '// src/x.ts\na();');
  assert.equal(withoutPathLine('a();', 'b();'), 'a();');
});

test('a path of an answer stays in its folder and out of Git’s', () => {
  for (const path of ['src/x.ts', 'x.ts', '.vscode/tasks.json', '.github/x.yml', '.gitignore', 'a/..b/c.ts']) {
    assert.equal(pathProblem(path), undefined, path);
  }
  for (const path of [
    ...[
      '../x.ts',
      'src/../../x.ts',
      '/etc/x.conf',
      '\\\\host\\x.ts',
      'src\\x.ts',
      'C:/x.ts',
      'file:x.ts',
      './x.ts',
      'a//b.ts',
    ],
    ...['.git/config', 'sub/.git/hooks/x.sh', '.GIT/config', '.git./config', 'git~1/config', 'a\0.ts', ''],
  ]) {
    assert.match(pathProblem(path) ?? '', /Nothing was changed\.$/, path);
  }
});

test('a path of a file that sets how VS Code works is known in every spelling that Windows takes', () => {
  for (const path of [
    '.vscode/tasks.json',
    'sub/.VSCode/x',
    '.vscode./x',
    'VSCODE~1/x',
    'a.code-workspace',
    'a.Code-Workspace.',
  ]) {
    assert.equal(isSettingsPath(path), true, path);
  }
  for (const path of ['a.vscode/x', '.vscodeignore', 'docs/code-workspace']) {
    assert.equal(isSettingsPath(path), false, path);
  }
});

const fixture = readFileSync(new URL('../../../../fixtures/reports/answer-placeholder.md', import.meta.url), 'utf8');
const placeholder = /```ts\n([\s\S]*?)```/.exec(fixture)?.[1] ?? '';

test('finds lines that stand for code which is left out (qwen-code#2575, cody#6584, RooCode#2990, bolt.new#124, bolt.new#5417, gemini-cli#19858)', () => {
  assert.equal(findOmission(placeholder, 'ts', ''), '// ... existing code ...');
  for (const [language, line] of [
    ['ts', '// ...'],
    ['ts', '  // … existing code …'],
    ['ts', '//...existing code...'],
    ['ts', '// ... rest of the file'],
    ['ts', '// rest of the code remains the same'],
    ['ts', '// Rest of your component...'],
    ['ts', '// existing code here'],
    ['ts', '// (unchanged)'],
    ['ts', '// other methods remain unchanged'],
    ['ts', '// omitted for brevity'],
    ['ts', '// same as before'],
    ['ts', '// ... handle the other cases'],
    ['ts', 'function a() { /* ... */ }'],
    ['ts', 'function a() { ... }'],
    ['ts', 'a(); // ... rest of the function'],
    ['ts', '...'],
    ['ts', '... existing code ...'],
    ['tsx', '{/* ... existing JSX ... */}'],
    ['css', '/* … unchanged … */'],
    ['css', '/* rest of the styles */'],
    ['html', '<!-- ... -->'],
    ['html', '<!-- rest of file unchanged -->'],
    ['py', '# ... rest of file'],
    ['py', '    # ... (existing code) ...'],
    ['py', '    pass  # ... existing code'],
    ['sql', '-- ...'],
    ['lua', '-- ... existing code ...'],
    ['clj', '; ... rest of the code'],
    ['tex', '% ... unchanged ...'],
    ['vb', "' ... existing code ..."],
    ['vb', "' ... rest of the code that's unchanged ..."],
    ['hs', '{- ... -}'],
    ['ml', '(* ... *)'],
    ['yaml', '# ... existing config ...'],
    ['ts', '// ... 其余代码保持不变 ...'],
    ['ts', '// 其余代码保持不变'],
    ['py', '# 省略'],
    ['ts', '// …既存のコード…'],
    ['rs', '…'],
    ['ts', '/* (... keep the previous code ...) */'], // bolt.new#64
    ['tsx', '{/* Previous imports remain unchanged */}'], // bolt.new#1274
    ['ts', '(rest of methods ...)'], // gemini-cli#19858
    ['rs', '(unchanged methods ...)'], // koda#708
    ['html', '<!-- Other sections remain unchanged -->'],
    ['ts', '// Other existing methods...'],
    ['ts', '// [previous code unchanged]'],
    ['ts', '// rest of the code will remain the same'], // bolt.new#5417
    ['ts', '// rest of the some remains the same'], // bolt.new#2917
    ['py', '# Rest of the current logic'], // google-gemini/gemini-cli#4836
    ['ts', '// Include the rest of your code here'],
    ['ts', '// Previous code remains exactly the same'],
    ['tsx', '{/* Rest of the JSX remains the same */}'],
    ['ts', '// same implementation as before'],
    ['sql', '-- rest of the query unchanged'],
    ['ts', '// 其他代码...'],
    ['ts', '// 此处省略其他代码'],
    ['ts', '// 保持原有逻辑不变'],
    ['py', '# 后面的代码与之前相同'],
    ['py', '...[truncated]'], // NousResearch/hermes-agent#83752
    ['ts', '  return total * ra… [truncated 1200 characters]'],
  ] as const) {
    assert.equal(findOmission(`a\n${line}\nb`, language, ''), line.trim(), `${language}: ${line}`);
    assert.equal(findOmission(`a\n${line}\nb`, language, `x\n${line}`), undefined, 'the file has that line');
  }
});

test('leaves code alone in which dots or such words mean something else', () => {
  for (const [language, text] of [
    ['py', 'def area(self) -> float: ...'],
    ['py', 'def area(self):\n    ...'],
    ['py', 'x: tuple[int, ...] = (1,)'],
    ['py', 'y = data[..., 0]'],
    ['py', '>>> for x in y:\n...     print(x)'],
    ['ts', 'const all = [...existing, ...other];'],
    ['ts', "text = text.slice(0, 80) + ' ... [truncated]'"],
    ['ts', 'return {\n  ...rest,\n  ...existing\n};'],
    ['ts', 'function f(...args: string[]) {}'],
    ['ts', "show('Loading...'); // loading..."],
    ['ts', '// Loading the rest of the items...'],
    ['ts', '// First the header\n// ...and then the body.'],
    ['ts', '// The order of the others remains unchanged.'],
    ['ts', '// Keep the existing file if the new one is broken'],
    ['ts', "const url = 'https://example.com/...';"],
    ['ts', "log('// ... existing code ...');"],
    ['ts', '// Other methods'],
    ['ts', '// The version stays the same'],
    ['go', 'append(a, b...)'],
    ['c', 'int printf(const char *format, ...);'],
    ['cpp', 'catch (...) {'],
    ['rs', 'let Point { x, .. } = p;'],
    ['sh', 'cd ../..\necho "..."'],
    ['yaml', 'a: 1\n...\nb: 2'],
    ['md', 'And so on ...'],
    ['java', '/**\n * Returns the rest.\n */'],
    ['css', '/* Unchanged since version 2 */'],
    ['sql', '-- All remaining rows are kept'],
    ['java', '// The existing implementation'],
    ['ts', '// The rest of the body is ignored.'],
    ['ts', '// Remaining tests'],
    ['ts', '// Everything is the same'],
    ['ts', '// 其他方法'],
    ['ts', '// 其余的参数'],
  ] as const) {
    assert.equal(findOmission(text, language, ''), undefined, `${language}: ${text}`);
  }
});

const file =
  'import a;\n\nfunction net() {\n  let sum = 0;\n  return sum;\n}\n\nfunction gross() {\n  let sum = 1;\n  return sum;\n}\n';
/** The file after what a block proposes for it, or the reason why that is refused. */
function applied(fence: string, text: string, to = file): string {
  const edits = readBlock(fence, text, '');
  const hunks = typeof edits === 'string' ? [] : (edits[0]?.hunks ?? []);
  const change = typeof edits === 'string' ? edits : applyHunks(to, hunks, 'a.ts');
  return typeof change === 'string' ? change : withCode(to, change.place, change.code);
}

test('applies a diff as a diff, with headers or only hunks, and with wrong line numbers', () => {
  const hunk = ' function net() {\n-  let sum = 0;\n+  let sum = 10;\n   return sum;';
  const wanted = file.replace('sum = 0', 'sum = 10');
  for (const [fence, text] of [
    ['diff', hunk],
    ['diff', `--- a/a.ts\n+++ b/a.ts\n@@ -90,3 +91,3 @@ x\n${hunk}`],
    ['ts', `--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n${hunk}\n`],
    ['', `@@ -3,3 +3,3 @@\n${hunk}`],
    [
      'diff',
      `diff --git a/a.ts b/a.ts\nindex 12ab..34cd 100644\n--- a/a.ts\n+++ b/a.ts\n@@ ... @@\n${hunk}\n\\ No newline at end of file`,
    ],
    ['diff', hunk.replace(/^ /gm, '')],
    ['diff', `--- a/a.ts\n+++ b/a.ts\n\n${hunk}`],
    ['diff', `--- a/a.ts\n+++ b/a.ts\n@@ -3,3 +3,3 @@\n \n${hunk}`],
  ] as const) {
    assert.equal(applied(fence, text), wanted, text);
    assert.equal(applied(fence, text, file.replaceAll('\n', '\r\n')), wanted.replaceAll('\n', '\r\n'), text);
  }
  const two = `@@ @@\n-import a;\n+import b;\n@@ @@\n function gross() {\n-  let sum = 1;\n   return sum;`;
  assert.equal(applied('diff', two), file.replace('import a', 'import b').replace('  let sum = 1;\n', ''));
  assert.equal(
    applied('diff', '-import a;\n+import a;\n+import b;'),
    file.replace('import a;', 'import a;\nimport b;'),
  );
  assert.deepEqual([applied('diff', '-b', 'a\nb'), applied('diff', '-b', 'a\nb\n')], ['a', 'a\n']);
});

test('reads diffs without headers, in the format of OpenAI’s models, and with what tools write around them', () => {
  const hunk = ' function net() {\n-  let sum = 0;\n+  let sum = 10;\n   return sum;';
  const wanted = file.replace('sum = 0', 'sum = 10');
  for (const [source, fence, text] of [
    ['vscode#255347', '', hunk.split('\n').slice(1, 3).join('\n')],
    ['vscode#255347', 'ts', hunk.replace(/^ /gm, '')],
    ['pwnkit#275', '', `*** Begin Patch\n*** Update File: a.ts\n@@ function net\n${hunk}\n*** End Patch`],
    [
      'agent-os#2084',
      'bash',
      `apply_patch <<'E'\n*** Begin Patch\n*** Update File: a.ts\n@@@ -1 +1 @@@\n${hunk}\n*** End of File\n*** End Patch\nE`,
    ],
    ['holon#3041', 'diff', `@@ function net() {\n${hunk}`],
    [
      'Subversion',
      'diff',
      `Index: a.ts\n${'='.repeat(67)}\n--- a.ts\t(revision 1)\n+++ a.ts\t(working copy)\n@@ -3 +3 @@\n${hunk}`,
    ],
  ] as const) {
    assert.equal(applied(fence, text), wanted, source);
  }
  const paths = (text: string) => {
    const edits = readBlock('diff', text, 'In `src/a.ts`:');
    return typeof edits === 'string' ? edits : edits.map(({ path }) => path).join();
  };
  assert.equal(paths('--- original\n+++ modified\n@@ @@\n-a\n+b'), 'src/a.ts');
  assert.equal(paths('--- a/x.ts (old)\n+++ b/x.ts (new)\n@@ @@\n-a\n+b'), 'x.ts');
  assert.equal(paths('--- a\\src\\x.ts\n+++ b\\src\\x.ts 2026-01-02\n@@ @@\n-a\n+b'), 'src/x.ts');
  assert.equal(paths('*** Begin Patch\n*** Add File: n.ts\n+a\n*** Update File: u.ts\n@@\n-a\n+b'), 'n.ts,u.ts');
  for (const action of ['Delete File: x.ts', 'Update File: x.ts\n*** Move to: y.ts\n-a\n+b']) {
    assert.match(paths(`*** Begin Patch\n*** ${action}`), /^This diff deletes, renames/);
  }
  assert.equal(paths('diff --git a/x b/x\nBinary files a/x and b/x differ'), 'This diff has no lines to change.');
  const methods = '+ (id)one {\n}\n- (void)two {\n}';
  assert.deepEqual(readBlock('objc', methods, ''), [{ path: undefined, code: methods }]);
});

test('refuses a diff with a hunk that is not in the file exactly once, and names the hunk', () => {
  const good = '@@ @@\n-import a;\n+import b;\n';
  assert.match(
    applied('diff', `${good}@@ @@\n-  let tax = 0;\n+x`),
    /^Part 2 of this change was not found in a\.ts: "let tax = 0;"/,
  );
  assert.match(
    applied('diff', `${good}@@ @@\n-  return sum;\n+x`),
    /^Part 2 of this change is in several places of a\.ts/,
  );
  assert.match(applied('diff', '@@ -1,0 +1,1 @@\n+x'), /^Part 1 of this change has no lines to look for/);
  assert.match(applied('diff', `${good}@@ @@\n import a;\n-\n+x`), /overlap/);
  assert.match(applied('diff', '--- a/a.ts\n+++ /dev/null\n@@ @@\n-import a;'), /deletes/);
});

test('indents new lines as the file does, or refuses lines that are indented by other steps (zed#60302, codex#30505)', () => {
  const python = 'class A:\n    def a(self):\n        b()\n        c()\n';
  const changes = (from: string, to: string) =>
    applied('py', `<<<<<<< SEARCH\n${from}\n=======\n${to}\n>>>>>>> REPLACE`, python);
  const wanted = python.replace('b()', 'd()\n        e()');
  assert.equal(changes('b()\n        c()', 'd()\n        e()\n        c()'), wanted);
  assert.equal(changes('def a(self):\n    b()', 'def a(self):\n    d()\n    e()'), wanted);
  assert.match(changes('  def a(self):\n    b()', '  def a(self):\n    d()'), /^Part 1 of this change was not found/);
});

test('tells equal lines apart by the class or function that a diff names (patchloom/patchloom#2506, openai/codex#7619)', () => {
  const rust = 'fn a() {\n    x\n}\nfn b() {\n    x\n}\nfn bc() {\n    x\n}\n';
  const wanted = rust.replace('fn b() {\n    x', 'fn b() {\n    y');
  const patch = (scope: string) => `*** Begin Patch\n*** Update File: f.rs\n${scope}\n-    x\n+    y\n*** End Patch`;
  assert.equal(applied('', patch('@@ fn b()'), rust), wanted);
  assert.equal(applied('diff', '@@ -90,3 +90,3 @@ fn b() {\n-    x\n+    y', rust), wanted);
  const python = 'class A:\n    def f(self):\n        x\n\nclass B:\n    def f(self):\n        x\n';
  assert.equal(
    applied(
      '',
      patch('@@ class B:\n@@     def f(self):').replaceAll('    x', '        x').replaceAll('    y', '        y'),
      python,
    ),
    python.replace(/x\n$/, 'y\n'),
  );
  for (const scope of ['@@', '@@ fn c()', '@@ fn', '@@ fn a()\n@@ fn b()']) {
    assert.match(applied('', patch(scope), rust), /several places/, scope);
  }
  assert.match(applied('', patch('@@ fn a()'), rust.replace('{\n    x', '{\n    x\n    x')), /several places/);
});

test('finds lines whose dashes, quotes, blanks and letters a model wrote plainly, and keeps those it left (openai/codex#610, anomalyco/opencode#31651)', () => {
  const text = '  say(“top‑level – one”);\n  Раи\u0306он\u00a0= 1;\n  go();\n';
  const changed = '  say(“top‑level – one”);\n  Раи\u0306он\u00a0= 1;\n  stop();\n';
  const plain = [' say("top-level - one");', ' Район = 1;'].join('\n');
  assert.equal(applied('diff', `@@ @@\n ${plain.replace('\n', '\n ')}\n- go();\n+ stop();`, text), changed);
  assert.equal(
    applied('', `<<<<<<< SEARCH\n${plain}\n go();\n=======\n${plain}\n stop();\n>>>>>>> REPLACE`, text),
    changed,
  );
  // With the indentation of the file, new lines at its margin stay there.
  for (const own of ['  a – b;', '  a - b;  ']) {
    const diff = '@@ @@\n   a - b;\n+}\n+f() {\n   c();';
    assert.equal(applied('diff', diff, `${own}\n  c();\n`), `  ${own.trim()}\n}\nf() {\n  c();\n`);
  }
  assert.match(applied('diff', '-a - b\n+c', 'a – b\na — b\n'), /several places/);
  assert.equal(applied('diff', '-a - b\n+c', 'a – b\na - b\n'), 'a – b\nc\n');
});

test('reads each file of a diff with its path', () => {
  const edits = readBlock(
    'diff',
    '--- a/src/a.ts\n+++ b/src/a.ts\n@@ @@\n-a\n+b\n--- /dev/null\n+++ b/src/new.ts\n@@ -0,0 +1 @@\n+c',
    '',
  );
  assert.ok(typeof edits !== 'string');
  assert.deepEqual(
    edits.map(({ path, hunks }) => [path, hunks]),
    [
      ['src/a.ts', [{ search: 'a', replace: 'b' }]],
      ['src/new.ts', [{ search: '', replace: 'c' }]],
    ],
  );
});

test('applies SEARCH/REPLACE blocks of each notation, or says what is wrong with them', () => {
  const wanted = file.replace('sum = 0', 'sum = 10');
  const [search, replace] = ['  let sum = 0;', '  let sum = 10;'];
  for (const text of [
    `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`,
    `------- SEARCH\n${search}\n=======\n${replace}\n+++++++ REPLACE`,
    `<<<<<<< SEARCH\n:start_line:4\n-------\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`,
    `src/a.ts\n<<<<<<< SEARCH\nlet sum = 0;\n=======\nlet sum = 10;\n>>>>>>> REPLACE\n`,
    `------- SEARCH>\n${search}\n=======\n${replace}\n+++++++ REPLACE>`, // cline#4427
    `<<<<<< ORIGINAL\n${search}\n======\n${replace}\n>>>>>> UPDATED`, // Aider-AI/aider#1817
    `<<<<<<< HEAD\n${search}\n=======\n${replace}\n>>>>>>> new`,
    `<<<<<<< SEARCH\n\n\n${search}\n=======\n\n\n${replace}\n>>>>>>> REPLACE`, // Aider-AI/aider#25
    `<<<<<<< SEARCH\n:start_line:\n4\n-------\n${search}\n=======\n:start_line:4\n-------\n${replace}\n>>>>>>> REPLACE`, // Roo-Code#4013, Roo-Code#12199
  ]) {
    assert.equal(applied('ts', text), wanted, text);
  }
  assert.match(applied('ts', `<<<<<<< SEARCH\n${search}\n=======\n${replace}`), /incomplete/);
  assert.match(applied('ts', `<<<<<<< SEARCH\n  return sum;\n=======\nx\n>>>>>>> REPLACE`), /several places/);
  // codepilot1c-edt#73, Roo-Code#7750
  assert.match(applied('ts', `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n=======\n>>>>>>> REPLACE`), /unclear/);
  const heading = '<<<<<<< SEARCH\nTitle\n=====\n=======\nName\n====\n>>>>>>> REPLACE'; // Aider-AI/aider#4968
  assert.equal(applied('rst', heading, 'Title\n=====\n\nx'), 'Name\n====\n\nx');
  const edits = readBlock(
    '',
    'src/a.ts\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n\n<<<<<<< SEARCH\nc\n=======\n>>>>>>> REPLACE\nsrc/b.ts\n<<<<<<< SEARCH\nd\n=======\ne\n>>>>>>> REPLACE',
    '',
  );
  assert.ok(typeof edits !== 'string');
  assert.deepEqual(
    edits.map(({ path, hunks }) => [path, hunks?.map(({ search, replace }) => `${search}>${replace}`)]),
    [
      ['src/a.ts', ['a>b', 'c>']],
      ['src/b.ts', ['d>e']],
    ],
  );
});

test('removes line numbers before code, but not numbers that are data', () => {
  const code = (text: string) => {
    const edits = readBlock('ts', text, '');
    return typeof edits === 'string' ? edits : edits[0]?.code;
  };
  for (const text of [
    '12 | a\n13 |   b\n14 |\n15 | c',
    '12: a\n13:   b\n14:\n15: c',
    ' 8\ta\n 9\t  b\n10\t\n11\tc',
    '1| a\n2|   b\n3|\n4| c\n',
    '1|a\n2|  b\n3|\n4|c', // hermes-agent#46465
    '1  a\n2    b\n3\n4  c',
  ]) {
    assert.equal(code(text), 'a\n  b\n\nc', text);
  }
  for (const text of [
    "1: 'a',\n2: 'b',",
    '1: 10\n2: 20',
    '1. a\n2. b',
    '12 | a',
    '1 | a\n3 | b',
    'a\n2 | b',
    '1\n2\n3',
  ]) {
    assert.equal(code(text), text);
  }
});

test('removes line numbers from new lines of which some have none, where the old ones have them (Zoo-Code-Org/Zoo-Code#910)', () => {
  const block = (search: string, replace: string) => {
    const edits = readBlock('', `<<<<<<< SEARCH\n${search}\n=======\n${replace}\n>>>>>>> REPLACE`, '');
    return typeof edits === 'string' ? edits : edits[0]?.hunks;
  };
  assert.deepEqual(block('17 | - a\n18 |\n19 |   b', '17 | - a\n18 |\nnew\n19 |   b'), [
    { search: '- a\n\n  b', replace: '- a\n\nnew\n  b' },
  ]);
  assert.deepEqual(block('8 | a\n9 | b\n10 | c\n11 | d', '8 | a\nnew\n11 | d')?.[0]?.replace, 'a\nnew\nd');
  const entries = "const m = {\n  1: 'one',\n8080: 'http',\n};";
  assert.deepEqual(block('1: const m = {\n2: };', entries), [{ search: 'const m = {\n};', replace: entries }]);
  assert.deepEqual(block('- a\n- b', '17 | - a\n- b'), [{ search: '- a\n- b', replace: '17 | - a\n- b' }]);
});

test('leaves out a second fence around the code, also without an end of its own (appmap-js#1950, simstudioai/sim#6289)', () => {
  assert.deepEqual(readBlock('rb', '# app/x.rb\n```ruby\na\n', ''), [{ path: 'app/x.rb', code: '# app/x.rb\na\n' }]);
  const code = (text: string) => {
    const edits = readBlock('', text, '');
    return typeof edits === 'string' ? edits : edits[0]?.code;
  };
  assert.equal(code('```ts\na();\n\nb();\n```\n'), 'a();\n\nb();\n');
  for (const text of ['```sh\na\n```\nText.', '```sh\na\n```\n\n```sh\nb\n```']) {
    assert.equal(code(text), text);
  }
  const [inMarkdown] = readBlock('md', '```sh\nnpm i\n```', '');
  assert.deepEqual(inMarkdown, { path: undefined, code: '```sh\nnpm i\n```' });
});

test('finds no path in a very long first line in linear time', { timeout: 10_000 }, () => {
  assert.equal(withoutPathLine(`#!${' '.repeat(500_000)}`, ''), `#!${' '.repeat(500_000)}`);
});

test('refuses a diff of more files than anyone looks at', () => {
  const diff = (count: number) =>
    Array.from({ length: count }, (_, at) => `--- a/x${at}.ts\n+++ b/x${at}.ts\n@@ -1 +1 @@\n-a\n+b`).join('\n');
  assert.equal(readBlock('diff', diff(50), '').length, 50);
  assert.match(
    String(readBlock('diff', diff(51), '')),
    /^This code changes more than 50 files\. Nothing was changed\./,
  );
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary } from '../vscode/temporary.ts';

/** Lines of code, with the rule that lint must report in each of them. */
const lines: readonly (readonly [code: string, finding: string | undefined])[] = [
  ['later();', 'noFloatingPromises'],
  ['later().then(() => undefined);', 'noFloatingPromises'],
  ['void later();', undefined],
  ['later().catch(() => undefined);', undefined],
  ["vscode.commands.executeCommand('x');", 'plugin'],
  ["showErrorMessage('x');", 'plugin'],
  ['vscode.window.tabGroups.close([]);', 'plugin'],
  ["state.update('x', 1);", 'plugin'],
  ["vscode.commands.executeCommand('x').then(undefined, () => undefined);", undefined],
  ["void vscode.commands.executeCommand('x');", undefined],
  ["switch (event.type) { case 'a': break; }", 'useExhaustiveSwitchCases'],
  ["switch (event.type) { case 'a': case 'b': break; }", undefined],
  ['if (state) vscode.Uri.file("x");', 'useBlockStatements'],
  ['[1].forEach(async () => { await later(); });', 'noMisusedPromises'],
];

test('lint finds floating promises, incomplete switches and branches without braces', () => {
  const folder = makeTemporary('lint');
  for (const name of ['biome.json', '.gitignore', 'test/lint']) {
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  }
  mkdirSync(join(folder, 'src', 'editor'), { recursive: true });
  const head = [
    "import * as vscode from 'vscode';",
    "import { type Event, later, showErrorMessage } from './other.ts';",
    'export function probe(event: Event, state: vscode.Memento): void {',
  ];
  const other = [
    "export type Event = { readonly type: 'a' } | { readonly type: 'b' };",
    'export async function later(): Promise<void> {}',
    'export declare function showErrorMessage(words: string): Thenable<string>;',
  ];
  writeFileSync(join(folder, 'src', 'editor', 'other.ts'), other.join('\n'));
  writeFileSync(join(folder, 'src', 'editor', 'probe.ts'), [...head, ...lines.map(([code]) => code), '}'].join('\n'));
  const biome = join(projectRoot, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');
  const options = ['lint', '--reporter=github', '--max-diagnostics=none', '--vcs-enabled=false', 'src'];
  const { stdout } = spawnSync(process.execPath, [biome, ...options], { cwd: folder, encoding: 'utf8' });
  const found = [...stdout.matchAll(/title=(?:lint\/\w+\/)?(\w+),file=[^,]*probe\.ts,line=(\d+)/g)].map(
    ([, rule, line]) => `${lines[Number(line) - 1 - head.length]?.[0]} ${rule}`,
  );
  const expected = lines.flatMap(([code, finding]) => (finding === undefined ? [] : [`${code} ${finding}`]));
  assert.deepEqual(found.sort(), expected.sort());
});

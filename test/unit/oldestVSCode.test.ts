import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectRoot } from '../vscode/paths.ts';

const readJson = (path: string) => JSON.parse(readFileSync(join(projectRoot, path), 'utf8'));

test('the code is type-checked against the API of the oldest supported VS Code', () => {
  const { engines, devDependencies } = readJson('package.json');
  const [, oldest] = /^\^(\d+\.\d+)\.0$/.exec(engines.vscode) ?? [];
  assert.equal(devDependencies['@types/vscode'], oldest, 'a range would allow newer typings');
  assert.ok(readJson('node_modules/@types/vscode/package.json').version.startsWith(`${oldest}.`));
  assert.ok(readJson('tsconfig.json').compilerOptions.types.includes('vscode'));
});

/** The files that detect at run time what the typings, or the API of another editor, may not have. */
const detecting = ['src/editor/languageModels/laterReleases.ts', 'src/editor/ui/lazyLanguageModels.ts'];

test('only these files use API that is not in every supported VS Code', () => {
  const loosened = /\bvscode(?:\.\w+)* as\b(?! vscode\b)|\boptions as \{|Partial<typeof vscode|\bin vscode\b|= vscode;/;
  const found = globSync('src/**/*.ts', { cwd: projectRoot })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => loosened.test(readFileSync(join(projectRoot, path), 'utf8')));
  assert.deepEqual(found.sort(), detecting);
});

test('CONTRIBUTING.md lists the API that is detected at run time', () => {
  const document = readFileSync(join(projectRoot, 'CONTRIBUTING.md'), 'utf8');
  for (const name of ['LanguageModelThinkingPart', 'requestInitiator', 'LanguageModelDataPart']) {
    assert.ok(new RegExp(`^\\|.*\`${name}\`.*\\|$`, 'm').test(document), name);
  }
});

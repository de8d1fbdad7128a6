import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary } from '../vscode/temporary.ts';

const copied = [
  ...['src', 'test', 'media', 'l10n', 'esbuild.mjs', 'tsconfig.json', '.vscodeignore'],
  ...['package.json', 'package-lock.json', 'package.nls.json', 'package.nls.zh-cn.json'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE'],
];

/**
 * Copies the project to a temporary folder, where a test can build, package and start it without changing the original.
 * Its `node_modules` links to the original packages, so that an installation there changes nothing here.
 */
export function makeProjectCopy(): string {
  const folder = makeTemporary('project');
  const filter = (source: string) => basename(source) !== 'node_modules';
  for (const name of copied) {
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true, filter });
  }
  const original = join(projectRoot, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(original)) {
    // On Windows, a junction needs no privilege. Other platforms ignore the type.
    symlinkSync(join(original, name), join(folder, 'node_modules', name), 'junction');
  }
  return folder;
}

import { cpSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary } from '../vscode/temporary.ts';

const copied = [
  ...['src', 'test', 'media', 'esbuild.mjs', 'package.json', 'package-lock.json', 'tsconfig.json', '.vscodeignore'],
  ...['README.md', 'CHANGELOG.md', 'LICENSE'],
];

/**
 * A copy of the project in a temporary folder, where a test can build, package and start it without touching the real
 * one. Its packages are links to the real ones.
 *
 * @param ownPackages names of packages that are copied instead, for a test that changes them.
 */
export function makeProjectCopy(ownPackages: readonly string[] = []): string {
  const folder = makeTemporary('project');
  const filter = (source: string) => basename(source) !== 'node_modules';
  for (const name of copied) {
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true, filter });
  }
  const real = join(projectRoot, 'node_modules');
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync(real)) {
    const [from, to] = [join(real, name), join(folder, 'node_modules', name)];
    if (ownPackages.includes(name)) {
      cpSync(from, to, { recursive: true });
    } else {
      // Windows needs no privilege for a junction; elsewhere the type is ignored.
      symlinkSync(from, to, 'junction');
    }
  }
  return folder;
}

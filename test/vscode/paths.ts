import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, which is also the folder of the extension under test. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** For files that are large or reused by later runs; ignored by Git. */
export const cacheFolder = join(projectRoot, '.vscode-test');

/** For screenshots and other results of a run; ignored by Git. */
export const outFolder = join(projectRoot, 'out');

/** Returns the folder of the offline VS Code; throws an error that says what to do when it isn't installed. */
export function offlineVSCode(): string {
  const install = join(cacheFolder, 'code-server');
  if (!existsSync(join(install, 'complete.txt'))) {
    throw new Error('The offline VS Code isn\'t installed. Run "node test/setup.mjs" first.');
  }
  return join(install, 'node_modules', 'code-server', 'lib', 'vscode');
}

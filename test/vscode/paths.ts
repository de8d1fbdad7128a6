import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project, which is also the extension under test. */
export const projectRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');

/** Everything big or kept between runs; ignored by git. */
export const cacheFolder = join(projectRoot, '.vscode-test');

/** Where screenshots and other evidence of a run go; ignored by git. */
export const outFolder = join(projectRoot, 'out');

/** The offline VS Code as it is installed. Throws with what to do when it is not. */
export function offlineVSCode(): string {
  const install = join(cacheFolder, 'code-server');
  if (!existsSync(join(install, 'complete.txt'))) {
    throw new Error('The offline VS Code is not installed. Run "node test/setup.mjs" once, then this again.');
  }
  return join(install, 'node_modules', 'code-server', 'lib', 'vscode');
}

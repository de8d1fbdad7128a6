/** Makes a machine ready for the benchmarks: the project's own dependencies, and the clients they compare with. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  ensureBrowser,
  ensureDependencies,
  ensureOfflineVSCode,
  projectEnvironment,
  projectNode,
  reportingSetupErrors,
  root,
  SetupError,
} from '../setup.mjs';

const names = ['package.json', 'package-lock.json'];

/** Installs the peers into a folder that git and the compiler leave out, once for each version of their lock file. */
function ensurePeers() {
  const source = join(root, 'test', 'bench');
  const target = join(root, '.vscode-test', 'bench');
  // Copied back as the last act, so an interrupted install leaves nothing that looks like one.
  const stamp = join(target, 'node_modules', 'complete.json');
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  if (textOf(stamp) === lock) {
    return;
  }
  console.log('Installing the clients to compare with (about 60 MB on disk, once) …');
  mkdirSync(target, { recursive: true });
  rmSync(stamp, { force: true });
  for (const name of names) {
    copyFileSync(join(source, name), join(target, name));
  }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Started by npm, its own script is known: no shell is needed then, which on Windows would be.
  const script = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const result = spawnSync(script ? process.execPath : 'npm', script ? [script, ...args] : args, {
    cwd: target,
    env: projectEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !script && process.platform === 'win32',
  });
  if (result.status !== 0) {
    throw new SetupError(
      'The clients to compare with could not be installed: the message of npm is above. ' +
        'Without a network this works only once they are there.',
    );
  }
  copyFileSync(join(source, 'package-lock.json'), stamp);
}

function textOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

await reportingSetupErrors(() => {
  ensureDependencies();
  ensurePeers();
  ensureOfflineVSCode();
  ensureBrowser();
  // What is measured in VS Code is what would be shipped.
  const built = spawnSync(projectNode, ['esbuild.mjs', '--production'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (built.status !== 0) {
    throw new SetupError('The extension could not be built: the messages of esbuild are above.');
  }
});

/** Installs what the benchmarks need: the project's own dependencies, and the clients that they compare with. */
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

/** Installs the peers into a folder that Git and the compiler ignore, once for each version of the lock file. */
function ensurePeers() {
  const source = join(root, 'test', 'bench');
  const target = join(root, '.vscode-test', 'bench');
  // The lock file is copied here last, so that an interrupted install doesn't look complete.
  const stamp = join(target, 'node_modules', 'complete.json');
  const lock = readFileSync(join(source, 'package-lock.json'), 'utf8');
  if (textOf(stamp) === lock) {
    return;
  }
  console.log('Installing the clients and tokenizers to compare with (once, about 230 MB on disk)…');
  mkdirSync(target, { recursive: true });
  rmSync(stamp, { force: true });
  for (const name of names) {
    copyFileSync(join(source, name), join(target, name));
  }
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // When npm starts this script, the path of npm is known, and no shell is needed even on Windows.
  const script = process.env.npm_execpath?.endsWith('.js') ? process.env.npm_execpath : undefined;
  const result = spawnSync(script ? process.execPath : 'npm', script ? [script, ...args] : args, {
    cwd: target,
    env: projectEnvironment(),
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: !script && process.platform === 'win32',
  });
  if (result.status !== 0) {
    throw new SetupError(
      "The clients and tokenizers to compare with couldn't be installed. See npm's message above. " +
        'The first installation needs a network.',
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
  // Measure the production build in VS Code.
  const built = spawnSync(projectNode, ['esbuild.mjs', '--production'], { cwd: root, stdio: ['ignore', 2, 2] });
  if (built.status !== 0) {
    throw new SetupError("The extension couldn't be built. See esbuild's messages above.");
  }
});

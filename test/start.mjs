/**
 * `npm start`: installs what is needed, builds, and opens a real VS Code with Ask Model connected to a gateway on this
 * machine. `npm start -- --offline` passes over a desktop VS Code.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import {
  ensureDependencies,
  ensureOfflineVSCode,
  projectEnvironment,
  projectNode,
  reportingSetupErrors,
  root,
  SetupError,
} from './setup.mjs';

const options = process.argv.slice(2);
const environment = { cwd: root, env: projectEnvironment() };

await reportingSetupErrors(() => {
  ensureDependencies();
  const finder = spawnSync(projectNode, [join('test', 'start', 'findVSCode.ts')], environment);
  if (finder.status !== 0 || options.includes('--offline')) {
    ensureOfflineVSCode();
  }
  const build = spawnSync(projectNode, ['esbuild.mjs'], { ...environment, stdio: 'inherit' });
  if (build.status !== 0) {
    throw new SetupError('The extension could not be built; the messages above say where.');
  }
});

// The channel tells the other process when this one is gone. It is in a group of its own, so that Ctrl-C in a terminal
// reaches it by this process alone.
const child = spawn(projectNode, [join('test', 'start', 'main.ts'), ...options], {
  ...environment,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  detached: process.platform !== 'win32',
});
// The other one ends what it started, then this one follows. A second signal would not let it: Ctrl-C comes from the
// terminal and once more from npm.
let signalledAt = Number.NEGATIVE_INFINITY;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    if (performance.now() - signalledAt > 1_000) {
      signalledAt = performance.now();
      child.kill(signal);
    }
  });
}
child.on('exit', (code) => process.exit(code === 130 ? 0 : (code ?? 1)));

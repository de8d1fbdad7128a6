/**
 * `npm start`: installs what is needed, builds, and opens a real VS Code with Ask Model connected to a gateway on this
 * machine. `npm start -- --offline` uses the offline VS Code even when there is a desktop one.
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
    throw new SetupError("The extension couldn't be built. See the messages above.");
  }
});

// The channel shows the child when this process is gone. The child is in a process group of its own, so that Ctrl-C in
// a terminal reaches it only through this process.
const child = spawn(projectNode, [join('test', 'start', 'main.ts'), ...options], {
  ...environment,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  detached: process.platform !== 'win32',
});
// The child ends what it started, and then this process ends. A second signal within a second would interrupt that:
// Ctrl-C comes from the terminal and again from npm.
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

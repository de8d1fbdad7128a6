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

// The channel tells the other process when this one is gone.
const child = spawn(projectNode, [join('test', 'start', 'main.ts'), ...options], {
  ...environment,
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
});
// Ctrl-C reaches both; the other one ends what it started, then this one follows.
process.on('SIGINT', () => undefined);
for (const signal of ['SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill('SIGTERM'));
}
child.on('exit', (code) => process.exit(code === 130 ? 0 : (code ?? 1)));

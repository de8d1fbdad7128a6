/**
 * `npm run bench`: installs what is needed, then measures this client beside what one would pick instead of it.
 * `--only decode` (or first-token, scaling, activation, models, panel; more than one with commas) runs only that, `--json`
 * prints one JSON object and nothing else. Ends with 1 when a bar is missed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { projectEnvironment, projectNode, root } from '../setup.mjs';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

// In a process of its own, so that whatever npm prints goes to stderr: stdout belongs to the figures.
const install = spawnSync(process.execPath, [file('install.mjs')], { stdio: ['ignore', 2, 2] });
if (install.status !== 0) {
  process.exit(1);
}
const child = spawn(projectNode, [file('run.ts'), ...process.argv.slice(2)], {
  cwd: root,
  env: projectEnvironment(),
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill('SIGTERM'));
}
child.on('exit', (code) => process.exit(code ?? 1));

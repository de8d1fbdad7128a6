/**
 * `npm run bench`: installs what is needed, then measures this client and its alternatives. `--only decode` (or
 * first-token, scaling, ledger, usage, tokens, activation, models, memory, panel, freeze; separated by commas) runs only
 * these benchmarks, `--json` prints only one JSON object. Exits with 1 when a limit is missed. `--smoke` runs each with
 * its smallest amounts, and exits with 1 only when one of them breaks.
 */
import { spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { projectEnvironment, projectNode, root } from '../setup.mjs';

const file = (name) => fileURLToPath(new URL(name, import.meta.url));

// Run the installation in a separate process, so that npm's output goes to stderr and stdout has only the figures.
const install = spawnSync(process.execPath, [file('install.mjs')], { stdio: ['ignore', 2, 2] });
if (install.status !== 0) {
  process.exit(1);
}
const args = process.argv.slice(2);
const isSmokeRun = args.includes('--smoke');
const child = spawn(projectNode, [file('run.ts'), ...args.filter((each) => each !== '--smoke')], {
  cwd: root,
  env: projectEnvironment(isSmokeRun ? { ASK_MODEL_BENCH_SMOKE: '1' } : {}),
  stdio: 'inherit',
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => child.kill('SIGTERM'));
}
child.on('exit', (code) => process.exit(code ?? 1));

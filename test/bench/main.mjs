/**
 * `npm run bench`: installs what is needed, builds the extension as it ships, then measures this client and its
 * alternatives. `--only decode,panel` runs only these benchmarks of `run.ts`. Exits with 1 when a limit is missed.
 * `--smoke` runs each with its smallest amounts, and exits with 1 only when one of them breaks.
 */
import { spawnSync } from 'node:child_process';
import {
  ensureBrowser,
  ensureDependencies,
  ensureOfflineVSCode,
  ensurePeers,
  projectEnvironment,
  projectNode,
  reportingSetupErrors,
  root,
  SetupError,
} from '../setup.mjs';

const run = (args, env) =>
  spawnSync(projectNode, args, { cwd: root, env: projectEnvironment(env), stdio: 'inherit' }).status;
await reportingSetupErrors(() => {
  ensureDependencies();
  ensurePeers();
  ensureOfflineVSCode();
  ensureBrowser();
  if (run(['esbuild.mjs', '--production']) !== 0) {
    throw new SetupError("The extension couldn't be built. See esbuild's messages above.");
  }
});
const args = process.argv.slice(2).filter((each) => each !== '--smoke');
const env = process.argv.includes('--smoke') ? { ASK_MODEL_BENCH_SMOKE: '1' } : {};
process.exit(run(['test/bench/run.ts', ...args], env) ?? 1);

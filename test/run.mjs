/**
 * `npm test`: installs what is needed, then runs every check, but of the user interface only the main job. `--all` runs
 * all of it, `--long` what takes hours. `npm test -- unit host` runs only those suites. A step that fails or takes too
 * long counts as failed, and the others still run. The last line is the total.
 */
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import {
  ensureBrowser,
  ensureDependencies,
  ensureOfflineVSCode,
  projectEnvironment,
  projectNode,
  reportingSetupErrors,
  root,
} from './setup.mjs';

const minuteMs = 60_000;
const tsc = ['node_modules/typescript/bin/tsc', '-p'];

const build = { suite: 'build', name: 'build', args: ['esbuild.mjs'] };
const checks = [
  { suite: 'check', name: 'types of the extension', args: [...tsc, 'tsconfig.json'] },
  { suite: 'check', name: 'types of the panel', args: [...tsc, 'src/webview/tsconfig.json'] },
  { suite: 'check', name: 'types of the tests', args: [...tsc, 'test/tsconfig.json'] },
  { suite: 'check', name: 'lint and format', args: ['node_modules/@biomejs/biome/bin/biome', 'check'] },
  { suite: 'check', name: 'unused code', args: ['node_modules/knip/bin/knip.js'] },
];
const unit = { suite: 'unit', name: 'unit tests', args: ['test/unit/run.ts'], limitMs: 15 * minuteMs, total: lastLine };
const host = {
  suite: 'host',
  name: 'tests inside VS Code',
  args: ['test/host/run.ts'],
  limitMs: 12 * minuteMs,
  total: lastLine,
};
const ui = (...words) => ({
  suite: 'ui',
  name: ['tests of the user interface', ...words].join(' '),
  args: ['test/ui/run.ts', ...words],
  limitMs: 30 * minuteMs,
  total: lastLine,
});

/** What takes hours. The random seeds are new each time, and each step prints its own. */
const long = [
  { ...unit, name: 'unit tests with long properties', env: { ASK_MODEL_CASES: 'all' } },
  { ...ui('killed'), name: 'kills at random moments', env: { ASK_MODEL_KILLS: '50' } },
  { ...ui('language'), name: 'walks in a pseudo-locale', env: { ASK_MODEL_CASES: 'all' } },
  { name: 'soak', args: ['test/soak/main.ts', '--sends', '1000', '--seed', String(Date.now() % 1_000_000)] },
  { name: 'smoke run of every bench', args: ['test/bench/main.mjs', '--smoke'] },
  ui('--repeat', '10'),
].map((step) => ({ ...step, limitMs: 6 * 60 * minuteMs }));

const few = { ASK_MODEL_CASES: 'few' };

/**
 * Rows run one after the other. What is in a row runs at the same time, and lists in it in their order. The checks use
 * all processors, so they come when the unit tests have ended: in the quick run those end first.
 */
const plans = {
  quick: [
    build,
    [
      [{ ...unit, env: few }, ...checks],
      [host, { ...ui('mainJob'), env: few }],
    ],
  ],
  all: [build, [[unit], [host, ...checks]], ui()],
  long: [build, ...long],
};

function lastLine(output) {
  const match = [...output.matchAll(/^\w+: (\d+) passed, (\d+) failed$/gm)].at(-1);
  return [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
}

const running = new Set();
let interruptedWith;

/** Ends a step and everything it started. With a signal, suites can still clean up; on Windows they end at once. */
function end(child, signal) {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // It has already ended.
  }
}

/** Ends what a step has left running. Processes that are still cleaning up get 5 s to finish. */
async function endGroup(child) {
  end(child, 'SIGTERM');
  const until = Date.now() + 5_000;
  while (process.platform !== 'win32' && Date.now() < until && isGroupAlive(child)) {
    await delay(50);
  }
  end(child, 'SIGKILL');
}

function isGroupAlive({ pid }) {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

let passed = 0;
let failed = 0;

function count(name, passedHere, failedHere) {
  passed += passedHere;
  failed += failedHere;
  console.log(`${failedHere === 0 ? '✔' : '✖'} ${name}: ${passedHere} passed, ${failedHere} failed`);
}

/**
 * Runs a step and counts its results. A step without `total` counts as one test; `total` finds the numbers of passed and
 * failed tests in its output.
 *
 * @param isLive whether to print its output as it arrives, and not at its end.
 * @returns whether it passed.
 */
function run({ name, args, total, env, limitMs = 5 * minuteMs }, isLive) {
  const heading = `\n── ${name}`;
  if (isLive) {
    console.log(heading);
  }
  return new Promise((resolve) => {
    const began = Date.now();
    const child = spawn(projectNode, args, {
      cwd: root,
      // Several processes load the same modules; with this cache only one compiles them.
      env: projectEnvironment({ NODE_COMPILE_CACHE: join(root, '.vscode-test', 'compiled'), ...env }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    running.add(child);
    let output = '';
    for (const [stream, target] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += text;
        if (isLive) {
          target.write(text);
        }
      });
    }
    let isLate = false;
    const timer = setTimeout(() => {
      isLate = true;
      console.error(`✖ ${name}: stopped after ${limitMs / minuteMs} minutes`);
      end(child, 'SIGTERM');
      setTimeout(() => end(child, 'SIGKILL'), 10_000).unref();
    }, limitMs);
    child.on('error', (error) => console.error(error.message));
    child.on('close', async (code) => {
      clearTimeout(timer);
      await endGroup(child);
      running.delete(child);
      const isGood = code === 0 && !isLate;
      const [passedHere, failedHere] = total?.(stripVTControlCharacters(output)) ?? [isGood ? 1 : 0, isGood ? 0 : 1];
      // A step that failed without a failed test, or that ran no test, counts as one failure.
      const extra = (!isGood && failedHere === 0) || passedHere + failedHere === 0 ? 1 : 0;
      if (!isLive) {
        process.stdout.write(`${heading}\n${output}`);
      }
      count(`${name}, ${Math.round((Date.now() - began) / 1000)} s`, passedHere, failedHere + extra);
      resolve(failedHere + extra === 0);
    });
  });
}

let isBuilt = true;

/** Runs a step, or a list of steps in their order, unless the run was interrupted. */
async function runInOrder(steps, isLive = true) {
  for (const step of [steps].flat()) {
    if (interruptedWith) {
      return;
    }
    if (!isBuilt && (step.suite === 'host' || step.suite === 'ui')) {
      count(`${step.name}, skipped because the build failed`, 0, 1);
      continue;
    }
    const isGood = await run(step, isLive);
    isBuilt &&= step.suite !== 'build' || isGood;
  }
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    interruptedWith = code;
    if (running.size === 0) {
      process.exit(code);
    }
    for (const child of running) {
      end(child, 'SIGTERM');
    }
  });
}

const words = process.argv.slice(2);
const known = { check: checks, unit: [unit], host: [host], ui: [ui()] };
const plan = words.length === 0 ? plans.quick : plans[words[0].replace(/^--/, '')];
const unknown = plan ? undefined : words.find((word) => !Object.hasOwn(known, word));
if (unknown) {
  console.error(`Unknown suite: "${unknown}". Choose from: ${Object.keys(known).join(', ')}.`);
  process.exit(1);
}
const chosen = plan ?? [build, ...words.flatMap((word) => known[word])];

await reportingSetupErrors(() => {
  ensureDependencies();
  if (plan || words.includes('host') || words.includes('ui')) {
    ensureOfflineVSCode();
    ensureBrowser();
  }
});

for (const row of chosen) {
  await Promise.all([row].flat().map((steps, index) => runInOrder(steps, index === 0)));
}
if (interruptedWith) {
  process.exit(interruptedWith);
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

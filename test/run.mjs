/**
 * `npm test`: installs what is needed, then runs every check and suite, and counts the results. `npm test -- unit host`
 * runs only those suites. A step that fails or takes too long counts as failed, and the others still run. The last line
 * is the total.
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

/**
 * The steps, in the order in which they run. A step without `total` counts as one test; `total` finds the numbers of
 * passed and failed tests in the output of a step.
 */
const steps = [
  { suite: 'check', name: 'types of the extension', args: [...tsc, 'tsconfig.json'] },
  { suite: 'check', name: 'types of the panel', args: [...tsc, 'src/webview/tsconfig.json'] },
  { suite: 'check', name: 'types of the tests', args: [...tsc, 'test/tsconfig.json'] },
  { suite: 'check', name: 'lint and format', args: ['node_modules/@biomejs/biome/bin/biome', 'check'] },
  { suite: 'check', name: 'unused code', args: ['node_modules/knip/bin/knip.js'] },
  { suite: 'build', name: 'build', args: ['esbuild.mjs'] },
  { suite: 'unit', name: 'unit tests', args: ['test/unit/run.ts'], limitMs: 15 * minuteMs, total: lastLine },
  { suite: 'host', name: 'tests inside VS Code', args: ['test/host/run.ts'], limitMs: 12 * minuteMs, total: lastLine },
  {
    suite: 'ui',
    name: 'tests of the user interface',
    args: ['test/ui/run.ts'],
    limitMs: 30 * minuteMs,
    total: lastLine,
  },
];

function lastLine(output) {
  const match = [...output.matchAll(/^\w+: (\d+) passed, (\d+) failed$/gm)].at(-1);
  return [Number(match?.[1] ?? 0), Number(match?.[2] ?? 0)];
}

let current;
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

/** Runs a step and shows its output as it arrives. @returns the numbers of passed and failed tests. */
function run({ name, args, total, limitMs = 5 * minuteMs }) {
  console.log(`\n── ${name}`);
  return new Promise((resolve) => {
    const child = spawn(projectNode, args, {
      cwd: root,
      // A hundred processes load the same modules; with this cache only one compiles them.
      env: projectEnvironment({ NODE_COMPILE_CACHE: join(root, '.vscode-test', 'compiled') }),
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
    });
    current = child;
    let output = '';
    for (const [stream, target] of [
      [child.stdout, process.stdout],
      [child.stderr, process.stderr],
    ]) {
      stream.setEncoding('utf8').on('data', (text) => {
        output += stripVTControlCharacters(text);
        target.write(text);
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
      const isGood = code === 0 && !isLate;
      const [passed, failed] = total ? total(output) : [isGood ? 1 : 0, isGood ? 0 : 1];
      // A step that failed without a failed test, or that ran no test, counts as one failure.
      const extra = (!isGood && failed === 0) || passed + failed === 0 ? 1 : 0;
      console.log(`${failed + extra === 0 ? '✔' : '✖'} ${name}: ${passed} passed, ${failed + extra} failed`);
      resolve({ passed, failed: failed + extra });
    });
  });
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.on(signal, () => {
    interruptedWith = code;
    if (current) {
      end(current, 'SIGTERM');
    } else {
      process.exit(code);
    }
  });
}

const wanted = process.argv.slice(2);
const known = [...new Set(steps.map(({ suite }) => suite))];
const unknown = wanted.find((word) => !known.includes(word));
if (unknown) {
  console.error(`Unknown suite: "${unknown}". Choose from: ${known.join(', ')}.`);
  process.exit(1);
}
const isWanted = (suite) => wanted.length === 0 || wanted.includes(suite);
const needsVSCode = isWanted('host') || isWanted('ui');

await reportingSetupErrors(() => {
  ensureDependencies();
  if (needsVSCode) {
    ensureOfflineVSCode();
    ensureBrowser();
  }
});

let passed = 0;
let failed = 0;
let isBuilt = true;
for (const step of steps) {
  // The suites inside VS Code run what the build has written.
  if (!isWanted(step.suite) && !(step.suite === 'build' && needsVSCode)) {
    continue;
  }
  if (!isBuilt && (step.suite === 'host' || step.suite === 'ui')) {
    console.log(`\n── ${step.name}\n✖ ${step.name}: skipped because the build failed`);
    failed += 1;
    continue;
  }
  const result = await run(step);
  current = undefined;
  if (interruptedWith) {
    process.exit(interruptedWith);
  }
  isBuilt &&= step.suite !== 'build' || result.failed === 0;
  passed += result.passed;
  failed += result.failed;
}
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

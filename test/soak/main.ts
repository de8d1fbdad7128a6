/**
 * `npm run soak`: makes paid calls from several windows at the local gateway, with faults, stops, double clicks, reloads
 * and kills, compares the ledger with the gateway's own log, call by call, and matches both as a person would.
 * `--sends 1000`, `--minutes 10` as the longest time, `--seed 1` to repeat a run. The last line is `N sends, 0
 * differences`; exits with 1 when there are any.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { faults } from '../gateway/faultTable.ts';
import { startGateway } from '../gateway/gateway.ts';
import { randomNumbers } from '../randomNumbers.ts';
import { closedAddress } from './closedAddress.ts';
import { matchReceipts } from './receipts.ts';
import { differences, exactKinds, planSends, type SendPlan, type SendResult } from './sends.ts';
import type { SendOrder, SendReport } from './window.ts';

const windowCount = 3;
/** Calls that a window makes at the same time. */
const callsAtOnce = 3;
/** After so many calls on average, a window is killed or reloaded. */
const callsPerEnd = 10;
/** Far longer than any call takes. */
const maxCallMs = 30_000;

const { values } = parseArgs({
  options: {
    sends: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '10' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [sends, minutes, seed] = [Number(values.sends), Number(values.minutes), Number(values.seed)];
if (!(Number.isInteger(sends) && sends > 0 && minutes > 0 && Number.isInteger(seed))) {
  throw new Error('Usage: npm run soak -- --sends 1000 --minutes 10 --seed 1');
}
console.log(`seed ${seed}`);

const until = Date.now() + minutes * 60_000;
const random = randomNumbers(seed);
const exactFaults = new Set(exactKinds.map(({ fault }) => fault?.replace(/:.*/, '')));
const otherFaults = faults.filter(({ on, name }) => on !== 'models' && !exactFaults.has(name)).map(({ name }) => name);
const left = planSends(sends, random, otherFaults);
const made: SendPlan[] = [];
const results = new Map<string, SendResult>();
const defects: string[] = [];
const keys = new Map<string, string>();
let ended = 0;

const folder = await mkdtemp(join(tmpdir(), 'ask-model-soak-'));
const gateway = await startGateway({ delayMs: 3 });
const elsewhere = await closedAddress();

/** Makes calls in a window until none are left; opens another window when this one is killed or reloaded. */
async function useWindows(): Promise<void> {
  while (left.length > 0 && Date.now() < until) {
    const child = fork(join(import.meta.dirname, 'window.ts'), [folder], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const exited = once(child, 'exit');
    await Promise.all(Array.from({ length: callsAtOnce }, () => makeCalls(child)));
    if (child.connected) {
      child.disconnect();
    }
    await exited;
  }
}

async function makeCalls(child: ChildProcess): Promise<void> {
  while (child.connected && Date.now() < until) {
    const plan = left.shift();
    if (plan === undefined) {
      return;
    }
    made.push(plan);
    // A key of its own, so that the gateway names each call in its log.
    const key = gateway.createKey({ name: plan.id, fault: plan.fault });
    keys.set(plan.id, key.id);
    const order: SendOrder = { plan, baseUrl: plan.isElsewhere ? elsewhere : gateway.baseUrl, key: key.value };
    const done = reportOf(child, plan.id);
    // What a window that another call has just killed doesn't get is known by its end.
    child.send(order, () => undefined);
    if (random() < 1 / callsPerEnd) {
      ended++;
      const isKilled = random() < 0.5;
      await Promise.race([done, delay(random() * 150)]);
      if (isKilled) {
        child.kill('SIGKILL');
      } else if (child.connected) {
        child.disconnect();
      }
    }
    await done;
  }
}

/** Resolves when the call has ended, or its window has. */
async function reportOf(child: ChildProcess, id: string): Promise<void> {
  const timer = setTimeout(() => {
    defects.push(`${id} did not end`);
    child.kill('SIGKILL');
  }, maxCallMs);
  await new Promise<void>((resolve) => {
    const onReport = (report: SendReport) => {
      if ('defect' in report) {
        defects.push(report.defect);
      } else if (report.id === id) {
        results.set(id, report.result);
        end();
      }
    };
    const end = () => {
      child.off('message', onReport).off('exit', end);
      resolve();
    };
    child.on('message', onReport).on('exit', end);
  });
  clearTimeout(timer);
}

try {
  await Promise.all(Array.from({ length: windowCount }, useWindows));
  // Requests of killed windows may still be on their way.
  await delay(500);
  await gateway.settled();
  const usage = join(folder, 'usage');
  const names = await readdir(usage);
  const texts = await Promise.all(names.map((name) => readFile(join(usage, name), 'utf8')));
  const log = gateway.usageLog();
  const found = [...new Set(defects), ...differences(made, texts.join(''), log, results)];
  if (log.length !== gateway.postCount()) {
    found.push(`The log has ${log.length} lines for ${gateway.postCount()} requests`);
  }
  const receipts = await matchReceipts(folder, log, keys);
  found.push(...receipts.found);
  for (const each of found) {
    console.log(each);
  }
  console.log(`${receipts.charged} calls matched by request id, ${receipts.likely} by model, time and tokens`);
  console.log(`${log.length} requests reached the gateway; ${ended} windows were killed or reloaded`);
  console.log(`${made.length} sends, ${found.length} differences`);
  process.exitCode = found.length > 0 ? 1 : 0;
} finally {
  await gateway.close();
  await rm(folder, { recursive: true, force: true });
}

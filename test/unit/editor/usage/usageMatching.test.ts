import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogEntry } from '../../../../src/core/account/logEntries.ts';
import { costBeforeLog } from '../../../../src/core/usage/receipts/matchLog.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';
import { anEnd, aStart, noon, openLedger } from '../../core/usage/memoryLedger.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code that matching uses: a task with a progress runs, and messages are answered with `answers`.
const answers: (string | Promise<undefined>)[] = [];
const messages: string[] = [];
Object.assign(globalThis, { answers, messages });
const vscode = `data:text/javascript,
  const token = { onCancellationRequested: () => ({ dispose() {} }) };
  export const window = new Proxy({}, { get: (_, name) => async (text, task) => {
    if (name === 'withProgress') { return task({}, token); }
    messages.push(name + ': ' + text);
    return answers.shift();
  } });
  export const [ProgressLocation, commands, workspace, ThemeIcon, Uri, QuickPickItemKind, QuickInputButtons] = [{}, {}, {}, {}, {}, {}, {}];`;
fakeVSCode(import.meta, vscode);
const { openUsageMatching } = await import('../../../../src/editor/usage/usageMatching.ts');

/** A ledger with a call of the request `A`, and a gateway whose log is `entries`. */
async function scene(entries: readonly LogEntry[], end: Parameters<typeof anEnd>[0] = {}) {
  const { ledger, store, clock } = openLedger();
  const call = await ledger.begin(aStart('a'));
  await call.end(anEnd({ requestId: 'A', ...end }));
  const ratios: unknown[] = [];
  const log = { entries, isAllowed: true };
  const matching = openUsageMatching(
    ledger,
    clock,
    {
      find: () => connectionTo('https://h'),
      change: async () => {
        log.isAllowed = true;
      },
    },
    { ofConnections: () => ({ read: () => undefined, write: async (_, ratio) => void ratios.push(ratio) }) },
    {
      log: async () =>
        log.isAllowed
          ? { status: 'read', entries: log.entries, unreadable: 0, hasZone: true }
          : { status: 'notAllowed' },
    },
  );
  const receipts = () =>
    store.appended.flatMap((lines) => lines.split('\n').filter((line) => line.includes('"receipt"'))).length;
  const costs = async () => (await ledger.totals(0, noon + 1)).costs;
  return { ledger, matching, receipts, costs, ratios, log };
}

const charge = (amount: number, more: Partial<LogEntry> = {}): LogEntry => ({
  at: noon + 2_000,
  kind: 'charge',
  model: 'm1',
  charged: { amount, unit: 'site' },
  ...more,
});

test('records what the gateway charged, once however often its log is read', async () => {
  const { matching, receipts, costs, ratios, log } = await scene([charge(0.5, { requestId: 'A', groupRatio: 0.8 })]);
  await matching.match('c1');
  await matching.match('c1');
  assert.deepEqual([await costs(), receipts(), ratios], [new Map([['site', 0.5]]), 1, [0.8, 0.8]]);
  log.entries = [...log.entries, charge(0.25, { requestId: 'A', kind: 'refund' })];
  await matching.match('c1');
  assert.deepEqual([await costs(), receipts()], [new Map([['site', 0.25]]), 2]);
});

test('compares the same costs however often the log is read', async () => {
  const priced = await scene([charge(0.5, { requestId: 'A' })], {
    cost: { amount: 0.25, unit: 'site', source: 'stated' },
  });
  const reported = await scene([charge(0, { requestId: 'A', charged: { amount: 0.5, unit: 'USD' } })], {
    usage: { promptTokens: 7, cost: 0.25 },
  });
  for (const { matching } of [priced, reported]) {
    for (let times = 1; times <= 2; times++) {
      await matching.match('c1');
      const { matched, findings } = matching.resultOf('c1') ?? {};
      const here = matched?.[0] && costBeforeLog(matched[0].call);
      assert.deepEqual([here?.amount, findings?.map(({ kind }) => kind)], [0.25, ['differing']]);
    }
  }
});

test('keeps what was charged by its request ID when another log has only a line that fits', async () => {
  const { matching, costs, log } = await scene([charge(0.5, { requestId: 'A' })]);
  await matching.match('c1');
  log.entries = [charge(7)];
  await matching.match('c1');
  assert.equal(matching.resultOf('c1')?.matched[0]?.how, 'likely');
  assert.deepEqual(await costs(), new Map([['site', 0.5]]));
});

test('knows no cost by a refund alone, whose charge the log no longer has', async () => {
  const { matching, costs, receipts } = await scene([charge(0.5, { requestId: 'A', kind: 'refund' })]);
  await matching.match('c1');
  assert.deepEqual([await costs(), receipts()], [new Map(), 0]);
});

test('forgets what was compared when the calls are removed', async () => {
  const { ledger, matching } = await scene([charge(0.5, { requestId: 'A' })]);
  await matching.match('c1');
  assert.equal(matching.resultOf('c1')?.matched.length, 1);
  let changes = 0;
  matching.onDidChange(() => changes++);
  await ledger.clear();
  assert.deepEqual([matching.resultOf('c1'), changes], [undefined, 1]);
});

test('turns look-ups on and matches by one button when they are off', async () => {
  const { matching, costs, log } = await scene([charge(0.5, { requestId: 'A' })]);
  log.isAllowed = false;
  await matching.match('c1');
  assert.deepEqual([log.isAllowed, matching.resultOf('c1')], [false, undefined]);
  const text = '"Read Balance, Prices, and Log" is off for this connection, so h was not asked.';
  assert.equal(messages.at(-1), `showInformationMessage: ${text}`, 'what the person set is no error');
  answers.push('Turn On and Match');
  await matching.match('c1');
  assert.deepEqual(await costs(), new Map([['site', 0.5]]));
});

test('says again that look-ups are off while the notification before has no answer, which VS Code hides', async () => {
  const { matching, log } = await scene([]);
  log.isAllowed = false;
  const hidden = Promise.withResolvers<undefined>();
  answers.push(hidden.promise);
  const first = matching.match('c1');
  await new Promise(setImmediate);
  const { length } = messages;
  const second = matching.match('c1');
  await new Promise(setImmediate);
  hidden.resolve(undefined);
  await Promise.all([first, second]);
  assert.equal(messages.length, length + 1);
});

import assert from 'node:assert/strict';
import { readSiteStatus } from '../../src/core/account/accountDialects.ts';
import { type LogEntry, readTokenLog } from '../../src/core/account/logEntries.ts';
import { Ledger } from '../../src/core/usage/ledger.ts';
import { matchLog, receiptsOf } from '../../src/core/usage/receipts/matchLog.ts';
import { ledgerFiles } from '../../src/node/files/ledgerFiles.ts';
import { systemClock as clock } from '../../src/node/system/machine.ts';
import type { UsageEntry } from '../gateway/account.ts';
import { siteLog } from '../gateway/site.ts';

/**
 * Matches the ledger with the log that the gateway offers to keys, as *Match with the Gateway's Log* does, but with the
 * lines of all keys in one log, so that the pairs are found without them. The key of a line then shows which are wrong.
 *
 * @param usage the gateway's own log.
 * @param keys the ids of the keys, by those of the calls.
 * @returns each difference, as a sentence, and how many calls were matched.
 */
export async function matchReceipts(
  folder: string,
  usage: readonly UsageEntry[],
  keys: ReadonlyMap<string, string>,
): Promise<{ readonly found: readonly string[]; readonly charged: number; readonly likely: number }> {
  const found: string[] = [];
  const store = ledgerFiles(folder);
  const onDefect = (error: unknown) => void found.push(`The ledger: ${error}`);
  const ledger = new Ledger(store, clock, onDefect);
  const site = readSiteStatus({ success: true, data: { quota_per_unit: 500_000 } }) ?? assert.fail();
  const callOf = new Map<LogEntry, string>();
  for (const [id, keyId] of keys) {
    const own = readTokenLog(siteLog(usage, keyId), site);
    if (own === undefined || own.unreadable > 0) {
      found.push(`${id}: its log can't be read`);
    }
    for (const entry of own?.entries ?? []) {
      callOf.set(entry, id);
    }
  }
  const span = [0, Date.now() + 60_000] as const;
  const { calls } = await ledger.callsBetween(...span);
  const log = [...callOf.keys()].sort((one, other) => other.at - one.at);
  const match = matchLog(calls, log, { from: span[0], to: span[1], readAt: Date.now() });
  const counts = { charged: 0, likely: 0 };
  const matched = new Set<string>();
  for (const { call, how, entry, charged } of match.matched) {
    counts[how]++;
    matched.add(call.id);
    // A line of several is another object.
    const own = [...callOf].filter(([each, id]) => id === call.id && each.requestId === entry.requestId);
    if (own.length === 0) {
      found.push(`${call.id} has the line of another call: ${JSON.stringify({ call, entry })}`);
    } else if (charged.amount !== own.reduce((sum, [each]) => sum + each.charged.amount, 0)) {
      found.push(`${call.id} was charged something else`);
    }
  }
  const ids = new Set(log.map(({ requestId }) => requestId));
  for (const { id, requestId } of calls) {
    if (requestId !== undefined && ids.has(requestId) && !matched.has(id)) {
      found.push(`${id} has a request id and no line: ${requestId}`);
    }
  }
  await ledger.receive(receiptsOf(match, Date.now()));
  const again = new Ledger(store, clock, onDefect);
  for (const { id, cost } of (await again.callsBetween(...span)).calls) {
    if (matched.has(id) && cost?.source !== 'charged' && cost?.source !== 'likely') {
      found.push(`${id} has no receipt`);
    }
  }
  again.dispose();
  ledger.dispose();
  return { found, ...counts };
}

import type { LogEntry } from '../../../../../src/core/account/logEntries.ts';
import { dayStart } from '../../../../../src/core/base/dayStart.ts';
import { type Cost, knownCost } from '../../../../../src/core/reply/cost.ts';
import type { MatchResult } from '../../../../../src/core/usage/receipts/matchLog.ts';
import type { CountedCall } from '../../../../../src/core/usage/usageTotals.ts';
import { composeUsage, type UsageFacts } from '../../../../../src/core/usage/view/composeUsage.ts';
import type { UsageDocument } from '../../../../../src/core/usage/view/usageDocument.ts';
import { spanOf, tallyUsage, type UsageTally } from '../../../../../src/core/usage/view/usageTally.ts';

/** A Monday, in the local time zone. */
export const noon = new Date(2026, 10, 23, 12).getTime();

let calls = 0;

/** A call that was made at noon and completed. */
export function aCall(facts: Partial<CountedCall> = {}): CountedCall {
  return {
    id: `call-${++calls}`,
    at: noon,
    model: 'gpt-5',
    connection: 'c1',
    caller: 'panel',
    conversation: undefined,
    estimate: 10,
    reserved: undefined,
    state: 'complete',
    usage: { promptTokens: 1_200, completionTokens: 300, cachedTokens: 600 },
    ...facts,
  };
}

export function usd(amount: number, source: Cost['source'] = 'listed'): Cost {
  return { amount, unit: 'USD', source };
}

function tallyOf(steps: ReturnType<typeof tallyUsage>): UsageTally {
  for (;;) {
    const step = steps.next();
    if (step.done) {
      return step.value;
    }
  }
}

/** The document of calls. */
export function documentOf(all: readonly CountedCall[], facts: Partial<UsageFacts> = {}, most = 50): UsageDocument {
  const { choice = { period: 'week' }, now = noon } = facts;
  const { from, to } = spanOf(choice.period, now);
  const calls = all.filter(({ at }) => at >= from && at < to);
  return composeUsage({
    choice,
    ...tallyOf(tallyUsage({ calls, unreadable: 0 }, now, choice, knownCost)),
    most,
    costOf: knownCost,
    connections: ['c1'],
    connectionName: (id) => (id === 'c1' ? 'work key' : id),
    limits: { hard: {} },
    titles: new Map(),
    logButtons: [],
    hasConsole: false,
    ...facts,
  });
}

/** A document with everything that the view can show. */
export function sampleDocument(facts: Partial<UsageFacts> = {}): UsageDocument {
  const models = [
    { model: 'claude-sonnet-4-5', count: 96, each: 0.02, source: 'charged', input: 5_300 },
    { model: 'deepseek-chat', count: 88, each: 0.0035, source: 'priceList', input: 3_400 },
    { model: 'gpt-5-mini', count: 27, each: 0.023, source: 'stated', input: 3_500 },
    { model: 'kimi-k2-thinking', count: 3, each: 0, source: undefined, input: 2_600 },
  ] as const;
  const states = ['stopped', 'failed', 'incomplete', 'unknown'] as const;
  const all = models.flatMap(({ model, count, each, source, input }) =>
    Array.from({ length: count }, (_, index) => {
      const state = index % 25 === 3 ? (states[Math.floor(index / 25)] ?? 'unknown') : 'complete';
      return aCall({
        at: dayStart(noon, -((index * 5) % 7)) + ((index * 37) % 700) * 60_000,
        model,
        caller: index % 5 === 0 ? 'extension:acme.lint' : index % 7 === 0 ? 'comparison' : 'panel',
        connection: index % 9 === 0 ? 'c2' : 'c1',
        conversation: index % 5 === 0 ? undefined : `conversation-${index % 3}`,
        state,
        usage:
          state === 'complete'
            ? { promptTokens: input, completionTokens: 300 + index, cachedTokens: 60 * index }
            : undefined,
        cost: source && state !== 'failed' ? usd(each * (0.6 + (index % 9) / 10), source) : undefined,
      });
    }),
  );
  return documentOf(all, {
    connections: ['c1', 'c2'],
    connectionName: (id) => (id === 'c1' ? 'work key' : 'private key'),
    limits: { hard: { cost: 2 } },
    titles: new Map([
      ['conversation-1', 'Why does it round twice?'],
      ['conversation-2', 'Parser error recovery'],
    ]),
    match: sampleMatch(),
    logButtons: [
      { text: "Match with the Gateway's Log", action: { type: 'match' } },
      { text: 'Import a Log…', action: { type: 'importLog' } },
    ],
    hasConsole: true,
    ...facts,
  });
}

/** 211 calls of which one differs, two that the log doesn't have, and one that only the log has. */
export function sampleMatch(): MatchResult {
  const charged = { amount: 0.0061, unit: 'USD' };
  const entry: LogEntry = { at: noon, kind: 'charge', model: 'deepseek-chat', charged, promptTokens: 1_204 };
  const call = aCall({
    id: 'a',
    at: noon - 60_000,
    model: 'deepseek-chat',
    conversation: 'conversation-1',
    usage: { promptTokens: 1_200 },
  });
  const matched = { call, entry, charged, how: 'charged' } as const;
  return {
    at: noon - 2 * 60_000,
    file: undefined,
    unreadable: 0,
    matched: [...Array.from({ length: 210 }, () => matched), { ...matched, how: 'likely' }],
    findings: [
      { kind: 'differing', call, entry },
      { kind: 'onlyHere', call: { ...call, id: 'b', conversation: 'conversation-0', state: 'unknown' } },
      { kind: 'onlyHere', call: { ...call, id: 'c', conversation: undefined, state: 'unknown' } },
      { kind: 'onlyThere', entry: { ...entry, at: noon - 3_600_000 } },
    ],
  };
}

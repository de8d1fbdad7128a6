import type { Steps } from '../../base/runInSlices.ts';
import { type Cost, isFromLog, knownCost } from '../../reply/cost.ts';
import type { Usage } from '../../reply/usage.ts';
import type { Receipt } from '../ledgerLine.ts';
import type { CountedCall } from '../usageTotals.ts';
import type { LogMatch } from './matchLog.ts';
import type { RecordedCall } from './recordedCall.ts';

/** Calls as they are compared with a gateway's log. Those that are still running are left out. */
export function* recordedCalls(
  calls: readonly CountedCall[],
  isRunning: (call: CountedCall) => boolean,
): Steps<RecordedCall[]> {
  const recorded: RecordedCall[] = [];
  for (const call of calls) {
    if (!isRunning(call)) {
      const { id, at, model, caller, conversation, isInMemory, state = 'unknown', isFree, usage } = call;
      const { promptTokens, completionTokens } = usage ?? {};
      const { answered, requestId, totalMs } = call;
      recorded.push({
        id,
        at,
        model,
        caller,
        conversation,
        isInMemory,
        state,
        isFree,
        answered,
        requestId,
        totalMs,
        promptTokens,
        completionTokens,
        cost: knownCost({ usage, cost: call.pricedCost }),
        charged: isFromLog(call.cost) ? call.cost : undefined,
      });
    }
    yield;
  }
  return recorded;
}

/**
 * What is recorded of the calls that were found in a gateway's log, apart from what is recorded already, or was found more
 * reliably. One that was charged in several units has the first.
 *
 * @param at when the log was read, in Unix milliseconds.
 */
export function receiptsOf({ matched }: LogMatch, at: number): (Receipt & { readonly began: number })[] {
  const receipts = new Map<string, (Receipt & { readonly began: number }) | false>();
  for (const { call, charged, how, entry } of matched) {
    if (!receipts.has(call.id)) {
      const usage = usageOf(entry);
      // A refund can exceed a charge by a rounding error.
      const cost = { amount: Math.max(0, charged.amount), unit: charged.unit, source: how };
      const receipt = { id: call.id, began: call.at, at, cost, ...(usage && { usage }) };
      receipts.set(call.id, isNew(cost, call.charged) && receipt);
    }
  }
  return [...receipts.values()].filter((receipt) => receipt !== false);
}

function isNew({ amount, unit, source }: Cost, known: Cost | undefined): boolean {
  return source === known?.source
    ? amount !== known.amount || unit !== known.unit
    : source === 'charged' || known === undefined;
}

function usageOf({ promptTokens, completionTokens, cachedTokens }: LogMatch['matched'][number]['entry']) {
  const usage: Usage = { promptTokens, completionTokens, cachedTokens };
  return promptTokens === undefined && completionTokens === undefined ? undefined : usage;
}

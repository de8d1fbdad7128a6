/**
 * A window that makes the paid calls it gets as messages, with the real gate, client and ledger file, and reports the
 * end of each. It ends when its parent disconnects, which is like a reload of a window, or when it is killed.
 */
import { CallGate } from '../../src/core/chat/sending/callGate.ts';
import { GatewayClient } from '../../src/core/client/gatewayClient.ts';
import { Ledger } from '../../src/core/usage/ledger.ts';
import { ledgerFiles } from '../../src/node/files/ledgerFiles.ts';
import { systemClock as clock } from '../../src/node/system/machine.ts';
import { openLimiter, unlimited } from '../unit/core/usage/limiterFixture.ts';
import { send } from '../unit/node/network/standardNetwork.ts';
import { makeSend, type SendPlan, type SendResult, soakLimits } from './sends.ts';

/** A call to make. */
export type SendOrder = { readonly plan: SendPlan; readonly baseUrl: string; readonly key: string };
/** What the window reports: the end of a call once it is in the ledger, or a defect. */
export type SendReport = { readonly id: string; readonly result: SendResult } | { readonly defect: string };

const [folder = ''] = process.argv.slice(2);
const ledger = new Ledger(ledgerFiles(folder), clock, (error) => report({ defect: `${error}` }));
const client = new GatewayClient({ transport: send, clock, limits: soakLimits, userAgent: 'test/1' });
// High limits, so that calls take the longer way through them.
const limits = { ...unlimited, hard: { calls: 1_000_000, tokens: 1e12 } };
const limiter = openLimiter(ledger, clock, { limits: () => limits });
const calls = new CallGate({
  client,
  limiter,
  clock,
  priceNow: () => undefined,
  log: { info() {} },
});

function report(what: SendReport): void {
  // The parent may have disconnected.
  process.send?.(what, () => undefined);
}

process.on('message', async ({ plan, baseUrl, key }: SendOrder) => {
  try {
    const result = await makeSend(plan, baseUrl, key, calls);
    await calls.settled();
    report({ id: plan.id, result });
  } catch (error) {
    report({ defect: `${plan.id}: ${error}` });
  }
});
process.on('disconnect', () => process.exit());

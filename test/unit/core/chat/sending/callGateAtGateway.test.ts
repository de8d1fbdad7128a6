import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { CallGate } from '../../../../../src/core/chat/sending/callGate.ts';
import { GatewayClient } from '../../../../../src/core/client/gatewayClient.ts';
import { systemClock as clock } from '../../../../../src/node/system/machine.ts';
import { randomNumbers } from '../../../../randomNumbers.ts';
import { closedAddress } from '../../../../soak/closedAddress.ts';
import { differences, makeSend, planSends, type SendResult, soakLimits } from '../../../../soak/sends.ts';
import { withGateway } from '../../../gateway/askGateway.ts';
import { send } from '../../../node/network/standardNetwork.ts';
import { openLimiter } from '../../usage/limiterFixture.ts';
import { MemoryLedger, openLedger } from '../../usage/memoryLedger.ts';

/** Set `ASK_MODEL_SEED` to repeat a run. */
const seed = Number(process.env.ASK_MODEL_SEED ?? Date.now() % 1_000_000);

test('the ledger and the usage log of a gateway agree about every call', { timeout: 60_000 }, (context) =>
  withGateway(
    async (gateway) => {
      context.diagnostic(`seed ${seed}`);
      const store = new MemoryLedger();
      const { ledger } = openLedger({ store, clock });
      const client = new GatewayClient({ transport: send, clock, limits: soakLimits, userAgent: 'test/1' });
      const limiter = openLimiter(ledger, clock);
      const calls = new CallGate({
        client,
        limiter,
        clock,
        priceNow: () => undefined,
        log: { info() {} },
      });
      const elsewhere = await closedAddress();
      const plans = planSends(95, randomNumbers(seed));
      const results = new Map<string, SendResult>();
      const left = [...plans];
      // Four calls at a time.
      await Promise.all(
        Array.from({ length: 4 }, async () => {
          for (let plan = left.shift(); plan !== undefined; plan = left.shift()) {
            // A key of its own, so that the gateway names each call in its log.
            const key = gateway.createKey({ name: plan.id, fault: plan.fault }).value;
            const baseUrl = plan.isElsewhere ? elsewhere : gateway.baseUrl;
            results.set(plan.id, await makeSend(plan, baseUrl, key, calls));
          }
        }),
      );
      await calls.settled();
      // A request of a call that was stopped at once may still be on its way.
      await delay(100);
      await gateway.settled();
      const log = gateway.usageLog();
      assert.equal(log.length, gateway.postCount());
      assert.deepEqual(differences(plans, store.appended.join(''), log, results), []);

      const totals = await ledger.totals(0, Number.MAX_SAFE_INTEGER);
      const { unreadable } = await ledger.callsBetween(0, Number.MAX_SAFE_INTEGER);
      assert.deepEqual([totals.calls, unreadable, totals.states.running], [95, 0, 0]);
      assert.deepEqual([...totals.byCaller.keys()].sort(), ['comparison', 'extension:p.n', 'panel']);
      for (const state of ['complete', 'stopped', 'failed', 'notSent', 'unknown'] as const) {
        assert.ok(totals.states[state] > 0, `${state}: ${JSON.stringify(totals.states)}`);
      }
      context.diagnostic(`${log.length} requests, ${JSON.stringify(totals.states)}`);
    },
    { delayMs: 3 },
  ),
);

test('a ledger that leaves out, repeats or falsifies a call differs from the log', async () => {
  const [plan] = planSends(1, () => 0);
  assert.ok(plan);
  const start = { v: 1, type: 'start', at: 5, connection: 'c1', host: 'h', estimate: 1, ...plan };
  const end = { v: 1, type: 'end', id: plan.id, at: 9, state: 'complete', totalMs: 4, firstTokenMs: 1, requestId: 'r' };
  const usage = { promptTokens: 2, completionTokens: 3 };
  const entry = {
    time: new Date(7).toISOString(),
    keyName: plan.id,
    model: plan.model,
    state: 'ok',
    requestId: 'r',
    ...usage,
  } as never;
  const results = new Map([[plan.id, { outcome: 'complete', model: plan.model }]]) as Map<string, SendResult>;
  const found = (lines: readonly object[], log: readonly never[] = [entry], known = results) =>
    differences([plan], lines.map((line) => `${JSON.stringify(line)}\n`).join(''), log, known).length;
  const whole = { ...end, usage };
  assert.equal(found([start, whole]), 0);
  assert.equal(found([start], [entry], new Map()), 0, 'its window was killed');
  assert.ok(found([start]) > 0);
  assert.ok(found([]) > 0);
  assert.ok(found([start, start, whole]) > 0);
  assert.ok(found([start, whole, whole]) > 0);
  assert.ok(found([start, whole], [entry, entry]) > 0);
  assert.ok(found([start, whole], []) > 0);
  assert.ok(found([start, { ...whole, requestId: 'other' }]) > 0);
  assert.ok(found([start, { ...whole, usage: { ...usage, promptTokens: 1 } }]) > 0);
  assert.ok(found([start, { ...whole, state: 'notSent' }]) > 0);
  assert.ok(found([{ ...start, at: 8 }, whole]) > 0);
  assert.ok(found([{ ...start, model: 'another' }, whole]) > 0);
});

import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { TimerLimits } from '../../../src/core/client/gatewayClient.ts';
import type { GatewayProblem } from '../../../src/core/errors/gatewayProblem.ts';
import { until } from '../../until.ts';
import { ManualClock } from '../core/base/manualClock.ts';
import type { QuirkTest } from './quirkTest.ts';
import { faultless, listen, newClient, type OwnGateway, ownGateway, pictureOf, readList } from './wireCall.ts';

/** Sends a chat request with a manual clock. */
function begin(own: OwnGateway, fault: string, limits: Partial<TimerLimits> = {}) {
  const clock = new ManualClock();
  const stop = new AbortController();
  return { clock, stop, reply: listen(newClient({ clock, limits }), own.target(fault), stop.signal) };
}

/** Checks a reply, with one POST and no leak of the key. @returns its problem. */
async function checkEnd(own: OwnGateway, reply: ReturnType<typeof listen>, expected: Record<string, unknown>) {
  const received = await reply.received;
  const picture = await pictureOf(received, own);
  assert.deepEqual({ ...picture, ...expected }, picture);
  assert.deepEqual([picture.posts, picture.foreign, picture.hasKey], [1, 0, false]);
  return received.end.problem;
}

const firstByte: GatewayProblem = { kind: 'timedOut', timer: 'firstByte', limitMs: 300_000 };

/** Waits until no text has arrived for 50 ms. */
async function untilQuiet(reply: { readonly text: string }): Promise<void> {
  for (let text = ''; text === '' || text !== reply.text; await wait(25)) {
    text = reply.text;
    await wait(25);
  }
}

/** Stalls, pauses and missing ends (Q8, Q69–Q74, Q90, Q91, Q93). */
export const timerTests: readonly QuirkTest[] = [
  {
    title: 'Q74 Q69 Q70 waits exactly 300 seconds for the first byte, by its own clock (never-answers)',
    async run() {
      await using own = await ownGateway();
      const { clock, reply } = begin(own, 'never-answers');
      await until(() => own.gateway.postCount() === 1);
      clock.pass(299_999);
      await wait(20);
      assert.equal(reply.isSettled, false);
      clock.pass(1);
      assert.deepEqual(await checkEnd(own, reply, { outcome: 'failed', text: 'none' }), firstByte);
      assert.equal(clock.pending, 0);
    },
  },
  {
    title: 'Q74 does not count headers as first byte',
    async run() {
      await using own = await ownGateway();
      const { clock, reply } = begin(own, 'late-first-event:60000');
      await until(() => own.gateway.postCount() === 1);
      await wait(50);
      clock.pass(300_000);
      const problem = await checkEnd(own, reply, { outcome: 'failed', kind: 'timedOut', requestId: 'same' });
      assert.equal(problem?.kind === 'timedOut' && problem.timer, 'firstByte');
    },
  },
  {
    title: 'Q73 Q70 ends a stalled stream after 120 seconds, and keeps its text (stalled)',
    async run() {
      await using own = await ownGateway();
      const { clock, reply } = begin(own, 'stalled');
      await untilQuiet(reply);
      clock.pass(119_999);
      assert.equal(reply.isSettled, false);
      clock.pass(1);
      const problem = await checkEnd(own, reply, { outcome: 'incomplete', text: 'prefix', requestId: 'same' });
      assert.equal(problem?.kind === 'timedOut' && problem.timer, 'idle');
    },
  },
  {
    title: 'Q73 Q3 ends a reply that sends only comments (pings-only)',
    async run() {
      await using own = await ownGateway();
      const { clock, reply } = begin(own, 'pings-only:5', { idleMs: 2_000, payloadMs: 3_000 });
      await untilQuiet(reply);
      for (let times = 0; times < 200 && !reply.isSettled; times++) {
        clock.pass(50);
        await wait(8);
      }
      const problem = await checkEnd(own, reply, { outcome: 'incomplete', text: 'prefix' });
      assert.equal(problem?.kind === 'timedOut' && problem.timer, 'payload');
    },
  },
  {
    title: 'Q90 ends a stalled stream right after the machine wakes from sleep',
    async run() {
      await using own = await ownGateway();
      const { clock, reply } = begin(own, 'stalled');
      await untilQuiet(reply);
      clock.sleep(8 * 3_600_000);
      await checkEnd(own, reply, { outcome: 'incomplete', kind: 'timedOut', text: 'prefix' });
    },
  },
  {
    title: 'Q8 waits five seconds for usage after a finish reason, then completes the reply (open-after-finish)',
    async run() {
      await using own = await ownGateway();
      const { clock, reply } = begin(own, 'open-after-finish');
      await until(() => clock.pending > 2);
      await untilQuiet(reply);
      clock.pass(4_999);
      await wait(20);
      assert.equal(reply.isSettled, false);
      clock.pass(1);
      await checkEnd(own, reply, { outcome: 'complete', kind: undefined, text: 'whole', usage: 'same' });
    },
  },
  {
    title: 'Q91 Q92 keeps the text of a stopped reply without usage, while the gateway charges all of it (runs-on)',
    async run() {
      const whole = await faultless();
      await using own = await ownGateway({ delayMs: 3 });
      const { stop, reply } = begin(own, 'runs-on');
      await until(() => reply.text.length > 40);
      stop.abort();
      await checkEnd(own, reply, { outcome: 'stopped', kind: undefined, text: 'prefix', usage: undefined });
      const [entry] = own.gateway.usageLog();
      assert.deepEqual([entry?.state, entry?.completionTokens], ['client_gone', whole.end.usage?.completionTokens]);
    },
  },
  {
    title: 'Q91 Q74 has sent one call and has no text when stopped before an answer',
    async run() {
      await using own = await ownGateway();
      const { stop, reply, clock } = begin(own, 'never-answers');
      await until(() => own.gateway.postCount() === 1);
      stop.abort();
      await checkEnd(own, reply, { outcome: 'stopped', kind: undefined, text: 'none' });
      assert.equal(clock.pending, 0);
    },
  },
  ...(
    [
      ['loading', 3],
      ['empty-429', 3],
      ['reset-before-headers', 3],
      ['key-rejected', 1],
      ['html-502', 1],
      ['models-404', 1],
      ['user-banned', 1],
    ] as const
  ).map(([fault, attempts]) => ({
    title: `Q93 Q47 retries a list only where it can help, twice at most (${fault}): ${attempts} GET`,
    async run() {
      await using own = await ownGateway();
      const clock = new ManualClock();
      let isSettled = false;
      const listed = readList(newClient({ clock }), own.target(fault), 2).finally(() => {
        isSettled = true;
      });
      for (let times = 0; times < 400 && !isSettled; times++) {
        clock.pass(250);
        await wait(4);
      }
      assert.ok('problem' in (await listed));
      await own.gateway.settled();
      // The gateway records no request for a connection that it resets.
      if (fault !== 'reset-before-headers') {
        assert.equal(own.gateway.requests().length, attempts);
      }
      assert.equal(own.gateway.postCount(), 0);
    },
  })),
  {
    title: 'Q44 Q93 does not retry a list before the time the gateway named',
    async run() {
      await using own = await ownGateway();
      const clock = new ManualClock();
      const listed = readList(newClient({ clock }), own.target('rate-limited:7'), 1);
      await until(() => own.gateway.requests().length === 1);
      await until(() => clock.pending === 1);
      clock.pass(6_999);
      await wait(30);
      assert.equal(own.gateway.requests().length, 1);
      clock.pass(1);
      assert.ok('problem' in (await listed));
      assert.equal(own.gateway.requests().length, 2);
    },
  },
];

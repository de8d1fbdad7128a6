import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { GatewayProblem } from '../../../src/core/errors/gatewayProblem.ts';
import type { TimerLimits } from '../../../src/core/http/requestTimers.ts';
import { until } from '../../until.ts';
import { ManualClock } from '../core/base/manualClock.ts';
import type { QuirkTest } from './quirkTest.ts';
import { faultless, listen, newClient, type OwnGateway, ownGateway, pictureOf, readList } from './wireCall.ts';

/** Asks on a clock that stands still. */
function begin(own: OwnGateway, fault: string, limits: Partial<TimerLimits> = {}) {
  const clock = new ManualClock();
  const stop = new AbortController();
  return { clock, stop, reply: listen(newClient({ clock, limits }), own.target(fault), stop.signal) };
}

/** What every reply of these tests has in common. */
async function checkEnd(own: OwnGateway, reply: ReturnType<typeof listen>, expected: Record<string, unknown>) {
  const heard = await reply.heard;
  const picture = await pictureOf(heard, own);
  assert.deepEqual({ ...picture, ...expected }, picture);
  assert.deepEqual([picture.posts, picture.foreign, picture.hasKey], [1, 0, false]);
  return heard.end.problem;
}

const firstByte: GatewayProblem = { kind: 'timedOut', timer: 'firstByte', limitMs: 300_000 };

/** Waits until no more text comes for a while. */
async function untilQuiet(reply: { readonly text: string }): Promise<void> {
  for (let text = ''; text === '' || text !== reply.text; await wait(25)) {
    text = reply.text;
    await wait(25);
  }
}

/** Silences, pauses and ends that do not come (Q8, Q69–Q74, Q90, Q91, Q93). */
export const timerTests: readonly QuirkTest[] = [
  {
    title:
      'Q74 Q69 Q70 waits 300 seconds for the first byte, by its own clock, and not a millisecond less (never-answers)',
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
    title: 'Q74 headers are no first byte: a gateway that sends no more is waited for as long',
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
    title: 'Q73 Q70 notices a stream that stalls after 120 seconds, and keeps its text (stalled)',
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
    title: 'Q73 Q3 comments keep the transport alive, but not a reply without data (pings-only)',
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
    title: 'Q90 finds the silence that passed while the machine slept, right after it wakes',
    async run() {
      await using own = await ownGateway();
      const { clock, reply } = begin(own, 'stalled');
      await untilQuiet(reply);
      clock.sleep(8 * 3_600_000);
      await checkEnd(own, reply, { outcome: 'incomplete', kind: 'timedOut', text: 'prefix' });
    },
  },
  {
    title:
      'Q8 waits five seconds for what may follow a finish reason, then ends well on an open connection (open-after-finish)',
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
    title:
      'Q91 Q92 stopping keeps the text and says no more than that: the gateway runs on and charges all of it (runs-on)',
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
    title: 'Q91 Q74 stopping before there is an answer leaves one call behind and no text',
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
    title: `Q93 Q47 reads a list again only where it can help, twice at most (${fault}): ${attempts} GET`,
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
      // A connection that was reset is no request that was recorded.
      if (fault !== 'reset-before-headers') {
        assert.equal(own.gateway.requests().length, attempts);
      }
      assert.equal(own.gateway.postCount(), 0);
    },
  })),
  {
    title: 'Q44 Q93 does not read a list again before the time the gateway named',
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

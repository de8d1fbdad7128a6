import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CallStart } from '../../../../src/core/usage/ledgerLine.ts';
import type { DailyLimits, LimiterPorts, SoftLimit } from '../../../../src/core/usage/limits.ts';
import { until } from '../../../until.ts';
import { inTimeZone } from '../base/timeZone.ts';
import { openLimiter, unlimited } from './limiterFixture.ts';
import { anEnd, aStart, noon, openLedger } from './memoryLedger.ts';

const dayMs = 86_400_000;
const never = new AbortController().signal;
const other = { kind: 'extension', id: 'p.n' } as const;

/** A limiter of a person with limits, with its questions and warnings. */
function scene(limits: Partial<DailyLimits> | string, ports: Partial<LimiterPorts> = {}) {
  const { ledger, store, clock, defects } = openLedger();
  const warnings: SoftLimit[] = [];
  let notes: unknown;
  let now = noon;
  const limiter = openLimiter(
    ledger,
    { now: () => now },
    {
      limits: () => (typeof limits === 'string' ? limits : { ...unlimited, ...limits }),
      warn: (reached) => void warnings.push(reached),
      notes: {
        read: () => notes,
        write: async (next) => {
          notes = next;
        },
      },
      onDefect: (error) => defects.push(error),
      ...ports,
    },
  );
  let calls = 0;
  /** @returns the problem of a refused call; otherwise what ends it. */
  const begin = async ({ at = noon, ...facts }: Partial<CallStart> = {}, options = {}, signal = never) => {
    now = at;
    const begun = await limiter.begin(aStart(`call ${calls++}`, facts), { options }, signal);
    return 'problem' in begun ? begun.problem : 'call' in begun ? begun.call : begun;
  };
  return {
    store,
    clock,
    warnings,
    defects,
    begin,
    allow: (model: string) => limiter.allowUnpriced({ connection: 'c1', model }),
    /** Makes a call. @returns `sent` or the kind of the problem. */
    call: async (facts: Partial<CallStart> = {}, end = anEnd()) => {
      const begun = await begin(facts);
      if ('kind' in begun) {
        return begun.kind;
      }
      if ('isStopped' in begun) {
        return 'stopped';
      }
      await begun.end(end);
      return 'sent';
    },
  };
}

test('without a limit, a call is sent even if it can’t be recorded', async () => {
  const { begin, store } = scene({});
  store.failure = new Error('full');
  assert.ok('end' in (await begin()));
});

test('the calls of a day and a connection are limited', async () => {
  const { begin, call, store } = scene({ hard: { calls: 2 } });
  assert.deepEqual(await Promise.all([call(), call(), call()]), ['sent', 'sent', 'limitReached']);
  assert.deepEqual(await begin(), { kind: 'limitReached', limit: 'calls', max: 2, used: 2, needed: 1 });
  assert.equal(await call({ connection: 'c2' }), 'sent');
  assert.equal(await call({ at: noon + dayMs }), 'sent');
  assert.equal(await call({ at: noon - dayMs }), 'sent');
  assert.equal(store.appended.join('').split('\n').length - 1, 10, 'a refused call has no line');
});

test('when the clock is set back to another day, the calls of that day count', async () => {
  const { call } = scene({ hard: { calls: 1 } });
  assert.equal(await call(), 'sent');
  assert.equal(await call({ at: noon - 3_600_000 }), 'limitReached', 'the same day');
  assert.equal(await call({ at: noon - dayMs }), 'sent');
  assert.equal(await call({ at: noon - dayMs }), 'limitReached');
  assert.equal(await call(), 'limitReached');
});

test('a day begins at midnight, in the month and the time zone that the machine has now', async () => {
  const midnight = new Date(2026, 11, 1).getTime();
  const { call } = scene({ hard: { calls: 1 } });
  assert.equal(await call({ at: midnight - 1 }), 'sent');
  assert.equal(await call({ at: midnight }), 'sent');
  assert.equal(await call({ at: midnight + 1 }), 'limitReached');
  // Ten hours earlier on the clock, so both calls were made in November.
  await inTimeZone('Etc/GMT+10', async () => assert.equal(await call({ at: midnight + 2 }), 'limitReached'));
});

test('tokens are reserved until the gateway reports them', async () => {
  const { begin, call } = scene({ hard: { tokens: 5_000 } });
  const first = await begin({ estimate: 200 });
  assert.ok('end' in first);
  assert.deepEqual(await begin({ estimate: 200 }), {
    kind: 'limitReached',
    limit: 'tokens',
    max: 5_000,
    used: 4_296,
    needed: 4_296,
  });
  await first.end(anEnd({ usage: { promptTokens: 150, completionTokens: 50 } }));
  assert.equal(await call({ estimate: 200 }), 'sent', 'now 50 tokens are expected');
});

test('the token limit of a request is reserved instead of what answers usually have', async () => {
  const { begin } = scene({ hard: { tokens: 1_000 } });
  assert.ok('end' in (await begin({}, { max_tokens: 500 })));
  assert.ok('kind' in (await begin({}, { max_tokens: 481 })));
  assert.ok('kind' in (await begin({}, { max_completion_tokens: 1, max_tokens: 481 })), 'the larger of two counts');
  assert.ok('end' in (await begin({}, { max_completion_tokens: 480, max_tokens: 1 })));
});

test('a token limit that is no limit reserves what answers usually have', async () => {
  const { begin, store } = scene({ hard: { tokens: 10_000 } });
  assert.ok('end' in (await begin({}, { max_tokens: -1 })));
  assert.match(store.appended.join(''), /"reserved":{"tokens":41\d\d}/);
});

test('the last 200 answers of a model show what is expected', async () => {
  const { ledger, store } = openLedger();
  const answer = async (index: number, model: string, completionTokens: number) => {
    const call = await ledger.begin(aStart(`${model} ${index}`, { at: noon - 3 * dayMs + index, model }));
    await call.end(anEnd({ usage: { promptTokens: 1, completionTokens } }));
  };
  await Promise.all(Array.from({ length: 300 }, (_, index) => answer(index, 'm1', index < 100 ? 5_000 : 200)));
  await answer(0, 'm2', 9_000);
  const { ledger: reopened, clock } = openLedger({ store });
  const hard = { tokens: 1_000 };
  const limiter = openLimiter(reopened, clock, { limits: () => ({ ...unlimited, hard }) });
  assert.ok('call' in (await limiter.begin(aStart('now'), {}, never)));
  const other = await limiter.begin(aStart('another', { model: 'm2' }), {}, never);
  assert.ok('problem' in other && other.problem.kind === 'limitReached' && other.problem.needed >= 9_000);
});

test('costs are limited by the prices that the gateway states', async () => {
  const pricesOf = async () => () => ({ input: 1, output: 100, unit: 'USD', source: 'listed' }) as const;
  const { begin, call } = scene({ hard: { cost: 1 } }, { pricesOf });
  // 4,096 tokens at 100 per million.
  assert.equal(await call({ estimate: 0 }, anEnd({ state: 'stopped' })), 'sent');
  assert.equal(await call({ estimate: 0 }, anEnd({ state: 'stopped' })), 'sent');
  const refused = await begin({ estimate: 0 });
  assert.ok('kind' in refused && refused.kind === 'limitReached');
  assert.deepEqual([refused.limit, refused.used, refused.needed], ['cost', 0.8192, 0.4096]);
});

test('a model without a price needs permission once a day under a limit of costs', async () => {
  const { call, allow } = scene({ hard: { cost: 1 } });
  assert.equal(await call(), 'limitUnchecked');
  await allow('m1');
  assert.deepEqual(
    [await call(), await call({ caller: other }), await call({ model: 'm2' })],
    ['sent', 'sent', 'limitUnchecked'],
  );
  assert.equal(await call({ at: noon + dayMs }), 'limitUnchecked');
});

test('a price that only the vendor lists counts for a limit of costs', async () => {
  const prices = { input: 0, output: 0, perRequest: 0.6, unit: 'USD', source: 'vendor' } as const;
  const { call } = scene({ hard: { cost: 1 } }, { pricesOf: async () => () => prices });
  assert.equal(await call({ model: 'm1' }), 'sent');
  assert.equal(await call({ model: 'm2' }), 'limitReached');
});

test('a call that is stopped while prices are read is not begun', async () => {
  const abort = new AbortController();
  const { begin, store } = scene({ hard: { cost: 1 } }, { pricesOf: () => new Promise<never>(() => {}) });
  const begun = begin({}, {}, abort.signal);
  abort.abort();
  assert.deepEqual(await begun, { isStopped: true });
  assert.deepEqual(store.appended, []);
});

test('prices are looked up only for a limit of costs', async () => {
  const pricesOf = () => Promise.reject(new Error('not needed'));
  const { call } = scene({ hard: { calls: 5, tokens: 50_000 }, soft: { calls: 5 } }, { pricesOf });
  assert.equal(await call(), 'sent');
});

test('with a limit, a call that can’t be recorded is not sent, and has no unknown outcome afterwards', async () => {
  const { begin, call, store, clock, defects } = scene({ hard: { calls: 5 } });
  store.failure = Object.assign(new Error('no space left'), { code: 'ENOSPC' });
  assert.deepEqual(await begin(), { kind: 'limitUnchecked', cause: 'record', code: 'ENOSPC' });
  assert.ok(defects.includes(store.failure));
  store.failure = undefined;
  assert.equal(await call(), 'sent');
  clock.pass(60_000);
  const { ledger } = openLedger({ store });
  await until(async () => (await ledger.totals(0, noon + dayMs)).calls === 2);
  const { states } = await ledger.totals(0, noon + dayMs);
  assert.deepEqual([states.notSent, states.complete, states.unknown], [1, 1, 0]);
});

test('with a limit, nothing is sent when the ledger can’t be read', async () => {
  const endOfMonth = noon + 7 * dayMs;
  for (const [name, at] of [
    ['read', noon],
    ['months', endOfMonth],
  ] as const) {
    const { call, store } = scene({ hard: { calls: 5 } });
    await store.append('2026-11', '\n');
    Object.assign(store, { [name]: () => Promise.reject(new Error('read-only')) });
    assert.equal(await call({ at }), 'limitUnchecked', name);
    assert.equal(store.appended.length, 1);
  }
});

test('nothing is sent while the setting of a limit is invalid', async () => {
  const { begin, store } = scene('askModel.dailyLimit.calls');
  const setting = 'askModel.dailyLimit.calls';
  assert.deepEqual(await begin(), { kind: 'limitUnchecked', cause: 'setting', setting });
  assert.deepEqual(store.appended, []);
});

test('a soft limit warns once a day and a connection, and lets calls pass', async () => {
  const { call, warnings } = scene({ soft: { calls: 2, tokens: 1_000 } });
  const warned = async (count: number) => {
    await until(() => warnings.length === count);
    // Further ones would come by now.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    return warnings.slice(-1)[0];
  };
  const end = anEnd({ usage: { promptTokens: 10, completionTokens: 1 } });
  assert.deepEqual([await call({}, end), await call({}, end)], ['sent', 'sent']);
  assert.deepEqual(await warned(1), { limit: 'calls', max: 2, used: 2, connection: 'c1' });
  assert.equal(await call({}, end), 'sent');
  const second = { connection: 'c2' };
  assert.deepEqual([await call(second, end), await call(second, end)], ['sent', 'sent']);
  assert.deepEqual(await warned(2), { limit: 'calls', max: 2, used: 2, connection: 'c2' });
  // The call that reaches it warns at its end.
  await call({}, anEnd({ usage: { promptTokens: 990, completionTokens: 7 } }));
  assert.deepEqual(await warned(3), { limit: 'tokens', max: 1_000, used: 1_030, connection: 'c1' });
  await call({ at: noon + dayMs }, end);
  await call({ at: noon + dayMs }, end);
  assert.deepEqual(await warned(4), { limit: 'calls', max: 2, used: 2, connection: 'c1' });
});

test('a call that ends on the next day warns of no limit, and repeats no warning', async () => {
  const { begin, call, warnings } = scene({ soft: { calls: 1 } });
  const late = await begin();
  await until(() => warnings.length === 1);
  const tomorrow = { at: noon + dayMs };
  await call(tomorrow);
  await until(() => warnings.length === 2);
  assert.ok('end' in late);
  await late.end(anEnd());
  await call(tomorrow);
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
  assert.equal(warnings.length, 2);
});

test('a warning that fails doesn’t fail the call', async () => {
  const { call, store, defects } = scene({ soft: { calls: 1 } });
  store.read = () => Promise.reject(new Error('unreadable'));
  assert.equal(await call(), 'sent');
  await until(() => defects.length >= 1);
});

test('other extensions share a part of the limits', async () => {
  const { begin, call } = scene({ hard: { calls: 4 }, othersPercent: 50 });
  assert.deepEqual([await call({ caller: other }), await call({ caller: other })], ['sent', 'sent']);
  const refused = await begin({ caller: { kind: 'extension' } });
  assert.ok('kind' in refused && refused.kind === 'limitReached' && refused.isShare);
  assert.deepEqual([await call(), await call(), await call()], ['sent', 'sent', 'limitReached']);
});

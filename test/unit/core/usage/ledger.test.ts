import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { CallEnd, CallStart } from '../../../../src/core/usage/ledgerLine.ts';
import type { UsageTotals } from '../../../../src/core/usage/usageTotals.ts';
import { anyCharacter } from '../../propertyRuns.ts';
import { StepClock } from '../base/stepClock.ts';
import { anEnd, aStart, endLine, MemoryLedger, noon, openLedger, startLine } from './memoryLedger.ts';

const always = [0, Number.MAX_SAFE_INTEGER] as const;
const bytesOf = (text: string) => new Uint8Array(Buffer.from(text));

/** The states that calls have, with their number. */
function statesOf({ states }: UsageTotals): object {
  return Object.fromEntries(Object.entries(states).filter(([, calls]) => calls > 0));
}

test('writes a call before it is sent and again at its end, in the file of its start', async () => {
  const { ledger, store } = openLedger();
  const start = aStart('a', { at: new Date(2026, 10, 30, 23, 59, 59).getTime() });
  const call = await ledger.begin(start);
  assert.deepEqual(store.appended, [startLine(start)]);
  assert.deepEqual(statesOf(await ledger.totals(...always)), { running: 1 });
  const end = anEnd({ at: new Date(2026, 11, 1, 0, 0, 1).getTime(), usage: { promptTokens: 3 } });
  await call.end(end);
  await call.end(anEnd({ state: 'failed' }));
  assert.deepEqual(store.appended, [startLine(start), endLine({ id: 'a', ...end })]);
  assert.deepEqual([...store.files.keys()], ['2026-11']);
  assert.deepEqual(statesOf(await ledger.totals(...always)), { complete: 1 });
});

test('the outcome of a call without an end is unknown', async () => {
  const { ledger, store } = openLedger();
  store.files.set('2026-11', bytesOf(startLine(aStart('a'))));
  const { states, unreported, unpriced, costs } = await ledger.totals(...always);
  assert.deepEqual([states.unknown, unreported, unpriced, costs.size], [1, 1, 1, 0]);
});

test('adds up what was reported, by model, connection, caller and conversation', async () => {
  const { ledger } = openLedger();
  const one = await ledger.begin(aStart('a', { conversation: 'k' }));
  const two = await ledger.begin(aStart('b', { conversation: 'k', connection: 'c2' }));
  const other = await ledger.begin(aStart('c', { model: 'm2', caller: { kind: 'extension', id: 'p.n' } }));
  await ledger.begin(aStart('d'));
  await one.end(anEnd({ usage: { promptTokens: 10, completionTokens: 2, cachedTokens: 4, cost: 0.25 } }));
  await two.end(anEnd({ state: 'stopped', usage: { promptTokens: 5, reasoningTokens: 1, cacheWriteTokens: 3 } }));
  await other.end(anEnd({ state: 'failed' }));
  const { byModel, byConnection, byCaller, ...all } = await ledger.totals(...always);
  assert.deepEqual(all, {
    calls: 4,
    states: { complete: 1, stopped: 1, incomplete: 0, failed: 1, notSent: 0, unknown: 0, running: 1 },
    tokens: 17,
    inputTokens: 15,
    outputTokens: 2,
    cachedTokens: 4,
    costs: new Map([['USD', 0.25]]),
    sources: new Set(['reported']),
    unpriced: 2,
    unreported: 1,
  });
  const named = (map: UsageTotals['byModel']) =>
    Object.fromEntries(
      [...map].map(([name, { calls, inputTokens, costs }]) => [name, [calls, inputTokens, costs.get('USD')]]),
    );
  assert.deepEqual(named(byModel), { m1: [3, 15, 0.25], m2: [1, 0, undefined] });
  assert.deepEqual(named(byConnection), { c1: [3, 10, 0.25], c2: [1, 5, undefined] });
  assert.deepEqual(named(byCaller), { panel: [3, 15, 0.25], 'extension:p.n': [1, 0, undefined] });
});

test('counts a call by the time of its start', async () => {
  const { ledger } = openLedger();
  for (const [id, at] of [
    ['before', noon - 1],
    ['first', noon],
    ['after', noon + 1_000],
  ] as const) {
    await ledger.begin(aStart(id, { at }));
  }
  assert.equal((await ledger.totals(noon, noon + 1_000)).calls, 1);
  assert.equal((await ledger.totals(noon - 40 * 86_400_000, noon - 35 * 86_400_000)).calls, 0);
});

test('a call is found in the month of another time zone', async () => {
  const { ledger, store } = openLedger();
  const at = new Date(2026, 11, 1, 0, 30).getTime();
  store.files.set('2026-11', bytesOf(startLine(aStart('a', { at }))));
  assert.equal((await ledger.totals(at, at + 1)).calls, 1);
});

test('writes lines together that come while the disk is busy', async () => {
  const { ledger, store } = openLedger();
  const calls = await Promise.all(Array.from({ length: 200 }, (_, index) => ledger.begin(aStart(`${index}`))));
  await Promise.all(calls.map((call) => call.end(anEnd())));
  assert.ok(store.appended.length <= 4);
  assert.equal(store.appended.join('').split('\n').length, 401);
  assert.deepEqual(statesOf(await ledger.totals(...always)), { complete: 200 });
});

test('a full disk stops no call, is reported once, and loses nothing once there is room', async () => {
  const { ledger, store, clock, defects } = openLedger();
  let changes = 0;
  ledger.onDidChange(() => changes++);
  const written = await ledger.begin(aStart('a'));
  const full = new Error('ENOSPC');
  store.failure = full;
  const call = await ledger.begin(aStart('b', { at: noon + 40 * 86_400_000 }));
  await written.end(anEnd({ usage: { promptTokens: 7 } }));
  await call.end(anEnd({ usage: { promptTokens: 8 } }));
  assert.deepEqual([defects, changes], [[full], 4]);
  const before = await ledger.totals(...always);
  assert.deepEqual([statesOf(before), before.inputTokens], [{ complete: 2 }, 15]);
  store.failure = undefined;
  await ledger.begin(aStart('c'));
  assert.equal(clock.pending, 0);
  const again = openLedger({ store });
  const { calls, states, inputTokens } = await again.ledger.totals(...always);
  const { unreadable } = await again.ledger.callsBetween(...always);
  assert.deepEqual([calls, states.complete, states.unknown, inputTokens, unreadable], [3, 2, 1, 15, 0]);
});

test('tries again by itself, and not after it was disposed', async () => {
  const { ledger, store, clock } = openLedger();
  store.failure = new Error('EBUSY');
  await ledger.begin(aStart('a'));
  store.failure = undefined;
  const changed = new Promise((resolve) => ledger.onDidChange(resolve));
  clock.pass(60_000);
  await changed;
  assert.deepEqual(store.appended, [startLine(aStart('a'))]);
  store.failure = new Error('EBUSY');
  await ledger.begin(aStart('b'));
  ledger.dispose();
  assert.equal(clock.pending, 0);
});

test('reads only what was added since it last read', async () => {
  const { ledger, store } = openLedger();
  const other = openLedger({ store });
  await Promise.all(Array.from({ length: 100 }, (_, index) => ledger.begin(aStart(`${index}`))));
  await other.ledger.totals(...always);
  store.bytesRead = 0;
  const call = await ledger.begin(aStart('new'));
  assert.deepEqual(statesOf(await other.ledger.totals(...always)), { unknown: 101 });
  await call.end(anEnd());
  assert.deepEqual(statesOf(await other.ledger.totals(...always)), { unknown: 100, complete: 1 });
  assert.ok(store.bytesRead < 1_000);
});

test('counts afresh when another window has removed the file and begun it again', async () => {
  const { ledger, store } = openLedger();
  const other = openLedger({ store });
  await (await ledger.begin(aStart('a'))).end(anEnd());
  assert.equal((await other.ledger.totals(...always)).calls, 1);
  await ledger.clear();
  assert.equal((await ledger.totals(...always)).calls, 0);
  for (const id of ['b', 'c', 'd']) {
    await (await ledger.begin(aStart(id))).end(anEnd());
  }
  assert.equal((await other.ledger.totals(...always)).calls, 3);
  await ledger.clear();
  assert.equal((await other.ledger.totals(...always)).calls, 0);
  await ledger.begin(aStart('e'));
  assert.equal((await other.ledger.totals(...always)).calls, 1);
});

test('returns the calls with a connection in the order of their times, also where clock and time zone were changed', async () => {
  const { ledger, store } = openLedger();
  const hour = 60 * 60_000;
  const monthEnd = new Date(2026, 7, 31, 23).getTime();
  for (const [id, at] of [
    ['late', noon + hour],
    ['early', noon - hour],
    ['noon', noon],
  ] as const) {
    await (await ledger.begin(aStart(id, { at }))).end(anEnd());
  }
  await ledger.begin(aStart('other', { connection: 'c2' }));
  const read = async (each: typeof ledger, from: number) => (await each.calls('c1', from)).map(({ id }) => id);
  assert.deepEqual(await read(ledger, 0), ['early', 'noon', 'late']);
  assert.deepEqual(await read(ledger, noon), ['noon', 'late']);
  // In the file of August by the time zone of then.
  await store.append('2026-08', startLine(aStart('b', { at: monthEnd + 2 * hour })));
  await store.append('2026-09', startLine(aStart('a', { at: monthEnd + hour + 1 })));
  const again = openLedger({ store }).ledger;
  assert.deepEqual(await read(again, monthEnd), ['a', 'b', 'early', 'noon', 'late']);
});

test('records a running call again when all calls are removed', async () => {
  const { ledger, store } = openLedger();
  await (await ledger.begin(aStart('a'))).end(anEnd());
  const running = await ledger.begin(aStart('b'));
  // Not written yet when the others are removed.
  const beginning = ledger.begin(aStart('c'));
  await ledger.clear();
  const begun = await beginning;
  assert.equal(begun.failure, undefined);
  assert.deepEqual((await ledger.calls('c1', 0)).map(({ id }) => id).sort(), ['b', 'c']);
  await running.end(anEnd());
  await begun.end(anEnd());
  const { states, calls } = await openLedger({ store }).ledger.totals(...always);
  assert.deepEqual([states.complete, calls], [2, 2]);
});

test('a last line without its line break is read when it is whole, or counts as unreadable', async () => {
  const { ledger, store } = openLedger();
  const [one, two] = [startLine(aStart('a')), startLine(aStart('b'))];
  const figures = async () => {
    const { calls, unreadable } = await ledger.callsBetween(...always);
    return [calls.length, unreadable];
  };
  store.files.set('2026-11', bytesOf(one + two.slice(0, 20)));
  assert.deepEqual(await figures(), [1, 0]);
  store.files.set('2026-11', bytesOf(one + two.trimEnd()));
  assert.deepEqual(await figures(), [1, 0]);
  store.files.set('2026-11', bytesOf(`${one}${two}\0\0\0\n\n${startLine(aStart('c'))}`));
  assert.deepEqual(await figures(), [3, 1]);
});

test('reads a call whose line ends in the zeros of a power loss (anthropics/claude-code#76059)', async () => {
  const { ledger, store } = openLedger();
  const [one, two] = [startLine(aStart('a')), startLine(aStart('b'))];
  store.files.set('2026-11', bytesOf(`${one.trimEnd()}${'\0'.repeat(9_000)}\n${two}`));
  const { calls, unreadable } = await ledger.callsBetween(...always);
  assert.deepEqual([calls.length, unreadable], [2, 0]);
});

test('reads files that are longer than what it reads at a time, also with a damaged part of that length', async () => {
  const { ledger, store } = openLedger();
  const line = (index: number) =>
    startLine(aStart(`${index}`, { at: noon + index })) + endLine({ id: `${index}`, ...anEnd() });
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => line(from + index)).join('');
  store.files.set('2026-11', bytesOf(`${lines(0, 8_000)}${'\0'.repeat(5_000_000)}\n${lines(8_000, 9_000)}`));
  const { calls, states } = await ledger.totals(...always);
  const { unreadable } = await ledger.callsBetween(...always);
  assert.deepEqual([calls, states.complete, unreadable], [9_000, 9_000, 1]);
  assert.ok(store.bytesRead < 30_000_000);
  store.bytesRead = 0;
  store.files.set('2026-11', bytesOf(`${Buffer.from(store.files.get('2026-11') ?? []).toString()}${line(9_000)}`));
  assert.equal((await ledger.totals(...always)).calls, 9_001);
  assert.ok(store.bytesRead < 1_000);
});

test('removes the oldest month at a start if it is not to stay, also when the clock is years ahead', async () => {
  const { ledger, store, clock } = openLedger();
  for (const month of ['2025-11', '2026-07', '2026-08', '2026-10', '2026-11']) {
    store.files.set(month, bytesOf(startLine(aStart(month, { at: new Date(`${month}-15T12:00`).getTime() }))));
  }
  assert.equal((await ledger.totals(...always)).calls, 5);
  await ledger.prune(3);
  assert.deepEqual(await store.months(), ['2026-07', '2026-08', '2026-10', '2026-11']);
  assert.equal((await ledger.totals(...always)).calls, 4);
  for (let start = 0; start < 5; start++) {
    await ledger.prune(3);
  }
  assert.deepEqual(await store.months(), ['2026-08', '2026-10', '2026-11']);
  clock.sleep(10 * 365 * 24 * 3_600_000);
  await ledger.prune(3);
  assert.deepEqual(await store.months(), ['2026-08', '2026-10', '2026-11'], 'the clock is wrong');
});

test("rejects when the files can't be read, and reads them the next time", async () => {
  class Unreadable extends MemoryLedger {
    isBroken = true;
    override async read(...args: Parameters<MemoryLedger['read']>) {
      if (this.isBroken) {
        throw new Error('EACCES');
      }
      return super.read(...args);
    }
  }
  const store = new Unreadable();
  const { ledger } = openLedger({ store });
  await ledger.begin(aStart('a'));
  await assert.rejects(ledger.totals(...always), /EACCES/);
  store.isBroken = false;
  assert.equal((await ledger.totals(...always)).calls, 1);
});

test('pauses again and again while it reads many calls, and counts those that begin meanwhile', async () => {
  const clock = new StepClock();
  const { ledger, store } = openLedger({ clock });
  const ids = Array.from({ length: 6_000 }, (_, index) => `${index}`);
  store.files.set('2026-11', bytesOf(ids.map((id) => startLine(aStart(id)) + endLine({ id, ...anEnd() })).join('')));
  const begun: Promise<unknown>[] = [];
  clock.onPause = (pauses) => {
    if (pauses === 3) {
      begun.push(
        ledger.begin(aStart('short')).then((call) => call.end(anEnd())),
        ledger.begin(aStart('long')),
      );
    }
  };
  assert.deepEqual(statesOf(await ledger.totals(...always)), { complete: 6_001, running: 1 });
  assert.ok(clock.pauses > 10, `${clock.pauses} pauses`);
  await Promise.all(begun);
});

test('every whole start is one call, with the lines of several windows between its own and cut anywhere', async () => {
  type Line = { readonly start: CallStart } | { readonly end: CallEnd };
  const text = (line: Line) => ('start' in line ? startLine(line.start) : endLine(line.end));
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(
        fc.record({
          id: fc.uuid(),
          isEnded: fc.boolean(),
          model: fc.string({ unit: anyCharacter }),
          // Many at the same time, and in any order of times.
          at: fc.nat({ max: 4 }).map((ms) => noon + ms),
          connection: fc.constantFrom('c1', 'c2'),
        }),
        { selector: ({ id }) => id, maxLength: 8 },
      ),
      fc.infiniteStream(fc.nat()),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.nat({ max: 3 }),
      async (calls, random, cutAt, reads) => {
        const linesOf = calls.map(({ id, isEnded, ...facts }): Line[] => [
          { start: aStart(id, facts) },
          ...(isEnded ? [{ end: { id, ...anEnd({ usage: { promptTokens: 1 } }) } }] : []),
        ]);
        const lines = linesOf.flat();
        const next = () => random.next().value ?? 0;
        const shuffled = linesOf
          .flatMap((own) => {
            // Some lines twice, as after a write that failed in part.
            const all = [...own, ...(next() % 4 === 0 ? own : [])];
            const orders = all.map(next).sort((a, b) => a - b);
            return all.map((line, index) => ({ line, order: orders[index] ?? 0 }));
          })
          .sort((a, b) => a.order - b.order)
          .map(({ line }) => line);
        const whole = Buffer.from(shuffled.map(text).join(''));
        const cut = Math.round(cutAt * whole.length);
        const late = startLine(aStart('late'));
        // The next window starts a line of its own.
        const repaired = Buffer.concat([
          whole.subarray(0, cut),
          Buffer.from(cut === 0 || whole[cut - 1] === 0x0a ? late : `\n${late}`),
        ]);

        const written = new Set(repaired.toString().split('\n'));
        const isWritten = (line: Line) => written.has(text(line).trimEnd());
        const started = lines.filter((line) => 'start' in line && isWritten(line));
        const ids = new Set(started.map((line) => ('start' in line ? line.start.id : '')));
        const ended = lines.filter((line) => 'end' in line && isWritten(line) && ids.has(line.end.id));

        const { ledger, store } = openLedger();
        for (let read = 0; read < reads; read++) {
          store.files.set('2026-11', repaired.subarray(0, Math.round((cut * read) / reads)));
          await ledger.totals(...always);
        }
        store.files.set('2026-11', repaired);
        const totals = await ledger.totals(...always);
        assert.equal(totals.calls, started.length + 1);
        assert.equal(totals.states.complete, ended.length);
        assert.equal(totals.inputTokens, ended.length);
        const known = new Set([...lines.map((line) => text(line).trimEnd()), late.trimEnd(), '']);
        assert.equal(
          (await ledger.callsBetween(...always)).unreadable,
          [...written].filter((line) => !known.has(line)).length,
        );
      },
    ),
  );
});

test('knows the last 200 calls to a model that have ended, of all months that were read', async () => {
  const { ledger, store } = openLedger();
  const lines = Array.from({ length: 150 }, (_, index) => {
    const id = `october-${index}`;
    return startLine(aStart(id, { at: noon - 31 * 24 * 3_600_000 })) + endLine({ id, ...anEnd() });
  });
  store.files.set('2026-10', Buffer.from(lines.join('')));
  for (let index = 0; index < 100; index++) {
    await (await ledger.begin(aStart(`november-${index}`))).end(anEnd());
  }
  await ledger.begin(aStart('running'));
  assert.equal(ledger.lastCalls('m1').length, 100);
  await ledger.totals(...always);
  const ids = ledger.lastCalls('m1').map(({ id }) => id);
  assert.deepEqual([ids.length, ids[0], ids.at(-1)], [200, 'october-50', 'november-99']);
  assert.deepEqual(ledger.lastCalls('m2'), []);
});

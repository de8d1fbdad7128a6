import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type LogEntry, timeOf } from '../../../../../src/core/account/logEntries.ts';
import type { CostSource } from '../../../../../src/core/reply/cost.ts';
import type { Usage } from '../../../../../src/core/reply/usage.ts';
import {
  type Finding,
  type LogMatch,
  type LogSpan,
  matchLog,
  withOffset,
} from '../../../../../src/core/usage/receipts/matchLog.ts';
import type { CountedCall } from '../../../../../src/core/usage/usageTotals.ts';
import { runs } from '../../../propertyRuns.ts';
import { inTimeZone } from '../../base/timeZone.ts';
import { aCall } from '../view/usageSample.ts';

const start = 1_795_000_000_000;
const minute = 60_000;
const span: LogSpan = { from: start, to: start + 1_440 * minute, readAt: start + 1_440 * minute };

/** The calls and lines of a match, by what was found. */
function match(calls: readonly CountedCall[], entries: readonly LogEntry[], within = span) {
  const found = matchLog(calls, entries, within);
  const callsOf = (kind: Finding['kind']) =>
    found.findings.flatMap((each) => (each.kind === kind && each.call ? [each.call] : []));
  const entriesOf = (kind: Finding['kind']) =>
    found.findings.flatMap((each) => (each.kind === kind && each.entry ? [each.entry] : []));
  return {
    ...found,
    differing: callsOf('differing'),
    onlyHere: callsOf('onlyHere'),
    onlyThere: entriesOf('onlyThere'),
    unclear: { calls: callsOf('unclear'), entries: entriesOf('unclear') },
  };
}

type Facts = Partial<CountedCall> & Pick<Usage, 'promptTokens' | 'completionTokens'>;

/** A complete call of two seconds. `cost`: as reported or by prices. */
function call(id: string, minutes: number, { promptTokens, completionTokens, cost, ...more }: Facts = {}): CountedCall {
  return aCall({
    id,
    at: start + minutes * minute,
    model: 'm',
    totalMs: 2_000,
    usage: { promptTokens, completionTokens },
    pricedCost: cost,
    ...more,
  });
}

/** The line of such a call. */
function line(minutes: number, amount: number, more: Partial<LogEntry> = {}): LogEntry {
  const at = start + minutes * minute + 2_000;
  return { at, kind: 'charge', model: 'm', charged: { amount, unit: 'site' }, ...more };
}

/** Surely covers all calls in between. */
const edges = [line(0, 0, { model: 'first' }), line(1_400, 0, { model: 'last' })];

const ids = (calls: readonly CountedCall[]) => calls.map(({ id }) => id);
const pairsOf = ({ matched }: LogMatch) => matched.map(({ call: { id }, charged, how }) => [id, how, charged.amount]);

test('finds calls by their request ID, whatever the time and the model', () => {
  const calls = [call('a', 10, { requestId: 'A' }), call('b', 10, { requestId: 'B' })];
  const entries = [line(700, 0.5, { requestId: 'B', model: 'other' }), line(3, 0.25, { requestId: 'A' })];
  const found = match(calls, entries);
  assert.deepEqual(pairsOf(found), [
    ['b', 'charged', 0.5],
    ['a', 'charged', 0.25],
  ]);
  assert.deepEqual([found.onlyThere, found.onlyHere], [[], []]);
});

test('adds up the lines of a request in the unit of its charge', () => {
  const requestId = 'A';
  const error = line(1, 0, { requestId, kind: 'error' });
  const charge = line(2, 0.5, { requestId, promptTokens: 7 });
  const refund = line(3, 0.125, { requestId, kind: 'refund' });
  const yuan = line(4, 3, { requestId, kind: 'refund', charged: { amount: 3, unit: 'CNY' } });
  const { matched } = match([call('a', 1, { requestId })], [refund, error, yuan, charge]);
  assert.deepEqual(
    matched.map(({ charged, entry }) => [charged, entry.kind, entry.promptTokens]),
    [[{ amount: 0.375, unit: 'site' }, 'charge', 7]],
  );
});

test('counts a line of a request once that an export has twice', () => {
  const requestId = 'A';
  const charge = line(2, 0.5, { requestId });
  const refund = line(3, 0.125, { requestId, kind: 'refund' });
  const { matched } = match([call('a', 1, { requestId })], [charge, refund, { ...charge }, { ...refund }]);
  assert.deepEqual(
    matched.map(({ charged }) => charged.amount),
    [0.375],
  );
});

test('counts a call that the log has as an error as charged 0', () => {
  const found = match(
    [call('a', 1, { requestId: 'A', state: 'failed' })],
    [line(1, 0, { requestId: 'A', kind: 'error' })],
  );
  assert.deepEqual(pairsOf(found), [['a', 'charged', 0]]);
});

test('takes a request ID that two calls have for none', () => {
  const calls = [
    call('a', 10, { requestId: 'same', promptTokens: 1 }),
    call('b', 10, { requestId: 'same', promptTokens: 2 }),
    call('c', 10, { requestId: 'same', promptTokens: 3 }),
    call('d', 10, { requestId: 'same', promptTokens: 3 }),
  ];
  const lines = [3, 2, 1, 3].map((promptTokens) => line(10, promptTokens, { requestId: 'same', promptTokens }));
  const found = match(calls, lines);
  assert.deepEqual(pairsOf(found).sort(), [
    ['a', 'likely', 1],
    ['b', 'likely', 2],
  ]);
  assert.deepEqual(ids(found.unclear.calls), ['c', 'd']);
});

test('finds a call without a request ID by model, time and tokens', () => {
  const calls = [call('a', 10, { promptTokens: 5 }), call('b', 20, { answered: 'm-2026' }), call('c', 30)];
  const entries = [
    line(10, 0.1, { promptTokens: 5 }),
    line(10, 0.2, { promptTokens: 6 }),
    line(20, 0.3, { model: 'm-2026' }),
    line(30, 0.4, { model: 'M' }),
    line(33.5, 0.5),
  ];
  const found = match(calls, [...edges, ...entries]);
  assert.deepEqual(pairsOf(found), [
    ['a', 'likely', 0.1],
    ['b', 'likely', 0.3],
  ]);
  assert.deepEqual(ids(found.onlyHere), ['c']);
  assert.deepEqual(
    found.onlyThere.map(({ charged }) => charged.amount),
    [0, 0, 0.2, 0.4, 0.5],
  );
});

test('leaves two equal calls of the same second open', () => {
  const calls = [call('a', 10, { promptTokens: 5 }), call('b', 10, { promptTokens: 5 })];
  const entries = [line(10, 0.1, { promptTokens: 5 }), line(10, 0.2, { promptTokens: 5 })];
  for (const lines of [entries, entries.slice(1)]) {
    const found = match(calls, [...edges, ...lines]);
    assert.deepEqual(found.matched, []);
    assert.deepEqual(found.unclear, { calls, entries: lines });
    assert.deepEqual([found.onlyThere.length, found.onlyHere.length], [2, 0]);
  }
  const single = match(calls.slice(1), [...edges, ...entries]);
  assert.deepEqual([single.matched, single.unclear], [[], { calls: calls.slice(1), entries }]);
});

test('leaves a stopped call open that several lines may be of, and finds the others by their tokens', () => {
  const calls = [
    call('stopped', 10, { state: 'stopped', totalMs: 500 }),
    call('a', 10, { promptTokens: 5, completionTokens: 1 }),
    call('b', 10.5, { promptTokens: 5, completionTokens: 2 }),
  ];
  const lines = [2, 1, 9, 8].map((completionTokens) =>
    line(11, completionTokens, { promptTokens: 5, completionTokens }),
  );
  const others = [
    ['a', 'likely', 1],
    ['b', 'likely', 2],
  ];
  assert.deepEqual(pairsOf(match(calls, [...edges, ...lines])).sort(), others);
  assert.deepEqual(ids(match(calls, [...edges, ...lines]).unclear.calls), ['stopped']);
  const oneIsLeft = match(calls, [...edges, ...lines.slice(0, 3)]);
  assert.deepEqual(pairsOf(oneIsLeft).sort(), [...others, ['stopped', 'likely', 9]]);
});

test('takes a line of an error only for a call that failed', () => {
  const error = line(10, 0, { kind: 'error' });
  assert.deepEqual(pairsOf(match([call('a', 10, { state: 'failed' })], [...edges, error])), [['a', 'likely', 0]]);
  const complete = match([call('a', 10)], [...edges, error]);
  assert.deepEqual([complete.matched, ids(complete.onlyHere)], [[], ['a']]);
  assert.equal(complete.onlyThere.includes(error), false);
});

test('pairs other request IDs only if the log has none that was recorded here', () => {
  const [known, other] = [call('known', 5, { requestId: 'K' }), call('a', 10, { requestId: 'cf-ray' })];
  const lines = [line(5, 0.1, { requestId: 'K' }), line(10, 0.2, { requestId: 'gen-1' })];
  const both = match([known, other], [...edges, ...lines]);
  assert.deepEqual([pairsOf(both), ids(both.onlyHere)], [[['known', 'charged', 0.1]], ['a']]);
  assert.deepEqual(pairsOf(match([other], [...edges, ...lines])), [['a', 'likely', 0.2]]);
});

test('corrects the times of a log by one offset, also where they state a zone', () => {
  const hours = 8 * 60;
  const known = Array.from({ length: 9 }, (_, index) => call(`k${index}`, 10 + index, { requestId: `K${index}` }));
  const lines = known.map(({ requestId = '' }, index) => line(10 + index + hours, 1, { requestId }));
  const calls = [...known, call('a', 15), call('lost', 25)];
  const entries = [...lines, line(15 + hours, 0.5), line(15, 0.25), line(30 + hours, 0, { model: 'last' })];
  const found = match(calls, withOffset(entries, calls, true));
  assert.deepEqual(pairsOf(found).slice(9), [['a', 'likely', 0.5]]);
  assert.deepEqual(ids(found.onlyHere), ['lost']);
  // By the corrected clock, this line is of the day before.
  assert.equal(found.onlyThere.length, 1);
});

test('misses only calls that the log should have', () => {
  const entries = [line(100, 1, { requestId: 'other' }), line(200, 1, { requestId: 'another' })];
  const calls = [
    call('older', 50),
    call('at its begin', 100, { model: 'n' }),
    call('missing', 150),
    call('not sent', 151, { state: 'notSent' }),
    call('free', 152, { state: 'failed', isFree: true }),
    call('failed', 153, { state: 'failed' }),
    call('unknown', 154, { state: 'unknown', totalMs: undefined }),
    call('after its last line', 250),
    call('just now', 299),
  ];
  const empty = match(calls, []);
  assert.deepEqual([empty.onlyHere, empty.matched], [[], []]);
  const read = match(calls, entries, { ...span, readAt: start + 300 * minute });
  assert.deepEqual(ids(read.onlyHere), ['missing', 'failed', 'unknown', 'after its last line']);
  const exported = match(calls, entries, { from: span.from, to: span.to });
  assert.deepEqual(ids(exported.onlyHere), ['missing', 'failed', 'unknown']);
  const narrow = match(calls, entries, { from: start + 152 * minute, to: start + 153 * minute });
  assert.deepEqual([ids(narrow.onlyHere), narrow.onlyThere], [['failed'], []]);
});

test('names calls whose reported cost or tokens differ from the log by more than rounding', () => {
  const charges = [0.0123, 0.02, 0.0123, 0.0123, 0.000_06];
  const reported = [0.012_34, 0.0123, 0.02, 0.0123, 0.000_02].map((amount, index) => {
    const source = index === 2 ? ('listed' as const) : ('reported' as const);
    return call(`${index}`, index, {
      requestId: `${index}`,
      promptTokens: index === 3 ? 4 : 5,
      cost: { amount, unit: index === 1 ? 'CNY' : 'USD', source },
    });
  });
  const entries = charges.map((amount, index) =>
    line(index, amount, { requestId: `${index}`, charged: { amount, unit: 'USD' }, promptTokens: 5 }),
  );
  assert.deepEqual(ids(match(reported, entries).differing), ['3']);
  const dearer = entries.map((entry) => ({ ...entry, charged: { amount: entry.charged.amount * 2, unit: 'USD' } }));
  assert.deepEqual(ids(match(reported, dearer).differing), ['0', '2', '3']);
});

test('takes the input that the log has without what is cached for the same (QuantumNous/new-api#7290, BerriAI/litellm#23342)', () => {
  const usage = { promptTokens: 100, cachedTokens: 60, cacheWriteTokens: 30, completionTokens: 5 };
  const calls = [call('by id', 10, { usage, requestId: 'a' }), call('likely', 20, { usage })];
  const logged = { promptTokens: 10, completionTokens: 5 };
  const found = match(calls, [...edges, line(10, 1, { ...logged, requestId: 'a' }), line(20, 1, logged)]);
  assert.deepEqual(ids(found.matched.map((each) => each.call)), ['by id', 'likely']);
  assert.deepEqual(found.differing, []);
  const other = match(calls, [...edges, line(10, 1, { ...logged, requestId: 'a', promptTokens: 40 })]);
  assert.deepEqual(ids(other.differing), ['by id']);
});

test('names calls that were charged more than any known price says, by more than 1 % and $0.0001, or nothing', () => {
  const isDiffering = (source: CostSource, amount: number, charged: number, unit = 'USD') => {
    const one = call('a', 1, { requestId: 'A', cost: { amount, unit, source } });
    const entry = line(1, 0, { requestId: 'A', charged: { amount: charged, unit: 'USD' } });
    return match([one], [entry]).differing.length === 1;
  };
  for (const source of ['listed', 'priceList', 'stated'] as const) {
    assert.ok(isDiffering(source, 0.01, 0.0102));
    assert.ok(!isDiffering(source, 0.1, 0.1009), 'less than 1 %');
    assert.ok(!isDiffering(source, 0.0001, 0.000_19), 'less than $0.0001');
    assert.ok(!isDiffering(source, 0.02, 0.01), 'less than expected');
    assert.ok(!isDiffering(source, 0.01, 0.02, 'CNY'));
    assert.ok(isDiffering(source, 0.01, 0), 'no charge where the price is not 0');
    assert.ok(!isDiffering(source, 0, 0));
  }
  assert.ok(!isDiffering('vendor', 0.01, 0.02), 'a gateway need not charge what the vendor does');
  assert.ok(!isDiffering('vendor', 0.01, 0));
});

for (const zone of ['UTC', 'Asia/Kolkata', 'America/St_Johns', 'Asia/Kathmandu', 'Pacific/Kiritimati']) {
  for (const [log, offset] of [
    ['UTC, as OpenRouter exports it', 0],
    ['Nepal', 5 * 60 + 45],
    ['Newfoundland', -(3 * 60 + 30)],
  ] as const) {
    test(`finds calls in a log of ${log}, whose times have no zone, on a computer in ${zone}`, () =>
      inTimeZone(zone, () => {
        const counts = [5, 9, 5, 7].map((completionTokens) => ({ promptTokens: 100, completionTokens }));
        const calls = counts.map((tokens, index) => call(`${index}`, [3, 27, 61, 200][index] ?? 0, tokens));
        const entries = calls.map(({ at }, index) => {
          const text = new Date(at + offset * minute).toISOString().replace('T', ' ').slice(0, 19);
          return line(0, index, { at: timeOf(text)?.at ?? 0, ...counts[index] });
        });
        const elsewhere = line(90, 9, { at: (entries[3]?.at ?? 0) + minute, promptTokens: 7, completionTokens: 7 });
        const found = match(calls, withOffset([...entries, elsewhere], calls, false));
        assert.deepEqual(
          pairsOf(found).sort(),
          calls.map(({ id }) => [id, 'likely', Number(id)]),
        );
        assert.deepEqual(
          found.onlyThere.map(({ at }) => at),
          [(calls[3]?.at ?? 0) + minute],
          'the time of a line that no call fits is right, too',
        );
      }));
  }
}

test('finds the offset of a log that names the model that was asked, not the dated one that answered', () => {
  const calls = [3, 27].map((minutes) => call(`${minutes}`, minutes, { answered: 'm-2026-04-14' }));
  const entries = [line(3 + 8 * 60, 0.5), line(27 + 8 * 60, 0.25)];
  assert.deepEqual(pairsOf(match(calls, withOffset(entries, calls, false))), [
    ['3', 'likely', 0.5],
    ['27', 'likely', 0.25],
  ]);
});

test('takes a log without a zone for one of this computer where no line shows the zone', () =>
  inTimeZone('Asia/Kathmandu', () => {
    const at = Date.UTC(2026, 10, 25, 10);
    const [entry] = withOffset([line(0, 1, { at })], [], false);
    assert.equal(entry?.at, at - (5 * 60 + 45) * minute);
  }));

test('gives the group ratio of the newest charge that states one', () => {
  const ratios = [line(3, 1), line(1, 1, { groupRatio: 2 }), line(2, 1, { groupRatio: 0.5 })];
  const error = line(4, 0, { groupRatio: 9, kind: 'error' });
  assert.equal(match([], [error, ...ratios]).groupRatio, 0.5);
  assert.equal(match([], [line(1, 1)]).groupRatio, undefined);
});

/** Calls in bursts of few models and tokens, with the lines that a gateway with another clock writes of them. */
const traffic = fc
  .record({
    calls: fc.array(
      fc.record({
        second: fc.oneof(fc.nat({ max: 30 }), fc.nat({ max: 3_000 })),
        totalMs: fc.nat({ max: 90_000 }),
        model: fc.constantFrom('m', 'n'),
        tokens: fc.option(fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 3 })), { nil: undefined }),
        isForeign: fc.boolean(),
        hasTokens: fc.boolean(),
      }),
      { maxLength: 60 },
    ),
    skewMs: fc.integer({ min: -100_000, max: 100_000 }),
  })
  .map(({ calls: drafts, skewMs }) => {
    const calls: CountedCall[] = [];
    const entries = drafts.map(({ second, totalMs, model, tokens, isForeign, hasTokens }, index) => {
      const at = start + 10 * minute + second * 1_000;
      const [promptTokens, completionTokens] = tokens ?? [7, index];
      if (!isForeign) {
        const known = tokens && { promptTokens, completionTokens };
        calls.push(call(`${index}`, 0, { at, model, totalMs, ...known }));
      }
      const counts = hasTokens ? { promptTokens, completionTokens } : {};
      const lineAt = Math.floor((at + totalMs + skewMs) / 1_000) * 1_000;
      return line(0, 1, { at: lineAt, model, cachedTokens: index, ...counts });
    });
    return { calls, entries };
  });

test('never pairs a call without a request ID with the line of another one, and has each in one place', () => {
  let [likely, unclear] = [0, 0];
  fc.assert(
    fc.property(traffic, ({ calls, entries }) => {
      const found = match(calls, entries);
      for (const { call: each, entry } of found.matched) {
        assert.equal(`${entry.cachedTokens}`, each.id);
      }
      const places = [...found.matched.map((each) => each.call), ...found.onlyHere, ...found.unclear.calls];
      assert.equal(new Set(places).size, places.length);
      const lines = [...found.matched.map(({ entry }) => entry), ...found.onlyThere, ...found.unclear.entries];
      assert.equal(new Set(lines).size, lines.length);
      assert.deepEqual(found.onlyHere, []);
      likely += found.matched.length;
      unclear += found.unclear.calls.length;
    }),
    { numRuns: 5 * runs },
  );
  assert.ok(likely > runs && unclear > runs, `${likely} likely, ${unclear} unclear`);
});

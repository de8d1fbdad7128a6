import assert from 'node:assert/strict';
import { test } from 'node:test';
import { recordOf } from '../../../../../src/core/base/loose.ts';
import { MeterCheck, type MeterReading } from '../../../../../src/core/usage/meter/meterCheck.ts';
import { callsOf, type Habits, type Sent, tokenizers } from './people.ts';

const hour = 3_600_000;
const english: Habits = { kinds: ['english'], range: [200, 2_000] };
const chinese: Habits = { ...english, kinds: ['chinese'] };
const mixed: Habits = { ...english, kinds: ['english', 'chinese', 'code'] };

/** A meter for one connection, whose memory other windows share. */
class Meter {
  stored: unknown = null;
  readonly check = new MeterCheck({
    read: () => this.stored,
    write: async (_, meters) => {
      this.stored = meters;
    },
  });
  calls = 0;

  /** Learns from a call, one each hour. */
  async learn({ request, estimate, reported }: Sent, model = 'm'): Promise<void> {
    const counted = { estimate, reported, isOnlyText: true, isCached: false };
    await this.check.learn('c', { ...request, model }, counted, this.calls++ * hour);
  }

  /** Learns from this number of calls of a person, of which the gateway reports more than it should. */
  async learnFrom(person: Iterator<Sent>, calls: number, { factor = 1, tokens = 0 }: Change = {}): Promise<void> {
    for (let call = 0; call < calls; call++) {
      const sent: Sent = person.next().value;
      await this.learn({ ...sent, reported: Math.round(sent.reported * factor) + tokens });
    }
  }

  reading(): MeterReading {
    return this.check.reading('c', 'm');
  }

  /** Whether the latest call left the meter moved, without computing its reading again. */
  get hasMoved(): boolean {
    return recordOf((this.stored as unknown[]).at(-1)).since !== undefined;
  }
}

type Change = { readonly factor?: number; readonly tokens?: number };

/** A meter that has learned from this number of calls of a person. */
async function meterAfter(calls: number, habits: Habits, seed = 1): Promise<[Meter, Generator<Sent, never>]> {
  const meter = new Meter();
  const person = callsOf(seed, habits);
  await meter.learnFrom(person, calls);
  return [meter, person];
}

test('is steady in 10,000 honest calls in several languages and of all sizes', async () => {
  for (let seed = 1; seed <= 50; seed++) {
    const meter = new Meter();
    const person = callsOf(seed);
    for (let call = 1; call <= 200; call++) {
      await meter.learn(person.next().value);
      assert.ok(!meter.hasMoved, `seed ${seed}, call ${call}: ${JSON.stringify(meter.reading())}`);
    }
    assert.equal(meter.reading().kind, 'steady');
  }
});

test('is steady when a person changes the language, for each tokenizer', async () => {
  for (let seed = 1; seed <= 2 * tokenizers; seed++) {
    const [before, after] = seed % 2 === 0 ? [english, chinese] : [chinese, english];
    const [meter] = await meterAfter(50, before, seed);
    const person = callsOf(seed, after);
    for (let call = 0; call < 60; call++) {
      await meter.learnFrom(person, 1);
      assert.ok(!meter.hasMoved, `seed ${seed}, call ${call}: ${JSON.stringify(meter.reading())}`);
    }
  }
});

for (const [title, habits, change] of [
  ['200 hidden tokens in English', english, { tokens: 200 }],
  ['200 hidden tokens in mixed texts', mixed, { tokens: 200 }],
  ['a fifth more in Chinese', chinese, { factor: 1.2 }],
  ['a fifth more in mixed texts', mixed, { factor: 1.2 }],
  ['a third less in code', { ...english, kinds: ['code'] }, { factor: 0.67 }],
] as const satisfies [string, Habits, Change][]) {
  test(`finds ${title} within 30 calls after they begin`, async () => {
    for (let seed = 1; seed <= 2 * tokenizers; seed++) {
      const [meter, person] = await meterAfter(50 + seed, habits, seed);
      let calls = 0;
      while (!meter.hasMoved) {
        assert.ok(++calls <= 30, `seed ${seed}`);
        await meter.learnFrom(person, 1, change);
      }
    }
  });
}

test('has a factor, and since when, for as long as the latest calls show it', async () => {
  const [meter, person] = await meterAfter(49, english);
  assert.deepEqual(meter.reading(), { kind: 'tooFew', calls: 49 });
  await meter.learnFrom(person, 10);
  assert.deepEqual(meter.reading(), { kind: 'tooFew', calls: 59 });
  await meter.learnFrom(person, 11);
  const steady = meter.reading();
  assert.ok(steady.kind === 'steady' && Math.abs(steady.factor - 1) < 0.05, JSON.stringify(steady));
  for (let round = 0; round < 3; round++) {
    await meter.learnFrom(person, 30, { factor: 1.8 });
    const reading = meter.reading();
    assert.ok(reading.kind === 'moved' && Math.abs(reading.factor - 1.8) < 0.08, JSON.stringify(reading));
    assert.equal(reading.since, 70 * hour);
  }
  await meter.learnFrom(person, 30);
  assert.equal(meter.reading().kind, 'steady');
});

test('learns in several windows together, and stores nothing again that another window deleted', async () => {
  const [meter, person] = await meterAfter(59, english);
  const other = new Meter();
  other.stored = meter.stored;
  await other.learnFrom(person, 1);
  meter.stored = other.stored;
  assert.equal(meter.reading().kind, 'steady');
  meter.stored = undefined;
  assert.deepEqual(meter.reading(), { kind: 'tooFew', calls: 0 });
  await meter.learnFrom(person, 1);
  assert.deepEqual(meter.reading(), { kind: 'tooFew', calls: 1 });
});

test('learns nothing from images, tools, cached input and missing or impossible reports', async () => {
  const meter = new Meter();
  const { request } = callsOf(1, english).next().value;
  const counted = { estimate: 1_000, reported: 1_000, isOnlyText: true, isCached: false };
  for (const unclear of [
    { ...counted, isOnlyText: false },
    { ...counted, isCached: true },
    { ...counted, estimate: 0 },
    { ...counted, estimate: Number.NaN },
    { ...counted, reported: undefined },
    { ...counted, reported: 0 },
    { ...counted, reported: Number.NaN },
    { ...counted, reported: Number.POSITIVE_INFINITY },
  ]) {
    await meter.check.learn('c', request, unclear, 0);
  }
  assert.equal(meter.stored, null);
});

test('starts again for a model whose stored calls are damaged, and keeps the others', async () => {
  const [meter, person] = await meterAfter(60, english);
  const [good] = meter.stored as [{ first: number[][]; last: number[][] }];
  const other = { ...good, model: 'other' };
  for (const damaged of [
    7,
    null,
    [],
    {},
    { ...good, first: 'text' },
    { ...good, last: [[1, 2]] },
    { ...good, last: [['1', ...(good.last[0] ?? []).slice(1)]] },
    { ...good, first: good.first.map((call) => call.map((each) => -each)) },
    { ...good, since: 'Tuesday' },
  ]) {
    meter.stored = [damaged, other];
    assert.deepEqual(meter.reading(), { kind: 'tooFew', calls: 0 });
    await meter.learnFrom(person, 1);
    assert.deepEqual(meter.reading(), { kind: 'tooFew', calls: 1 });
    assert.equal(meter.check.reading('c', 'other').kind, 'steady');
  }
  for (const nothing of [undefined, 'text', 7, {}, { m: good }]) {
    meter.stored = nothing;
    await meter.learnFrom(person, 1);
    assert.deepEqual(meter.reading(), { kind: 'tooFew', calls: 1 });
  }
  const extreme = [0, 0, 1e308, 0, 0, 1e308, 1e308, 1e308, 1e308];
  meter.stored = [{ ...good, first: Array(50).fill(extreme), last: Array(30).fill(extreme) }];
  assert.equal(meter.reading().kind, 'steady');
});

test('stores only numbers, and the 20 models that were called last', async () => {
  const [meter, person] = await meterAfter(100, { ...english, range: [100, 200] });
  assert.ok(JSON.stringify(meter.stored).length < 6_000);
  for (let index = 0; index < 25; index++) {
    await meter.learn(person.next().value, `m${index}`);
    await meter.learn(person.next().value);
  }
  const stored = (meter.stored as unknown[]).map(recordOf);
  assert.deepEqual(
    stored.map(({ model }) => model),
    [...Array.from({ length: 19 }, (_, index) => `m${index + 6}`), 'm'],
  );
  const { first, last } = stored.at(-1) as { first: unknown[]; last: unknown[] };
  assert.deepEqual([first.length, last.length], [50, 30]);
  assert.ok([...first, ...last].flat().every((each) => typeof each === 'number'));
});

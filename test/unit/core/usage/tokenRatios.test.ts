import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordOf } from '../../../../src/core/base/loose.ts';
import { TokenRatios } from '../../../../src/core/usage/tokenRatios.ts';

const text = { isOnlyText: true, isCached: false } as const;

/** Ratios in a memory that several windows share, which holds JSON. */
class SharedMemory {
  json = 'null';
  readonly read = (): unknown => JSON.parse(this.json);
  readonly write = async (ratios: object): Promise<void> => {
    this.json = JSON.stringify(ratios);
  };
}

function withRatios(stored?: unknown): { memory: SharedMemory; ratios: TokenRatios } {
  const memory = new SharedMemory();
  memory.json = JSON.stringify(stored ?? null);
  return { memory, ratios: new TokenRatios(memory) };
}

test('has the ratio of a model after three calls, and 1 before', async () => {
  const { ratios } = withRatios();
  assert.equal(ratios.factor('m'), 1);
  for (const reported of [1_300, 1_100]) {
    await ratios.learn('m', { estimate: 1_000, reported, ...text });
    assert.equal(ratios.factor('m'), 1);
  }
  await ratios.learn('m', { estimate: 1_000, reported: 1_200, ...text });
  assert.ok(Math.abs(ratios.factor('m') - 1.2) < 1e-9);
  assert.equal(ratios.factor('other'), 1);
});

test('learns in several windows together, and stores nothing again that another window deleted', async () => {
  const { memory, ratios } = withRatios();
  const other = new TokenRatios(memory);
  for (let call = 0; call < 3; call++) {
    await ratios.learn('m', { estimate: 1_000, reported: 1_500, ...text });
  }
  assert.equal(other.factor('m'), 1.5);
  await other.learn('n', { estimate: 1_000, reported: 1_000, ...text });
  assert.equal(ratios.factor('m'), 1.5, 'the other window did not replace it');
  await memory.write([]);
  assert.equal(ratios.factor('m'), 1);
  await ratios.learn('o', { estimate: 1_000, reported: 1_200, ...text });
  assert.deepEqual(memory.read(), [{ model: 'o', ratio: 1.2, calls: 1 }]);
});

test('follows a model whose tokenizer changes', async () => {
  const { ratios } = withRatios();
  for (let call = 0; call < 100; call++) {
    await ratios.learn('m', { estimate: 1_000, reported: 800, ...text });
  }
  for (let call = 0; call < 10; call++) {
    await ratios.learn('m', { estimate: 1_000, reported: 1_500, ...text });
  }
  const factor = ratios.factor('m');
  assert.ok(factor > 1.4 && factor < 1.5, String(factor));
});

test('learns nothing from images, tools, cached input, tiny input and missing or impossible reports', async () => {
  const { memory, ratios } = withRatios();
  const call = { estimate: 1_000, reported: 1_900, ...text };
  for (const unclear of [
    { ...call, isOnlyText: false },
    { ...call, isCached: true },
    { ...call, estimate: 99 },
    { ...call, estimate: Number.NaN },
    { ...call, reported: undefined },
    { ...call, reported: 0 },
    { ...call, reported: -5 },
    { ...call, reported: Number.NaN },
  ]) {
    for (let again = 0; again < 5; again++) {
      await ratios.learn('m', unclear);
    }
  }
  assert.equal(memory.read(), null);
});

test('stays between a half and twice the estimate, whatever a gateway reports', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.integer({ min: 100 }), fc.double({ min: 0 }))), async (calls) => {
      const { memory, ratios } = withRatios();
      let counted = 0;
      for (const [estimate, reported] of calls) {
        await ratios.learn('m', { estimate, reported, ...text });
        counted += reported > 0 ? 1 : 0;
      }
      const factor = ratios.factor('m');
      assert.ok(factor >= 0.5 && factor <= 2, String(factor));
      // Each was read back: none was out of the range.
      assert.equal(recordOf((memory.read() as unknown[] | null)?.[0]).calls ?? 0, counted);
    }),
  );
});

test('reads back what it wrote, and drops what it does not know', async () => {
  const { memory, ratios } = withRatios();
  for (let call = 0; call < 3; call++) {
    await ratios.learn('__proto__', { estimate: 1_000, reported: 1_300, ...text });
  }
  assert.equal(ratios.factor('__proto__'), 1.3);
  assert.deepEqual(memory.read(), [{ model: '__proto__', ratio: 1.3, calls: 3 }]);
  const good = { model: 'm', ratio: 1.5, calls: 3 };
  const learned = { model: 'new', ratio: 1, calls: 1 };
  for (const invalid of [7, null, {}, { ...good, ratio: 3 }, { ...good, calls: 0.5 }, { ...good, model: undefined }]) {
    const read = withRatios([good, invalid]);
    assert.equal(read.ratios.factor('m'), 1.5);
    await read.ratios.learn('new', { estimate: 1_000, reported: 1_000, ...text });
    assert.deepEqual(read.memory.read(), [good, learned]);
  }
  for (const nothing of [undefined, null, 'text', 7, {}, { m: good }]) {
    const read = withRatios(nothing);
    assert.equal(read.ratios.factor('m'), 1);
    await read.ratios.learn('new', { estimate: 1_000, reported: 1_000, ...text });
    assert.deepEqual(read.memory.read(), [learned]);
  }
});

test('keeps the 200 models that were called last', async () => {
  const { memory, ratios } = withRatios();
  for (let index = 0; index < 300; index++) {
    await ratios.learn(`m${index}`, { estimate: 1_000, reported: 1_000, ...text });
    await ratios.learn('m0', { estimate: 1_000, reported: 1_500, ...text });
  }
  const models = (memory.read() as unknown[]).map((each) => recordOf(each).model);
  assert.equal(models.length, 200);
  assert.equal(models.at(-1), 'm0');
  assert.equal(models.at(-2), 'm299');
  assert.ok(ratios.factor('m0') > 1.4);
});

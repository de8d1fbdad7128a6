import assert from 'node:assert/strict';
import { test } from 'node:test';
import { meterNote, meterText } from '../../../../../src/core/usage/meter/meterText.ts';

const now = new Date(2026, 10, 25, 12).getTime();

test('a reading is a factor, and since when when it moved', () => {
  assert.equal(meterText({ kind: 'tooFew', calls: 3 }, now), 'too few calls');
  assert.equal(meterText({ kind: 'steady', factor: 1.0249 }, now), '×1.02');
  const moved = { kind: 'moved', factor: 1.8 } as const;
  assert.equal(meterText({ ...moved, since: new Date(2026, 10, 24, 9).getTime() }, now), '×1.8 since Tuesday');
  assert.equal(meterText({ ...moved, since: new Date(2026, 10, 19).getTime() }, now), '×1.8 since Thursday');
  assert.equal(meterText({ ...moved, since: new Date(2026, 10, 18, 23).getTime() }, now), '×1.8 since Nov 18, 2026');
});

test('the note names what a change can mean', () => {
  assert.match(meterNote(), /another tokenizer, a hidden prompt or another way to count/);
});

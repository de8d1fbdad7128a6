import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import { faults } from '../../gateway/faultTable.ts';
import { close } from '../node/network/standardNetwork.ts';
import { allTests as tests } from './allTests.ts';
import { quirksOf, runTest } from './quirkTest.ts';
import { plainWire } from './wire.ts';

after(close);

/** Quirks without a test here, and why. */
const elsewhere: ReadonlyMap<number, string> = new Map([]);

// Every test has a gateway of its own, so they run beside each other.
describe('the client and the quirks of the wire', { concurrency: 12 }, () => {
  for (const each of tests) {
    it(each.title, () => runTest(each, plainWire));
  }
});

test('every quirk from Q1 to Q93 has a test here, or a reason for having none', (t) => {
  const tested = new Set(tests.flatMap(({ title }) => quirksOf(title)));
  const all = Array.from({ length: 93 }, (_, index) => index + 1);
  for (const [quirk, reason] of elsewhere) {
    t.diagnostic(`Q${quirk} has no test here: ${reason}`);
  }
  const titles = tests.map(({ title }) => title).join('\n');
  const unseen = faults.filter(({ name }) => !new RegExp(`\\(${name}[:)]`).test(titles)).map(({ name }) => name);
  t.diagnostic(`Faults without a test here: ${unseen.join(', ') || 'none'}`);
  t.diagnostic(`${tests.length} tests, ${tested.size} quirks`);
  const forgotten = all.filter((quirk) => !tested.has(quirk) && !elsewhere.has(quirk));
  assert.deepEqual(forgotten, [], 'quirks that are neither tested nor listed');
  assert.deepEqual(
    [...elsewhere.keys()].filter((quirk) => tested.has(quirk)),
    [],
    'listed although there is a test',
  );
  assert.ok([...tested].every((quirk) => all.includes(quirk)));
});

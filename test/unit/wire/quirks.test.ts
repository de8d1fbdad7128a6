import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { faults } from '../../gateway/faultTable.ts';
import { isQuick } from '../propertyRuns.ts';
import { allTests as tests } from './allTests.ts';
import { quirksOf, runTest } from './quirkTest.ts';
import { plainWire } from './wire.ts';

/** Quirks that have no test here, with the reason. */
const withoutTest: ReadonlyMap<number, string> = new Map(
  [63, 65, 66].map((quirk) => [quirk, 'core/connections/baseUrl.test.ts reads addresses']),
);

// Every test has its own gateway, so they can run concurrently.
describe('the client and the quirks of the wire', { concurrency: 12 }, () => {
  for (const each of tests) {
    it(each.title, { skip: isQuick && each.title.includes('(byte-by-byte)') }, () => runTest(each, plainWire));
  }
});

test('tests every quirk from Q1 to Q93, or states why not', (t) => {
  const tested = new Set(tests.flatMap(({ title }) => quirksOf(title)));
  const all = Array.from({ length: 93 }, (_, index) => index + 1);
  for (const [quirk, reason] of withoutTest) {
    t.diagnostic(`Q${quirk} has no test here: ${reason}`);
  }
  const titles = tests.map(({ title }) => title).join('\n');
  const untested = faults.filter(({ name }) => !new RegExp(`\\(${name}[:)]`).test(titles)).map(({ name }) => name);
  t.diagnostic(`Faults without a test here: ${untested.join(', ') || 'none'}`);
  t.diagnostic(`${tests.length} tests, ${tested.size} quirks`);
  const missing = all.filter((quirk) => !tested.has(quirk) && !withoutTest.has(quirk));
  assert.deepEqual(missing, [], 'quirks without a test and without a reason');
  assert.deepEqual(
    [...withoutTest.keys()].filter((quirk) => tested.has(quirk)),
    [],
    'quirks with both a test and a reason for having none',
  );
  assert.ok([...tested].every((quirk) => all.includes(quirk)));
});

import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { isQuick } from '../propertyRuns.ts';
import { byteTests, transportTests } from './allTests.ts';
import { type QuirkTest, runTest } from './quirkTest.ts';
import { fetchWire, tlsWire, type Wire } from './wire.ts';

/** Tests that this wire can't run: a part of the title, and the reason. */
type Exceptions = readonly (readonly [title: string, reason: string])[];

const wires: readonly { name: string; wire: Wire; tests: readonly QuirkTest[]; exceptions: Exceptions }[] = [
  {
    name: 'the fetch of the editor',
    wire: fetchWire,
    // What is read from the same bytes is the same.
    tests: byteTests,
    exceptions: [
      ['(byte-by-byte)', 'it takes longer than all others, and both wires have the same parser of HTTP'],
      ['(gzip-lie)', 'fetch decodes what the header names'],
      ['(proxy-407)', 'fetch throws on status 407 without a reason (fetchTransport.test.ts)'],
    ],
  },
  {
    name: 'TLS',
    wire: tlsWire(),
    // Only the connection differs from the wire without TLS.
    tests: transportTests,
    exceptions: [['(redirect-other-scheme)', 'over TLS the other scheme is http (connectionTests.ts)']],
  },
];

for (const { name, wire, tests: all, exceptions } of wires) {
  const isException = ({ title }: QuirkTest) => exceptions.some(([part]) => title.includes(part));
  const any = all.filter((each) => each.wire === undefined);
  const tests = any.filter((each) => !isException(each));

  // Each test has its own gateway, over TLS also its own certificate keys, so fewer run concurrently than without TLS.
  describe(`the client and the quirks of the wire over ${name}`, { concurrency: 6, skip: isQuick }, () => {
    for (const each of tests) {
      it(each.title, () => runTest(each, wire));
    }
  });

  test(`skips only known tests over ${name}`, (t) => {
    for (const [part, reason] of exceptions) {
      const skipped = any.filter(({ title }) => title.includes(part));
      assert.ok(skipped.length > 0, part);
      t.diagnostic(`${part}: ${reason}`);
    }
    assert.equal(tests.length, any.length - exceptions.length);
  });
}

import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import { close } from '../node/network/standardNetwork.ts';
import { allTests, transportTests } from './allTests.ts';
import { type QuirkTest, runTest } from './quirkTest.ts';
import { fetchWire, tlsWire, type Wire } from './wire.ts';

after(close);

/** What can not be shown there: a part of the title, and why. */
type Exceptions = readonly (readonly [title: string, reason: string])[];

const wires: readonly { name: string; wire: Wire; tests: readonly QuirkTest[]; exceptions: Exceptions }[] = [
  {
    name: 'the fetch of the editor',
    wire: fetchWire,
    tests: allTests,
    exceptions: [['(proxy-407)', 'fetch hides an answer 407 and throws without saying why (fetchTransport.test.ts)']],
  },
  {
    name: 'TLS',
    wire: tlsWire(),
    // Above TLS it is the same transport as in clear.
    tests: transportTests,
    exceptions: [['(redirect-other-scheme)', 'the other scheme is http there (connectionTests.ts)']],
  },
];

for (const { name, wire, tests: all, exceptions } of wires) {
  const isException = ({ title }: QuirkTest) => exceptions.some(([part]) => title.includes(part));
  const any = all.filter((each) => each.wire === undefined);
  const tests = any.filter((each) => !isException(each));

  // Each has a gateway of its own, over TLS with keys of its own, so fewer run beside each other than in clear.
  describe(`the client and the quirks of the wire over ${name}`, { concurrency: 6 }, () => {
    for (const each of tests) {
      it(each.title, () => runTest(each, wire));
    }
  });

  test(`what is left out over ${name} is there, and has a reason`, (t) => {
    for (const [part, reason] of exceptions) {
      const left = any.filter(({ title }) => title.includes(part));
      assert.ok(left.length > 0, part);
      t.diagnostic(`${part}: ${reason}`);
    }
    assert.equal(tests.length, any.length - exceptions.length);
  });
}

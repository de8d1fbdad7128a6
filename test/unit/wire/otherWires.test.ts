import assert from 'node:assert/strict';
import { after, describe, it, test } from 'node:test';
import { close } from '../../../src/node/network/undiciTransport.ts';
import { faults } from '../../gateway/faultTable.ts';
import { allTests } from './allTests.ts';
import { type QuirkTest, runTest } from './quirkTest.ts';
import { fetchWire, tlsWire, type Wire } from './wire.ts';

after(close);

/** What can not be shown there: a part of the title, and why. */
type Exceptions = readonly (readonly [title: string, reason: string])[];

const isHttp1 = new Set(faults.filter(({ needs }) => needs === 'http/1.1').map(({ name }) => name));

const wires: readonly { name: string; wire: Wire; exceptions: Exceptions }[] = [
  {
    name: 'the fetch of the editor',
    wire: fetchWire,
    exceptions: [['(proxy-407)', 'fetch hides an answer 407 and throws without saying why (fetchTransport.test.ts)']],
  },
  {
    name: 'TLS and HTTP/2',
    wire: tlsWire(true),
    exceptions: [
      ...[...isHttp1].map((name) => [`(${name})`, 'a fault of HTTP/1.1 alone'] as const),
      ['(redirect-other-scheme)', 'the other scheme is http there; it has a line of its own'],
      ['(byte-by-byte): complete', 'one frame a byte takes the local gateway seconds; pieces of 7 are there'],
      ['Q64 ', 'about addresses in clear'],
    ],
  },
];

for (const { name, wire, exceptions } of wires) {
  const isException = ({ title }: QuirkTest) => exceptions.some(([part]) => title.includes(part));
  const any = allTests.filter((each) => each.wire === undefined);
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
    assert.ok(tests.length > 330, `${tests.length} of ${any.length}`);
  });
}

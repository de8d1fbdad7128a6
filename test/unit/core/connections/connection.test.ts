import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  connectionLimits,
  readConnections,
  withEntry,
  withEntryFirst,
  withoutEntry,
} from '../../../../src/core/connections/connection.ts';

test('reads valid connections and reports each invalid one', () => {
  const { connections, problems } = readConnections([
    { id: 'a', name: ' Work ', baseUrl: 'gateway.example' },
    { id: 'b', baseUrl: 'http://localhost:3000/v1' },
    { id: 'a', baseUrl: 'https://twice.example' },
    { id: 'c' },
    { id: 'not an id!', baseUrl: 'https://x.example' },
    { id: 'd', baseUrl: 'https://user:secret@x.example' },
    { id: 'e', name: 5, baseUrl: 'https://x.example' },
    null,
    'x',
    [],
    7,
  ]);
  assert.deepEqual(
    connections.map(({ id, name, url }) => [id, name, url.base]),
    [
      ['a', 'Work', 'https://gateway.example/v1'],
      ['b', 'localhost:3000', 'http://localhost:3000/v1'],
      ['e', 'x.example', 'https://x.example/v1'],
    ],
  );
  assert.equal(problems.length, 8);
  assert.doesNotMatch(problems.join(), /secret|undefined/);
});

test('reads a missing setting as no connections, and reports a setting of another type', () => {
  assert.deepEqual(readConnections(undefined), { connections: [], problems: [] });
  for (const value of [null, {}, 'x', 5, true]) {
    assert.deepEqual([readConnections(value).connections, readConnections(value).problems.length], [[], 1]);
  }
});

/** Reads a list with one entry. */
function readOne(more: Record<string, unknown>) {
  const { connections, problems } = readConnections([{ id: 'a', baseUrl: 'https://gateway.example', ...more }]);
  const [connection] = connections;
  assert.ok(connection);
  return { connection, problems };
}

test('reads all properties of an entry', () => {
  const { connection, problems } = readOne({
    name: ' Work ',
    note: 'group: vip\n second line',
    consoleUrl: 'gateway.example/console#/token',
    consolePages: { wallet: '#/topup' },
    creditUnit: '0.5 cny',
    headers: { 'X-Title': 'Ask Model' },
    probes: true,
    somethingElse: { deep: true },
  });
  assert.deepEqual(problems, []);
  const { url, headers, ...rest } = connection;
  assert.equal(url.base, 'https://gateway.example/v1');
  assert.deepEqual({ ...headers }, { 'x-title': 'Ask Model' });
  assert.deepEqual(JSON.parse(JSON.stringify(rest)), {
    id: 'a',
    name: 'Work',
    note: 'group: vip second line',
    consoleUrl: 'https://gateway.example/console#/token',
    consolePages: { wallet: 'https://gateway.example/console#/topup' },
    creditUnit: { unit: 'CNY', factor: 0.5 },
    probes: true,
  });
});

test('leaves out properties of a wrong type, which VS Code underlines by the schema', () => {
  const more = { name: 5, note: ['x'], consoleUrl: 5, consolePages: { keys: 5 }, creditUnit: 0.5, probes: 'yes' };
  const { connection, problems } = readOne(more);
  assert.deepEqual(connection, readOne({}).connection);
  assert.deepEqual(problems, []);
});

for (const [more, problem, expected] of [
  [{ name: 'sk-Abc_0123456789' }, /name looks like a key/, { name: 'gateway.example' }],
  [{ note: 'the key is sk-Abc_0123456789' }, /note looks like a key/, { note: undefined }],
  [
    { consoleUrl: 'javascript:alert(1)' },
    /consoleUrl is ignored. The address must start with/,
    { consoleUrl: undefined },
  ],
  [{ consoleUrl: 'http://gateway.example' }, /consoleUrl is ignored. .*unencrypted/, { consoleUrl: undefined }],
  [{ consoleUrl: 'https://u:Abc_0123@gateway.example' }, /consoleUrl .*user name/, { consoleUrl: undefined }],
  [{ creditUnit: 'yuan' }, /creditUnit is ignored. Enter a currency code/, { creditUnit: undefined }],
  [{ headers: 'x-a: b' }, /headers must be an object of names/, {}],
  [{ headers: { authorization: 'Abc_0123' } }, /header authorization can't/, {}],
  [{ headers: { 'x-a': 'Abc_0123\n' } }, /one line of at most/, {}],
] as const) {
  test(`keeps the connection without an invalid property: ${JSON.stringify(more)}`, () => {
    const { connection, problems } = readOne(more);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^Entry 1 of askModel\.connections: /);
    assert.match(problems[0] ?? '', problem);
    assert.doesNotMatch(problems[0] ?? '', /Abc_0123/);
    for (const [name, value] of Object.entries(expected)) {
      assert.equal(connection[name as keyof typeof connection], value);
    }
  });
}

test('reduces a name to one short line', () => {
  for (const [name, shown] of [
    [' two\r\nlines\t\u2028more', 'two lines more'],
    ['', 'gateway.example'],
    [' ', 'gateway.example'],
    ['工作 👩\u200d💻', '工作 👩\u200d💻'],
    ['x'.repeat(500), 'x'.repeat(connectionLimits.name)],
  ] as const) {
    assert.equal(readOne({ name }).connection.name, shown);
  }
});

for (const [id, isTaken] of [
  ['a', true],
  ['A-b_9', true],
  ['x'.repeat(65), false],
  ['', false],
  ['a.b', false],
  ['../a', false],
  ['a\n', false],
  ['__proto__', false],
  ['prototype', true],
  [5, false],
  [['a'], false],
] as const) {
  test(`${isTaken ? 'takes' : 'refuses'} the id ${JSON.stringify(id)}`, () => {
    const { connections, problems } = readConnections([{ id, baseUrl: 'https://gateway.example' }]);
    assert.deepEqual([connections.length, problems.length], isTaken ? [1, 0] : [0, 1]);
  });
}

test('does not change any prototype when an entry has a property __proto__', () => {
  const entry: unknown = JSON.parse(
    '{"id":"a","baseUrl":"https://gateway.example","__proto__":{"probes":true,"polluted":1}}',
  );
  const { connections } = readConnections([entry]);
  assert.equal(connections[0]?.probes, undefined);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('never throws for any setting, and repeats no value in a problem', () => {
  const part = fc.oneof(fc.anything(), fc.constant('HIDDEN https://u:HIDDEN@x'), fc.constant('sk-HIDDEN0123456789'));
  const entry = fc.record(
    {
      id: fc.oneof(part, fc.constant('a')),
      baseUrl: fc.oneof(part, fc.constant('https://x.example')),
      name: part,
      note: part,
      consoleUrl: part,
      headers: part,
      probes: part,
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.oneof(fc.array(fc.oneof(entry, fc.anything())), fc.anything()), (value) => {
      const { connections, problems } = readConnections(value);
      assert.doesNotMatch(problems.join(), /HIDDEN/);
      assert.equal(new Set(connections.map(({ id }) => id)).size, connections.length);
    }),
  );
});

const written = [
  { id: 'b', baseUrl: 'nonsense nonsense', mine: 1 },
  'garbage',
  { id: 'a', baseUrl: 'https://a.example', mine: { deep: [1] }, name: 'A' },
  null,
  { id: 'b', baseUrl: 'https://b.example', note: 'n' },
];

test('changes one entry and leaves everything else as written', () => {
  const next = withEntry(written, 'a', { name: 'New', note: 'hello', mine: undefined });
  assert.deepEqual(next[2], { id: 'a', baseUrl: 'https://a.example', name: 'New', note: 'hello' });
  assert.deepEqual(Object.keys(next[2] as object), ['id', 'baseUrl', 'name', 'note']);
  assert.deepEqual(next.with(2, written[2]), written);
  assert.deepEqual(written[2], { id: 'a', baseUrl: 'https://a.example', mine: { deep: [1] }, name: 'A' });
});

test('moves an entry to the front and removes an entry', () => {
  assert.deepEqual(withEntryFirst(written, 'a'), [written[2], written[0], written[1], written[3], written[4]]);
  assert.deepEqual(withEntryFirst(written, 'unknown'), written);
  assert.deepEqual(withEntry(written, 'unknown', { name: 'x' }), written);
  assert.deepEqual(withoutEntry(written, 'b'), ['garbage', written[2], null]);
  assert.deepEqual(withoutEntry(written, '__proto__'), written);
});

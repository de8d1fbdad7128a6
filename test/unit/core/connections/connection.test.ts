import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  connectionLimits,
  readConnections,
  readStoredKey,
  withEntry,
  withEntryFirst,
  withoutEntry,
  writeStoredKey,
} from '../../../../src/core/connections/connection.ts';

test('reads the connections a person wrote, and names each one that is wrong', () => {
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
  assert.equal(problems.length, 9);
  assert.doesNotMatch(problems.join(), /secret|undefined/);
});

test('takes no setting for no connection, and a setting of another type for a mistake', () => {
  assert.deepEqual(readConnections(undefined), { connections: [], problems: [] });
  for (const value of [null, {}, 'x', 5, true]) {
    assert.deepEqual([readConnections(value).connections, readConnections(value).problems.length], [[], 1]);
  }
});

test('gives a key to the origin it was given for, and to no other', () => {
  const stored = writeStoredKey('https://a.example', 'k "1"');
  assert.deepEqual(readStoredKey(stored, 'https://a.example'), { status: 'found', key: 'k "1"' });
  for (const origin of [
    'http://a.example',
    'https://a.example:8443',
    'https://b.example',
    'https://a.example.evil.example',
    '',
  ]) {
    assert.deepEqual(readStoredKey(stored, origin), { status: 'otherOrigin', origin: 'https://a.example' });
  }
});

test('takes a secret it can not read for a missing one', () => {
  for (const stored of [
    undefined,
    '',
    'sk-plain',
    '{',
    'null',
    '[]',
    '{"key":"k"}',
    '{"origin":5,"key":"k"}',
    '{"__proto__":{"origin":"https://a.example","key":"k"}}',
  ]) {
    assert.deepEqual(readStoredKey(stored, 'https://a.example'), { status: 'missing' });
  }
});

/** One entry read alone. */
function readOne(more: Record<string, unknown>) {
  const { connections, problems } = readConnections([{ id: 'a', baseUrl: 'https://gateway.example', ...more }]);
  const [connection] = connections;
  assert.ok(connection);
  return { connection, problems };
}

test('reads every part of an entry', () => {
  const { connection, problems } = readOne({
    name: ' Work ',
    note: 'group: vip\n second line',
    consoleUrl: 'gateway.example/console#/token',
    headers: { 'X-Title': 'Ask Model' },
    probes: true,
    somethingElse: { kept: true },
  });
  assert.deepEqual(problems, []);
  const { url, headers, ...rest } = connection;
  assert.equal(url.base, 'https://gateway.example/v1');
  assert.deepEqual({ ...headers }, { 'x-title': 'Ask Model' });
  assert.deepEqual(rest, {
    id: 'a',
    name: 'Work',
    note: 'group: vip second line',
    consoleUrl: 'https://gateway.example/console#/token',
    probes: true,
  });
});

test('an entry without more has none, and asks nothing undocumented', () => {
  const { connection, problems } = readOne({});
  assert.deepEqual([problems, Object.keys(connection.headers), connection.probes], [[], [], false]);
  assert.ok(!('note' in connection) && !('consoleUrl' in connection));
});

for (const [more, problem, kept] of [
  [{ name: 5 }, /its name is no text/, { name: 'gateway.example' }],
  [{ name: null }, /its name is no text/, { name: 'gateway.example' }],
  [{ name: 'sk-Abc_0123456789' }, /its name looks like a key/, { name: 'gateway.example' }],
  [{ note: ['x'] }, /its note is no text/, { note: undefined }],
  [{ note: 'the key is sk-Abc_0123456789' }, /its note looks like a key/, { note: undefined }],
  [{ consoleUrl: 5 }, /its consoleUrl is left out. It is no text/, { consoleUrl: undefined }],
  [
    { consoleUrl: 'javascript:alert(1)' },
    /its consoleUrl is left out. A gateway is reached/,
    { consoleUrl: undefined },
  ],
  [{ consoleUrl: 'http://gateway.example' }, /its consoleUrl is left out. .*clear text/, { consoleUrl: undefined }],
  [{ consoleUrl: 'https://u:Abc_0123@gateway.example' }, /its consoleUrl .*user name/, { consoleUrl: undefined }],
  [{ headers: 'x-a: b' }, /no list of names/, {}],
  [{ headers: { authorization: 'Abc_0123' } }, /header authorization can not/, {}],
  [{ headers: { 'x-a': 'Abc_0123\n' } }, /one line of plain ASCII/, {}],
  [{ probes: 'yes' }, /probes is neither true nor false/, { probes: false }],
  [{ probes: 1 }, /probes is neither/, { probes: false }],
] as const) {
  test(`keeps the connection without a bad part: ${JSON.stringify(more)}`, () => {
    const { connection, problems } = readOne(more);
    assert.equal(problems.length, 1);
    assert.match(problems[0] ?? '', /^Entry 1 of askModel\.connections: /);
    assert.match(problems[0] ?? '', problem);
    assert.doesNotMatch(problems[0] ?? '', /Abc_0123/);
    for (const [name, value] of Object.entries(kept)) {
      assert.equal(connection[name as keyof typeof connection], value);
    }
  });
}

test('one bad header does not take the good ones along', () => {
  const { connection, problems } = readOne({ headers: { 'x-a': '1', cookie: 'x', 'x-b': '2' } });
  assert.deepEqual({ ...connection.headers }, { 'x-a': '1', 'x-b': '2' });
  assert.equal(problems.length, 1);
});

test('a name is one short line that can not turn its neighbours around', () => {
  for (const [name, shown] of [
    ['a\u202eb\u2066c', 'abc'],
    ['two\r\nlines\t\u2028more', 'two lines more'],
    ['\u0000\u001b[31mred', '[31mred'],
    [' \u200b ', 'gateway.example'],
    ['', 'gateway.example'],
    ['工作 👩\u200d💻', '工作 👩\u200d💻'],
    ['x'.repeat(500), 'x'.repeat(connectionLimits.name)],
    [`${'x'.repeat(79)}😀`, 'x'.repeat(79)],
    ['a\ud800b', 'ab'],
  ] as const) {
    assert.equal(readOne({ name }).connection.name, shown);
  }
});

for (const [id, isTaken] of [
  ['a', true],
  ['A-b_9', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
  ['a b', false],
  ['a.b', false],
  ['../a', false],
  ['é', false],
  ['a\n', false],
  ['__proto__', false],
  ['constructor', false],
  ['toString', false],
  ['hasOwnProperty', false],
  ['prototype', true],
  [5, false],
  [null, false],
  [['a'], false],
  [{}, false],
] as const) {
  test(`${isTaken ? 'takes' : 'refuses'} the id ${JSON.stringify(id)}`, () => {
    const { connections, problems } = readConnections([{ id, baseUrl: 'https://gateway.example' }]);
    assert.deepEqual([connections.length, problems.length], isTaken ? [1, 0] : [0, 1]);
  });
}

test('an entry that says __proto__ changes nothing about any object', () => {
  const entry: unknown = JSON.parse(
    '{"id":"a","baseUrl":"https://gateway.example","__proto__":{"probes":true,"polluted":1}}',
  );
  const { connections } = readConnections([entry]);
  assert.equal(connections[0]?.probes, false);
  assert.equal(({} as Record<string, unknown>).polluted, undefined);
});

test('hundreds of entries are read up to a number, and their problems told up to a number', () => {
  const many = Array.from({ length: 500 }, (_, index) => ({ id: `c${index}`, baseUrl: `https://g${index}.example` }));
  const read = readConnections(many);
  assert.equal(read.connections.length, connectionLimits.count);
  assert.deepEqual(read.problems, [
    'Entry 201 of askModel.connections: only 200 connections are read, so this and what follows is left out.',
  ]);
  const bad = readConnections([...Array.from({ length: 500 }, () => ({ id: 5 })), ...many.slice(0, 3)]);
  assert.equal(bad.connections.length, 3);
  assert.equal(bad.problems.length, connectionLimits.problems + 1);
  assert.equal(bad.problems.at(-1), 'There are 480 more.');
});

test('never throws, whatever the setting holds, and repeats no value in a problem', () => {
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
    { numRuns: 2_000 },
  );
});

const written = [
  { id: 'b', baseUrl: 'nonsense nonsense', mine: 1 },
  'garbage',
  { id: 'a', baseUrl: 'https://a.example', mine: { deep: [1] }, name: 'A' },
  null,
  { id: 'b', baseUrl: 'https://b.example', note: 'n' },
];

test('changes one entry and leaves everything a person wrote as it is', () => {
  const next = withEntry(written, 'a', { name: 'New', note: 'hello', mine: undefined });
  assert.deepEqual(next[2], { id: 'a', baseUrl: 'https://a.example', name: 'New', note: 'hello' });
  assert.deepEqual(Object.keys(next[2] as object), ['id', 'baseUrl', 'name', 'note']);
  assert.deepEqual(next.with(2, written[2]), written);
  assert.deepEqual(written[2], { id: 'a', baseUrl: 'https://a.example', mine: { deep: [1] }, name: 'A' });
});

test('of two entries with one id it changes the one that counts', () => {
  const next = withEntry(written, 'b', { note: undefined });
  assert.deepEqual(next[4], { id: 'b', baseUrl: 'https://b.example' });
  assert.deepEqual(next.slice(0, 4), written.slice(0, 4));
  assert.deepEqual(withEntry([{ id: 'x' }], 'x', { baseUrl: 'https://x.example' }), [
    { id: 'x', baseUrl: 'https://x.example' },
  ]);
});

test('puts an entry first and takes one away', () => {
  assert.deepEqual(withEntryFirst(written, 'b'), [written[4], written[0], written[1], written[2], written[3]]);
  assert.deepEqual(withEntryFirst(written, 'unknown'), written);
  assert.deepEqual(withEntry(written, 'unknown', { name: 'x' }), written);
  assert.deepEqual(withoutEntry(written, 'b'), ['garbage', written[2], null]);
  assert.deepEqual(withoutEntry(written, '__proto__'), written);
});

test('a change named __proto__ is a property like any other', () => {
  const [next] = withEntry([{ id: 'a' }], 'a', JSON.parse('{"__proto__":{"polluted":1}}'));
  assert.deepEqual(Object.keys(next as object), ['id', '__proto__']);
  assert.equal(Object.getPrototypeOf(next), Object.prototype);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConnections, readStoredKey, writeStoredKey } from '../../../../src/core/gateway/connection.ts';

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
    ],
  );
  assert.equal(problems.length, 9);
  assert.doesNotMatch(problems.join(), /secret|undefined/);
});

test('takes no setting for no connection, and a setting of another type for a mistake', () => {
  assert.deepEqual(readConnections(undefined), { connections: [], problems: [] });
  for (const value of [null, {}, 'x', 5, true])
    assert.deepEqual([readConnections(value).connections, readConnections(value).problems.length], [[], 1]);
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

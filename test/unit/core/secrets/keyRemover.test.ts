import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { KeyRemover, keyMark } from '../../../../src/core/secrets/keyRemover.ts';
import { redact } from '../../../../src/core/secrets/redact.ts';
import { runs } from '../../propertyRuns.ts';
import { cpuMs } from '../base/cpuMs.ts';
import { keys, leakedKey, spellings } from './spelledKeys.ts';

function removerOf(...of: readonly string[]): KeyRemover {
  return new KeyRemover(keyMark, true, of);
}

function inPieces(remover: KeyRemover, pieces: readonly string[]): string {
  const stream = remover.stream();
  return pieces.map((piece) => stream.push(piece)).join('') + stream.end();
}

function cut(text: string, places: readonly number[]): string[] {
  const edges = [...places.map((place) => place % (text.length + 1)), 0, text.length].sort((a, b) => a - b);
  return edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
}

for (const key of keys) {
  test(`removes ${key.length} characters like ${key.slice(0, 12)}… in every spelling, wherever the text is cut`, () => {
    const remover = removerOf(key);
    for (const { name, spell } of spellings) {
      const text = `Your key is "${spell(key)}".\nKeep it.`;
      const whole = remover.without(text);
      assert.match(whole, /^Your key is ".*\[key removed\].*"\.\nKeep it\.$/, name);
      assert.equal(leakedKey(key, whole), undefined, `${name}: ${whole}`);
      for (let at = 0; at <= text.length; at++) {
        assert.equal(inPieces(remover, [text.slice(0, at), text.slice(at)]), whole, `${name}, cut at ${at}`);
      }
      assert.equal(inPieces(remover, [...text]), whole, `${name}, by characters`);
    }
  });
}

test('removes the same in pieces as in the whole, whatever surrounds keys', () => {
  const around = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('', ' ', 'x', '"', 'sk-', 'lm-9f2', ' lm-9f2', 'lm-9f2 ', ...keys.map((key) => key.slice(0, 9))),
  );
  const remover = removerOf(...keys, 'lm-9f2');
  fc.assert(
    fc.property(
      fc.array(fc.tuple(around, fc.constantFrom(...keys), fc.constantFrom(...spellings)), { maxLength: 4 }),
      around,
      fc.array(fc.nat(2_000), { maxLength: 6 }),
      (parts, behind, cuts) => {
        const text = parts.map(([before, key, { spell }]) => before + spell(key)).join('') + behind;
        const whole = remover.without(text);
        assert.equal(inPieces(remover, cut(text, cuts)), whole);
        for (const key of keys) {
          assert.ok(!whole.includes(key), text);
        }
      },
    ),
    { numRuns: 30 * runs },
  );
});

test('leaves a megabyte without the key unchanged, in pieces or as a whole', () => {
  const prose = [
    'The function returns a list of `items`, 50% of them in "quotes" & so on: sk-learn, sk-…, task-based, AT&T.\n',
    '这个函数返回一个列表，其中包含所有的项目。 \ud83d\ude00\n',
    '```ts\nconst path = a.replace(/\\\\/g, "%2F") + `b&amp;c`; // 0x7f3a 3f2b8c1e\n```\n',
    'https://example.com/?a=%41%42&b=c&#100; Zm9vYmFyYmF6 deadbeefdeadbeef aaaaaaaaaaaaaaa AIzaSy gsk_ hf_ \n',
  ].join('');
  const text = prose.repeat(Math.ceil(1_000_000 / prose.length));
  const pieces = Array.from({ length: Math.ceil(text.length / 7) }, (_, at) => text.slice(at * 7, at * 7 + 7));
  const remover = removerOf(...keys);
  assert.equal(remover.without(text), text);
  assert.equal(inPieces(removerOf(keys[0] ?? ''), pieces), text);
});

test('holds back only an end that may be the start of the key', () => {
  const key = 'sk-Zk7qPw2vTn9rXb4mLc8d';
  const stream = removerOf(key).stream();
  assert.equal(stream.push('Hello there'), 'Hello there');
  assert.equal(stream.push(` ${key.slice(0, 5)}`), ' ');
  assert.equal(stream.push(' and'), `${key.slice(0, 5)} and`);
  assert.equal(stream.push(` ${key.slice(0, 18)}`), ' ');
  assert.equal(stream.push(`${key.slice(18)}!`), '[key removed]!');
  assert.equal(stream.push(key.slice(0, 9)), '');
  assert.equal(stream.end(), key.slice(0, 9));
});

test('removes a short key from texts only as a whole token, and never a plain word', () => {
  const remover = removerOf('data', 'Local', 'k3y+x', 'lm-9f2');
  const text = 'data = load("k3y+x", data); k3y+xyz, Locally, my-lm-9f2, K3Y+X\nlm-9f2';
  const clean = 'data = load("[key removed]", data); k3y+xyz, Locally, my-lm-9f2, K3Y+X\n[key removed]';
  assert.equal(remover.without(text), clean);
  assert.equal(inPieces(remover, [...text]), clean);
});

test('removes every word that is used as a key from logs and errors, however short', () => {
  for (const word of ['hunter', 'SESAME', 'open-sesame', 'abcd', 'tester', '2024', 'sk-1234']) {
    assert.equal(redact(`Your key "${word}" or x${word}x is wrong.`, [word]), 'Your key "[key]" or x[key]x is wrong.');
  }
});

test('does not remove the placeholders that people use for servers that check no key', () => {
  for (const word of 'ollama EMPTY None null lm-studio not-needed no-key sk-no-key-required test Token xxxx x'.split(
    ' ',
  )) {
    const text = `Run ${word} with ${word}/model:latest.`;
    assert.equal(inPieces(removerOf(word), [...text]), text);
    assert.equal(removerOf(word).without(text), text);
  }
  const text = 'messages must not be empty for ollama or lm-...';
  for (const word of ['EMPTY', 'ollama', 'lm-studio']) {
    assert.equal(redact(text, [word]), text);
  }
});

test('finds a key that was added last, and nothing without keys', () => {
  const remover = removerOf();
  assert.equal(remover.without('use Zk7qPw2vTn9rXb4mLc8d'), 'use Zk7qPw2vTn9rXb4mLc8d');
  remover.add('Zk7qPw2vTn9rXb4mLc8d');
  assert.equal(remover.without('use Zk7qPw2vTn9rXb4mLc8d'), `use ${keyMark}`);
  remover.add('another-key-of-20-xy');
  assert.equal(remover.without('another-key-of-20-xy Zk7qPw2vTn9rXb4mLc8d'), `${keyMark} ${keyMark}`);
});

test('removes the key from values and names of data, and leaves the rest as it is', () => {
  const key = keys[0] ?? assert.fail();
  assert.deepEqual(removerOf(key).withoutIn({ a: key, [key]: [1, { b: `x ${key}` }], c: 'é\n', d: null }), {
    a: keyMark,
    [keyMark]: [1, { b: `x ${keyMark}` }],
    c: 'é\n',
    d: null,
  });
});

test('takes time that grows only with the length of the text', () => {
  const key = keys[3] ?? assert.fail();
  for (const unit of [key.slice(0, 23), key.slice(0, -1), 'sk-proj-', 'a', key]) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    const pieces = Array.from({ length: Math.ceil(text.length / 5) }, (_, at) => text.slice(at * 5, at * 5 + 5));
    const ms = cpuMs(() => inPieces(removerOf(key), pieces));
    assert.ok(ms < 2_000, `${unit}: ${ms} ms`);
  }
});

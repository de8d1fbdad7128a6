import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { OwnKey } from '../../../../src/core/secrets/ownKey.ts';
import { redact } from '../../../../src/core/secrets/redact.ts';
import { cpuMs } from '../base/cpuMs.ts';
import { keyShapes, leakedPart, spellings } from './spelledKeys.ts';

function inPieces(ownKey: OwnKey, pieces: readonly string[]): string {
  const filter = ownKey.filter();
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end();
}

function cut(text: string, places: readonly number[]): string[] {
  const edges = [...places.map((place) => place % (text.length + 1)), 0, text.length].sort((a, b) => a - b);
  return edges.slice(1).map((edge, index) => text.slice(edges[index], edge));
}

for (const shape of keyShapes) {
  const { key, secret } = shape;
  test(`removes ${key.length} characters like ${key.slice(0, 12)}… in every spelling, wherever the text is cut`, () => {
    const ownKey = new OwnKey([key]);
    const parts = secret.length >= 16 ? [key, secret, secret.slice(-16), secret.slice(0, 16)] : [key];
    for (const { name, spell } of spellings) {
      for (const part of parts) {
        const spelled = spell(part);
        const text = `Your key is "${spelled}".\nKeep it.`;
        const whole = ownKey.without(text);
        assert.ok(whole.startsWith('Your key is "') && whole.endsWith('".\nKeep it.'), `${name}: ${whole}`);
        assert.match(whole, /\[key removed\]/, name);
        assert.equal(leakedPart(shape, whole), undefined, `${name}: ${whole}`);
        const atOnce = inPieces(ownKey, [text]);
        assert.equal(leakedPart(shape, atOnce), undefined, `${name}: ${atOnce}`);
        // Every place for most keys, but only some places of very long texts.
        const step = part === key ? Math.ceil(text.length / 400) : 23;
        for (let at = 0; at <= text.length; at += step) {
          assert.equal(inPieces(ownKey, [text.slice(0, at), text.slice(at)]), atOnce, `${name}, cut at ${at}`);
        }
        assert.equal(inPieces(ownKey, [...text]), atOnce, `${name}, by characters`);
      }
    }
  });
}

test('reveals no part of a key, whatever surrounds it and wherever it is cut', () => {
  const around = fc.oneof(
    fc.string({ maxLength: 12 }),
    fc.constantFrom('', ' ', '%', '&', '\\', 'x', '"', '&#1', '%2', 'sk-'),
  );
  fc.assert(
    fc.property(
      fc.constantFrom(...keyShapes),
      fc.array(fc.tuple(around, fc.constantFrom(...spellings), fc.nat(), fc.nat()), { minLength: 1, maxLength: 4 }),
      around,
      fc.array(fc.nat(2_000), { maxLength: 6 }),
      (shape, parts, behind, cuts) => {
        const text = parts
          .map(([before, { spell }, from, length]) => {
            const start = from % 3 === 0 ? 0 : from % shape.key.length;
            return before + spell(shape.key.slice(start, from % 3 === 0 ? undefined : start + 16 + (length % 40)));
          })
          .join('')
          .concat(behind);
        const ownKey = new OwnKey([shape.key]);
        const atOnce = inPieces(ownKey, [text]);
        assert.equal(inPieces(ownKey, cut(text, cuts)), atOnce);
        assert.equal(leakedPart(shape, atOnce), undefined, `${text}\n${atOnce}`);
        assert.equal(leakedPart(shape, ownKey.without(text)), undefined, text);
      },
    ),
    { numRuns: 3_000 },
  );
});

const prose = [
  'The function returns a list of `items`, 50% of them in "quotes" & so on: sk-learn, sk-…, task-based, AT&T.\n',
  '这个函数返回一个列表，其中包含所有的项目。\n',
  '```ts\nconst path = a.replace(/\\\\/g, "%2F") + `b&amp;c`; // 0x7f3a 3f2b8c1e\n```\n',
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2ln https://example.com/?a=%41%42&b=c&#100;\n',
  'Zm9vYmFyYmF6 deadbeefdeadbeefdeadbeefdeadbeef aaaaaaaaaaaaaaa AIzaSy gsk_ hf_ \ud83d\ude00\n',
];

test('leaves a megabyte without the key unchanged, in pieces or as a whole', () => {
  const text = prose.join('').repeat(Math.ceil(1_000_000 / prose.join('').length));
  const pieces = Array.from({ length: Math.ceil(text.length / 7) }, (_, at) => text.slice(at * 7, at * 7 + 7));
  for (const { key } of keyShapes.filter((_, index) => index % 3 === 0)) {
    const ownKey = new OwnKey([key]);
    assert.equal(ownKey.without(text), text);
    assert.equal(inPieces(ownKey, [text]), text);
  }
  const ownKey = new OwnKey([keyShapes[0]?.key ?? '']);
  assert.equal(inPieces(ownKey, pieces), text);
});

test('leaves texts with fewer than 16 consecutive characters of the key unchanged', () => {
  fc.assert(
    fc.property(fc.constantFrom(...keyShapes), fc.array(fc.string({ maxLength: 40 })), ({ key, secret }, pieces) => {
      const fragments =
        secret.length >= 16 ? [key.slice(0, 12), secret.slice(3, 18), secret.slice(-15)] : [key.slice(0, -1)];
      const all = pieces.flatMap((piece, index) => [piece, ` ${fragments[index % fragments.length]} `]);
      assert.equal(inPieces(new OwnKey([key]), all), all.join(''));
    }),
    { numRuns: 2_000 },
  );
});

test('holds back an end that may be the start of the key, but no ordinary words', () => {
  const { key, secret } = keyShapes[0] ?? assert.fail();
  const filter = new OwnKey([key]).filter();
  for (const words of ['Hello', ' the', ' function', ' returns', '.\n', '函数', ' `items`', ' "names"']) {
    assert.equal(filter.push(words), words);
  }
  assert.equal(filter.push(` ${key.slice(0, 5)}`), ' ');
  assert.equal(filter.push(' and'), `${key.slice(0, 5)} and`);
  assert.equal(filter.push(` ${key.slice(0, 18)}`), ' ');
  assert.equal(filter.push(key.slice(18, 30)), '[key removed]');
  assert.equal(filter.push(key.slice(30)), '');
  assert.equal(filter.push(`! ${secret.slice(0, 9)}`), '! ');
  assert.equal(filter.end(), secret.slice(0, 9));
});

test('does not remove the placeholders that people use for servers that check no key', () => {
  for (const word of 'ollama EMPTY None null lm-studio not-needed no-key sk-no-key-required test Token xxxx x'.split(
    ' ',
  )) {
    const text = `Run ${word} with ${word}/model:latest.`;
    assert.equal(inPieces(new OwnKey([word]), [...text]), text);
    assert.equal(new OwnKey([word]).without(text), text);
  }
  const text = 'messages must not be empty for ollama or lm-...';
  for (const word of ['EMPTY', 'ollama', 'lm-studio']) {
    assert.equal(redact(text, [word]), text);
  }
});

test('removes every other word that is used as a key, however short', () => {
  for (const word of ['hunter', 'SESAME', 'open-sesame', 'abcd', 'tester', '2024', 'sk-1234']) {
    const text = `Your key "${word}" is wrong.`;
    assert.equal(inPieces(new OwnKey([word]), [...text]), 'Your key "[key removed]" is wrong.');
    assert.equal(new OwnKey([word]).without(text), 'Your key "[key removed]" is wrong.');
    assert.equal(redact(text, [word]), 'Your key "[key]" is wrong.');
  }
});

test('takes time that grows only with the length of the text', () => {
  const { key } = keyShapes[4] ?? assert.fail();
  for (const unit of [
    key.slice(0, 23),
    key.slice(3, 18),
    `${key.slice(8, 23)} `,
    '&#0000',
    '%2525',
    '\\',
    'T3BlbkFJ',
    'sk-proj-',
    'a',
    key,
  ]) {
    const text = unit.repeat(Math.ceil(100_000 / unit.length));
    const pieces = Array.from({ length: Math.ceil(text.length / 5) }, (_, at) => text.slice(at * 5, at * 5 + 5));
    const ms = cpuMs(() => inPieces(new OwnKey([key]), pieces));
    assert.ok(ms < 2_000, `${unit}: ${ms} ms`);
  }
});

test('replaces the key in values and names of JSON, and leaves other JSON unchanged', () => {
  const { key } = keyShapes[0] ?? assert.fail();
  const ownKey = new OwnKey([key]);
  const html = Array.from(key, (unit) => `&#${unit.charCodeAt(0)};`).join('');
  const json = JSON.stringify({ a: key, [key]: [1, { b: `x ${html}` }], c: 'é\n' }).replaceAll('&', '\\u0026');
  assert.deepEqual(JSON.parse(ownKey.withoutInJson(json)), {
    a: '[key removed]',
    '[key removed]': [1, { b: 'x [key removed]' }],
    c: 'é\n',
  });
  const other = '{ "a": "\\u0041\\/b", "n": 1.0e3, "s": "sk-other" }';
  assert.equal(ownKey.withoutInJson(other), other);
});

test('reads JSON in linear time, however long a single string is', () => {
  const ownKey = new OwnKey([keyShapes[0]?.key ?? '']);
  for (const unit of ['a', '\\n', '\\"', '\\\\', '\\\\\\"', 'a":"b\\n', '","', '\\u0041 ']) {
    for (const behind of ['"]', '\\', '']) {
      const json = `["${unit.repeat(Math.ceil(500_000 / unit.length))}${behind}`;
      const ms = cpuMs(() => assert.ok(ownKey.withoutInJson(json) === json));
      assert.ok(ms < 1_000, `${unit}: ${ms} ms`);
    }
  }
  const json = `["\\n${'a'.repeat(13_000_000)}"]`;
  assert.ok(ownKey.withoutInJson(json) === json);
});

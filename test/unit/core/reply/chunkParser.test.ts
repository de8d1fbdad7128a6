import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../../src/core/base/loose.ts';
import { ChunkParser } from '../../../../src/core/reply/chunkParser.ts';

function chunk(delta: object, more: object = {}): string {
  return JSON.stringify({ id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more });
}

/** Every event must be what JSON.parse makes of it, whatever was read before. */
function assertSame(events: readonly string[]): void {
  const parser = new ChunkParser();
  for (const event of events) {
    assert.deepEqual(parser.parse(event), parseJson(event), event);
  }
}

test('reads chunks that differ in their text as JSON.parse does', () => {
  assertSame(
    ['one', ' two', '', 'ü', '说', '\n', '"', '\\', '\\"', '\u2028', '😀'].map((content) => chunk({ content })),
  );
});

test('notices what differs beside the text', () => {
  assertSame([
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'a' }),
    chunk({ content: 'b' }, { model: 'n' }),
    chunk({ content: 'c' }),
    chunk({ reasoning_content: 'd' }),
    chunk({ content: 'e', reasoning: 'f' }),
    chunk({ content: 'g' }, { error: { message: 'h' } }),
    chunk({ content: 'i', reasoning: 'i' }, { obfuscation: 'i' }),
    chunk({ reasoning: 'j', content: 'k' }, { obfuscation: 'l' }),
    chunk({ content: 'm', reasoning: 'n' }, { obfuscation: 'o' }),
    chunk({ content: 'p', reasoning: '"' }, { obfuscation: '' }),
    chunk({}, { usage: { total_tokens: 1 } }),
  ]);
});

test('takes what only looks like text in the same place for what it is', () => {
  const before = '{"choices":[{"delta":{"content":"';
  const texts = [
    'a',
    'b","content":"c',
    'd"},"x":{"y":"z',
    'e"',
    '\\',
    '\\u12',
    '\\u0041',
    '\n',
    '\u0007',
    'f\\"g',
    '\\"',
  ];
  assertSame(texts.map((text) => `${before}${text}"}}]}`));
});

test('finds the place of the text, not only its name', () => {
  for (const shape of [
    '{"x":{"content":"T"},"choices":[{"delta":{"content":"T"}}]}',
    '{"choices":[{"delta":{"content":"T"}}],"x":{"content":"T"}}',
    '{"choices":[{"delta":{"content":"T","content":"T"}}]}',
    '{"choices":[{"delta":{"content" : "T"}}]}',
    '{"choices":[{"delta":{"content":"\\u0054"}}]}',
    '{"choices":[{"delta":{"content":"\\u0054T"}}]}',
    '{"x":"\\"content\\":\\"T\\"","choices":[{"delta":{"content":"T"}}]}',
    '{"choices":[{"delta":{"a\\"content":"T","content" :\t"T"}}]}',
    '{"choices":[{"delta":{"content":"T"}},{"delta":{"content":"T"}}]}',
    '{"choices":[{"delta":{"content":"T","reasoning":"T"}}],"obfuscation":"T"}',
    '{"obfuscation":"T","reasoning":"T","choices":[{"delta":{"reasoning":"T","content":"T"}}],"content":"T"}',
    '{"choices":[{"delta":{"reasoning":"T","obfuscation":"T","content":"T"}}],"obfuscation":"T"}',
  ]) {
    for (const text of ['u', 'T.', 'v"']) {
      assertSame([shape, shape.replaceAll('T', text)]);
      // Each place where the name stands, alone.
      const parts = shape.split('T');
      for (let at = 1; at < parts.length; at++) {
        assertSame([shape, parts.slice(0, at).join('T') + text + parts.slice(at).join('T')]);
      }
    }
  }
});

test('reads any events in any order as JSON.parse does', () => {
  const text = fc.oneof(fc.string({ maxLength: 6 }), fc.constantFrom('"', '\\', '","content":"', '\\"', 'a'));
  const delta = fc.oneof(
    text.map((content) => ({ content })),
    text.map((reasoning) => ({ reasoning, content: null })),
    fc.record({ content: text, reasoning_content: text }, { requiredKeys: [] }),
  );
  const event = fc.oneof(
    { weight: 6, arbitrary: delta.map((each) => chunk(each)) },
    { weight: 1, arbitrary: fc.tuple(delta, fc.nat(2)).map(([each, created]) => chunk(each, { created })) },
    { weight: 2, arbitrary: fc.tuple(delta, text).map(([each, obfuscation]) => chunk(each, { obfuscation })) },
    { weight: 1, arbitrary: text.map((raw) => `{"id":"c1","choices":[{"delta":{"content":"${raw}"}}]}`) },
    { weight: 1, arbitrary: fc.tuple(delta, fc.nat(40)).map(([each, cut]) => chunk(each).slice(0, -cut)) },
    { weight: 1, arbitrary: fc.json() },
  );
  fc.assert(fc.property(fc.array(event, { maxLength: 30 }), assertSame), { numRuns: 500 });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from '../../../../src/core/base/loose.ts';
import { ChunkParser } from '../../../../src/core/reply/replyReader.ts';

function chunk(delta: object, more: object = {}): string {
  return JSON.stringify({ id: 'c1', model: 'm', choices: [{ index: 0, delta, finish_reason: null }], ...more });
}

/** Asserts that every chunk parses as with JSON.parse, regardless of the chunks before it. */
function assertSame(chunks: readonly string[]): void {
  const parser = new ChunkParser();
  for (const json of chunks) {
    assert.deepEqual(parser.parse(json), parseJson(json), json);
  }
}

test('parses chunks that differ in more than their text', () => {
  assertSame([
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'a' }),
    chunk({ content: 'b' }, { model: 'n' }),
    chunk({ content: 'c' }),
    chunk({ reasoning_content: 'd' }),
    chunk({ content: 'e', reasoning: 'f' }),
    chunk({ content: 'g' }, { error: { message: 'h' } }),
    chunk({ content: 'i', reasoning: 'i' }, { obfuscation: 'i' }),
    chunk({ content: 'j', tool_calls: [{ id: '1' }] }),
    chunk({ content: 'k', tool_calls: [{ id: '1' }] }),
    chunk({}, { usage: { total_tokens: 1 } }),
  ]);
});

test('reads text only from a single JSON string', () => {
  const texts = ['a', 'b","content":"c', 'd"},"x":{"y":"z', 'e"', '\\', '\\u12', '\\u0041', '\n', '\u0007', 'f\\"g'];
  assertSame(texts.map((text) => `{"choices":[{"delta":{"content":"${text}"}}]}`));
  const others = ['"h"', '1', 'null', '["i"]', '"j","content":"k"', '', ' "l" '];
  assertSame(others.map((other) => `{"choices":[{"delta":{"content":${other}}}]}`));
});

test('finds the text when the same string is in other fields, repeated, or escaped', () => {
  for (const first of [
    '{"model":"a","choices":[{"delta":{"content":"a"}}]}',
    '{"x":{"content":"a"},"choices":[{"delta":{"content":"\\u0061"}}]}',
    '{"choices":[{"delta":{"content":"a"}}],"choices":[{"delta":{"content":"\\u0061"}}]}',
    '{"choices":[{"delta":{"content":"b","content":"a"}}]}',
    '{"choices":[{"delta":{"content":"content"}}]}',
    '{"choices":[{"delta":{"a":1,"content":"\\u0061"}}]}',
    '{"choices":[{"delta":{"content":"not a"}}],"x":"a"}',
  ]) {
    assertSame([first, first.replaceAll('"a"', '"b"'), first.replace('"a"', '"c"'), first.replace('\\u0061', 'd')]);
  }
});

test('parses any stream as JSON.parse does', () => {
  const word = fc.oneof(fc.constantFrom('a', 'content', '"', '\\', '","', '":"', 'c1', 'not a'), fc.string());
  const delta = fc.record(
    { role: word, content: fc.oneof(word, fc.constant(null)), reasoning: word },
    { requiredKeys: [] },
  );
  const json = fc.oneof(
    fc.tuple(delta, fc.record({ x: word }, { requiredKeys: [] })).map(([a, b]) => chunk(a, b)),
    word,
  );
  fc.assert(fc.property(fc.array(json, { maxLength: 30 }), assertSame));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type LanguageMessage,
  type LanguagePart,
  readMessage,
  UnsendablePart,
} from '../../../../src/core/languageModel/languageMessage.ts';
import { anyCharacter } from '../../propertyRuns.ts';
import { editorMessage, reading, TextPart, ThinkingPart } from './editorParts.ts';

const part: fc.Arbitrary<LanguagePart> = fc.letrec<{ part: LanguagePart; plain: LanguagePart }>((tie) => ({
  plain: fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: anyCharacter }) }),
    fc.record({
      type: fc.constant('image' as const),
      mimeType: fc.constantFrom('image/png', 'image/jpeg', 'image/webp'),
      base64: fc.uint8Array().map((bytes) => Buffer.from(bytes).toString('base64')),
    }),
  ),
  part: fc.oneof(
    tie('plain'),
    fc.record({ type: fc.constant('thinking' as const), text: fc.string() }),
    fc.record({
      type: fc.constant('toolCall' as const),
      id: fc.string(),
      name: fc.string(),
      input: fc.dictionary(fc.string(), fc.jsonValue()),
    }),
    fc.record({
      type: fc.constant('toolResult' as const),
      id: fc.string(),
      parts: fc.array(tie('plain'), { maxLength: 3 }),
    }),
  ),
})).part;

const message: fc.Arbitrary<LanguageMessage> = fc.record({
  role: fc.constantFrom('user' as const, 'assistant' as const, 'system' as const),
  parts: fc.array(part, { maxLength: 5 }),
});

test('reads all content of VS Code’s classes without loss', () => {
  fc.assert(
    fc.property(message, (given) => {
      // Some generated objects have no prototype; the clone has the usual one.
      const message = structuredClone(given);
      assert.deepEqual(readMessage(editorMessage(message), reading), message);
    }),
  );
});

test('reads text data as text, drops markers of Chat’s own service, and rejects other data', () => {
  const data = (mimeType: string, text: string) => ({ mimeType, data: new TextEncoder().encode(text) });
  const read = (...content: object[]) => readMessage({ role: 1, content }, reading).parts;
  assert.deepEqual(read(data('text/x-json', '{"a":1}'), data('application/json', '[]')), [
    { type: 'text', text: '{"a":1}' },
    { type: 'text', text: '[]' },
  ]);
  assert.deepEqual(read(data('cache_control', 'ephemeral'), data('stateful_marker', 'x')), []);
  assert.throws(() => read(data('application/pdf', '%PDF')), UnsendablePart);
  assert.throws(() => read(data('audio/wav', 'RIFF')), { message: /not data of type audio\/wav/ });
});

test('distinguishes thinking from text by its class, in one piece or several', () => {
  const content = [new ThinkingPart(['a', 'b']), new ThinkingPart('c'), new TextPart('d')];
  assert.deepEqual(readMessage({ role: 2, content }, reading), {
    role: 'assistant',
    parts: [
      { type: 'thinking', text: 'ab' },
      { type: 'thinking', text: 'c' },
      { type: 'text', text: 'd' },
    ],
  });
});

test('finds the text of a tool result that was written with prompt-tsx', () => {
  const node = {
    type: 1,
    ctor: 2,
    children: [
      { type: 2, text: 'one', lineBreakBefore: true },
      { type: 1, ctor: 2, children: [{ type: 2, text: ' two' }] },
      { type: 2, text: 'three', lineBreakBefore: true },
    ],
  };
  const content = [{ callId: 'c', content: [{ value: { node } }, { value: { other: 1 } }] }];
  assert.deepEqual(readMessage({ role: 1, content }, reading).parts, [
    {
      type: 'toolResult',
      id: 'c',
      parts: [
        { type: 'text', text: 'one two\nthree' },
        { type: 'text', text: '{"other":1}' },
      ],
    },
  ]);
});

test('reads an invalid message as an empty one', () => {
  for (const nothing of [undefined, null, 7, {}, { role: 9, content: [undefined, 7, {}] }]) {
    assert.deepEqual(readMessage(nothing, reading), { role: 'user', parts: [] });
  }
  assert.deepEqual(readMessage({ role: 3, content: 'as text' }, reading), {
    role: 'system',
    parts: [{ type: 'text', text: 'as text' }],
  });
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { countMessageTokens, countTokens } from '../../../../src/core/languageModel/countTokens.ts';
import {
  type LanguageMessage,
  type LanguagePart,
  readMessage,
  UnsendablePart,
} from '../../../../src/core/languageModel/languageMessage.ts';
import { editorMessage, reading, TextPart, ThinkingPart } from './editorParts.ts';

const part: fc.Arbitrary<LanguagePart> = fc.letrec<{ part: LanguagePart; plain: LanguagePart }>((tie) => ({
  plain: fc.oneof(
    fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'binary' }) }),
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

test('reads whatever the editor’s classes hold, and loses nothing', () => {
  fc.assert(
    fc.property(message, (given) => {
      // Objects as JavaScript writes them, with a prototype.
      const message = structuredClone(given);
      assert.deepEqual(readMessage(editorMessage(message), reading), message);
    }),
  );
});

test('takes text data for text, drops marks of Chat’s own service, and refuses what it would have to drop', () => {
  const data = (mimeType: string, text: string) => ({ mimeType, data: new TextEncoder().encode(text) });
  const read = (...content: object[]) => readMessage({ role: 1, content }, reading).parts;
  assert.deepEqual(read(data('text/x-json', '{"a":1}'), data('application/json', '[]')), [
    { type: 'text', text: '{"a":1}' },
    { type: 'text', text: '[]' },
  ]);
  assert.deepEqual(read(data('cache_control', 'ephemeral'), data('stateful_marker', 'x')), []);
  assert.throws(() => read(data('application/pdf', '%PDF')), UnsendablePart);
  assert.throws(() => read(data('audio/wav', 'RIFF')), { message: /holds data of the type audio\/wav/ });
});

test('tells thinking from text by its class, in one piece or several', () => {
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

test('finds the text of a result that was written with prompt-tsx', () => {
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

test('reads what is no message at all as one without anything in it', () => {
  for (const nothing of [undefined, null, 7, {}, { role: 9, content: [undefined, 7, {}] }]) {
    assert.deepEqual(readMessage(nothing, reading), { role: 'user', parts: [] });
  }
  assert.deepEqual(readMessage({ role: 3, content: 'as text' }, reading), {
    role: 'system',
    parts: [{ type: 'text', text: 'as text' }],
  });
});

test('estimates tokens rather too high: letters by three and a half, Chinese one by one, images by a flat rate', () => {
  assert.equal(countTokens(''), 0);
  assert.equal(countTokens('abcdefg'), 2);
  assert.equal(countTokens('你好世界'), 4);
  assert.equal(
    countMessageTokens({
      role: 'user',
      parts: [
        { type: 'text', text: 'abcdefg' },
        { type: 'image', mimeType: 'image/png', base64: '' },
        { type: 'toolResult', id: '', parts: [{ type: 'text', text: 'abcdefg' }] },
      ],
    }),
    4 + 2 + 1_000 + 4 + 2,
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
      assert.ok(countTokens(one + other) <= countTokens(one) + countTokens(other));
      assert.ok(countTokens(one + other) >= countTokens(one));
    }),
  );
});

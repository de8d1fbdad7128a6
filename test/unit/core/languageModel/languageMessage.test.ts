import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LanguageMessage, readMessage } from '../../../../src/core/languageModel/languageRequest.ts';
import { editorMessage, reading, TextPart, ThinkingPart } from './editorParts.ts';

test('reads all content of VS Code’s classes without loss', () => {
  const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } } as const;
  const message: LanguageMessage = {
    role: 'user',
    parts: [
      { type: 'text', text: 'a\ud83e' },
      image,
      { type: 'thinking', text: 'b' },
      { type: 'toolCall', id: 'c', name: 'find', input: { word: [1, null] } },
      { type: 'toolResult', id: 'c', parts: [{ type: 'text', text: '' }, image] },
    ],
  };
  assert.deepEqual(readMessage(editorMessage(message), reading), message);
});

test('reads text data as text, drops markers of Chat’s own service, and rejects other data', () => {
  const data = (mimeType: string, text: string) => ({ mimeType, data: new TextEncoder().encode(text) });
  const read = (...content: object[]) => readMessage({ role: 1, content }, reading).parts;
  assert.deepEqual(read(data('text/x-json', '{"a":1}'), data('application/json', '[]')), [
    { type: 'text', text: '{"a":1}' },
    { type: 'text', text: '[]' },
  ]);
  assert.deepEqual(read(data('cache_control', 'ephemeral'), data('stateful_marker', 'x')), []);
  assert.throws(() => read(data('application/pdf', '%PDF')), /not data of type application\/pdf/);
  assert.throws(() => read(data('audio/wav', 'RIFF')), { message: /not data of type audio\/wav/ });
});

test('names the kind of an image by its bytes, because vendors reject another (microsoft/vscode#275383, vybestack/llxprt-code#2130)', () => {
  const typeOf = (mimeType: string, ...data: number[]) =>
    readMessage({ role: 1, content: [{ mimeType, data: new Uint8Array(data) }] }, reading).parts.map((part) =>
      part.type === 'image_url' ? part.image_url.url.split(';', 1)[0] : part.type,
    );
  assert.deepEqual(typeOf('image/png', 0xff, 0xd8, 0xff, 0xe0), ['data:image/jpeg']);
  assert.deepEqual(typeOf('image/jpg', 0xff, 0xd8, 0xff, 0xe0), ['data:image/jpeg']);
  assert.deepEqual(typeOf('image/bmp', 0x42, 0x4d, 0, 0), ['data:image/bmp']);
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

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WireMessage } from '../../../../src/core/client/gatewayClient.ts';
import { ToolCallMemory } from '../../../../src/core/languageModel/languageReply.ts';
import {
  type LanguageMessage,
  type LanguagePart,
  wireMessages,
} from '../../../../src/core/languageModel/languageRequest.ts';

const text = (words: string): LanguagePart => ({ type: 'text', text: words });
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } } as const;
const call = (id: string, input: object = {}): LanguagePart => ({ type: 'toolCall', id, name: `tool-${id}`, input });
const result = (id: string, ...parts: LanguagePart[]): LanguagePart => ({ type: 'toolResult', id, parts });
const wire = (...messages: LanguageMessage[]) => wireMessages(messages, () => undefined);
const wireCall = (id: string, input: string) => ({
  id,
  type: 'function',
  function: { name: `tool-${id}`, arguments: input },
});

test('sends images as parts, in their place between the texts', () => {
  assert.deepEqual(wire({ role: 'user', parts: [text('See '), image, text('that '), text('one')] }), [
    { role: 'user', content: [{ type: 'text', text: 'See ' }, image, { type: 'text', text: 'that one' }] },
  ]);
});

test('places tool results directly after the calls, followed by their images and the user’s text', () => {
  assert.deepEqual(
    wire(
      { role: 'assistant', parts: [text('I look.'), call('a', { x: 1 }), call('b')] },
      { role: 'user', parts: [text('By the way'), result('a', text('one'), image)] },
      { role: 'user', parts: [result('b', text('two '), text('lines'))] },
      { role: 'user', parts: [text('Go on.')] },
    ),
    [
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [wireCall('a', '{"x":1}'), wireCall('b', '{}')],
      },
      { role: 'tool', tool_call_id: 'a', content: 'one' },
      { role: 'tool', tool_call_id: 'b', content: 'two lines' },
      { role: 'user', content: [image] },
      { role: 'user', content: 'By the way' },
      { role: 'user', content: 'Go on.' },
    ],
  );
});

test('sends an image that a model made with the next user message', () => {
  assert.deepEqual(
    wire({ role: 'assistant', parts: [text('Here.'), image] }, { role: 'user', parts: [text('Larger.')] }),
    [
      { role: 'assistant', content: 'Here.' },
      { role: 'user', content: [image] },
      { role: 'user', content: 'Larger.' },
    ],
  );
});

test('sends reasoning back with its calls, from the caller or from memory, and never without calls', () => {
  const memory = new ToolCallMemory();
  const extra = { google: { thought_signature: 'c2ln' } };
  assert.equal(memory.remember({ id: 'a', name: 'tool-a', arguments: '', extra }, 'remembered', 'm'), 'a');
  const messages = (parts: LanguagePart[]): WireMessage[] =>
    wireMessages([{ role: 'assistant', parts }], (id) => memory.factsOf(id));
  const withCall = { ...wireCall('a', '{}'), extra_content: extra };
  assert.deepEqual(messages([call('a')]), [
    { role: 'assistant', content: null, reasoning_content: 'remembered', tool_calls: [withCall] },
  ]);
  assert.deepEqual(messages([{ type: 'thinking', text: 'given' }, call('a')]), [
    { role: 'assistant', content: null, reasoning_content: 'given', tool_calls: [withCall] },
  ]);
  assert.deepEqual(messages([{ type: 'thinking', text: 'given' }, text('Answer')]), [
    { role: 'assistant', content: 'Answer' },
  ]);
});

test('replaces a repeated or missing id, and forgets the oldest calls', () => {
  const memory = new ToolCallMemory();
  assert.equal(memory.remember({ id: 'call_0', name: 'f', arguments: '' }, 'first', 'm'), 'call_0');
  const second = memory.remember({ id: 'call_0', name: 'f', arguments: '' }, 'second', 'm');
  const third = memory.remember({ name: 'f', arguments: '' }, 'third', 'm');
  assert.match(`${second} ${third}`, /^[\da-f]{9} [\da-f]{9}$/);
  assert.deepEqual(
    ['call_0', second, third, 'never'].map((id) => memory.factsOf(id)?.reasoning),
    ['first', 'second', 'third', undefined],
  );
  for (let index = 0; index < 1_000; index++) {
    memory.remember({ id: `more ${index}`, name: 'f', arguments: '' }, '', 'm');
  }
  assert.equal(memory.factsOf(third), undefined);
  assert.deepEqual(memory.factsOf('more 0'), { model: 'm' });
});

test('sends text as a string, no blank text, and a word for a blank tool result (HKUDS/nanobot#949, anomalyco/opencode#31259)', () => {
  const blank = text(' \n');
  assert.deepEqual(
    wire(
      { role: 'system', parts: [blank] },
      { role: 'system', parts: [text('Be '), text('brief.')] },
      { role: 'user', parts: [text(''), image, blank] },
      { role: 'assistant', parts: [blank] },
      { role: 'assistant', parts: [] },
      { role: 'user', parts: [text('Go'), text('\n'), text('on')] },
      { role: 'assistant', parts: [blank, call('a', {}), call('b', {}), call('c', {})] },
      { role: 'user', parts: [result('a'), result('b', blank), result('c', image)] },
      { role: 'user', parts: [blank] },
    ).map(({ role, content }) => [role, Array.isArray(content) ? content.map(({ type }) => type) : content]),
    [
      ['system', 'Be brief.'],
      ['user', ['image_url']],
      ['user', 'Go\non'],
      ['assistant', null],
      ['tool', '(no text)'],
      ['tool', '(no text)'],
      ['tool', '(no text)'],
      ['user', ['image_url']],
    ],
  );
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type ConversationEvent,
  emptyConversation,
  readConversation,
} from '../../../../../src/core/chat/conversation/conversationRecord.ts';
import { messagesFor, unsentMessages } from '../../../../../src/core/chat/conversation/messagesFor.ts';
import { requestDocument, sentMessages } from '../../../../../src/core/chat/conversation/requestDocument.ts';
import { Chat } from '../../../../../src/core/chat/sending/chat.ts';
import { type ChatRequest, chatCall } from '../../../../../src/core/client/gatewayClient.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { urlOf } from '../../connections/connectionTo.ts';
import { calmPorts } from '../sending/chatScene.ts';
import { context, fileOf } from './storedFixture.ts';

const call = chatCall(
  { url: urlOf('https://gateway.example/v1'), key: '[key]', headers: { 'x-team': 'blue' } },
  { model: 'm/x', messages: [{ role: 'user', content: 'Hi “you”\n// not a comment */' }] },
  'ask-model/1.0',
);

test('shows the method, the address, the headers in order, the size of the body, and the indented body', () => {
  const { body } = call;
  const text = requestDocument(['What Send would send now.'], ['No key.\nIn two lines.'], body, call);
  assert.equal(
    text,
    `// What Send would send now.
// Can't be sent yet: No key. In two lines.
//
// POST https://gateway.example/v1/chat/completions
//
// user-agent: ask-model/1.0
// x-team: blue
// authorization: Bearer [key]
// accept: text/event-stream, application/json;q=0.9
// content-type: application/json
//
// Headers added by the connection:
// host: gateway.example
// accept-encoding: identity
// content-length: ${Buffer.byteLength(body)}
//
// Body: ${Buffer.byteLength(body)} bytes, sent as one line of JSON. It's formatted here for reading; nothing is omitted.
{
  "model": "m/x",
  "messages": [
    {
      "role": "user",
      "content": "Hi “you”\\n// not a comment */"
    }
  ],
  "stream": true,
  "stream_options": {
    "include_usage": true
  }
}
`,
  );
  assert.equal(JSON.stringify(JSON.parse(text.replace(/^\/\/.*\n/gm, ''))), body);
});

test('shows for the composer what is sent next, for a new and for an edited question', async () => {
  const sent: ChatRequest[] = [];
  let file = '';
  const chat = new Chat(emptyConversation('c1', 5), false, {
    ...calmPorts,
    findSender: async () => ({
      ok: true,
      sender: {
        host: 'h',
        send: async (request, _, onDelta) => {
          sent.push(request);
          onDelta({ text: `Answer ${sent.length}`, reasoning: '' });
          return { outcome: 'complete', finishReason: 'stop' };
        },
      },
    }),
    clock: new ManualClock(),
    store: {
      ...calmPorts.store,
      append: async (_, text) => {
        file += text;
      },
    },
  });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  const ask = async (id: string, text: string) => {
    chat.live.setDraft({ text, contexts: [context] });
    const shown = unsentMessages(chat.live.conversation, { text, contexts: [context] });
    const { edit } = chat.live.conversation;
    const outcome = await (edit
      ? chat.send({ id, instead: edit.turnId, question: text, contexts: [context], models: ['m'] })
      : chat.send({ id, question: text, contexts: [context], models: ['m'] }));
    assert.deepEqual(outcome, { ok: true });
    await settle();
    await chat.live.settled();
    assert.deepEqual(shown, sent.at(-1)?.messages);
  };
  await ask('a', ' First? ');
  await ask('b', 'Second?');
  chat.live.startEdit('b');
  await ask('c', 'Second, edited?');
  await chat.send({ id: 'd', turnId: 'a', models: ['m'] });
  await settle();
  chat.live.chooseReply('a');
  await ask('e', 'Third?');
  // Now another answer is chosen than the one that was sent.
  chat.live.chooseReply('d');
  await chat.live.settled();
  for (const [index, id] of ['a', 'b', 'c', 'd', 'e'].entries()) {
    assert.deepEqual(sentMessages('c1', file, id), sent[index]?.messages, id);
  }
  const { conversation } = readConversation('c1', file);
  assert.notDeepEqual(messagesFor(conversation, 'e'), sent.at(-1)?.messages, 'the messages would be others now');
  assert.equal(sentMessages('c1', file, 'unknown'), undefined);
});

test('reads what was sent despite lines that are cut or unknown', () => {
  const events: ConversationEvent[] = [
    { type: 'turn', id: 't', question: 'Why?', contexts: [] },
    { type: 'reply', turnId: 't', id: 'r', model: 'm', host: 'h', startedAt: 5 },
  ];
  const file = `{"type":"later"}\n${fileOf(...events)}{"type":"del`;
  assert.deepEqual(sentMessages('c', file, 'r'), [{ role: 'user', content: 'Why?' }]);
});

/**
 * A window that asks one question, until it is killed: the real conversation, files and client, without an editor.
 * Prints each piece when it would be shown, by a synchronous write that survives the kill.
 */
import { writeSync } from 'node:fs';
import { emptyConversation, readConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { defaultLimits } from '../../../../src/core/http/requestTimers.ts';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { sendByFetch as send } from '../../../../src/node/network/lazyTransport.ts';
import { systemClock as clock } from '../../../../src/node/system/machine.ts';

const [folder = '', id = '', baseUrl = '', question = ''] = process.argv.slice(2);
const tickMs = 20;
const print = (what: string) => writeSync(1, `${what} ${Date.now()}\n`);

const url = parseBaseUrl(baseUrl);
if (!url.ok) {
  throw new Error(url.reason);
}
const target = { url: url.value, key: 'sk-Loopback0123456789key' };
const client = new GatewayClient({ transport: send, clock, limits: defaultLimits, userAgent: 'ask-model/1.0' });
const store = conversationFiles(folder);
const read = async () => {
  const file = await store.read(id);
  return file === undefined ? undefined : readConversation(id, file, await store.isLockedElsewhere(id)).conversation;
};
const stored = await read();
const chat = new Chat(stored ?? emptyConversation(id, clock.now()), stored !== undefined, {
  clock,
  store,
  maskSuffix: () => 'k3f9x2a8b7c6',
  reread: read,
  findSender: async () => ({
    ok: true,
    sender: {
      host: url.value.base,
      send: (request, _, onDelta, signal) => client.chat(target, request, onDelta, signal),
    },
  }),
  onKeepFailed: (error) => print(`failed:${error}`),
  onDefect: (error) => print(`defect:${error}`),
});
chat.live.onDidChange((event) => {
  if (event.type === 'delta') {
    for (const [piece] of `${event.text}${event.reasoning}`.matchAll(/\b[tw]\d+@/g)) {
      print(piece);
    }
  }
});
// Shows how much a busy machine delays this process, and keeps it running until it is killed.
setInterval(() => print('tick'), tickMs);
print('asking');
const sent = await chat.send({ id: question, kind: 'ask', question, contexts: [], model: 'timed-words' });
print(sent.ok ? 'sent' : `refused:${sent.reason}`);

/**
 * A window in which one question is asked, until somebody kills it: the real conversation, files and client, without an
 * editor. Says each piece in the moment it would be on screen, in a way that outlives the kill.
 */
import { writeSync } from 'node:fs';
import { emptyConversation, readConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { defaultLimits } from '../../../../src/core/http/requestTimers.ts';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { send } from '../../../../src/node/network/fetchTransport.ts';
import { systemClock as clock } from '../../../../src/node/system/systemClock.ts';

const [folder = '', id = '', baseUrl = '', question = ''] = process.argv.slice(2);
const tickMs = 20;
const say = (what: string) => writeSync(1, `${what} ${Date.now()}\n`);

const url = parseBaseUrl(baseUrl);
if (!url.ok) {
  throw new Error(url.reason);
}
const target = { url: url.value, key: 'sk-Loopback0123456789key' };
const client = new GatewayClient({ transport: send, clock, limits: defaultLimits, userAgent: 'ask-model/1.0' });
const store = conversationFiles(folder);
const read = async () => {
  const file = await store.read(id);
  return file === undefined ? undefined : readConversation(id, file, await store.isClaimedElsewhere(id)).conversation;
};
const kept = await read();
const chat = new Chat(kept ?? emptyConversation(id, clock.now()), kept !== undefined, {
  clock,
  keep: (text) => store.append(id, text),
  reread: read,
  claim: () => store.claim(id),
  findSender: async () => ({
    ok: true,
    sender: { host: url.value.base, send: (request, onDelta, signal) => client.chat(target, request, onDelta, signal) },
  }),
  onKeepFailed: (error) => say(`failed:${error}`),
  onDefect: (error) => say(`defect:${error}`),
});
chat.onDidChange((event) => {
  if (event.type === 'delta') {
    for (const [piece] of `${event.text}${event.reasoning}`.matchAll(/\b[tw]\d+@/g)) {
      say(piece);
    }
  }
});
// How late this process is by the fault of others, and what keeps it here until it is killed.
setInterval(() => say('tick'), tickMs);
say('asking');
const sent = await chat.send({ id: question, kind: 'ask', question, contexts: [], model: 'timed-words' });
say(sent.ok ? 'sent' : `refused:${sent.reason}`);

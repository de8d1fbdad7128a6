import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptyConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { CallGate, openSenders, type Senders } from '../../../../src/core/chat/sending/callGate.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { defaultLimits, GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import type { Connection, Destination } from '../../../../src/core/connections/connection.ts';
import type { ConnectionDefaults } from '../../../../src/core/connections/questionDefaults.ts';
import { KeyRemover, removedKey } from '../../../../src/core/secrets/keyRemover.ts';
import { showNextRequest, showSentRequest } from '../../../../src/editor/panel/showRequest.ts';
import type { Gateways } from '../../../../src/editor/sending/paidCalls.ts';
import { systemClock as clock } from '../../../../src/node/system/machine.ts';
import { until } from '../../../until.ts';
import { context } from '../../core/chat/conversation/storedFixture.ts';
import { calmPorts } from '../../core/chat/sending/chatScene.ts';
import { done, stop, text } from '../../core/reply/replyFixture.ts';
import { openLimiter } from '../../core/usage/limiterFixture.ts';
import { openLedger } from '../../core/usage/memoryLedger.ts';
import { httpServer, key, type LoopbackServer, type ReceivedRequest } from '../../node/network/gatewayServer.ts';
import { send } from '../../node/network/standardNetwork.ts';

const userAgent = 'ask-model/1.0';
const transportHeaders = ['connection', 'keep-alive'];

/** A conversation with a gateway, and the documents that are opened for its requests. */
class Scene {
  readonly server: LoopbackServer;
  readonly documents: { name: string; about: string; text: string }[] = [];
  readonly chat: Chat;
  destination: Destination;
  isWithoutUsage = false;
  file = '';
  readonly keys = new KeyRemover(removedKey, true);
  readonly #senders: Senders;

  constructor(server: LoopbackServer, defaults: ConnectionDefaults = {}) {
    this.server = server;
    const { url } = server.target;
    const headers = { 'x-team': 'blue', 'user-agent': 'other/2' };
    const connection: Connection = { id: 'g', name: 'work', url, headers, probes: false, ...defaults };
    this.destination = { status: 'ready', connection, key };
    this.keys.add(key);
    const client = new GatewayClient({ transport: send, clock, limits: { ...defaultLimits }, userAgent });
    const { ledger } = openLedger();
    const limiter = openLimiter(ledger, clock);
    const calls = new CallGate({
      client,
      limiter,
      clock,
      priceNow: () => undefined,
      log: { info() {} },
    });
    const connections = { findDestination: async () => this.destination, readKeys: async () => undefined };
    const withoutUsage = { read: () => this.isWithoutUsage, write: async () => undefined };
    this.#senders = openSenders(connections, calls, userAgent, withoutUsage);
    this.chat = new Chat(emptyConversation('c1', 5), false, {
      ...calmPorts,
      findSender: this.#senders.find,
      keys: this.keys,
      clock,
      store: {
        ...calmPorts.store,
        append: async (_, text) => {
          this.file += text;
        },
      },
    });
  }

  get gateways() {
    return {
      senders: this.#senders,
      keys: this.keys,
      connections: { active: 'connection' in this.destination ? this.destination.connection : undefined },
    } as unknown as Gateways;
  }

  get place() {
    const show = async (name: string, about: string, text: string) => void this.documents.push({ name, about, text });
    return { documents: { show }, column: 1 };
  }

  async next(text: string, model: string | undefined = 'm/x', contexts = [context]): Promise<string> {
    await showNextRequest(this.chat.live, { text, contexts }, model, this.gateways, this.place);
    return this.shown;
  }

  async sent(replyId: string): Promise<string> {
    await showSentRequest(this.chat.live, replyId, this.gateways, { read: async () => this.file }, this.place);
    return this.shown;
  }

  async ask(id: string, text: string, contexts = [context]): Promise<ReceivedRequest> {
    assert.deepEqual(await this.chat.send({ id, question: text, contexts, models: ['m/x'] }), { ok: true });
    await until(() => !this.chat.isBusy);
    const request = this.server.requests.at(-1);
    assert.ok(request);
    return request;
  }

  get shown(): string {
    const text = this.documents.at(-1)?.text ?? '';
    assert.ok(!text.includes(key), 'the document does not contain the key');
    return text;
  }
}

/** Parses a document into the request that a gateway would receive. */
function read(document: string): ReceivedRequest {
  const lines = document.split('\n').filter((line) => line.startsWith('//'));
  const [, method = '', url = ''] = lines.map((line) => /^\/\/ (POST) (\S+)$/.exec(line)).find(Boolean) ?? [];
  const headers = lines.flatMap((line) => {
    const [, name, value = ''] = /^\/\/ ([a-z-]+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  const body = JSON.stringify(JSON.parse(document.replace(/^\/\/.*\n/gm, '')));
  return { method, path: new URL(url).pathname, headers: Object.fromEntries(headers), body };
}

/** A request without the headers of the transport, and with a masked key. */
function masked({ method, path, headers, body }: ReceivedRequest): ReceivedRequest {
  const own = Object.entries(headers).filter(([name]) => !transportHeaders.includes(name));
  return { method, path, body, headers: { ...Object.fromEntries(own), authorization: 'Bearer [key]' } };
}

const answering = () =>
  httpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req-7f3c' })
      .end(text('Because “so”.') + stop + done),
  );

test('shows the next request exactly as it is sent, and then the sent request of the reply', async () => {
  await using server = await answering();
  const scene = new Scene(server);
  for (const [index, question] of ['Why?\n```\nnot an end', 'And “then”?', 'x'.repeat(20_000)].entries()) {
    scene.isWithoutUsage = index === 1;
    scene.chat.live.setParameters(index === 2 ? { temperature: 0.7, extraBody: { top_k: 3 } } : {});
    const shown = read(await scene.next(question));
    assert.equal(server.requests.length, index, 'showing the request sends nothing');
    const request = await scene.ask(`r${index}`, question);
    assert.equal(request.headers.authorization, `Bearer ${key}`);
    assert.deepEqual(shown, masked(request));
    const order = Object.keys(shown.headers).filter(
      (name) => !['host', 'accept-encoding', 'content-length'].includes(name),
    );
    assert.deepEqual(
      order,
      Object.keys(request.headers).filter((name) => order.includes(name)),
      'the headers are in the order sent',
    );
    const sent = await scene.sent(`r${index}`);
    assert.deepEqual(read(sent), masked(request));
    assert.match(sent, /^\/\/ Request ID: req-7f3c\.$/m);
  }
  assert.equal(server.requests.length, 3);
  assert.match(await scene.sent('r0'), /^\/\/ The model and the messages are from the stored conversation\.$/m);
  assert.deepEqual(scene.documents.map(({ name, about }) => `${name} ${about}`).slice(-2), [
    'Sent Request.jsonc r2',
    'Sent Request.jsonc r0',
  ]);
});

test('lists the missing parts and shows the rest of the request', async () => {
  await using server = await answering();
  const scene = new Scene(server);
  await scene.ask('r0', 'Why?');
  const { destination } = scene;
  assert.ok(destination.status === 'ready');
  const missing = (text: string) => text.match(/^\/\/ Can't be sent yet: .*$/gm);
  const { connection } = destination;

  await showNextRequest(scene.chat.live, { text: ' ', contexts: [] }, undefined, scene.gateways, scene.place);
  assert.deepEqual(missing(scene.shown), [
    "// Can't be sent yet: No model is selected.",
    "// Can't be sent yet: No question is entered.",
  ]);
  assert.match(scene.shown, /"model": "<no model>"/);
  assert.match(scene.shown, /"content": "<no question>"/);
  assert.match(scene.shown, /"content": "Because “so”\."/);

  scene.destination = { status: 'keyMissing', connection };
  const keyless = await scene.next('Why?');
  assert.deepEqual(missing(keyless), ["// Can't be sent yet: No key is stored for work."]);
  assert.doesNotMatch(keyless, /POST|authorization/);

  scene.destination = { status: 'keyElsewhere', connection, origin: 'https://other.example' };
  assert.match(await scene.next('Why?'), /Can't be sent yet: The key was entered for https:\/\/other\.example/);
  scene.destination = { status: 'keyInClear', connection, route: { id: 'http://p:1', proxy: 'p:1' } };
  assert.match(
    await scene.next('Why?'),
    /Can't be sent yet: The proxy p:1 could read the key on its way to \S+\. Review the route/,
  );
  scene.destination = { status: 'keyUnreadable', connection, reason: 'locked' };
  assert.match(await scene.next('Why?'), /Can't be sent yet: VS Code's secret storage can't be read: locked/);

  scene.destination = { status: 'disconnected' };
  const alone = await scene.next('Why?');
  assert.deepEqual(missing(alone), ["// Can't be sent yet: You aren't connected to a gateway."]);
  assert.doesNotMatch(alone, /POST|user-agent/);
  assert.match(alone, /"model": "m\/x"/);
  assert.equal(server.requests.length, 1);
});

test('shows the request of a reply from another connection without its address and headers', async () => {
  await using server = await answering();
  const scene = new Scene(server);
  const request = await scene.ask('r0', `Is ${key} mine?`);
  const { destination } = scene;
  assert.ok(destination.status === 'ready');
  const elsewhere = { ...destination.connection.url, chatUrl: 'https://other.example/v1/chat/completions' };
  scene.destination = { ...destination, connection: { ...destination.connection, url: elsewhere } };
  const shown = await scene.sent('r0');
  assert.ok(request.body.includes(`Is ${removedKey} mine?`));
  assert.match(shown, /Its connection isn't active or not ready/);
  assert.doesNotMatch(shown, /POST|other\.example|x-team/);
  assert.equal(JSON.stringify(JSON.parse(shown.replace(/^\/\/.*\n/gm, ''))), request.body);
  scene.file = '';
  scene.destination = destination;
  assert.match(await scene.sent('r0'), /The stored conversation can't be read/);
});

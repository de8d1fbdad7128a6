import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { emptyConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import { Chat } from '../../../../src/core/chat/sending/chat.ts';
import { GatewayClient } from '../../../../src/core/client/gatewayClient.ts';
import type { Connection, Destination } from '../../../../src/core/connections/connection.ts';
import { defaultLimits } from '../../../../src/core/http/requestTimers.ts';
import { findSender, seeCall } from '../../../../src/editor/connections/findSender.ts';
import { showNextRequest, showSentRequest } from '../../../../src/editor/panel/showRequest.ts';
import { systemClock as clock } from '../../../../src/node/system/systemClock.ts';
import { until } from '../../../until.ts';
import { context } from '../../core/chat/conversation/keptFixture.ts';
import { done, stop, text } from '../../core/reply/replyFixture.ts';
import { httpServer, key, type LoopbackServer, type Seen } from '../../node/network/gatewayServer.ts';
import { close, send } from '../../node/network/standardNetwork.ts';

after(close);

const userAgent = 'ask-model/1.0';
const ofTransport = ['connection', 'keep-alive'];

/** A conversation with a gateway as the panel has it, and the documents it would open. */
class Scene {
  readonly server: LoopbackServer;
  readonly documents: { name: string; about: string; text: string }[] = [];
  readonly chat: Chat;
  destination: Destination;
  isWithoutUsage = false;
  file = '';

  constructor(server: LoopbackServer) {
    this.server = server;
    const { url } = server.target;
    const headers = { 'x-team': 'blue', 'user-agent': 'other/2' };
    const connection: Connection = { id: 'g', name: 'work', url, headers, probes: false };
    this.destination = { status: 'ready', connection, key };
    const client = new GatewayClient({ transport: send, clock, limits: { ...defaultLimits }, userAgent });
    this.chat = new Chat(emptyConversation('c1', 5), false, {
      findSender: () =>
        findSender(
          this.#connections,
          async () => client,
          () => this.isWithoutUsage,
          () => undefined,
        ),
      clock,
      keep: async (text) => {
        this.file += text;
      },
      reread: async () => undefined,
      claim: async () => () => undefined,
      onKeepFailed: (error) => assert.fail(String(error)),
      onDefect: (error) => assert.fail(String(error)),
    });
  }

  get #connections() {
    return { findDestination: async () => this.destination };
  }

  get deps() {
    return {
      seeCall: (request: Parameters<typeof seeCall>[3]) =>
        seeCall(this.#connections, userAgent, () => this.isWithoutUsage, request),
      store: { read: async () => this.file },
    };
  }

  get place() {
    const show = async (name: string, about: string, text: string) => void this.documents.push({ name, about, text });
    return { documents: { show }, column: 1 };
  }

  async next(text: string, model: string | undefined = 'm/x'): Promise<string> {
    await showNextRequest(this.chat.conversation, { text, contexts: [context] }, model, this.deps, this.place);
    return this.shown;
  }

  async sent(replyId: string): Promise<string> {
    await showSentRequest(this.chat, replyId, this.deps, this.place);
    return this.shown;
  }

  async ask(id: string, text: string): Promise<Seen> {
    assert.deepEqual(await this.chat.send({ id, kind: 'ask', question: text, contexts: [context], model: 'm/x' }), {
      ok: true,
    });
    await until(() => !this.chat.isRunning);
    const seen = this.server.requests.at(-1);
    assert.ok(seen);
    return seen;
  }

  get shown(): string {
    const text = this.documents.at(-1)?.text ?? '';
    assert.ok(!text.includes(key), 'the key is nowhere in it');
    return text;
  }
}

/** What a document says, as a gateway would have seen it. */
function read(document: string): Seen {
  const lines = document.split('\n').filter((line) => line.startsWith('//'));
  const [, method = '', url = ''] = lines.map((line) => /^\/\/ (POST) (\S+)$/.exec(line)).find(Boolean) ?? [];
  const headers = lines.flatMap((line) => {
    const [, name, value = ''] = /^\/\/ ([a-z-]+): (.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value] as const];
  });
  const body = JSON.stringify(JSON.parse(document.replace(/^\/\/.*\n/gm, '')));
  return { method, path: new URL(url).pathname, headers: Object.fromEntries(headers), body };
}

/** A request without what the transport alone decides, and with the mask for its key. */
function masked({ method, path, headers, body }: Seen): Seen {
  const kept = Object.entries(headers).filter(([name]) => !ofTransport.includes(name));
  return { method, path, body, headers: { ...Object.fromEntries(kept), authorization: 'Bearer [key]' } };
}

const answering = () =>
  httpServer((_, response) =>
    response
      .writeHead(200, { 'content-type': 'text/event-stream', 'x-request-id': 'req-7f3c' })
      .end(text('Because “so”.') + stop + done),
  );

test('shows byte for byte what the next send carries, and afterwards what a reply was asked with', async () => {
  await using server = await answering();
  const scene = new Scene(server);
  for (const [index, question] of ['Why?\n```\nnot an end', 'And “then”?', 'x'.repeat(20_000)].entries()) {
    scene.isWithoutUsage = index === 1;
    const shown = read(await scene.next(question));
    assert.equal(server.requests.length, index, 'looking costs nothing');
    const seen = await scene.ask(`r${index}`, question);
    assert.equal(seen.headers.authorization, `Bearer ${key}`);
    assert.deepEqual(shown, masked(seen));
    const order = Object.keys(shown.headers).filter(
      (name) => !['host', 'accept-encoding', 'content-length'].includes(name),
    );
    assert.deepEqual(
      order,
      Object.keys(seen.headers).filter((name) => order.includes(name)),
      'in the order sent',
    );
    const sent = await scene.sent(`r${index}`);
    assert.deepEqual(read(sent), masked(seen));
    assert.match(sent, /^\/\/ The gateway calls it request req-7f3c\.$/m);
  }
  assert.equal(server.requests.length, 3);
  assert.match(await scene.sent('r0'), /^\/\/ Model and messages are those of the conversation’s record\.$/m);
  assert.deepEqual(scene.documents.map(({ name, about }) => `${name} ${about}`).slice(-2), [
    'Sent Request r2',
    'Sent Request r0',
  ]);
});

test('says what is missing and shows the rest', async () => {
  await using server = await answering();
  const scene = new Scene(server);
  await scene.ask('r0', 'Why?');
  const { destination } = scene;
  assert.ok(destination.status === 'ready');
  const missing = (text: string) => text.match(/^\/\/ Missing: .*$/gm);
  const { connection } = destination;

  await showNextRequest(scene.chat.conversation, { text: ' ', contexts: [] }, undefined, scene.deps, scene.place);
  assert.deepEqual(missing(scene.shown), [
    '// Missing: No model is chosen yet.',
    '// Missing: No question is typed yet.',
  ]);
  assert.match(scene.shown, /"model": "<no model is chosen>"/);
  assert.match(scene.shown, /"content": "<no question is typed>"/);
  assert.match(scene.shown, /"content": "Because “so”\."/);

  scene.destination = { status: 'keyMissing', connection };
  const keyless = await scene.next('Why?');
  assert.deepEqual(missing(keyless), ['// Missing: There is no key for work.']);
  assert.match(keyless, new RegExp(`^// POST ${server.origin}/v1/chat/completions$`, 'm'));
  assert.doesNotMatch(keyless, /authorization/);

  scene.destination = { status: 'keyElsewhere', connection, origin: 'https://other.example' };
  assert.match(await scene.next('Why?'), /Missing: The key was given for https:\/\/other\.example/);
  scene.destination = { status: 'keyInClear', connection, route: { id: 'http://p:1', proxy: 'p:1' } };
  assert.match(await scene.next('Why?'), /Missing: The proxy p:1 on the way to \S+ could read the key\./);
  scene.destination = { status: 'keyUnreadable', connection, reason: 'locked' };
  assert.match(await scene.next('Why?'), /Missing: VS Code’s secret storage can not be read: locked/);

  scene.destination = { status: 'disconnected' };
  const alone = await scene.next('Why?');
  assert.deepEqual(missing(alone), ['// Missing: There is no connection.']);
  assert.doesNotMatch(alone, /POST|user-agent/);
  assert.match(alone, /"model": "m\/x"/);
  assert.equal(server.requests.length, 1);
});

test('says of an answer of another connection that its address is not known, and shows the rest', async () => {
  await using server = await answering();
  const scene = new Scene(server);
  const seen = await scene.ask('r0', `Is ${key} mine?`);
  const { destination } = scene;
  assert.ok(destination.status === 'ready');
  const elsewhere = { ...destination.connection.url, chatUrl: 'https://other.example/v1/chat/completions' };
  scene.destination = { ...destination, connection: { ...destination.connection, url: elsewhere } };
  const shown = await scene.sent('r0');
  assert.match(shown, /another connection than the one in use now/);
  assert.doesNotMatch(shown, /POST|other\.example|x-team/);
  assert.equal(JSON.stringify(JSON.parse(shown.replace(/^\/\/.*\n/gm, ''))), seen.body.replaceAll(key, '[key]'));
  scene.file = '';
  scene.destination = destination;
  assert.match(await scene.sent('r0'), /The record of this conversation can not be read/);
});

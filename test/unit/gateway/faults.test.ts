import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { faults, listFaults } from '../../gateway/faultTable.ts';
import type { Gateway } from '../../gateway/gateway.ts';
import { ask, askChat, chatBody, withGateway } from './askGateway.ts';

/** What shows them is not in the bytes of one answer: a time, the next request, another key, or the usage log. */
const notInBytes = [
  'slow',
  'late-headers',
  'late-first-event',
  'closed-when-idle',
  'reset-when-reused',
  'models-any-key',
  'runs-on',
  'priced-per-call',
];

const quicker: Readonly<Record<string, string>> = {
  'byte-by-byte': 'byte-by-byte:99',
  'huge-event': 'huge-event:1',
  'models-large': 'models-large:1',
};

/** Requests with every field that a fault depends on. */
const tools = [{ function: { name: 'find' } }, { function: { name: 'open' } }];
const looked = [
  { role: 'user', content: 'Look.' },
  { role: 'assistant', content: null, tool_calls: [{ id: 'call_1' }] },
  { role: 'tool', tool_call_id: 'call_1', content: 'Seen.' },
];
const bodies = [
  chatBody(),
  chatBody({ stream: false, temperature: 0.5 }),
  chatBody({ stream_options: undefined }),
  chatBody({ tools, messages: [{ role: 'user', content: 'Please find {"word": "a"} and open {"file": "b c"}' }] }),
  chatBody({ messages: looked }),
];

/** Everything that a gateway sends for a request, as Latin-1, without what differs in every answer. */
async function received(gateway: Gateway, key: string, fault: string, body?: object): Promise<string> {
  const text = body === undefined ? '' : JSON.stringify(body);
  const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1').setEncoding('latin1');
  let answer = '';
  socket.on('data', (part: string) => {
    answer += part;
  });
  socket.on('error', () => undefined);
  socket.setTimeout(400, () => socket.destroy());
  const path = body === undefined ? 'GET /v1/models' : 'POST /v1/chat/completions';
  const head = `authorization: Bearer ${key}\r\nhost: x\r\nx-fault: ${fault}\r\nconnection: close`;
  socket.write(`${path} HTTP/1.1\r\n${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  await new Promise((resolve) => socket.once('close', resolve));
  return answer.replace(/^Date: .*$|req_\w+|chatcmpl-\w+|call_\w{8}_|"created":\d+/gm, '');
}

describe('the faults of the local gateway', () => {
  it('each change what is sent', () =>
    withGateway(async (gateway, key) => {
      const requests = [...bodies, undefined];
      const good = await Promise.all(requests.map((body) => received(gateway, key, 'none', body)));
      const waiting = faults.map(({ name }) => name).filter((name) => !notInBytes.includes(name));
      const unseen: string[] = [];
      const show = async () => {
        for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
          let isSeen = false;
          for (const [index, body] of requests.entries()) {
            isSeen ||= (await received(gateway, key, quicker[name] ?? name, body)) !== good[index];
          }
          if (!isSeen) {
            unseen.push(name);
          }
        }
      };
      await Promise.all(Array.from({ length: 8 }, show));
      assert.deepEqual(unseen, []);
      const names = faults.map(({ name }) => name);
      assert.ok(notInBytes.every((name) => names.includes(name)));
      assert.deepEqual([new Set(names).size, listFaults().split('\n').length], [names.length, names.length]);
    }));

  it('can be set by header, path, key and gateway, in this order of precedence', () =>
    withGateway(async (gateway, key) => {
      const byKey = gateway.createKey({ name: 'faulty', fault: 'string-error' }).value;
      const statusOf = async (path: string, value: string, headers = {}) =>
        (await ask(`${gateway.consoleUrl}${path}/v1/chat/completions`, value, chatBody(), headers)).status;
      gateway.setFault('html-502');
      assert.equal(await statusOf('', key), 502);
      assert.equal(await statusOf('', byKey), 401);
      assert.equal(await statusOf('/fault/empty-429', byKey), 429);
      assert.equal(await statusOf('/fault/empty-429', byKey, { 'x-fault': 'loading' }), 503);
      assert.equal(await statusOf('/fault/empty-429', byKey, { 'x-fault': 'none' }), 200);
      gateway.setFault('html-502@chat');
      assert.equal((await ask(`${gateway.baseUrl}/models`, key)).status, 200);
      assert.equal(await statusOf('', key, { 'x-fault': 'no-such' }), 400);
      assert.throws(() => gateway.createKey({ name: 'x', fault: 'no-such' }), /no fault/);
      assert.throws(() => gateway.setFault('crlf:3'), /takes no number/);
    }));

  it('charge the tokens produced before the stream broke, and nothing when no model was reached', () =>
    withGateway(async (gateway, key) => {
      for (const name of ['rate-limited', 'cut-mid-stream', 'empty-200', 'good-under-500', 'priced-per-call:1234']) {
        await askChat(gateway, key, chatBody(), { 'x-fault': name });
        await gateway.settled();
      }
      const [limited, cut, empty, good, fixed] = gateway.usageLog();
      assert.deepEqual([limited?.state, limited?.code, limited?.costMicroUsd], ['error', 'rate-limited', 0]);
      assert.deepEqual([cut?.state, cut?.code], ['error', 'cut-mid-stream']);
      assert.ok(cut && good && cut.costMicroUsd > 0 && cut.costMicroUsd < good.costMicroUsd);
      assert.deepEqual([empty?.state, empty?.costMicroUsd], ['error', good.costMicroUsd]);
      assert.deepEqual([good.state, fixed?.costMicroUsd], ['ok', 1234]);
      gateway.setDelayMs(100);
      const stopped = ask(
        `${gateway.baseUrl}/chat/completions`,
        key,
        chatBody(),
        { 'x-fault': 'runs-on' },
        AbortSignal.timeout(300),
      );
      await stopped;
      await gateway.settled();
      const all = gateway.usageLog().at(-1);
      assert.deepEqual([all?.state, all?.costMicroUsd], ['client_gone', good.costMicroUsd]);
    }));

  it('record what a client sends to another origin', () =>
    withGateway(async (gateway, key) => {
      const { headers } = await askChat(gateway, key, chatBody(), { 'x-fault': 'redirect-foreign' });
      assert.deepEqual(gateway.foreign.requests(), []);
      await fetch(headers.get('location') ?? '', { headers: { authorization: 'Bearer sk-leak' } });
      assert.equal(gateway.foreign.requests()[0]?.headers.authorization, 'Bearer sk-leak');
    }));
});

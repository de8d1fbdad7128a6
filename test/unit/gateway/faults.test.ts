import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { faults, listFaults } from '../../gateway/faultTable.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { ask, chatBody, chunksOf, type Seen, streamedText } from './askGateway.ts';

type Check = (seen: Seen) => void;

const holds =
  (words: RegExp): Check =>
  ({ text }) =>
    assert.match(text, words);
const answers =
  (status: number, words: RegExp): Check =>
  (seen) => {
    assert.equal(seen.status, status);
    assert.match(seen.text, words);
    assert.equal(seen.end, 'clean');
  };
const ends =
  (end: Seen['end']): Check =>
  (seen) =>
    assert.equal(seen.end, end);
const all =
  (...checks: Check[]): Check =>
  (seen) => {
    for (const check of checks) {
      check(seen);
    }
  };
const lacks =
  (words: RegExp): Check =>
  ({ text }) =>
    assert.doesNotMatch(text, words);
const finishes = (reason: string): Check => holds(new RegExp(`"finish_reason":"${reason}"`));
const moves =
  (status: number, to: RegExp): Check =>
  (seen) => {
    assert.equal(seen.status, status);
    assert.match(seen.headers.get('location') ?? '', to);
  };
const wholeText: Check = (seen) => assert.match(streamedText(seen.text), /Asked, without the code/);
const labelled =
  (type: string): Check =>
  (seen) =>
    assert.match(seen.headers.get('content-type') ?? '', new RegExp(`^${type}`));

/** What each fault must look like at the chat endpoint, or at the model list where it strikes only there. */
const looks: Record<string, Check> = {
  crlf: all(holds(/\r\n\r\n/), lacks(/[^\r]\n/)),
  cr: all(holds(/\r\r/), lacks(/\n/)),
  'mixed-line-ends': all(holds(/\r\n\r\n/), holds(/\r\r/), holds(/\n\n/)),
  bom: ({ bytes }) => assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]),
  comments: all(holds(/^: keep-alive$/m), holds(/^:$/m), wholeText),
  'no-space-after-data': all(holds(/^data:\{/m), holds(/^data:\[DONE\]/m), lacks(/^data: /m)),
  'two-spaces-after-data': holds(/^data: {2}\{/m),
  'no-done': all(wholeText, lacks(/\[DONE\]/), finishes('stop')),
  'no-last-newline': all(finishes('stop'), lacks(/\n$/), lacks(/\[DONE\]/)),
  'data-after-done': holds(/\[DONE\][\s\S]*AFTER DONE[\s\S]*\[DONE\]\n\n$/),
  'multi-line-data': holds(/^data: \{\ndata: {2}"id"/m),
  ndjson: all(holds(/^\{"id"[^\n]*\}\n\{"id"/), lacks(/^data: \{/m)),
  'event-fields': holds(/^event: ping\n[\s\S]*^id: 3\nretry: 3000\nevent: message\ndata: \{/m),
  'empty-events': all(holds(/^data:$/m), holds(/^data: null$/m), wholeText),
  'malformed-event': holds(/^data: \{"choices":\[\{"delta":\{"con\n\n/m),
  'two-objects-in-one-event': holds(/^data: \{.*\}\{.*\}$/m),
  'split-characters': ({ text }) => assert.match(streamedText(text), /na\u00efve \u6f22\u5b57 \u{1f98a}/u),
  'huge-event': ({ bytes }) => assert.ok(bytes.length > 9 * 1024 * 1024),
  'json-over-two-events': holds(/^data: \{[^\n]*[^}]\n\ndata: [^{]/m),
  'done-without-finish': all(holds(/\[DONE\]/), lacks(/"finish_reason":"/)),
  'clean-end-without-finish': all(ends('clean'), wholeText, lacks(/\[DONE\]|"finish_reason":"|"usage"/)),
  'no-text': ({ text }) => assert.equal(streamedText(text), ''),
  'usage-every-chunk': ({ text }) => assert.ok(chunksOf(text).every((chunk) => chunk.usage !== undefined)),
  'usage-never': all(wholeText, lacks(/usage/)),
  'usage-zero': all(wholeText, holds(/"usage":\{"prompt_tokens":0,/)),
  'usage-then-text': ({ text }) => assert.equal(text.match(/"usage"/g)?.length, 2),
  'cost-reported': holds(/"cost":0\.00042,"prompt_tokens_details":\{"cached_tokens":8\}/),
  'usage-with-finish': ({ text }) => {
    const last = chunksOf(text).at(-1);
    assert.ok(last?.usage !== undefined && last.choices[0]?.finish_reason === 'stop');
  },
  'usage-other-names': holds(/"input_tokens":"\d+"/),
  'odd-choices': all(holds(/"choices":null/), holds(/"choices":\[\]/), holds(/OTHER CHOICE/)),
  'finish-error': finishes('error'),
  'length-finish': all(wholeText, finishes('length')),
  'content-filter': all(finishes('content_filter'), lacks(/without/)),
  'odd-finish-reason': finishes('end_turn'),
  'reasoning-both': holds(/"reasoning_content":"count ","reasoning":"count "/),
  'reasoning-field': holds(/"reasoning":"count "/),
  'think-tags': ({ text }) => assert.match(streamedText(text), /^<think>\nLet me count the words\.\n<\/think>\n\nI am/),
  'content-parts': all(holds(/"content":\[\{"type":"thinking"/), holds(/"content":\[\{"type":"text","text":"/)),
  cumulative: ({ text }) => {
    const texts = chunksOf(text).flatMap((chunk) => chunk.choices[0]?.delta.content || []);
    assert.ok(texts.length > 9 && texts.every((each, index) => each.startsWith(texts[index - 1] ?? '')));
  },
  'role-every-chunk': all(holds(/"role":"","content":"/), wholeText),
  'message-for-delta': holds(/"message":\{"role":"assistant","content":"/),
  'split-surrogates': holds(/"content":"\\ud83e"[\s\S]*"content":"\\udd8a"/),
  'no-ids': all(holds(/"id":""/), holds(/"created":\d+\.5/)),
  'other-model': holds(/"model":"some-other-model-v2"/),
  'no-choices': answers(200, /"choices":\[\]/),
  'open-after-done': all(ends('open'), holds(/\[DONE\]\n\n$/)),
  'open-after-finish': all(ends('open'), finishes('stop'), lacks(/\[DONE\]/)),
  'tools-from-one': all(holds(/"tool_calls":\[\{"index":2,/), lacks(/"tool_calls":\[\{"index":0,/)),
  'tools-name-late': holds(/"function":\{"arguments":""\}\}[\s\S]*"function":\{"name":"find","arguments":"\{/),
  'tools-whole': holds(
    /"tool_calls":\[\{"id":"","type":"function","function":\{"name":"find","arguments":"\{\\"word\\": \\"a\\"\}"/,
  ),
  'tools-object': holds(/"arguments":\{"word":"a"\}/),
  'tools-cut': all(finishes('length'), lacks(/"arguments":"[^"]*\}/)),
  'tools-finish-stop': all(finishes('stop'), holds(/"tool_calls":\[/)),
  'error-first-event': holds(/^data: \{"error":\{.*\n\ndata: \[DONE\]\n\n$/),
  'error-mid-stream': holds(/^data: \{"id"[\s\S]*data: \{"error":\{"message":"Upstream/),
  'error-in-choice': holds(/"error":\{"code":502[^\n]*"finish_reason":"error"/),
  'error-as-event': holds(/^event: error\ndata: \{"type":"error"/m),
  'error-as-field': holds(/^error: \{"code":500/m),
  'error-after-pings': holds(/^: PING\n\n: PING\n\n\{"error"/),
  'error-as-text': answers(200, /^data: error: upstream timed out\n\n$/),
  'error-dropped': answers(200, /"choices":null\}\n\ndata: \[DONE\]\n\n$/),
  'error-null': all(holds(/"error":null/), wholeText),
  'error-200': answers(200, /^\{"error":\{/),
  'error-labelled-stream': all(answers(200, /^\{"error"/), labelled('text/event-stream')),
  'key-rejected': answers(401, /无效的令牌/),
  'balance-empty': answers(402, /Insufficient Balance/),
  'balance-empty-403': answers(403, /insufficient_user_quota/),
  'reservation-too-large': answers(403, /need quota/),
  'balance-empty-429': answers(429, /insufficient_quota/),
  saturated: answers(429, /负载已饱和/),
  'rate-limited': (seen) => assert.equal(seen.headers.get('retry-after'), '7'),
  'rate-limited-date': (seen) => assert.ok(Date.parse(seen.headers.get('retry-after') ?? '') > Date.now()),
  'rate-limited-ms': (seen) => assert.equal(seen.headers.get('retry-after-ms'), '1500'),
  'balance-held': answers(402, /in_flight_budget_exhausted/),
  'empty-429': answers(429, /^$/),
  arrearage: answers(400, /Arrearage/),
  'no-channel': answers(503, /No available channel for model qwen3-8b/),
  loading: answers(503, /Loading model/),
  overloaded: answers(529, /overloaded_error/),
  'html-502': all(answers(502, /^<!DOCTYPE html>/), labelled('text/html')),
  'html-524': answers(524, /^<!DOCTYPE html>/),
  'html-413': answers(413, /^<!DOCTYPE html>/),
  'context-too-long': answers(400, /context_length_exceeded/),
  'invalid-url': answers(404, /Invalid URL \(POST/),
  'models-404': answers(404, /Not Found/),
  'html-200': all(answers(200, /^<!DOCTYPE html>/), labelled('text/html')),
  'cause-hidden': answers(500, /request id: \d+/),
  'key-in-error': answers(401, /sk-\w{3}\*\*\*\w{3}\] for Bearer sk-\w{48}"/),
  'unsupported-parameter': answers(400, /unsupported_parameter/),
  blocked: answers(403, /1010/),
  'captive-portal': moves(302, /^http:\/\/sign-in\.invalid/),
  'error-empty': answers(200, /^\{"error":\{\}\}$/),
  'error-anthropic': answers(400, /^\{"type":"error","error":\{/),
  'string-error': answers(401, /^\{"error":"Unauthorized"\}$/),
  'error-true': answers(500, /"error":true/),
  'error-array': answers(429, /^\[\{"error"/),
  'error-detail': answers(422, /"detail":\[/),
  'error-nested-json': answers(500, /\\\\\\"error/),
  'error-success-false': answers(200, /"success":false/),
  'error-object': answers(400, /"object":"error"/),
  'error-two-documents': answers(429, /\}\}\{"error"/),
  'error-text': answers(500, /^Internal Server Error$/),
  'empty-200': answers(200, /^$/),
  'empty-stream-200': all(answers(200, /^$/), labelled('text/event-stream')),
  'stream-options-rejected': answers(422, /stream_options/),
  'json-for-stream': answers(200, /^\{"id".*"object":"chat\.completion",.*\}$/),
  'stream-for-plain': wholeText,
  'stream-labelled-json': all(wholeText, labelled('application/json')),
  'json-labelled-stream': all(answers(200, /^\{"id"/), labelled('text/event-stream')),
  'good-under-500': all(answers(500, /\[DONE\]/), wholeText),
  'redirect-foreign': moves(307, /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/),
  'redirect-post-301': moves(301, /^\/v1\/chat\/completions\?moved$/),
  'redirect-same-origin': moves(307, /^\/v1\/chat\/completions\?moved$/),
  'redirect-loop': moves(307, /^\/v1\/chat\/completions$/),
  'byte-by-byte': wholeText,
  slow: wholeText,
  'late-headers': wholeText,
  'late-first-event': wholeText,
  stalled: all(ends('open'), holds(/^data: \{/), lacks(/\[DONE\]/)),
  'never-answers': ends('open'),
  'pings-only': all(ends('open'), holds(/(?:: keep-alive\n\n){5}$/)),
  'cut-mid-stream': all(ends('broken'), ({ bytes }) => assert.equal(bytes.length, 1500)),
  'reset-mid-stream': ends('broken'),
  'reset-before-headers': ends('broken'),
  'closed-when-idle': all(wholeText, ends('clean')),
  'all-at-once': wholeText,
  gzip: (seen) => {
    assert.equal(seen.headers.get('content-encoding'), 'gzip');
    // `fetch` has unpacked it by now.
    assert.match(streamedText(seen.text), /without the code/);
  },
  'stall-then-end': all(ends('clean'), lacks(/\[DONE\]|"finish_reason":"/)),
  'early-hints': wholeText,
  'short-content-length': all(ends('broken'), holds(/^\{"id".*\}$/)),
  'bad-chunking': ends('broken'),
  'models-null': holds(/"data":null/),
  'models-empty': holds(/"data":\[\]/),
  'models-bare-array': holds(/^\[\{"id"/),
  'models-object-map': holds(/"data":\{"gpt-5\.1":\{/),
  'models-under-models': holds(/^\{"models":\[/),
  'models-nested': holds(/"data":\{"object":"list","data":\[/),
  'models-strings': holds(/"data":\["gpt-5\.1",/),
  'models-duplicates': ({ text }) => assert.equal(text.split('"id":"gpt-5.1"').length, 3),
  'models-odd-items': holds(/\[null,7,\{\},\{"id":""\},\{"id":42/),
  'models-hostile-names': holds(/"__proto__"/),
  'models-reversed': holds(/"data":\[\{"id":"BAAI/),
  'models-with-success': holds(/^\{"success":true,"data":\[/),
  'models-refused-200': answers(200, /"success":false/),
  'models-priced': holds(/"pricing":\{"prompt":"0\.00000125"/),
  'models-many': ({ text }) => assert.equal((JSON.parse(text) as { data: unknown[] }).data.length, 5000),
};

/** Makes the model call two tools. */
const tools = {
  tools: [{ function: { name: 'find' } }, { function: { name: 'open' } }],
  messages: [{ role: 'user', content: 'Please find {"word": "a"} and open {"file": "b c"}' }],
};

/** Numbers that keep the tests short. */
const shorter: Record<string, string> = {
  slow: 'slow:2',
  'late-headers': 'late-headers:50',
  'late-first-event': 'late-first-event:50',
  'pings-only': 'pings-only:10',
  'stall-then-end': 'stall-then-end:50',
};

describe('the faults of the local gateway', () => {
  let gateway: Gateway;
  let key: string;

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'test' }).value;
  });
  after(() => gateway.close());

  async function see(name: string, endpoint: 'chat' | 'models'): Promise<Seen> {
    const isOpen = /^(open-|stalled|never|pings)/.test(name);
    const options = { headers: { 'x-fault': shorter[name] ?? name }, patienceMs: isOpen ? 800 : 30_000 };
    try {
      return endpoint === 'models'
        ? await ask(`${gateway.baseUrl}/models`, key, options)
        : await ask(`${gateway.baseUrl}/chat/completions`, key, {
            ...options,
            body: chatBody(name.startsWith('tools-') ? tools : name === 'stream-for-plain' ? { stream: false } : {}),
          });
    } catch (error) {
      const end = (error as Error).name === 'TimeoutError' ? 'open' : 'broken';
      return { status: 0, headers: new Headers(), text: '', bytes: new Uint8Array(), end };
    }
  }

  for (const { name, about, on } of faults) {
    it(`shows ${name}: ${about}`, async () => {
      const posts = gateway.postCount();
      const check = looks[name] ?? assert.fail(`no check for ${name}`);
      check(await see(name, on === 'models' ? 'models' : 'chat'));
      if (on === 'both') {
        const seen = await see(name, 'models');
        assert.ok(seen.end !== 'open' || name === 'never-answers');
      }
      await gateway.settled();
      assert.equal(gateway.postCount() - posts, on === 'models' ? 0 : 1);
      assert.equal(gateway.usageLog().length, gateway.postCount());
      if (name === 'closed-when-idle') {
        // Long enough for the socket to close: the next test must not meet it half closed.
        await sleep(60);
      }
    });
  }

  it('have unique names, a check each, and a line in the list', () => {
    const names = faults.map((fault) => fault.name);
    assert.equal(new Set(names).size, names.length);
    assert.deepEqual(Object.keys(looks).toSorted(), names.toSorted());
    assert.equal(listFaults().split('\n').length, names.length);
  });

  it('charge what the model made before the stream broke, and nothing when no model was reached', async () => {
    const start = gateway.usageLog().length;
    for (const name of ['rate-limited', 'cut-mid-stream', 'empty-200', 'good-under-500']) {
      await see(name, 'chat');
      await gateway.settled();
    }
    const [limited, cut, empty, good] = gateway.usageLog().slice(start);
    assert.deepEqual([limited?.state, limited?.code, limited?.costMicroUsd], ['error', 'rate-limited', 0]);
    assert.deepEqual([cut?.state, cut?.code], ['error', 'cut-mid-stream']);
    assert.ok(cut !== undefined && good !== undefined && cut.costMicroUsd > 0 && cut.costMicroUsd < good.costMicroUsd);
    assert.deepEqual([empty?.state, empty?.costMicroUsd], ['error', good?.costMicroUsd]);
    assert.equal(good?.state, 'ok');
  });

  it('can be asked for by address, by key and for all, each over the next', async () => {
    const body = chatBody();
    const byKey = gateway.createKey({ name: 'faulty', fault: 'string-error' }).value;
    gateway.setFault('html-502');
    try {
      const at = (url: string, value: string, headers = {}) => ask(`${url}/chat/completions`, value, { body, headers });
      assert.equal((await at(gateway.baseUrl, key)).status, 502);
      assert.match((await at(gateway.baseUrl, byKey)).text, /Unauthorized/);
      const byPath = gateway.baseUrl.replace('/v1', '/fault/empty-429/v1');
      assert.equal((await at(byPath, byKey)).status, 429);
      assert.equal((await at(byPath, byKey, { 'x-fault': 'loading' })).status, 503);
      assert.equal((await at(byPath, byKey, { 'x-fault': 'none' })).status, 200);
      gateway.setFault('html-502@chat');
      assert.equal((await ask(`${gateway.baseUrl}/models`, key)).status, 200);
    } finally {
      gateway.setFault(undefined);
    }
    assert.throws(() => gateway.createKey({ name: 'x', fault: 'no-such' }), /no fault/);
  });

  it('record what a client carries to another origin', async () => {
    await see('redirect-foreign', 'chat');
    assert.deepEqual(gateway.foreign.requests(), []);
    await fetch(`${gateway.foreign.origin}/v1/models`, { headers: { authorization: 'Bearer sk-leak' } });
    const [leak] = gateway.foreign.requests();
    assert.deepEqual([leak?.method, leak?.path, leak?.headers.authorization], ['GET', '/v1/models', 'Bearer sk-leak']);
  });
});

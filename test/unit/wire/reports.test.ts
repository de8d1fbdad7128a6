import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import type { Transport } from '../../../src/core/http/transport.ts';
import { until } from '../../until.ts';
import { ManualClock } from '../core/base/manualClock.ts';
import { fetchWire, plainWire } from './wire.ts';
import { listen, newClient, type Received, targetOf } from './wireCall.ts';

const folder = new URL('../../fixtures/reports/', import.meta.url);
const file = (name: string) => readFileSync(new URL(`${name}.sse`, folder), 'utf8');
const chunk = (delta: object, reason: string | null = null, index = 0) =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index, delta, finish_reason: reason }] })}\n\n`;
const stop = chunk({}, 'stop');
const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}}\n\n';
const done = 'data: [DONE]\n\n';
const every = file('01-finish-reason-on-every-chunk');
const url =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const words = ['The cart ', 'keeps its ', 'items in ', 'a map. '];

type Expected = {
  readonly text: string;
  readonly reasoning?: string;
  readonly outcome?: Received['end']['outcome'];
  readonly kind?: string;
  readonly more?: Partial<Received['end']>;
};
/** Title with its source, the body with `@pause N` and `@reset` lines, and what the reply must be. */
const cases: readonly (readonly [title: string, body: string, expected: Expected])[] = [
  [
    'open-webui#16377, jcode#1326, litellm#27139 reads all of a text with a finish reason on every chunk',
    every,
    { text: 'First half of the answer, second half, and the end.', reasoning: 'Let me look.' },
  ],
  ...[8, 20, 100].map(
    (pause) =>
      [
        `open-webui#16377 reads all of it with pauses of ${pause} s`,
        every.replaceAll('@pause 3', `@pause ${pause}`),
        { text: 'First half of the answer, second half, and the end.', reasoning: 'Let me look.' },
      ] as const,
  ),
  [
    'open-webui#23921 waits for the answer after an empty first chunk with a finish reason',
    `${chunk({ content: '' }, 'stop')}@pause 60\n${chunk({ content: 'Hello.' })}${stop}${done}`,
    { text: 'Hello.' },
  ],
  [
    'open-webui#23921 waits for text after an empty chunk with a finish reason in its middle',
    `${chunk({ content: 'One, ' })}${stop}@pause 20\n${chunk({ content: 'two.' })}${stop}${done}`,
    { text: 'One, two.' },
  ],
  [
    'litellm#27139 reports a reset among such chunks as cut',
    `${every.slice(0, every.indexOf('@pause', every.indexOf('second half')))}@reset`,
    {
      text: 'First half of the answer, second half, ',
      reasoning: 'Let me look.',
      outcome: 'incomplete',
      kind: 'cut',
    },
  ],
  [
    'litellm#27139 reports silence among such chunks as a time-out',
    `${every.slice(0, every.indexOf('@pause', every.indexOf('second half')))}@pause 120\n`,
    {
      text: 'First half of the answer, second half, ',
      reasoning: 'Let me look.',
      outcome: 'incomplete',
      kind: 'timedOut',
    },
  ],
  [
    'completes a reply that is reset after its finish reason',
    `${chunk({ content: 'All.' }, 'stop')}@reset`,
    { text: 'All.' },
  ],
  [
    'claude-code-router#1271 ends a stream that stays open after its usage',
    `${chunk({ content: 'All.' })}${stop}${usage}@pause 5\n`,
    { text: 'All.' },
  ],
  [
    'claude-code-router#1271 ends a stream that stays open after its finish reason',
    `${chunk({ content: 'All.' })}${stop}@pause 30\n`,
    { text: 'All.' },
  ],
  [
    'completes a stream that stays open after text with a finish reason',
    `${chunk({ content: 'All.' }, 'stop')}@pause 120\n`,
    { text: 'All.' },
  ],
  [
    'ragflow#15266, openclaw#14321, pi#4446 reads NaN and Infinity',
    file('02-nan-in-chunk'),
    { text: 'The result is 42 metres.' },
  ],
  [
    'opencode#23442 reads the event that is glued to a cut one, and says that a part is missing',
    `${chunk({ content: 'a' })}data: {"choices":[{"delta":{"content":"b${chunk({ content: 'c' })}${stop}${done}`,
    { text: 'ac', more: { unread: '{"choices":[{"delta":{"content":"bdata: ' } },
  ],
  [
    'hermes-browser-extension#11, ragflow#15286 adds nothing for a last chunk that repeats the whole text',
    file('05a-last-chunk-repeats-message'),
    { text: 'The cart keeps items in a map, and the total is computed on demand.' },
  ],
  [
    'aprender#2015, openclaw#96497 reads events whose field has its name twice',
    (chunk({ content: 'One, ' }) + chunk({ content: 'two.' }) + stop + done).replaceAll('data: ', 'data: data: '),
    { text: 'One, two.' },
  ],
  [
    'openclaw#142888, QwenPaw#7417 adds nothing for a delta in the middle that repeats all of the text',
    [...words, words.join(''), 'It is ', 'not stored.'].map((content) => chunk({ content })).join('') + stop + done,
    { text: `${words.join('')}It is not stored.` },
  ],
  ...['reasoning_content', 'reasoning_details'].map(
    (field) =>
      [
        `qwen-code#3896, archestra#6834 reads ${field} that repeats all before it`,
        words
          .map((_, at) => words.slice(0, at + 1).join(''))
          .map((text) => chunk({ content: '', [field]: field === 'reasoning_content' ? text : [{ text }] }))
          .join('') +
          chunk({ content: 'Yes.' }) +
          stop +
          done,
        { text: 'Yes.', reasoning: words.join('') },
      ] as const,
  ),
  [
    'vellum-assistant#34556, oh-my-pi#2434 reads reasoning once that is a field and a block in the text',
    chunk({ content: '<think>\nThe user ', reasoning_content: 'The user ' }) +
      chunk({ content: 'greets.\n</think>\n\nHi', reasoning_content: 'greets.' }) +
      chunk({ content: '!' }) +
      stop +
      done,
    { text: 'Hi!', reasoning: 'The user greets.' },
  ],
  [
    'workbuddy-gateway#3 takes an empty call beside each text for none',
    chunk({ content: '', reasoning_content: 'Hello.', function_call: { name: '', arguments: '' } }) + stop + done,
    { text: 'Hello.' },
  ],
  [
    'assistant-ui#5500, openai-php/client#627 reads what is said in a spoken answer',
    chunk({ content: null, audio: { transcript: 'Hello ' } }) +
      chunk({ audio: { transcript: 'there.' } }) +
      stop +
      done,
    { text: 'Hello there.' },
  ],
  [
    'gaia#3945 takes all before a closing tag alone for reasoning',
    file('06-closing-think-tag-only'),
    { text: 'Hi! What can I do?', reasoning: 'The user greets me. I should answer briefly.\n' },
  ],
  [
    'obsidian-copilot#2153 knows the tag <thought>',
    file('07a-thought-tags'),
    { text: 'It closes a block.', reasoning: 'Short question, short answer.' },
  ],
  [
    'Zoo-Code#324, hermes-agent#6149, openclaw#37703 takes a block that is never closed for the answer',
    file('08-think-never-closed'),
    { text: 'Hello! How can I help you today?' },
  ],
  [
    'LibreChat#9514, litellm#27277 reads an answer that is a picture',
    file('100a-image-only'),
    { text: '\n\n![](*.png)\n\n', more: { hasPicture: true } },
  ],
  [
    'AstrBot#4296 reads a picture at its place in the text',
    file('100b-image-and-text'),
    {
      text: 'Here is the diagram:\n\n![](*.png)\n\n\n\nTell me if the arrows should be red.',
      more: { hasPicture: true },
    },
  ],
  [
    'litellm#9646, WebAI2API#102 takes bare data of a picture for one',
    chunk({ content: `Here: ${url}` }) +
      chunk({ content: `\n${url.slice(0, 40)}` }) +
      chunk({ content: url.slice(40) }) +
      stop +
      done,
    { text: 'Here: ![](*.png)\n![](*.png)', more: { hasPicture: true } },
  ],
  [
    'cherry-studio#1265, litellm#13777 lists citations once, in the order of their numbers, with the titles of search results',
    file('101a-perplexity-citations'),
    {
      text: 'The limit is 64 KB [1] and was raised in May [2].',
      more: {
        sources: [
          { url: 'https://docs.example.org/limits', title: 'Limits' },
          { url: 'https://blog.example.net/2026/limits', title: 'News' },
        ],
      },
    },
  ],
  [
    'pydantic-ai#7338, laravel/ai#738 lists annotations of the answer',
    file('101b-openrouter-annotations'),
    {
      text: 'The limit is 64 KB, raised in May.',
      more: { sources: [{ url: 'https://docs.example.org/limits', title: 'Limits' }] },
    },
  ],
  [
    'keeps the numbers of citations that repeat an address or have none, and lists what else was found after them',
    `data: ${JSON.stringify({
      choices: [{ delta: { content: 'x', annotations: [{ url: 'https://c.example', title: 'C' }] } }],
      citations: ['https://a.example', 'https://a.example', { title: 'A book' }, 'b'.repeat(3_000)],
      search_results: [{ url: 'https://a.example', title: 'A' }, 'https://b.example', null, 7],
    })}\n\n${stop}${done}`,
    {
      text: 'x',
      more: {
        sources: [
          { url: 'https://a.example', title: 'A' },
          { url: 'https://a.example', title: 'A' },
          { url: 'A book', title: 'A book' },
          { url: '' },
          { url: 'https://c.example', title: 'C' },
          { url: 'https://b.example' },
          { url: '7' },
        ],
      },
    },
  ],
  [
    'picoclaw#1858 reads reasoning from other fields',
    file('105c-reasoning-text-field'),
    { text: 'Answer', reasoning: "I think (Copilot's field)more" },
  ],
  [
    'text-generation-inference#1648 reads all of a text whose choice index counts tokens',
    file('107c-choice-without-delta-index-drift'),
    { text: 'first second third' },
  ],
  [
    'ravendb#22997 keeps text and the refusal after it',
    file('108a-refusal-after-text'),
    { text: 'Sure, ', outcome: 'incomplete', kind: 'contentFiltered' },
  ],
  [
    'turnstone#1162, dify#7559 knows max_tokens as a limit',
    file('15-finish-reason-max_tokens'),
    { text: 'The first step is to open the file and then', more: { finishReason: 'max_tokens' } },
  ],
  [
    'promptfoo#9905 knows network_error as a failure',
    file('15-finish-reason-network_error'),
    { text: 'The first step is to open the file and then', outcome: 'incomplete', kind: 'gatewayDown' },
  ],
];

/** Serves the body in pieces. Pauses pass on the client's clock, once it has everything before them. */
async function receive(transport: Transport, body: string, pieceLength: number): Promise<Received> {
  const clock = new ManualClock();
  const parts = body.split(/^(@pause [\d.]+|@reset)\n*/m);
  let received = 0;
  const counted: Transport = async (request, signal) => {
    const response = await transport(request, signal);
    return {
      ...response,
      body: (async function* () {
        for await (const bytes of response.body) {
          received += bytes.byteLength;
          yield bytes;
        }
      })(),
    };
  };
  const server = createServer(async (_, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let sent = 0;
    for (const part of parts) {
      const [, seconds] = /^@pause (.+)/.exec(part) ?? [];
      if (part === '@reset') {
        response.socket?.resetAndDestroy();
        return;
      }
      if (seconds === undefined) {
        const bytes = Buffer.from(part);
        for (let at = 0; at < bytes.length; at += pieceLength) {
          response.write(bytes.subarray(at, at + pieceLength));
          await turn();
        }
        sent += bytes.length;
        await until(() => received === sent || reply.isSettled);
        await wait(5);
      } else {
        clock.pass(Number(seconds) * 1_000);
      }
    }
    if (!/@pause \S+\n*$/.test(body)) {
      response.end();
    }
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const { port } = server.address() as AddressInfo;
  const target = targetOf(`http://127.0.0.1:${port}/v1`, 'sk-Report0123456789key');
  const reply = listen(newClient({ clock, transport: counted }), target);
  try {
    return await reply.received;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

for (const [name, { transport }] of [
  ['undici', plainWire],
  ["the editor's fetch", fetchWire],
] as const) {
  describe(`public reports over ${name}`, { concurrency: 6 }, () => {
    for (const [title, body, { text, reasoning = '', outcome = 'complete', kind, more = {} }] of cases) {
      it(title, async () => {
        for (const pieceLength of [1 << 20, 61, 7]) {
          const { end, ...content } = await receive(transport, body, pieceLength);
          assert.deepEqual(
            { ...content, outcome: end.outcome, kind: end.problem?.kind },
            { text, reasoning, outcome, kind },
          );
          assert.deepEqual(
            Object.fromEntries(Object.keys(more).map((key) => [key, end[key as keyof typeof end]])),
            more,
          );
          assert.equal('unread' in end, 'unread' in more);
        }
      });
    }
  });
}

/**
 * The clients that are measured: ours, and the alternatives that a developer would choose. Run as a program with a name
 * and a base URL, this makes as many calls as its parent asks for: contenders share no garbage and no compiled code.
 */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { chatBody, defaultLimits, GatewayClient } from '../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../src/core/connections/baseUrl.ts';
import { ReplyReader } from '../../src/core/reply/replyReader.ts';
import { systemClock } from '../../src/node/system/machine.ts';
import { send } from '../unit/node/network/standardNetwork.ts';
import { projectRoot } from '../vscode/paths.ts';
import { answerAll } from './program.ts';

/** Loads a package to compare with. They are not installed when only types are checked. */
export const peers = createRequire(join(projectRoot, '.vscode-test', 'bench', 'package.json'));

/** The figures of one call, in milliseconds from its start, and the length of its text in UTF-16 units. */
export type Call = { readonly firstMs: number; readonly totalMs: number; readonly units: number };

/** Makes one call and passes on every piece of text; resolves at the end of the reply. */
type Ask = (onText: (text: string) => void) => Promise<void>;
type Post = () => Promise<AsyncIterable<Uint8Array>>;
type Chunk = { readonly choices: readonly { readonly delta?: { readonly content?: string | null } }[] };

const key = 'sk-bench-0123456789abcdef';
const request = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Explain this function.' }] as const };
const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'text/event-stream' };
const textOf = ({ choices }: Chunk) => choices[0]?.delta?.content ?? '';

/** With the options of `undiciTransport.ts`, so that only the code on top of undici differs. */
function undiciPost(baseUrl: string): Post {
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0, pipelining: 1, allowH2: true });
  const { origin, pathname: path } = new URL(`${baseUrl}/chat/completions`);
  return async () =>
    (await api.request.call(agent, { origin, path, method: 'POST', headers, body: chatBody(request) })).body;
}

function fetchPost(baseUrl: string): Post {
  const init = { method: 'POST', headers, body: chatBody(request) };
  return async () => (await fetch(`${baseUrl}/chat/completions`, init)).body ?? Promise.reject(new Error('No body'));
}

/** Reads with eventsource-parser and JSON.parse, as most clients do. */
function parsed(post: Post): Ask {
  const { createParser } = peers('eventsource-parser') as {
    createParser(callbacks: { onEvent(event: { data: string }): void }): { feed(text: string): void };
  };
  return async (onText) => {
    const decoder = new TextDecoder();
    const parser = createParser({ onEvent: ({ data }) => data !== '[DONE]' && onText(textOf(JSON.parse(data))) });
    for await (const bytes of await post()) {
      parser.feed(decoder.decode(bytes, { stream: true }));
    }
  };
}

/** All contenders by their name in the tables. Each gets the base URL once and keeps its connection open. */
const contenders = {
  'Ask Model, whole client'(baseUrl) {
    const url = parseBaseUrl(baseUrl);
    if (!url.ok) {
      throw new Error(url.reason);
    }
    const client = new GatewayClient({
      transport: send,
      clock: systemClock,
      limits: defaultLimits,
      userAgent: 'bench',
    });
    return async (onText) => {
      const { signal } = new AbortController();
      const target = { url: url.value, key };
      const { outcome, problem } = await client.chat(target, request, ({ text }) => onText(text), signal);
      if (outcome !== 'complete') {
        throw new Error(`The reply is ${outcome}: ${JSON.stringify(problem)}`);
      }
    };
  },
  'Ask Model, reader on undici'(baseUrl) {
    const post = undiciPost(baseUrl);
    return async (onText) => {
      const reader = new ReplyReader({ status: 200, headers: {}, secrets: [key], now: 0 }, ({ text }) => onText(text));
      for await (const bytes of await post()) {
        reader.feed(bytes);
      }
      reader.end();
    };
  },
  'undici, bytes not parsed'(baseUrl) {
    const post = undiciPost(baseUrl);
    return async (onText) => {
      for await (const _ of await post()) {
        onText(' ');
      }
    };
  },
  'undici + eventsource-parser + JSON.parse': (baseUrl) => parsed(undiciPost(baseUrl)),
  'fetch + eventsource-parser + JSON.parse': (baseUrl) => parsed(fetchPost(baseUrl)),
  'openai client'(baseUrl) {
    type Client = { chat: { completions: { create(body: object): Promise<AsyncIterable<Chunk>> } } };
    const { OpenAI } = peers('openai') as { OpenAI: new (options: object) => Client };
    const { chat } = new OpenAI({ baseURL: baseUrl, apiKey: key, maxRetries: 0 });
    return async (onText) => {
      const body = { ...request, stream: true, stream_options: { include_usage: true } };
      for await (const chunk of await chat.completions.create(body)) {
        onText(textOf(chunk));
      }
    };
  },
  '@ai-sdk/openai-compatible, streamText'(baseUrl) {
    const { createOpenAICompatible } = peers('@ai-sdk/openai-compatible') as {
      createOpenAICompatible(options: object): (model: string) => object;
    };
    const { streamText } = peers('ai') as { streamText(options: object): { textStream: AsyncIterable<string> } };
    const provider = createOpenAICompatible({ name: 'bench', baseURL: baseUrl, apiKey: key, includeUsage: true });
    const model = provider(request.model);
    return async (onText) => {
      for await (const text of streamText({ model, messages: request.messages, maxRetries: 0 }).textStream) {
        onText(text);
      }
    };
  },
} satisfies { readonly [name: string]: (baseUrl: string) => Ask };

export type Contender = keyof typeof contenders;

if (import.meta.main) {
  const [name, baseUrl] = process.argv.slice(2) as [Contender, string];
  const ask = contenders[name](baseUrl);
  answerAll(async (calls) => {
    const done: Call[] = [];
    while (done.length < calls) {
      let [units, firstMs] = [0, 0];
      const start = performance.now();
      await ask((text) => {
        units += text.length;
        firstMs ||= units > 0 ? performance.now() - start : 0;
      });
      done.push({ firstMs, totalMs: performance.now() - start, units });
    }
    return done;
  });
}

/** The clients that are measured: ours, and the alternatives that a developer would choose. */
import api from 'undici/lib/api/index.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import { chatBody } from '../../src/core/client/chatRequest.ts';
import { GatewayClient } from '../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../src/core/connections/baseUrl.ts';
import { defaultLimits } from '../../src/core/http/requestTimers.ts';
import { ReplyReader } from '../../src/core/reply/replyReader.ts';
import { systemClock } from '../../src/node/system/machine.ts';
import { send } from '../unit/node/network/standardNetwork.ts';
import { ai, eventSourceParser, openai, openaiCompatible } from './peers.ts';

/** Makes one call and passes on every piece of text; resolves at the end of the reply. */
export type Ask = (onText: (text: string) => void) => Promise<void>;

/** The part of a chunk that contains its text. */
type Chunk = { readonly choices: readonly { readonly delta: { readonly content?: string } }[] };

const key = 'sk-bench-0123456789abcdef';
const request = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Explain this function.' }] as const };
const streamRequest = { ...request, stream: true, stream_options: { include_usage: true } };

/** Creates an agent with the options of `undiciTransport.ts`, so that only the code on top of undici differs. */
function newAgent(): Agent {
  return new Agent({
    connect: { timeout: defaultLimits.connectMs },
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: 3_000,
    keepAliveMaxTimeout: 3_000,
    pipelining: 1,
    allowH2: true,
  });
}

function undiciPost(baseUrl: string): () => Promise<AsyncIterable<Uint8Array>> {
  const agent = newAgent();
  const { origin, pathname } = new URL(`${baseUrl}/chat/completions`);
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'accept-encoding': 'identity',
    'user-agent': 'bench',
  };
  return async () => {
    const body = chatBody(request);
    const response = await api.request.call(agent, { origin, path: pathname, method: 'POST', headers, body });
    return response.body;
  };
}

function parsed(post: () => Promise<AsyncIterable<Uint8Array>>): Ask {
  const { createParser } = eventSourceParser();
  return async (onText) => {
    const decoder = new TextDecoder();
    const parser = createParser({
      onEvent({ data }) {
        if (data !== '[DONE]') {
          const content = (JSON.parse(data) as Chunk).choices[0]?.delta.content;
          if (content) {
            onText(content);
          }
        }
      },
    });
    for await (const bytes of await post()) {
      parser.feed(decoder.decode(bytes, { stream: true }));
    }
  };
}

/** All contenders by name. Each gets the base URL once and keeps its connection open. */
export const contenders = {
  ours(baseUrl) {
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
      const signal = new AbortController().signal;
      const reply = await client.chat({ url: url.value, key }, request, ({ text }) => onText(text), signal);
      if (reply.outcome !== 'complete') {
        throw new Error(`The reply is ${reply.outcome}: ${JSON.stringify(reply.problem)}`);
      }
    };
  },

  ourReader(baseUrl) {
    const post = undiciPost(baseUrl);
    return async (onText) => {
      const reader = new ReplyReader({ status: 200, headers: {}, secrets: [key], now: 0 }, ({ text }) => onText(text));
      for await (const bytes of await post()) {
        reader.feed(bytes);
      }
      reader.end();
    };
  },

  undici(baseUrl) {
    const post = undiciPost(baseUrl);
    return async (onText) => {
      for await (const _ of await post()) {
        onText('');
      }
    };
  },

  undiciParser: (baseUrl) => parsed(undiciPost(baseUrl)),

  fetchParser: (baseUrl) =>
    parsed(async () => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const options = { method: 'POST', headers, body: chatBody(request) };
      const { body } = await fetch(`${baseUrl}/chat/completions`, options);
      if (body === null) {
        throw new Error('There is no body');
      }
      return body;
    }),

  openai(baseUrl) {
    const client = new (openai().OpenAI)({ baseURL: baseUrl, apiKey: key, maxRetries: 0 });
    return async (onText) => {
      for await (const chunk of await client.chat.completions.create(streamRequest)) {
        const content = chunk.choices[0]?.delta?.content;
        if (content) {
          onText(content);
        }
      }
    };
  },

  aiSdk(baseUrl) {
    const provider = openaiCompatible().createOpenAICompatible({
      name: 'bench',
      baseURL: baseUrl,
      apiKey: key,
      includeUsage: true,
    });
    const model = provider(request.model);
    const { streamText } = ai();
    return async (onText) => {
      for await (const text of streamText({ model, messages: request.messages, maxRetries: 0 }).textStream) {
        onText(text);
      }
    };
  },
} satisfies { readonly [name: string]: (baseUrl: string) => Ask };

export type ContenderName = keyof typeof contenders;

/** The names of the contenders in the tables. */
export const labels: { readonly [name in ContenderName]: string } = {
  ours: 'Ask Model, whole client',
  ourReader: 'Ask Model, reader on undici',
  undici: 'undici, bytes not parsed',
  undiciParser: 'undici + eventsource-parser + JSON.parse',
  fetchParser: 'fetch + eventsource-parser + JSON.parse',
  openai: 'openai client',
  aiSdk: '@ai-sdk/openai-compatible, streamText',
};

import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/gateway.ts';

/** A response, complete or not. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** `clean`: the body ended as HTTP requires; `broken`: the connection broke; `open`: the time-out passed. */
  readonly end: 'clean' | 'broken' | 'open';
}

/** Options of a request. A body makes it a POST. The response is read for at most `timeoutMs`. */
export interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
  /** The text after which the response must stay open: reading stops `openMs` after it arrived. */
  readonly openAfter?: RegExp;
}

/** Milliseconds for which a response that must stay open is read after its last text. */
export const openMs = 200;

/** Sends a request. Rejects when the connection breaks before any answer, or with a TimeoutError when there is none. */
export type Ask = (url: string, key: string, options?: AskOptions) => Promise<Answer>;

/** Starts a gateway without delays, runs the test with a key in every group, and always closes the gateway. */
export async function withGateway(
  test: (gateway: Gateway, key: string) => Promise<void>,
  options: GatewayOptions = {},
): Promise<void> {
  const gateway = await startGateway({ delayMs: 0, ...options });
  try {
    await test(gateway, gateway.createKey({ name: 'test' }).value);
  } finally {
    await gateway.close();
  }
}

/** Makes a chat request body with a question about some TypeScript. */
export function chatBody(change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    model: 'qwen3-8b',
    messages: [
      { role: 'user', content: 'Explain:\n\n```ts\nexport function double(x: number) {\n  return 2 * x;\n}\n```' },
    ],
    stream: true,
    stream_options: { include_usage: true },
    ...change,
  };
}

/** Sends a request and reads the response for at most `timeoutMs`. A body makes it a POST. */
export async function ask(
  url: string,
  key: string,
  { body, headers = {}, timeoutMs = 30_000, openAfter }: AskOptions = {},
): Promise<Answer> {
  const silence = new AbortController();
  const timeout = AbortSignal.any([AbortSignal.timeout(timeoutMs), silence.signal]);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    },
    // Send a stream, because `fetch` sends any other body again when the answer is 421.
    ...(body === undefined ? {} : { body: new Blob([text]).stream(), duplex: 'half' }),
    redirect: 'manual',
    signal: timeout,
  });
  const parts: Uint8Array[] = [];
  let end: Answer['end'] = 'clean';
  try {
    for await (const part of response.body ?? []) {
      parts.push(part);
      if (openAfter?.test(Buffer.concat(parts).toString())) {
        setTimeout(() => silence.abort(), openMs);
      }
    }
  } catch {
    end = timeout.aborted ? 'open' : 'broken';
  }
  const bytes = Buffer.concat(parts);
  return { status: response.status, headers: response.headers, text: bytes.toString('utf8'), bytes, end };
}

/** Sends a request to the chat endpoint. */
export function askChat(
  gateway: Gateway,
  key: string,
  body: unknown = chatBody(),
  headers: Record<string, string> = {},
): Promise<Answer> {
  return ask(`${gateway.baseUrl}/chat/completions`, key, { body, headers });
}

/** The fields of a chunk or completion that the tests read. */
export interface LooseChunk {
  readonly model: string;
  readonly choices: {
    index: number;
    delta: { role?: string; content?: string; reasoning_content?: string };
    finish_reason: string | null;
  }[];
  readonly usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** Parses the chunks of a stream in OpenAI's framing, without `[DONE]`. */
export function chunksOf(text: string): LooseChunk[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {') && event.includes('"choices"'))
    .map((event) => JSON.parse(event.slice(6)) as LooseChunk);
}

/** Joins the text of a stream. */
export function streamedText(text: string): string {
  return chunksOf(text)
    .map((chunk) => chunk.choices[0]?.delta.content ?? '')
    .join('');
}

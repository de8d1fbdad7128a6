import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/gateway.ts';

/** What came back, however it ended. */
export interface Seen {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly bytes: Uint8Array;
  /** `clean`: the body ended as HTTP says; `broken`: the connection did not hold; `open`: nothing came any more. */
  readonly end: 'clean' | 'broken' | 'open';
}

/** How a request is sent: a body makes it a POST; what comes is read for at most `patienceMs`. */
export interface AskOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly patienceMs?: number;
}

/** Sends a request. Rejects when the connection breaks before any answer, with a TimeoutError when none comes. */
export type Ask = (url: string, key: string, options?: AskOptions) => Promise<Seen>;

/** Starts a gateway without delays, runs the test with a key in every group, and closes the gateway whatever happens. */
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

/** A chat request body; the question asks about a little TypeScript. */
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

/** Sends a request and reads what comes for at most `patienceMs`. A body makes it a POST. */
export async function ask(
  url: string,
  key: string,
  { body, headers = {}, patienceMs = 30_000 }: AskOptions = {},
): Promise<Seen> {
  const patience = AbortSignal.timeout(patienceMs);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
      'content-type': 'application/json',
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) }),
      ...headers,
    },
    // As a stream, because `fetch` sends any other body a second time on an answer 421.
    ...(body === undefined ? {} : { body: new Blob([text]).stream(), duplex: 'half' }),
    redirect: 'manual',
    signal: patience,
  });
  const parts: Uint8Array[] = [];
  let end: Seen['end'] = 'clean';
  try {
    for await (const part of response.body ?? []) {
      parts.push(part);
    }
  } catch {
    end = patience.aborted ? 'open' : 'broken';
  }
  const bytes = Buffer.concat(parts);
  return { status: response.status, headers: response.headers, text: bytes.toString('utf8'), bytes, end };
}

/** Asks the chat endpoint. */
export function askChat(
  gateway: Gateway,
  key: string,
  body: unknown = chatBody(),
  headers: Record<string, string> = {},
): Promise<Seen> {
  return ask(`${gateway.baseUrl}/chat/completions`, key, { body, headers });
}

/** A chunk or completion, read loosely. */
export interface LooseChunk {
  readonly model: string;
  readonly choices: {
    index: number;
    delta: { role?: string; content?: string; reasoning_content?: string };
    finish_reason: string | null;
  }[];
  readonly usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
}

/** The chunks of a stream framed as OpenAI frames it, without `[DONE]`. */
export function chunksOf(text: string): LooseChunk[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: {') && event.includes('"choices"'))
    .map((event) => JSON.parse(event.slice(6)) as LooseChunk);
}

/** The text of a stream. */
export function streamedText(text: string): string {
  return chunksOf(text)
    .map((chunk) => chunk.choices[0]?.delta.content ?? '')
    .join('');
}

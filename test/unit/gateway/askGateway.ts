import { type Gateway, type GatewayOptions, startGateway } from '../../gateway/gateway.ts';

/** A response. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

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

/** Sends a request, a POST if there is a body. */
export async function ask(url: string, key: string, body?: unknown): Promise<Answer> {
  const response = await fetch(url, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Sends a request to the chat endpoint. */
export function askChat(gateway: Gateway, key: string, body: unknown = chatBody()): Promise<Answer> {
  return ask(`${gateway.baseUrl}/chat/completions`, key, body);
}

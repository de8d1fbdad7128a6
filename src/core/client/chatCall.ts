import { requestHeaders } from '../http/requestHeaders.ts';
import type { TransportRequest } from '../http/transport.ts';
import { type ChatRequest, chatBody } from './chatRequest.ts';

/** One `POST /v1/chat/completions` as it is handed to the transport. */
export type ChatCall = Pick<TransportRequest, 'method' | 'url' | 'headers'> & { readonly body: string };

/** Where it goes; `key` is left out only by who shows a call that can not be made yet. */
export type ChatCallTarget = {
  readonly chatUrl: string;
  readonly key: string | undefined;
  /** The connection's extra headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Everything of a chat call that is ours to say. The client sends what this returns, and *Show Request* shows it: there
 * is no second place where a request is put together. The transport adds what the connection itself needs.
 */
export function chatCall(
  { chatUrl, key, headers = {} }: ChatCallTarget,
  request: ChatRequest,
  userAgent: string,
): ChatCall {
  return {
    method: 'POST',
    url: chatUrl,
    headers: {
      ...requestHeaders(userAgent, headers, key),
      'content-type': 'application/json',
      accept: 'text/event-stream, application/json;q=0.9',
    },
    body: chatBody(request),
  };
}

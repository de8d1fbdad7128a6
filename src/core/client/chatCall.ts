import { requestHeaders } from '../http/requestHeaders.ts';
import type { TransportRequest } from '../http/transport.ts';
import { type ChatRequest, chatBody } from './chatRequest.ts';

/** One `POST /v1/chat/completions` as it is passed to the transport. */
export type ChatCall = Pick<TransportRequest, 'method' | 'url' | 'headers'> & { readonly body: string };

/** Where a call goes. `key` is undefined only when *Show Request* shows a call that can't be made yet. */
export type ChatCallTarget = {
  readonly chatUrl: string;
  readonly key: string | undefined;
  /** The connection's extra headers. */
  readonly headers?: Readonly<Record<string, string>>;
};

/**
 * Builds a chat call, both for the client to send and for *Show Request* to show, so that the two can't differ. The
 * transport adds the headers that the network connection needs.
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

import { requestHeaders, type TransportRequest } from '../http/transport.ts';

/** A part of a user message. */
export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | {
      readonly type: 'image_url';
      /** A `data:` URL that contains the image. */
      readonly image_url: { readonly url: string };
    };

/** A tool that a model may call. */
type WireTool = {
  readonly type: 'function';
  readonly function: {
    readonly name: string;
    readonly description: string;
    /** JSON Schema of its only argument, an object. */
    readonly parameters: object;
  };
};

/** A call that a model made earlier. */
type WireToolCall = {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  /** Vendor data that came with the call, sent back unchanged. */
  readonly extra_content?: object;
};

/** A message in its wire format. The panel's own messages are text only. */
export type WireMessage =
  | { readonly role: 'system'; readonly content: string }
  | { readonly role: 'user'; readonly content: string | readonly ContentPart[] }
  | {
      readonly role: 'assistant';
      /** Null when the message consists of tool calls alone. */
      readonly content: string | null;
      readonly tool_calls?: readonly WireToolCall[];
      /** The reasoning before the tool calls; some models require it back (wire Q59). */
      readonly reasoning_content?: string;
    }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string };

/** One message of a conversation (service section 2, chat request). */
export type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** A chat request to a model. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  /** Leaves out `stream_options`, which asks for token counts and which some gateways reject (wire Q30). */
  readonly withoutUsage?: boolean;
  readonly tools?: readonly WireTool[];
  readonly tool_choice?: 'auto' | 'required';
  /** Model options by their wire names. */
  readonly options?: { readonly [name: string]: unknown };
};

/**
 * Builds the JSON body of `POST /v1/chat/completions`. Optional parameters are sent only if the person or the caller
 * set them.
 *
 * @returns the exact text that is sent.
 */
export function chatBody({ model, messages, withoutUsage, tools, tool_choice, options }: ChatRequest): string {
  return JSON.stringify({
    // First, so that no option can override the fields below.
    ...options,
    model,
    messages,
    ...(tools && tools.length > 0 && { tools, tool_choice }),
    stream: true,
    ...(!withoutUsage && { stream_options: { include_usage: true } }),
  });
}

/** One `POST /v1/chat/completions` as it is passed to the transport. */
export type ChatCall = Pick<TransportRequest, 'method' | 'url' | 'headers'> & { readonly body: string };

/**
 * Builds a chat call, both for the client to send and for *Show Request* to show, so that the two can't differ. The
 * transport adds the headers that the network connection needs.
 *
 * @param target its `key` is undefined only when *Show Request* shows a call that can't be made yet.
 */
export function chatCall(
  target: {
    readonly chatUrl: string;
    readonly key: string | undefined;
    readonly headers?: Readonly<Record<string, string>>;
  },
  request: ChatRequest,
  userAgent: string,
): ChatCall {
  const { chatUrl, key, headers = {} } = target;
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

import type { ChatExtras, WireMessage } from './wireMessage.ts';

/** One message of a conversation (service section 2, chat request). */
export type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** A chat request to a model. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  /** Leaves out `stream_options`, which asks for token counts and which some gateways reject (wire Q30). */
  readonly withoutUsage?: boolean;
} & ChatExtras;

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

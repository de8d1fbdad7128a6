import type { ChatExtras, WireMessage } from './wireMessage.ts';

/** One message of the ordered conversation (service.md section 2, chat request). */
export type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** What is asked of a model. */
export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  /** Some gateways reject the option that asks for token counts (wire Q30); a person may leave it out. */
  readonly withoutUsage?: boolean;
} & ChatExtras;

/**
 * The JSON body of `POST /v1/chat/completions`: nothing beyond this is sent unless a person or a caller set it.
 *
 * @returns the exact text that goes over the wire.
 */
export function chatBody({ model, messages, withoutUsage, tools, tool_choice, options }: ChatRequest): string {
  return JSON.stringify({
    // First, so that no option can stand in for what follows.
    ...options,
    model,
    messages,
    ...(tools && tools.length > 0 && { tools, ...(tool_choice && { tool_choice }) }),
    stream: true,
    ...(!withoutUsage && { stream_options: { include_usage: true } }),
  });
}

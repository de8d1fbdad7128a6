/** One message of the ordered conversation (service.md section 2, chat request). */
export type ChatMessage = { readonly role: 'system' | 'user' | 'assistant'; readonly content: string };

/** The JSON body of `POST /v1/chat/completions`: nothing beyond this is sent unless a person set it. */
export type ChatRequest = { readonly model: string; readonly messages: readonly ChatMessage[] };

/** @returns the exact text that goes over the wire. */
export function chatBody({ model, messages }: ChatRequest): string {
  return JSON.stringify({ model, messages, stream: true, stream_options: { include_usage: true } });
}

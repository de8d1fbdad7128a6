import { estimateTokens, messageTokens } from '../base/estimateTokens.ts';
import type { ChatRequest, WireMessage } from '../client/gatewayClient.ts';

/** What vendors typically charge for an image of usual size, in tokens. */
const imageTokens = 1_000;

/** Estimates the input tokens of a request: its messages and the descriptions of its tools. */
export function estimateRequest({ messages, tools }: Pick<ChatRequest, 'messages' | 'tools'>): number {
  const toolTokens = tools === undefined || tools.length === 0 ? 0 : estimateTokens(JSON.stringify(tools));
  return messages.reduce((sum, message) => sum + messageTokens + contentTokens(message), toolTokens);
}

function contentTokens(message: WireMessage): number {
  const { content } = message;
  if (message.role === 'assistant') {
    const { tool_calls: calls, reasoning_content: reasoning } = message;
    return estimateTokens(`${content ?? ''}${reasoning ?? ''}${calls === undefined ? '' : JSON.stringify(calls)}`);
  }
  if (typeof content === 'string') {
    return estimateTokens(content);
  }
  return (content ?? []).reduce(
    (sum, part) => sum + (part.type === 'text' ? estimateTokens(part.text) : imageTokens),
    0,
  );
}

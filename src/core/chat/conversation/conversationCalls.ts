import { isUnsent } from '../../errors/isUnsent.ts';
import { allTokens } from '../../reply/usage.ts';
import type { Conversation } from './conversation.ts';

/** Calls to a model, and the tokens that the gateway reported for them. */
export type Calls = { readonly calls: number; readonly tokens: number };

/**
 * The paid calls of a conversation by the model ID that was asked, in all its branches. Calls that were not sent don't
 * count.
 */
export function conversationCalls({ turns }: Pick<Conversation, 'turns'>): ReadonlyMap<string, Calls> {
  const byModel = new Map<string, Calls>();
  for (const reply of turns.flatMap(({ replies }) => replies)) {
    const { model, usage, problem } = reply;
    if (reply.isUnsent || (problem && isUnsent(problem))) {
      continue;
    }
    const { calls, tokens } = byModel.get(model) ?? { calls: 0, tokens: 0 };
    byModel.set(model, { calls: calls + 1, tokens: tokens + allTokens(usage) });
  }
  return byModel;
}

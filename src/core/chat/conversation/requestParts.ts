import { estimateTokens, messageTokens } from '../../base/estimateTokens.ts';
import type { ContextWindow } from '../../base/requestSize.ts';
import type { ChatMessage } from '../../client/gatewayClient.ts';
import type { Model } from '../../models/list/model.ts';
import { type CodeContext, contextTokens } from '../context/prompt.ts';
import type { Conversation, Draft, Turn } from './conversation.ts';
import { exchangesUpTo, withSystemPrompt } from './messagesFor.ts';
import type { LeftOut } from './storedParts.ts';

/** The parts of a request, each with its estimated tokens, without the factor of a model. */
export type RequestParts = {
  /** Tokens of what is always sent: the question, the system prompt, and the answer that is continued. */
  readonly fixed: number;
  /** The earlier questions with their answers, oldest first. */
  readonly turns: readonly { readonly turn: Turn; readonly tokens: number }[];
  /** The context of the question. */
  readonly contexts: readonly { readonly context: CodeContext; readonly tokens: number }[];
};

/** What is reserved for an answer if the model doesn't state that its answers are shorter. */
const usualAnswerTokens = 4_096;

/**
 * The context window of a model; undefined if the gateway doesn't state it. The token limit is reserved for the answer,
 * because gateways add it to the prompt. Without one, at most a quarter is reserved.
 */
export function contextWindowOf(
  model: Pick<Model, 'contextTokens' | 'outputTokens'> = {},
  tokenLimit?: number,
): ContextWindow | undefined {
  const { contextTokens: size, outputTokens = usualAnswerTokens } = model;
  if (size === undefined) {
    return undefined;
  }
  const reserved = tokenLimit ?? Math.min(outputTokens, usualAnswerTokens, Math.floor(size / 4));
  return { size, prompt: Math.max(0, size - reserved) };
}

/**
 * The parts of the request for a question.
 *
 * @param after id of the turn that the question follows; `null` for a first question.
 * @param following what is sent after the question: the answer that is continued.
 */
export function requestParts(
  conversation: Conversation,
  { text, contexts }: Draft,
  after: string | null,
  systemPrompt: string | undefined,
  following: readonly ChatMessage[] = [],
): RequestParts {
  const question: ChatMessage = { role: 'user', content: text.trim() };
  return {
    fixed: tokensIn(withSystemPrompt(systemPrompt, [question, ...following])),
    turns: exchangesUpTo(conversation, after).map(({ turn, messages }) => ({ turn, tokens: tokensIn(messages) })),
    contexts: contexts.map((context) => ({ context, tokens: contextTokens(context) })),
  };
}

function tokensIn(messages: readonly ChatMessage[]): number {
  return messages.reduce((sum, { content }) => sum + messageTokens + estimateTokens(content), 0);
}

/** The estimated tokens of what remains of a request. */
export function tokensOf({ fixed, turns, contexts }: RequestParts, leftOut: LeftOut = nothing): number {
  const omitted = new Set(leftOut.turns);
  const sent = [
    ...turns.filter(({ turn }) => !omitted.has(turn.id)),
    ...contexts.filter(({ context }) => !leftOut.contexts.some(({ id }) => id === context.id)),
  ];
  return sent.reduce((sum, { tokens }) => sum + tokens, fixed);
}

const nothing: LeftOut = { turns: [], contexts: [] };

/**
 * What to leave out so that a request has at most so many tokens: what was left out before if that suffices, otherwise
 * also the oldest turns. If the context of the question doesn't fit alone, its largest pieces are left out first. Never
 * the question.
 *
 * @param maxTokens estimated, without the factor of the model.
 * @param before what was left out of the request before this one.
 */
export function proposedLeftOut(parts: RequestParts, maxTokens: number, before: LeftOut = nothing): LeftOut {
  const ids = new Set(parts.contexts.map(({ context }) => context.id));
  const omitted = new Set(before.turns);
  const same: LeftOut = {
    turns: parts.turns.flatMap(({ turn }) => (omitted.has(turn.id) ? [turn.id] : [])),
    contexts: before.contexts.filter(({ id }) => ids.has(id)),
  };
  if (tokensOf(parts, same) <= maxTokens) {
    return same;
  }
  const contexts = [...same.contexts];
  const turnsLeft = parts.turns.filter(({ turn }) => !omitted.has(turn.id)).map(({ turn }) => turn.id);
  for (const { context } of parts.contexts.toSorted((one, other) => other.tokens - one.tokens)) {
    const alone = tokensOf(parts, { turns: [...same.turns, ...turnsLeft], contexts });
    if (alone > maxTokens && !contexts.some(({ id }) => id === context.id)) {
      contexts.push({ id: context.id });
    }
  }
  const turns = [...same.turns];
  let total = tokensOf(parts, { turns, contexts });
  for (const { turn, tokens } of parts.turns) {
    if (total > maxTokens && !omitted.has(turn.id)) {
      turns.push(turn.id);
      total -= tokens;
    }
  }
  return { turns, contexts };
}

/** No model has a smaller or a larger context window. */
const [smallest, largest] = [256, 100_000_000];

/**
 * The context window that a gateway states when it refuses a request for its length, in tokens. Vendors write “maximum
 * context length is 8192 tokens” or “9000 tokens > 8192 maximum” (wire Q50).
 *
 * @returns undefined when it states none.
 */
export function statedWindow(words: string | undefined): number | undefined {
  const found = /(?:context (?:length|size|window|limit)|maximum|limit)\D{0,30}?(\d[\d,]*)|> ?(\d[\d,]*)/i.exec(
    words ?? '',
  );
  const tokens = Number((found?.[1] ?? found?.[2] ?? '').replaceAll(',', ''));
  return tokens >= smallest && tokens <= largest ? tokens : undefined;
}

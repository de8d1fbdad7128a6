import { isRunning, type Reply } from './conversation.ts';

/**
 * The muted line under a finished reply, fact by fact. Figures are the gateway's own; what it did not report is said to
 * be unknown and never shown as 0.
 */
export function replyFacts(reply: Reply): string[] {
  if (isRunning(reply) || reply.isUnsent) {
    return [];
  }
  const { usage } = reply;
  const facts: string[] = [];
  if (usage?.promptTokens !== undefined) {
    const cached = usage.cachedTokens ? ` (${count(usage.cachedTokens)} cached)` : '';
    facts.push(`${count(usage.promptTokens)} in${cached}`);
  }
  if (usage?.completionTokens !== undefined) {
    const reasoning = usage.reasoningTokens ? ` (${count(usage.reasoningTokens)} reasoning)` : '';
    facts.push(`${count(usage.completionTokens)} out${reasoning}`);
  }
  if (facts.length === 0) {
    facts.push('usage not reported');
  }
  if (reply.firstTokenMs !== undefined) {
    facts.push(`first token ${secondsText(reply.firstTokenMs)}`);
  }
  const speed = tokensPerSecond(reply);
  if (speed !== undefined) {
    facts.push(`${speed < 10 ? speed.toFixed(1) : Math.round(speed)} tok/s`);
  }
  facts.push(usage?.cost === undefined ? 'cost unknown' : `cost ${usage.cost.toPrecision(3)} as reported`);
  if (reply.finishReason !== undefined && reply.finishReason !== 'stop') {
    facts.push(`ended by ${reply.finishReason}`);
  }
  return facts;
}

/** What the gateway calls the request, if it said so and nothing else names it: under a failed reply the card does. */
export function shownRequestId({ requestId, problem }: Reply): string | undefined {
  return problem === undefined ? requestId : undefined;
}

/** Only over a span long enough to mean something: a reply that came in one piece has no speed. */
function tokensPerSecond({ usage, firstTokenMs, totalMs, state }: Reply): number | undefined {
  if (
    usage?.completionTokens === undefined ||
    firstTokenMs === undefined ||
    totalMs === undefined ||
    state !== 'complete'
  ) {
    return undefined;
  }
  const streamedMs = totalMs - firstTokenMs;
  return streamedMs < 200 ? undefined : (usage.completionTokens / streamedMs) * 1_000;
}

const grouped = new Intl.NumberFormat('en-US');

/** `1,204`, the same in every locale, like the rest of the words around it. */
export function count(tokens: number): string {
  return grouped.format(tokens);
}

/** `40 ms`, `0.6 s`, `12 s`. */
export function secondsText(ms: number): string {
  if (ms < 100) {
    return `${Math.round(ms)} ms`;
  }
  return ms < 9_950 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 1_000)} s`;
}

import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import { isUnsent } from '../../errors/gatewayProblem.ts';
import { costText, knownCost, sourceText } from '../../reply/cost.ts';
import { hasPictureText } from '../../reply/replyOutcome.ts';
import { isRunning, type Reply } from './conversation.ts';

/**
 * The facts in the muted line under a finished reply. Usage and cost are the gateway's own figures; those it did not
 * report are called unknown, never shown as 0.
 */
export function replyFacts(reply: Reply): string[] {
  if (isRunning(reply) || reply.isUnsent || (reply.problem && isUnsent(reply.problem))) {
    return [];
  }
  const { usage } = reply;
  const facts: string[] = [];
  if (usage?.promptTokens !== undefined) {
    const tokens = numberText(usage.promptTokens);
    facts.push(
      usage.cachedTokens
        ? l10n.t('{0} in ({1} cached)', tokens, numberText(usage.cachedTokens))
        : l10n.t('{0} in', tokens),
    );
  }
  if (usage?.completionTokens !== undefined) {
    const tokens = numberText(usage.completionTokens);
    facts.push(
      usage.reasoningTokens
        ? l10n.t('{0} out ({1} reasoning)', tokens, numberText(usage.reasoningTokens))
        : l10n.t('{0} out', tokens),
    );
  }
  if (facts.length === 0) {
    facts.push(l10n.t('usage not reported'));
  }
  if (reply.firstTokenMs !== undefined) {
    facts.push(l10n.t('first token {0}', secondsText(reply.firstTokenMs)));
  }
  const speed = tokensPerSecond(reply);
  if (speed !== undefined) {
    facts.push(l10n.t('{0} tok/s', numberText(speed < 10 ? oneDecimal(speed) : Math.round(speed))));
  }
  const cost = knownCost(reply);
  facts.push(
    cost === undefined
      ? l10n.t('cost unknown')
      : l10n.t({
          message: 'cost {0} ({1})',
          args: [costText(cost), sourceText(cost.source)],
          comment: ['An amount of money, and how it is known'],
        }),
  );
  if (reply.finishReason !== undefined && reply.finishReason !== 'stop') {
    facts.push(l10n.t('finish reason {0}', reply.finishReason));
  }
  return facts;
}

/** Says that an answer is or has a picture; undefined if there is none. */
export function pictureText({ text, hasPicture }: Reply): string | undefined {
  if (hasPicture && text.trim() === '') {
    return l10n.t("This answer is a picture, which Ask Model can't show yet.");
  }
  return hasPicture || /!\[[^\]]{0,200}\]\(<?data:image\//.test(text) ? hasPictureText() : undefined;
}

/** The gateway's request id, if it sent one; undefined for a reply with a problem, whose card shows it already. */
export function shownRequestId({ requestId, problem }: Reply): string | undefined {
  return problem === undefined ? requestId : undefined;
}

/** Undefined for a reply that streamed too briefly for a meaningful speed, such as one that came in one piece. */
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

/** `40 ms`, `0.6 s`, `12 s`. */
export function secondsText(ms: number): string {
  if (ms < 100) {
    return l10n.t('{0} ms', numberText(Math.round(ms)));
  }
  const seconds = ms / 1_000;
  return l10n.t('{0} s', numberText(ms < 9_950 ? oneDecimal(seconds) : Math.round(seconds)));
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}

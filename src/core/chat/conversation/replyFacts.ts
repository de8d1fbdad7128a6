import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import { picturesIn } from '../../base/pictures.ts';
import { isUnsent } from '../../errors/gatewayProblem.ts';
import { costText, exactCostText, knownCost, sourceText } from '../../reply/cost.ts';
import { hasPictureText } from '../../reply/finishReason.ts';
import { isRunning, type Reply } from './conversation.ts';

/** What is known of a finished reply. */
export type ReplyFacts = {
  /** For the line under it, what decides first. Empty for a reply without figures whose card says how it failed. */
  readonly line: readonly string[];
  /** Everything, with exact amounts. */
  readonly details: readonly string[];
};

/** Usage and cost are the gateway's own figures; those it did not report are called unknown, never shown as 0. */
export function replyFacts(reply: Reply): ReplyFacts {
  if (isRunning(reply) || reply.isUnsent || (reply.problem && isUnsent(reply.problem))) {
    return { line: [], details: [] };
  }
  const { usage = {}, state, firstTokenMs, totalMs, finishReason, requestId } = reply;
  const cost = knownCost(reply);
  const { promptTokens: input, cachedTokens: cached, completionTokens: output, reasoningTokens: reasoning } = usage;
  const hasTokens = (input ?? output) !== undefined;
  const hasFigures = hasTokens || cost !== undefined || state !== 'failed';
  const speed = tokensPerSecond(reply);
  const inText = input !== undefined && l10n.t('{0} in', numberText(input));
  const outText = output !== undefined && l10n.t('{0} out', numberText(output));
  const unreported = !hasTokens && l10n.t('usage not reported');
  const time = totalMs !== undefined && secondsText(totalMs);
  return {
    line: shown(
      hasFigures && (cost ? costText(cost) : l10n.t('cost unknown')),
      inText,
      outText,
      hasFigures && unreported,
      hasFigures && time,
      cost && sourceText(cost.source),
    ),
    details: shown(
      cost
        ? l10n.t({
            message: 'cost {0} ({1})',
            args: [exactCostText(cost), sourceText(cost.source)],
            comment: ['An amount of money, and how it is known'],
          })
        : hasFigures && l10n.t('cost unknown'),
      cached ? l10n.t('{0} in ({1} cached)', numberText(input ?? 0), numberText(cached)) : inText,
      reasoning ? l10n.t('{0} out ({1} reasoning)', numberText(output ?? 0), numberText(reasoning)) : outText,
      hasFigures && unreported,
      time,
      firstTokenMs !== undefined && l10n.t('first token {0}', secondsText(firstTokenMs)),
      speed !== undefined && l10n.t('{0} tok/s', numberText(speed < 10 ? oneDecimal(speed) : Math.round(speed))),
      finishReason !== undefined && l10n.t('finish reason {0}', finishReason),
      requestId !== undefined && l10n.t('request {0}', requestId),
    ),
  };
}

function shown(...facts: readonly (string | false | undefined)[]): string[] {
  return facts.filter((fact) => typeof fact === 'string');
}

/** Says that an answer is or has a picture that can't be shown; undefined if there is none. */
export function pictureText({ text, hasPicture }: Reply): string | undefined {
  return (hasPicture && picturesIn(text).length === 0) || /!\[[^\]]{0,200}\]\(<?data:image\//.test(text)
    ? hasPictureText()
    : undefined;
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

import * as l10n from '@vscode/l10n';
import { sentences } from '../base/localization.ts';
import { type Advice, adviceText } from '../errors/advice.ts';
import { type GatewayProblem, mayBeCharged, type ProblemKind } from '../errors/gatewayProblem.ts';
import { finishKind } from '../reply/replyOutcome.ts';
import type { LanguageReply } from './languageReply.ts';

/** A failure as reported to another extension; the codes are those of `vscode.LanguageModelError`. */
export type ReplyFailure = {
  readonly code?: 'NotFound' | 'NoPermissions' | 'Blocked';
  readonly message: string;
};

const codes: Partial<Record<ProblemKind, NonNullable<ReplyFailure['code']>>> = {
  modelUnknown: 'NotFound',
  keyRejected: 'NoPermissions',
  keyExpired: 'NoPermissions',
  keyDisabled: 'NoPermissions',
  accessDenied: 'NoPermissions',
  modelDenied: 'NoPermissions',
  secretStore: 'NoPermissions',
  keyExhausted: 'Blocked',
  balanceEmpty: 'Blocked',
  rateLimited: 'Blocked',
  contentFiltered: 'Blocked',
  limitReached: 'Blocked',
  limitUnchecked: 'Blocked',
};

/**
 * Makes the failure to throw after a reply, with the same text as in the panel. A reply that reached its length limit
 * is not a failure: its text is usable, and the API has no field for the limit.
 *
 * @returns undefined when the reply is complete or was stopped.
 */
export function replyFailure(
  { outcome, problem, finishReason, brokenCall, requestId, usage, hasArrived = false }: LanguageReply,
  advise: (problem: GatewayProblem, hasArrived: boolean) => Advice,
): ReplyFailure | undefined {
  const request = requestId ?? problem?.requestId;
  const evidence = request === undefined ? undefined : l10n.t('Request ID: {0}.', request);
  if (brokenCall !== undefined) {
    const why =
      brokenCall === ''
        ? l10n.t('The model called a tool, but the gateway sent no name of it.')
        : finishKind(finishReason) === 'limit'
          ? l10n.t('The answer reached its length limit in the middle of a call to the tool {0}.', brokenCall)
          : l10n.t("The model called the tool {0} with arguments that aren't a JSON object.", brokenCall);
    const effect = l10n.t('No tool was called. The text of the call is at the end of the answer.');
    return { message: sentences(why, effect, evidence) };
  }
  if (outcome === 'complete' || outcome === 'stopped') {
    return undefined;
  }
  const found: GatewayProblem = problem ?? { kind: 'cut' };
  const code = codes[found.kind];
  const { title, remedy } = advise(found, hasArrived);
  const text = adviceText({ title, remedy: found.kind === 'usageOptionRejected' ? usageRemedy() : remedy });
  const isPaid = mayBeCharged(found, hasArrived || usage !== undefined);
  const charge = isPaid && l10n.t('The gateway may have charged for this call.');
  const words = found.words && found.words !== title && l10n.t('Gateway message: {0}', found.words);
  return {
    code,
    message: sentences(text, charge, evidence, words),
  };
}

function usageRemedy(): string {
  return l10n.t("This option requests token counts. The next request with this connection won't use it.");
}

import type { Advice } from '../errors/advice.ts';
import type { GatewayProblem, ProblemKind } from '../errors/gatewayProblem.ts';
import { mayBeCharged } from '../errors/mayBeCharged.ts';
import { isLengthLimit } from '../reply/replyOutcome.ts';
import type { LanguageReply } from './languageReply.ts';

/** How a failure is told to another extension; the codes are those of `vscode.LanguageModelError`. */
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
};

/**
 * What to throw after a reply, in the words a person would read in the panel. A reply that reached its length limit is
 * none: the interface has no word for it, and the text is good.
 *
 * @returns undefined when it ended well; a stopped one is not asked for.
 */
export function replyFailure(
  { outcome, problem, finishReason, brokenCall, requestId, usage, hasArrived = false }: LanguageReply,
  advise: (problem: GatewayProblem, hasArrived: boolean) => Advice,
): ReplyFailure | undefined {
  const request = requestId ?? problem?.requestId;
  const evidence = request === undefined ? '' : ` Request id: ${request}.`;
  if (brokenCall !== undefined) {
    const why = isLengthLimit(finishReason)
      ? `The reply reached its length limit in the middle of a call of the tool ${brokenCall}.`
      : `The model called the tool ${brokenCall} with arguments that are not a JSON object.`;
    return { message: `${why} Nothing was called; what it wrote stands at the end of the reply.${evidence}` };
  }
  if (outcome === 'complete' || outcome === 'stopped') {
    return undefined;
  }
  const found: GatewayProblem = problem ?? { kind: 'cut' };
  const code = codes[found.kind];
  const { title, remedy } = advise(found, hasArrived);
  const words = found.words && found.words !== title ? ` The gateway’s words: ${found.words}` : '';
  const isPaid = mayBeCharged(found, hasArrived || usage !== undefined);
  const charge = isPaid && !/charge/.test(remedy) ? ' The gateway may have charged for this call.' : '';
  return {
    ...(code && { code }),
    message: `${title}. ${found.kind === 'usageOptionRejected' ? usageRemedy : remedy}${charge}${words}${evidence}`,
  };
}

const usageRemedy = 'It asks for the token counts of a reply. The next request to this connection goes without it.';

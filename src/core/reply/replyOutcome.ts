import { type AnswerFacts, classify, evidenceOf } from '../errors/classify.ts';
import type { GatewayProblem } from '../errors/gatewayProblem.ts';
import { isRedirect } from '../errors/redirect.ts';
import { webPageProblem } from '../errors/webPage.ts';

/** What a reader knows about an answer once its body has ended. */
export type ReplyFacts = {
  readonly answer: AnswerFacts;
  /** An error read from the body. */
  readonly problem: GatewayProblem | undefined;
  readonly finishReason: string | undefined;
  readonly refusal: string | undefined;
  readonly hasText: boolean;
  readonly hasReasoning: boolean;
  readonly hasToolCalls: boolean;
  /** The answer was one whole completion, not chunks. */
  readonly isWhole: boolean;
  readonly isHtml: boolean;
  /** Start of the body. */
  readonly head: string;
  /** Number of events with readable data. */
  readonly payloads: number;
  /** Number of events whose data was not JSON. */
  readonly unread: number;
  /** Start of the first event whose data was not JSON. */
  readonly firstUnread: string;
  /** A document had `choices`, which only completions have. */
  readonly hasChoices: boolean;
  /** The body ended within a JSON document. */
  readonly endedInside: boolean;
};

/** How a reply ended. `incomplete`: text without a proper end. `failed`: an error, or nothing to show. */
export type ReplyOutcome = {
  readonly outcome: 'complete' | 'incomplete' | 'failed';
  readonly problem?: GatewayProblem;
};

/**
 * Decides by the body and not by the status (service section 7): an error is a failure, a usable completion with a
 * finish reason is a success, text without a finish reason was cut.
 */
export function replyOutcome(facts: ReplyFacts): ReplyOutcome {
  const { answer, problem, finishReason, refusal } = facts;
  if (problem) {
    return { outcome: 'failed', problem };
  }
  const evidence = evidenceOf({}, answer);
  const isUsable = facts.hasText || facts.hasToolCalls;
  if (finishReason === 'error') {
    return { outcome: 'failed', problem: { kind: 'gatewayDown', ...evidence } };
  }
  if (finishReason === 'insufficient_system_resource') {
    return { outcome: isUsable ? 'incomplete' : 'failed', problem: { kind: 'gatewayDown', ...evidence } };
  }
  if (finishReason === 'content_filter' || (refusal !== undefined && !isUsable)) {
    const words = refusal === undefined ? {} : evidenceOf({ message: refusal }, answer);
    return {
      outcome: isUsable ? 'incomplete' : 'failed',
      problem: { kind: 'contentFiltered', ...evidence, ...words },
    };
  }
  if (isUsable) {
    return finishReason !== undefined || facts.isWhole
      ? { outcome: 'complete' }
      : { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
  }
  if (facts.hasReasoning && finishReason === undefined) {
    return { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
  }
  return { outcome: 'failed', problem: withoutText(facts) };
}

/** Why there is no text: an error in plain text, a web page, an empty body, or a body that isn't a completion. */
function withoutText(facts: ReplyFacts): GatewayProblem {
  const { answer, payloads } = facts;
  if (facts.isHtml) {
    return webPageProblem(facts.head, answer);
  }
  const head = facts.head.trim();
  const evidence = evidenceOf({}, answer);
  if (head === '' && isRedirect(answer)) {
    return { kind: 'redirected', target: '', reason: 'nowhere', ...evidence };
  }
  if (answer.status >= 400) {
    return classify(head === '' || payloads > 0 ? {} : { message: head }, answer);
  }
  // The answer may have been paid for, so the problem shows as much of it as possible.
  const withWords = evidenceOf({ message: head }, answer);
  if (facts.endedInside && payloads === 0) {
    return { kind: 'cut', ...withWords };
  }
  if (facts.unread > 0 && payloads === 0) {
    return {
      kind: 'unreadable',
      detail: 'notJson',
      isDamaged: true,
      ...evidenceOf({ message: facts.firstUnread }, answer),
    };
  }
  if (facts.hasReasoning && isLengthLimit(facts.finishReason)) {
    return { kind: 'emptyReply', isAllReasoning: true, ...evidence };
  }
  const isOther = payloads > 0 && !facts.hasChoices && /^[{[]/.test(head);
  if (head === '' || (payloads > 0 && !isOther) || facts.finishReason !== undefined || facts.hasReasoning) {
    return { kind: 'emptyReply', ...evidence };
  }
  // A body with nothing but comments and empty events is an empty reply too.
  const saysNothing = head.split(/\r\n|\r|\n/).every((line) => /^\s*(?::|data:\s*$|event:|id:|retry:|$)/.test(line));
  return saysNothing
    ? { kind: 'emptyReply', ...evidence }
    : { kind: 'unreadable', detail: 'notCompletion', ...withWords };
}

/** Whether a reply ended at its length limit. */
export function isLengthLimit(finishReason: string | undefined): boolean {
  return finishReason === 'length' || finishReason === 'MAX_TOKENS';
}

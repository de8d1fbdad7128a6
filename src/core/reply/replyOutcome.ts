import { type AnswerFacts, classify, evidenceOf } from '../errors/classify.ts';
import type { GatewayProblem } from '../errors/gatewayProblem.ts';
import { isRedirect } from '../errors/redirect.ts';
import { webPageProblem } from '../errors/webPage.ts';

/** All that a reader knows of an answer when its body is over. */
export type ReplyFacts = {
  readonly answer: AnswerFacts;
  /** An error that was read. */
  readonly problem: GatewayProblem | undefined;
  readonly finishReason: string | undefined;
  readonly refusal: string | undefined;
  readonly hasText: boolean;
  readonly hasReasoning: boolean;
  readonly hasToolCalls: boolean;
  /** It came as one whole completion and not in chunks. */
  readonly isWhole: boolean;
  readonly isHtml: boolean;
  /** Start of the body. */
  readonly head: string;
  /** Events with data that could be read, and events that could not. */
  readonly payloads: number;
  readonly unread: number;
  /** The beginning of the first event that could not be read. */
  readonly firstUnread: string;
  /** A document had choices, as only a completion has. */
  readonly hasChoices: boolean;
  /** The body ended inside of a document. */
  readonly endedInside: boolean;
};

/** How a reply ended. `incomplete` has text and no good end; `failed` has an error, or nothing to show. */
export type ReplyOutcome = {
  readonly outcome: 'complete' | 'incomplete' | 'failed';
  readonly problem?: GatewayProblem;
};

/**
 * Decides by what came and not by the status (service.md section 7): an error is a failure, a usable completion with a
 * reason for its end is a success, text without one was cut.
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

/** Why there is no text at all: an error in plain words, a web page, nothing, or something that is no answer. */
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
  // It may have been paid for, so what can be shown of it is.
  const withWords = evidenceOf({ message: head }, answer);
  if (facts.endedInside && payloads === 0) {
    return { kind: 'cut', ...withWords };
  }
  if (facts.unread > 0 && payloads === 0) {
    return {
      kind: 'unreadable',
      detail: 'JSON with a mistake in it',
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
  // Comments alone are an empty reply too.
  const saysNothing = head.split(/\r\n|\r|\n/).every((line) => /^\s*(?::|data:\s*$|event:|id:|retry:|$)/.test(line));
  return saysNothing
    ? { kind: 'emptyReply', ...evidence }
    : { kind: 'unreadable', detail: 'no chat completion', ...withWords };
}

/** Whether a reply ended because it may not be longer. */
export function isLengthLimit(finishReason: string | undefined): boolean {
  return finishReason === 'length' || finishReason === 'MAX_TOKENS';
}

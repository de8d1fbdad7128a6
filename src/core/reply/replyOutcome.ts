import * as l10n from '@vscode/l10n';
import { type AnswerFacts, classify, evidenceOf } from '../errors/classify.ts';
import type { GatewayProblem } from '../errors/gatewayProblem.ts';
import { isRedirect } from '../errors/redirect.ts';
import { webPageProblem } from '../errors/webPage.ts';
import type { ReplyContent } from './replyContent.ts';

/** What is known about the body of an answer once it has ended, besides its content. */
export type ReplyBody = {
  /** An error read from the body. */
  readonly problem: GatewayProblem | undefined;
  /** The finish reason proves nothing: more content followed it, and its end did not come. */
  readonly isCut: boolean;
  readonly isHtml: boolean;
  /** Start of the body. */
  readonly head: string;
  /** Number of events with readable data. */
  readonly payloads: number;
  /** Start of the first event whose data was not JSON, and not read otherwise. */
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
export function replyOutcome(answer: AnswerFacts, content: ReplyContent, body: ReplyBody): ReplyOutcome {
  const { finishReason, refusal } = content;
  if (body.problem) {
    return { outcome: 'failed', problem: body.problem };
  }
  const evidence = evidenceOf({}, answer);
  const isUsable = content.hasText || content.hasToolCalls || content.hasPicture;
  const outcome = isUsable ? 'incomplete' : 'failed';
  const finish = finishKind(finishReason);
  if (body.isCut) {
    return { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
  }
  if (finish === 'failure') {
    return { outcome, problem: { kind: 'gatewayDown', ...evidenceOf({ code: finishReason ?? '' }, answer) } };
  }
  if (finish === 'filter' || refusal !== undefined) {
    const words = refusal === undefined ? {} : evidenceOf({ message: refusal }, answer);
    return {
      outcome,
      problem: { kind: 'contentFiltered', ...(refusal !== undefined && { isRefusal: true }), ...evidence, ...words },
    };
  }
  if (isUsable) {
    return finish !== undefined || content.isWhole
      ? { outcome: 'complete' }
      : { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
  }
  if (content.hasReasoning && finishReason === undefined) {
    return { outcome: 'incomplete', problem: { kind: 'cut', ...evidence } };
  }
  return { outcome: 'failed', problem: withoutText(answer, content, body) };
}

/** Says that there is a hole in the answer. */
export function unreadText(): string {
  return l10n.t("A part of this answer couldn't be read.");
}

/** Says that the answer has a picture that can't be shown, because it is no data of one, or not passed on. */
export function hasPictureText(): string {
  return l10n.t("This answer has a picture, which Ask Model can't show here.");
}

/** Why there is no text: an error in plain text, a web page, an empty body, or a body that isn't a completion. */
function withoutText(
  answer: AnswerFacts,
  { finishReason, hasReasoning }: ReplyContent,
  { isHtml, payloads, firstUnread, hasChoices, endedInside, head: start }: ReplyBody,
): GatewayProblem {
  if (isHtml) {
    return webPageProblem(start, answer);
  }
  const head = start.trim();
  const evidence = evidenceOf({}, answer);
  if (head === '' && isRedirect(answer)) {
    return { kind: 'redirected', target: '', ...evidence };
  }
  if (answer.status >= 400) {
    return classify(head === '' || payloads > 0 ? {} : { message: head }, answer);
  }
  // The answer may have been paid for, so the problem shows as much of it as possible.
  const withWords = evidenceOf({ message: head }, answer);
  if (endedInside && payloads === 0) {
    return { kind: 'cut', ...withWords };
  }
  if (hasReasoning && finishKind(finishReason) === 'limit') {
    return { kind: 'emptyReply', isAllReasoning: true, ...evidence };
  }
  if (firstUnread !== '') {
    return { kind: 'unreadable', isDamaged: true, ...evidenceOf({ message: firstUnread }, answer) };
  }
  const isOther = payloads > 0 && !hasChoices && /^[{[]/.test(head);
  if (head === '' || (payloads > 0 && !isOther) || finishReason !== undefined || hasReasoning) {
    return { kind: 'emptyReply', ...evidence };
  }
  // A body with nothing but comments and empty events is an empty reply too.
  const saysNothing = head.split(/\r\n|\r|\n/).every((line) => /^\s*(?::|data:\s*$|event:|id:|retry:|$)/.test(line));
  return saysNothing ? { kind: 'emptyReply', ...evidence } : { kind: 'unreadable', ...withWords };
}

/**
 * What a finish reason means. `limit`: the answer reached a limit of tokens; `pause`: the model stops before it has
 * finished; `failure`: of the model or of something before it.
 */
export type FinishKind = 'complete' | 'limit' | 'filter' | 'pause' | 'failure' | 'unknown';

/** Finish reasons of OpenAI, Anthropic, Gemini, Bedrock, Mistral, DeepSeek, Zhipu and gateways, in lower case (wire 1.2). */
const finishKinds: readonly (readonly [FinishKind, RegExp])[] = [
  [
    'complete',
    /^(?:stop(?:ped|_sequence)?|end(?:_turn)?|eos(?:_token)?|completed?|done|finished|success|tool_calls?|tool_use|function_call)$/,
  ],
  [
    'limit',
    /^(?:(?:max_)?length|error_limit|max_(?:output_|completion_)?tokens|token_limit|model_length|(?:model_)?context_(?:length|window)(?:_exceeded)?)$/,
  ],
  [
    'filter',
    /^(?:content_filter(?:ed)?|content_policy_violation|filtered|(?:image_)?(?:safety|recitation|prohibited_content)|blocklist|spii|refusal|sensitive|guardrails?(?:_intervened)?|model_armor|error_toxic)$/,
  ],
  ['pause', /^(?:pause(?:_turn)?|max_turns)$/],
  [
    'failure',
    /^(?:(?:network_|server_)?error|malformed_\w+|unexpected_tool_call|too_many_tool_calls|missing_thought_signature|insufficient_system_resource|language|no_image|(?:image_)?other|abort(?:ed)?|(?:user_)?cancel(?:l?ed)?|timeout|repetition_truncation|failed)$/,
  ],
];

/** The one table for what ends an answer. @returns undefined without a finish reason. */
export function finishKind(reason: string | undefined): FinishKind | undefined {
  const name = reason
    ?.trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_')
    .replace(/^finish_?reason_/, '');
  return name === undefined ? undefined : (finishKinds.find(([, reasons]) => reasons.test(name))?.[0] ?? 'unknown');
}

import * as l10n from '@vscode/l10n';

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
    /^(?:(?:network_|server_)?error(?:_finish)?|malformed_\w+|unexpected_tool_call|too_many_tool_calls|missing_thought_signature|insufficient_system_resource|language|no_image|(?:image_)?other|abort(?:ed)?|(?:user_)?cancel(?:l?ed)?|timeout|repetition_truncation|failed)$/,
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

/** Says that there is a hole in the answer. */
export function unreadText(): string {
  return l10n.t("A part of this answer couldn't be read.");
}

/** Says that the answer has a picture that can't be shown, because it is no data of one, or not passed on. */
export function hasPictureText(): string {
  return l10n.t("This answer has a picture, which Ask Model can't show here.");
}

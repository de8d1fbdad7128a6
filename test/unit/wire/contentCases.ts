import { brokenOff, type ChatCase, complete, failed, incomplete } from './chatCase.ts';

const counted = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
const reasoningText = 'Let me count the words.';
/** Model and usage are reported although there is no text. */
const modelAndUsage = { model: 'same', usage: 'same' } as const;

/** Faults in the content of a stream (Q26–Q36, wire 1.2 to 1.4). */
export const contentCases: readonly ChatCase[] = [
  ...[
    'odd-choices',
    'two-choices',
    'choice-from-one',
    'role-every-chunk',
    'role-null',
    'message-for-delta',
    'odd-key-order',
    'extra-fields',
    'finish-without-delta',
    'finish-null-delta',
    'no-ids',
    'finish-needs-usage',
    'usage-every-chunk',
    'usage-then-text',
    'usage-with-finish',
    'usage-null-chunks',
    'usage-repeats-finish',
    'usage-in-x-groq',
    'error-null',
    'error-false',
    'error-blank',
    'error-empty-beside',
    'id-other-header',
  ].map((fault) => ({ fault, expected: complete() })),
  {
    fault: 'cost-header',
    expected: complete({ usage: { promptTokens: 11, completionTokens: 107, totalTokens: 118, cost: 0.00042 } }),
  },
  { fault: 'no-text', expected: failed('emptyReply', {}, { finishReason: 'stop', model: 'same', usage: 'same' }) },
  {
    fault: 'content-filter',
    expected: incomplete('contentFiltered', { finishReason: 'content_filter', usage: 'same' }),
  },
  {
    fault: 'only-reasoning',
    expected: failed(
      'emptyReply',
      { isAllReasoning: true },
      { reasoning: ({ text }) => text, finishReason: 'length', ...modelAndUsage },
    ),
  },
  { fault: 'clean-end-without-finish', also: 'Q71', expected: incomplete('cut', { text: 'whole' }) },
  { fault: 'nothing-after-role', also: 'Q25', expected: failed('emptyReply', {}, { model: 'same' }) },
  { fault: 'error-first-event', expected: failed('gatewayDown', { words: 'Upstream provider error' }) },
  { fault: 'error-mid-stream', expected: brokenOff('gatewayDown', { words: 'Upstream provider error' }) },
  { fault: 'error-mid-stream:20', expected: brokenOff('gatewayDown', { words: 'Upstream provider error' }) },
  {
    fault: 'error-in-choice',
    also: 'Q31 Q32',
    expected: brokenOff('gatewayDown', { words: 'Provider disconnected', code: '502' }, { finishReason: 'error' }),
  },
  {
    fault: 'finish-error',
    expected: incomplete('gatewayDown', { text: 'whole', finishReason: 'error', usage: 'same' }),
  },
  { fault: 'error-as-text', expected: failed('gatewayTimedOut', { words: 'upstream timed out' }) },
  { fault: 'error-dropped', also: 'Q28', expected: failed('emptyReply') },
  { fault: 'error-as-content', expected: complete({ text: () => 'Error: upstream timed out' }) },
  { fault: 'no-choices', also: 'Q28', expected: failed('emptyReply', {}, { model: 'same', usage: counted }) },
  { fault: 'choices-null', also: 'Q28', expected: failed('emptyReply', {}, modelAndUsage) },
  { fault: 'finish-empty', expected: incomplete('cut', { text: 'whole', usage: 'same' }) },
  {
    fault: 'finish-resource',
    expected: incomplete('gatewayDown', { text: 'whole', usage: 'same', finishReason: 'insufficient_system_resource' }),
  },
  {
    fault: 'refusal-field',
    also: 'Q26',
    expected: failed('contentFiltered', { words: /^I am/ }, { finishReason: 'stop', ...modelAndUsage }),
  },
  ...(['length', 'MAX_TOKENS', 'end_turn'] as const).map((finishReason, index) => ({
    fault: ['length-finish', 'finish-max-tokens', 'odd-finish-reason'][index] ?? '',
    expected: complete({ finishReason }),
  })),
  { fault: 'reasoning-both', expected: complete({ reasoning: reasoningText }) },
  { fault: 'reasoning-field', expected: complete({ reasoning: reasoningText }) },
  { fault: 'role-late', also: 'Q33', expected: complete({ reasoning: 'Let me count.' }) },
  { fault: 'think-tags', expected: complete({ reasoning: `\n${reasoningText}\n` }) },
  { fault: 'content-parts', expected: complete({ reasoning: reasoningText }) },
  {
    fault: 'content-parts',
    also: 'Q23',
    body: { stream: false, stream_options: undefined },
    expected: complete({ reasoning: reasoningText }),
  },
  { fault: 'no-done', also: 'Q33', model: 'deepseek-reasoner', expected: complete() },
  { fault: 'usage-never', expected: complete({ usage: undefined }) },
  { fault: 'usage-zero', also: 'Q27', expected: complete({ usage: counted }) },
  { fault: 'cumulative', expected: complete() },
];

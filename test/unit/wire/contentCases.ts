import { brokenOff, type ChatCase, complete, failed, incomplete } from './chatCase.ts';

const counted = { promptTokens: 0, completionTokens: 0, totalTokens: 0 };
const thought = 'Let me count the words.';
/** The gateway said who answered and what was counted, although there is no text. */
const spent = { model: 'same', usage: 'same' } as const;

/** What the stream says (Q26–Q36, sections 1.2 to 1.4). */
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
  ].map((fault) => ({ fault, made: complete() })),
  {
    fault: 'cost-header',
    made: complete({ usage: { promptTokens: 11, completionTokens: 107, totalTokens: 118, cost: 0.00042 } }),
  },
  { fault: 'no-text', made: failed('emptyReply', {}, { finishReason: 'stop', model: 'same', usage: 'same' }) },
  {
    fault: 'content-filter',
    made: incomplete('contentFiltered', { finishReason: 'content_filter', usage: 'same' }),
  },
  {
    fault: 'only-reasoning',
    made: failed(
      'emptyReply',
      { isAllReasoning: true },
      { reasoning: ({ text }) => text, finishReason: 'length', ...spent },
    ),
  },
  { fault: 'clean-end-without-finish', also: 'Q71', made: incomplete('cut', { text: 'whole' }) },
  { fault: 'nothing-after-role', also: 'Q25', made: failed('emptyReply', {}, { model: 'same' }) },
  { fault: 'error-first-event', made: failed('gatewayDown', { words: 'Upstream provider error' }) },
  { fault: 'error-mid-stream', made: brokenOff('gatewayDown', { words: 'Upstream provider error' }) },
  { fault: 'error-mid-stream:20', made: brokenOff('gatewayDown', { words: 'Upstream provider error' }) },
  {
    fault: 'error-in-choice',
    also: 'Q31 Q32',
    made: brokenOff('gatewayDown', { words: 'Provider disconnected', code: '502' }, { finishReason: 'error' }),
  },
  {
    fault: 'finish-error',
    made: brokenOff('gatewayDown', {}, { text: 'whole', finishReason: 'error', usage: 'same' }),
  },
  { fault: 'error-as-text', made: failed('gatewayTimedOut', { words: 'upstream timed out' }) },
  { fault: 'error-dropped', also: 'Q28', made: failed('emptyReply') },
  { fault: 'error-as-content', made: complete({ text: () => 'Error: upstream timed out' }) },
  { fault: 'no-choices', also: 'Q28', made: failed('emptyReply', {}, { model: 'same', usage: counted }) },
  { fault: 'choices-null', also: 'Q28', made: failed('emptyReply', {}, spent) },
  { fault: 'finish-empty', made: incomplete('cut', { text: 'whole', usage: 'same' }) },
  {
    fault: 'finish-resource',
    made: incomplete('gatewayDown', { text: 'whole', usage: 'same', finishReason: 'insufficient_system_resource' }),
  },
  {
    fault: 'refusal-field',
    also: 'Q26',
    made: failed('contentFiltered', { words: /^I am/ }, { finishReason: 'stop', ...spent }),
  },
  ...(['length', 'MAX_TOKENS', 'end_turn'] as const).map((finishReason, index) => ({
    fault: ['length-finish', 'finish-max-tokens', 'odd-finish-reason'][index] ?? '',
    made: complete({ finishReason }),
  })),
  { fault: 'reasoning-both', made: complete({ reasoning: thought }) },
  { fault: 'reasoning-field', made: complete({ reasoning: thought }) },
  { fault: 'role-late', also: 'Q33', made: complete({ reasoning: 'Let me count.' }) },
  { fault: 'think-tags', made: complete({ reasoning: `\n${thought}\n` }) },
  { fault: 'content-parts', made: complete({ reasoning: thought }) },
  {
    fault: 'content-parts',
    also: 'Q23',
    asked: { stream: false, stream_options: undefined },
    made: complete({ reasoning: thought }),
  },
  { fault: 'no-done', also: 'Q33', model: 'deepseek-reasoner', made: complete() },
  { fault: 'usage-never', made: complete({ usage: undefined }) },
  { fault: 'usage-zero', also: 'Q27', made: complete({ usage: counted }) },
  { fault: 'cumulative', made: complete() },
];

import { brokenOff, type ChatCase, complete, failed, incomplete } from './chatCase.ts';

const reasoningText = 'Let me count the words.';

/** Faults in the content of a stream (Q26–Q36); test/unit/core/reply reads all other forms (wire 1.2 to 1.4). */
export const contentCases: readonly ChatCase[] = [
  ...['odd-choices', 'no-ids', 'finish-needs-usage', 'usage-every-chunk', 'id-other-header'].map((fault) => ({
    fault,
    expected: complete(),
  })),
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
      { reasoning: ({ text }) => text, finishReason: 'length', model: 'same', usage: 'same' },
    ),
  },
  { fault: 'clean-end-without-finish', also: 'Q71', expected: incomplete('cut', { text: 'whole' }) },
  { fault: 'error-first-event', expected: failed('gatewayDown', { words: 'Upstream provider error' }) },
  { fault: 'error-mid-stream', expected: brokenOff('gatewayDown', { words: 'Upstream provider error' }) },
  { fault: 'error-mid-stream:20', expected: brokenOff('gatewayDown', { words: 'Upstream provider error' }) },
  {
    fault: 'finish-error',
    expected: incomplete('gatewayDown', { text: 'whole', finishReason: 'error', usage: 'same' }),
  },
  { fault: 'reasoning-field', expected: complete({ reasoning: reasoningText }) },
  { fault: 'think-tags', expected: complete({ reasoning: `\n${reasoningText}\n` }) },
  { fault: 'content-parts', expected: complete({ reasoning: reasoningText }) },
  {
    fault: 'content-parts',
    also: 'Q23',
    body: { stream: false, stream_options: undefined },
    expected: complete({ reasoning: reasoningText }),
  },
  {
    fault: 'picture',
    expected: complete({ text: ({ text }) => text.replace(/^\S+/, '$&\n\n![](*.png)\n\n') }),
  },
  { fault: 'no-done', also: 'Q33', model: 'deepseek-reasoner', expected: complete() },
  { fault: 'usage-never', expected: complete({ usage: undefined }) },
  { fault: 'cumulative', expected: complete() },
];

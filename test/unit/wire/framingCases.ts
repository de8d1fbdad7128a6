import { brokenOff, type ChatCase, complete, failed, incomplete } from './chatCase.ts';

/** Faults in the framing of a stream (Q1–Q25). */
export const framingCases: readonly ChatCase[] = [
  ...[
    'mixed-line-ends',
    'crlf-split',
    'bom',
    'comments',
    'no-space-after-data',
    'no-done',
    'data-after-done',
    'multi-line-data',
    'ndjson',
    'event-fields',
    'empty-events',
    'malformed-event',
    'two-objects-in-one-event',
    'byte-by-byte',
    'stream-labelled-json',
    'stream-unlabelled',
    'json-labelled-stream',
    'json-for-stream',
    'open-after-done',
    'all-at-once',
  ].map((fault) => ({ fault, expected: complete() })),
  { fault: 'done-without-finish', expected: incomplete('cut', { text: 'whole', usage: 'same' }) },
  { fault: 'no-last-newline', also: 'Q6', expected: complete({ usage: undefined }) },
  { fault: 'error-as-field', also: 'Q31', expected: brokenOff('gatewayDown', { words: 'slot unavailable' }) },
  {
    fault: 'only-malformed',
    expected: failed('unreadable'),
  },
  {
    fault: 'split-characters',
    expected: complete({ text: ({ text }) => `I\nnaïve 漢字 \u{1f98a}\n\n${text.slice(1)}` }),
  },
  { fault: 'huge-event', expected: incomplete('tooLarge', { problem: { limitBytes: 32 * 1024 * 1024 } }) },
  // The gateway sends one delta twice.
  { fault: 'huge-event:30', expected: complete({ text: ({ text }) => text.replace(' V3.2** as the', '$&$&') }) },
  { fault: 'split-surrogates', expected: complete({ text: ({ text }) => `${text}\u{1f98a}` }) },
  { fault: 'stream-for-plain', body: { stream: false, stream_options: undefined }, expected: complete() },
  { fault: 'empty-200', expected: failed('emptyReply', { status: 200 }) },
  { fault: 'empty-stream-200', expected: failed('emptyReply', { status: 200 }) },
];

import { type ChatCase, complete, type Expected, failed, incomplete } from './chatCase.ts';

const anyRequestId = { requestId: undefined } as const;

/** A chat request is never sent to the target of a redirect (Q60, Q61, Q80). */
function redirected(fault: string, status: number, target: RegExp, also?: string): ChatCase {
  const expected: Expected = failed('redirected', { status, target }, anyRequestId);
  return { fault, expected, also };
}

const here = String.raw`^https?://127\.0\.0\.1:\d+/fault/`;

/** Faults of the connection (Q60–Q80). A request may have been charged, so it is never sent again. */
export const transportCases: readonly ChatCase[] = [
  redirected('redirect-foreign', 307, /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/),
  redirected('redirect-other-scheme', 308, /^https:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/),
  redirected('redirect-same-origin', 307, new RegExp(`${here}redirect-same-origin/v1/chat/completions\\?moved$`)),
  redirected('redirect-loop', 307, new RegExp(`${here}redirect-loop/v1/chat/completions$`)),
  redirected('redirect-post-303', 303, new RegExp(`${here}redirect-post-303/v1/chat/completions\\?moved$`)),
  redirected('captive-portal', 302, /^http:\/\/sign-in\.invalid\/portal$/),
  { fault: 'redirect-nowhere', expected: failed('redirected', { status: 307, target: '' }) },
  {
    fault: 'proxy-407',
    expected: failed('proxy', { status: 407, cause: 'authentication', words: '407 Proxy Authentication Required' }),
  },
  { fault: 'cut-mid-stream', expected: incomplete('cut') },
  { fault: 'cut-mid-stream:5000', expected: incomplete('cut') },
  { fault: 'reset-mid-stream', expected: incomplete('cut') },
  { fault: 'reset-before-headers', expected: failed('cut', {}, anyRequestId) },
  { fault: 'closed-when-idle', expected: complete() },
  { fault: 'reset-when-reused', expected: complete() },
  { fault: 'slow:2', expected: complete() },
  { fault: 'late-headers:60', expected: complete() },
  { fault: 'late-first-event:60', expected: complete() },
  ...['gzip', 'deflate', 'br', 'zstd'].map((fault) => ({ fault, expected: complete() })),
  { fault: 'gzip-cut', also: 'Q71', expected: incomplete('cut') },
  { fault: 'gzip-lie', expected: complete() },
  { fault: 'early-hints', expected: complete() },
  { fault: 'unexpected-101', expected: failed('cut', {}, anyRequestId) },
  { fault: 'short-content-length', expected: complete() },
  { fault: 'bad-chunking', expected: incomplete('cut') },
  {
    fault: 'long-body',
    expected: failed('cut', { status: 200 }),
  },
  {
    fault: 'cut-mid-stream:300',
    also: 'Q78',
    body: { stream: false, stream_options: undefined },
    expected: failed('cut', {}),
  },
  { fault: 'blocked', expected: failed('blocked', { status: 403, words: 'Access denied | Cloudflare' }) },
  { fault: 'other-model', expected: complete({ model: 'some-other-model-v2' }) },
  { fault: 'no-ids', also: 'Q23', body: { stream: false, stream_options: undefined }, expected: complete() },
];

import { type ChatCase, complete, failed, incomplete, type Made } from './chatCase.ts';

const anywhere = { requestId: undefined } as const;

/** A question never goes where it was not sent (Q60, Q61, Q80). */
function redirected(fault: string, status: number, target: RegExp, also?: string): ChatCase {
  const made: Made = failed('redirected', { status, target }, anywhere);
  return { fault, made, ...(also !== undefined && { also }) };
}

const here = String.raw`^https?://127\.0\.0\.1:\d+/fault/`;

/** What happens to the connection (Q60–Q80); what was sent may be charged, so none of it is sent again. */
export const transportCases: readonly ChatCase[] = [
  redirected('redirect-foreign', 307, /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/),
  redirected('redirect-foreign-301', 301, /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/, 'Q61'),
  redirected('redirect-other-scheme', 308, /^https:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/),
  redirected('redirect-same-origin', 307, new RegExp(`${here}redirect-same-origin/v1/chat/completions\\?moved$`)),
  redirected('redirect-loop', 307, new RegExp(`${here}redirect-loop/v1/chat/completions$`)),
  redirected('redirect-post-301', 301, new RegExp(`${here}redirect-post-301/v1/chat/completions\\?moved$`)),
  redirected('redirect-post-303', 303, new RegExp(`${here}redirect-post-303/v1/chat/completions\\?moved$`)),
  redirected('captive-portal', 302, /^http:\/\/sign-in\.invalid\/portal$/),
  { fault: 'redirect-nowhere', made: failed('redirected', { status: 307, target: '', reason: 'nowhere' }) },
  {
    fault: 'proxy-407',
    made: failed('proxy', { status: 407, cause: 'authentication', words: '407 Proxy Authentication Required' }),
  },
  { fault: 'cut-mid-stream', made: incomplete('cut') },
  { fault: 'cut-mid-stream:5000', made: incomplete('cut') },
  { fault: 'reset-mid-stream', made: incomplete('cut') },
  { fault: 'stall-then-end:30', also: 'Q5', made: incomplete('cut') },
  { fault: 'reset-before-headers', made: failed('cut', {}, anywhere) },
  { fault: 'closed-when-idle', made: complete() },
  { fault: 'reset-when-reused', made: complete() },
  { fault: 'pings-first:5', also: 'Q3', made: complete() },
  { fault: 'blank-lines-first:5', also: 'Q73', made: complete() },
  {
    fault: 'blank-lines-first:5',
    also: 'Q23 Q73',
    asked: { stream: false, stream_options: undefined },
    made: complete(),
  },
  { fault: 'slow:2', made: complete() },
  { fault: 'late-headers:60', made: complete() },
  { fault: 'late-first-event:60', made: complete() },
  ...['gzip', 'deflate', 'br', 'zstd'].map((fault) => ({ fault, made: complete() })),
  { fault: 'gzip-cut', also: 'Q71', made: incomplete('cut') },
  { fault: 'gzip-lie', made: failed('cut', { code: 'Z_DATA_ERROR' }) },
  { fault: 'deflate-raw', made: complete() },
  { fault: 'early-hints', made: complete() },
  { fault: 'processing-102', made: complete() },
  // undici takes a 100 that nobody asked for as the end of the connection.
  { fault: 'continue-100', made: failed('cut', {}, anywhere) },
  { fault: 'unexpected-101', made: failed('cut', {}, anywhere) },
  { fault: 'short-content-length', made: complete() },
  { fault: 'bad-chunking', made: incomplete('cut') },
  {
    fault: 'long-body',
    made: failed('cut', { status: 200 }),
  },
  {
    fault: 'cut-mid-stream:300',
    also: 'Q78',
    asked: { stream: false, stream_options: undefined },
    made: failed('cut', {}),
  },
  { fault: 'blocked', made: failed('blocked', { status: 403, words: 'Access denied | Cloudflare' }) },
  { fault: 'agent-blocked', made: complete() },
  { fault: 'other-model', made: complete({ model: 'some-other-model-v2' }) },
  { fault: 'no-ids', also: 'Q23', asked: { stream: false, stream_options: undefined }, made: complete() },
];

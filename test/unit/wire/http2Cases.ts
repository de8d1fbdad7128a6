import { type ChatCase, complete, failed, incomplete } from './chatCase.ts';

const anywhere = { requestId: undefined } as const;

/** What only HTTP/2 can do (Q76). Nothing of it is sent again, also not what a GOAWAY says was not looked at. */
export const http2Cases: readonly ChatCase[] = [
  { fault: 'h2-reset-before-headers', made: failed('cut', { code: 'ERR_HTTP2_STREAM_ERROR' }, anywhere) },
  { fault: 'h2-reset-mid-stream', made: incomplete('cut') },
  { fault: 'h2-goaway-before-headers', made: failed('cut', { code: 'ERR_HTTP2_SESSION_ERROR' }, anywhere) },
  { fault: 'h2-goaway-mid-stream', made: incomplete('cut') },
  { fault: 'h2-goaway-then-all', made: complete() },
  // Over TLS the other scheme is the one that would carry everything in clear.
  {
    fault: 'redirect-other-scheme',
    also: 'Q76',
    made: failed('redirected', { status: 308, target: /^http:\/\/127\.0\.0\.1:\d+\/v1\/chat\/completions$/ }, anywhere),
  },
];

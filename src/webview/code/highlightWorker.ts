/**
 * Web worker that highlights code, so that a slow grammar does not delay the page's frames. It is bundled separately:
 * the page contains its source text and starts it.
 */
import { codeTokens } from './codeToken.ts';
import { type CodeRun, highlight } from './highlight.ts';
import type { HighlightRequest, HighlightResponse } from './highlighter.ts';

addEventListener('message', ({ data: { code, language } }: MessageEvent<HighlightRequest>) => {
  const { runs, isWhole } = highlight(code, language);
  const packed = pack(runs);
  const response: HighlightResponse = { runs: packed, isWhole };
  postMessage(response, { transfer: [packed.buffer] });
});

/** Packs each run into two numbers: its length, and the index of its token from 1 on, or 0 for plain code. */
function pack(runs: readonly CodeRun[]): Uint16Array<ArrayBuffer> {
  const packed = new Uint16Array(2 * runs.length);
  for (const [index, { text, token }] of runs.entries()) {
    packed[2 * index] = text.length;
    packed[2 * index + 1] = token === undefined ? 0 : codeTokens.indexOf(token) + 1;
  }
  return packed;
}

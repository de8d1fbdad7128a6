/**
 * Colours code beside the page, so that no grammar takes time from its frames. It is a program of its own: the page
 * holds its text and starts it.
 */
import { codeTokens } from './codeToken.ts';
import { type CodeRun, highlight } from './highlight.ts';
import type { HighlightAnswer, HighlightQuestion } from './highlighter.ts';

addEventListener('message', ({ data: { code, language } }: MessageEvent<HighlightQuestion>) => {
  const { runs, isWhole } = highlight(code, language);
  const packed = pack(runs);
  const answer: HighlightAnswer = { runs: packed, isWhole };
  postMessage(answer, { transfer: [packed.buffer] });
});

/** Two numbers a run: how long it is, and which token it is, from 1 on; 0 is plain code. */
function pack(runs: readonly CodeRun[]): Uint16Array<ArrayBuffer> {
  const packed = new Uint16Array(2 * runs.length);
  for (const [index, { text, token }] of runs.entries()) {
    packed[2 * index] = text.length;
    packed[2 * index + 1] = token === undefined ? 0 : codeTokens.indexOf(token) + 1;
  }
  return packed;
}

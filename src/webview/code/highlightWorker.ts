/**
 * Web worker that highlights code, so that a slow grammar does not delay the page's frames. It is bundled separately:
 * the page contains its source text and starts it.
 */
import { type HighlightRequest, highlight } from './highlight.ts';

addEventListener('message', ({ data: { code, language } }: MessageEvent<HighlightRequest>) => {
  postMessage(highlight(code, language));
});

/** A naive implementation: renders the whole text with markdown-it and highlight.js in each frame with new text. */
import '../../../src/webview/panel.css';
import '../../../src/webview/markdown.css';
import '../../../src/webview/code.css';
import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';

const parser = new MarkdownIt({
  linkify: true,
  highlight: (code, language) =>
    hljs.getLanguage(language) === undefined ? '' : hljs.highlight(code, { language, ignoreIllegals: true }).value,
});

const scroller = document.querySelector('.scroller');
const shown = document.querySelector('.markdown');

/** Receives `text` at this many characters a second; resolves when all of it is drawn. */
function stream(text: string, charactersPerSecond: number): Promise<void> {
  return new Promise((resolve) => {
    const beganAt = performance.now();
    let received = 0;
    let isFrameRequested = false;
    const draw = () => {
      isFrameRequested = false;
      if (shown === null || scroller === null) {
        return;
      }
      shown.innerHTML = parser.render(text.slice(0, received));
      scroller.scrollTop = scroller.scrollHeight;
      if (received === text.length) {
        resolve();
      }
    };
    const receive = () => {
      received = Math.min(text.length, Math.ceil(((performance.now() - beganAt) / 1_000) * charactersPerSecond));
      if (!isFrameRequested) {
        requestAnimationFrame(draw);
      }
      isFrameRequested = true;
      if (received < text.length) {
        setTimeout(receive, 16);
      }
    };
    receive();
  });
}

Object.assign(window, { stream });

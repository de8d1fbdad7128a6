/** What one would write first: the whole text through markdown-it and highlight.js again in each frame that has news. */
import '../../../src/webview/panel.css';
import '../../../src/webview/markdown.css';
import '../../../src/webview/code.css';
import hljs from 'highlight.js/lib/core';
import MarkdownIt from 'markdown-it';
import { grammars } from '../../../src/webview/code/grammars.ts';

for (const [name, grammar] of Object.entries(grammars)) {
  hljs.registerLanguage(name, grammar);
}

const parser = new MarkdownIt({
  linkify: true,
  highlight: (code, language) =>
    hljs.getLanguage(language) === undefined ? '' : hljs.highlight(code, { language, ignoreIllegals: true }).value,
});

const scroller = document.querySelector('.scroller');
const shown = document.querySelector('.markdown');

/** Lets `text` arrive at so many characters a second; resolves when all of it is drawn. */
function stream(text: string, charactersPerSecond: number): Promise<void> {
  return new Promise((resolve) => {
    const beganAt = performance.now();
    let came = 0;
    let isAsked = false;
    const draw = () => {
      isAsked = false;
      if (shown === null || scroller === null) {
        return;
      }
      shown.innerHTML = parser.render(text.slice(0, came));
      scroller.scrollTop = scroller.scrollHeight;
      if (came === text.length) {
        resolve();
      }
    };
    const receive = () => {
      came = Math.min(text.length, Math.ceil(((performance.now() - beganAt) / 1_000) * charactersPerSecond));
      if (!isAsked) {
        requestAnimationFrame(draw);
      }
      isAsked = true;
      if (came < text.length) {
        setTimeout(receive, 16);
      }
    };
    receive();
  });
}

Object.assign(window, { stream });

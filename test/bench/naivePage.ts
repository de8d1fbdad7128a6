/** A naive page: renders the whole text with markdown-it and highlight.js in each frame with new text. */
import hljs from 'highlight.js/lib/common';
import MarkdownIt from 'markdown-it';

const parser = new MarkdownIt({
  linkify: true,
  highlight: (code, language) =>
    hljs.getLanguage(language) === undefined ? '' : hljs.highlight(code, { language, ignoreIllegals: true }).value,
});
let text = '';
addEventListener('message', ({ data }) => {
  text += data.text;
  requestAnimationFrame(() => {
    const [scroller, shown] = [document.querySelector('.scroller'), document.querySelector('.markdown')];
    if (scroller !== null && shown !== null) {
      shown.innerHTML = parser.render(text);
      scroller.scrollTop = scroller.scrollHeight;
    }
  });
});

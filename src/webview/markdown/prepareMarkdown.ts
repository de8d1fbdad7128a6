import type { TextActions } from '../page/panelActions.ts';
import { MarkdownStream } from './markdownStream.ts';
import { MarkdownView } from './markdownView.ts';

/** A sample of the Markdown in replies. */
const sample =
  '# a\n\nb *c* **d** `e` [f](g) https://example.com ~~h~~\n\n- a\n  1. b\n- [ ] c\n\n> d\n\n|a|\n|-|\n|b|\n\n```ts\nlet a = 1;\n```';

const nothing = () => undefined;
const actions: TextActions = {
  copy: nothing,
  openLink: nothing,
  useCode: nothing,
  wrap: { isOn: false, toggle: nothing },
};

/** Renders some Markdown off screen: code that runs for the first time would delay the first text of a reply. */
export function prepareMarkdown(): void {
  const stream = new MarkdownStream(new MarkdownView(actions));
  for (const piece of sample) {
    stream.append(piece);
    stream.advance();
  }
}

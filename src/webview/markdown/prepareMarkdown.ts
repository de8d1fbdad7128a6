import { MarkdownStream } from './markdownStream.ts';
import { MarkdownView } from './markdownView.ts';

/** A little of what replies are made of. */
const samples = [
  '# a\n\nb *c* **d** `e` [f](g)',
  'https://example.com ~~h~~',
  '- a\n  1. b\n- [ ] c\n\n> d',
  '|a|\n|-|\n|b|\n',
  '```ts\nlet a = 1;\n```',
];

const nothing = () => undefined;
const actions = {
  copy: nothing,
  openLink: nothing,
  useCode: nothing,
  wrap: { isOn: false, toggle: nothing },
  file: undefined,
};

/**
 * Renders some Markdown where nobody sees it: what runs for the first time takes several times as long, more than a
 * frame for the first text of a reply. Takes a small step; returns whether there are more.
 */
export function prepareMarkdown(): boolean {
  const sample = samples.pop();
  if (sample === undefined) {
    return false;
  }
  const stream = new MarkdownStream(new MarkdownView(actions));
  stream.append(sample);
  stream.advance();
  stream.end();
  stream.advance();
  return true;
}

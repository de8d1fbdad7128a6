import { breakable } from './longStretch.ts';
import { piecesToShow } from './markdownLimits.ts';
import type { MarkdownNode } from './markdownNode.ts';

/**
 * A line too long to be read as Markdown, shown as it was written: text goes in, paragraphs come out, until the line
 * ends. Where it is cut depends on the line alone and not on when its text came.
 */
export class LongLine {
  #open = '';

  /** Takes more text; gives the paragraphs that are full, and what follows the end of the line once that was found. */
  take(text: string): { readonly full: readonly MarkdownNode[]; readonly rest?: string } {
    const lineEnd = text.indexOf('\n');
    this.#open += lineEnd === -1 ? text : text.slice(0, lineEnd);
    const pieces = piecesToShow(this.#open);
    this.#open = pieces.pop() ?? '';
    const full = pieces.map(asWritten);
    if (lineEnd === -1) {
      return { full };
    }
    return { full: [...full, ...this.open], rest: text.slice(lineEnd + 1) };
  }

  /** The paragraph that is not full yet. */
  get open(): readonly MarkdownNode[] {
    return this.#open.trim() === '' ? [] : [asWritten(this.#open)];
  }
}

const asWritten = (text: string): MarkdownNode => ({ kind: 'element', tag: 'p', children: breakable(text) });

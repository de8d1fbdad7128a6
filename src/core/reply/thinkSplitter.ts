const open = '<think>';
const close = '</think>';

/**
 * Takes a leading `<think>…</think>` block out of an answer while it streams; the tags may be cut anywhere (wire Q33).
 * Only a block at the very start counts: later on the tag is something the answer talks about.
 */
export class ThinkSplitter {
  #state: 'start' | 'thinking' | 'after' | 'answer' = 'start';
  #held = '';

  push(piece: string): { text: string; reasoning: string } {
    if (this.#state === 'answer') {
      return { text: piece, reasoning: '' };
    }
    let rest = this.#held + piece;
    this.#held = '';
    let reasoning = '';
    if (this.#state === 'start') {
      const trimmed = rest.trimStart();
      if (trimmed.startsWith(open)) {
        this.#state = 'thinking';
        rest = trimmed.slice(open.length);
      } else if (open.startsWith(trimmed)) {
        this.#held = rest;
        return { text: '', reasoning: '' };
      } else {
        this.#state = 'answer';
        return { text: rest, reasoning: '' };
      }
    }
    if (this.#state === 'thinking') {
      const at = rest.indexOf(close);
      if (at === -1) {
        const keep = overlap(rest, close);
        this.#held = rest.slice(rest.length - keep);
        return { text: '', reasoning: rest.slice(0, rest.length - keep) };
      }
      reasoning = rest.slice(0, at);
      rest = rest.slice(at + close.length);
      this.#state = 'after';
    }
    // The blank lines between the block and the answer belong to neither.
    const text = rest.trimStart();
    if (text !== '') {
      this.#state = 'answer';
    }
    return { text, reasoning };
  }

  /** The stream is over: what was held back because it might have become a tag. */
  end(): { text: string; reasoning: string } {
    const held = this.#held;
    this.#held = '';
    return this.#state === 'thinking' ? { text: '', reasoning: held } : { text: held, reasoning: '' };
  }
}

/** How many units at the end of `text` could begin `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) {
      return length;
    }
  }
  return 0;
}

const open = '<think>';
const close = '</think>';

/**
 * Separates a leading `<think>…</think>` block from the answer while it streams; the tags may be split anywhere (wire
 * Q33). Only a block at the very start counts: a later tag is part of the answer's text.
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
        const heldLength = overlap(rest, close);
        this.#held = rest.slice(rest.length - heldLength);
        return { text: '', reasoning: rest.slice(0, rest.length - heldLength) };
      }
      reasoning = rest.slice(0, at);
      rest = rest.slice(at + close.length);
      this.#state = 'after';
    }
    // Blank lines between the block and the answer are dropped.
    const text = rest.trimStart();
    if (text !== '') {
      this.#state = 'answer';
    }
    return { text, reasoning };
  }

  /** Ends the stream. @returns text that was held back because it could have been the start of a tag. */
  end(): { text: string; reasoning: string } {
    const held = this.#held;
    this.#held = '';
    return this.#state === 'thinking' ? { text: '', reasoning: held } : { text: held, reasoning: '' };
  }
}

/** Number of UTF-16 units at the end of `text` that could be the start of `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length--) {
    if (text.endsWith(tag.slice(0, length))) {
      return length;
    }
  }
  return 0;
}

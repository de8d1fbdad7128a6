/**
 * Extracts whole JSON documents from a text that arrives in pieces: pretty-printed over many lines, several in a row,
 * or one per line (wire Q10, Q11, Q16). Counts brackets outside strings, so it reads each character only once.
 */
export class JsonDocuments {
  #text = '';
  #depth = 0;
  #isInString = false;
  #isEscaped = false;

  /** UTF-16 units held back because their document is incomplete. */
  get pending(): number {
    return this.#text.length;
  }

  /** @returns the documents that this piece completes. Text between documents is dropped. */
  push(piece: string): string[] {
    const documents: string[] = [];
    // Local variables, for speed: this loop reads every character of a response.
    let depth = this.#depth;
    let isInString = this.#isInString;
    let isEscaped = this.#isEscaped;
    let start = 0;
    for (let at = 0; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      if (isInString) {
        if (isEscaped) {
          isEscaped = false;
        } else if (unit === 0x5c) {
          isEscaped = true;
        } else if (unit === 0x22) {
          isInString = false;
        }
      } else if (unit === 0x22) {
        isInString = depth > 0;
      } else if (unit === 0x7b || unit === 0x5b) {
        if (depth === 0) {
          start = at;
          this.#text = '';
        }
        depth++;
      } else if ((unit === 0x7d || unit === 0x5d) && depth > 0) {
        depth--;
        if (depth === 0) {
          documents.push(this.#text + piece.slice(start, at + 1));
          this.#text = '';
          start = at + 1;
        }
      }
    }
    if (depth > 0) {
      this.#text += piece.slice(start);
    }
    this.#depth = depth;
    this.#isInString = isInString;
    this.#isEscaped = isEscaped;
    return documents;
  }

  /** Drops the incomplete document. @returns its text so far. */
  reset(): string {
    const text = this.#text;
    this.#text = '';
    this.#depth = 0;
    this.#isInString = false;
    this.#isEscaped = false;
    return text;
  }
}

import { secretChars } from '../secrets/redact.ts';

/** UTF-16 units of one line that are shown. */
const maxLineChars = 64 * 1024;
/** After such a line the next one may begin with a secret that only this line gives away. */
const announcesSecret = /(?:[:=]|bearer|basic|key|token|secret)["']?\s*$/i;
const announcementChars = 64;

/**
 * Cuts a text that comes in pieces at ends of lines, so that each part can be redacted by itself: no border of a piece
 * ever cuts a secret. Of a line that is too long only the beginning is shown, and what follows is counted.
 */
export class WireText {
  readonly #redact: (text: string) => string;
  /** What was not told yet. */
  #held = '';
  /** Where in it no end of a line was looked for yet. */
  #from = 0;
  /** How much of a line that is too long is left out; undefined while there is none. */
  #left: number | undefined;

  /** @param redact takes secrets out of the beginning of a line before it is cut. */
  constructor(redact: (text: string) => string) {
    this.#redact = redact;
  }

  /** @returns the lines that are whole now, or nothing. */
  feed(piece: string): string {
    this.#held += piece;
    const told: string[] = [];
    for (let end = this.#border(); end !== -1; end = this.#border()) {
      told.push(this.#take(end));
    }
    if (this.#left !== undefined) {
      this.#skip(this.#left + this.#held.length);
    } else if (this.#held.length > maxLineChars + secretChars) {
      // A secret that is not all there yet is not recognised; it is among the last units, and these are not shown.
      const shown = this.#redact(this.#held).slice(0, -secretChars).slice(0, maxLineChars);
      told.push(shown);
      this.#skip(this.#held.length - shown.length);
    }
    return told.join('\n');
  }

  /** @param isWhole false when the text was cut, perhaps in a secret. @returns what there was besides. */
  end(isWhole: boolean): string {
    const { length } = this.#held;
    if (isWhole || this.#left !== undefined) {
      return this.#take(length);
    }
    const lastLine = this.#held.lastIndexOf('\n') + 1;
    return this.#held.slice(0, lastLine) + leftOut(length - lastLine);
  }

  /** The next end of a line that cuts nothing, or -1. */
  #border(): number {
    for (;;) {
      const end = this.#held.indexOf('\n', this.#from);
      this.#from = end === -1 ? this.#held.length : end + 1;
      if (end === -1 || !announcesSecret.test(this.#held.slice(Math.max(0, end - announcementChars), end))) {
        return end;
      }
    }
  }

  #take(end: number): string {
    const text = this.#held.slice(0, end);
    const left = this.#left;
    this.#held = this.#held.slice(end + 1);
    this.#from = 0;
    this.#left = undefined;
    if (left !== undefined) {
      return leftOut(left + text.length);
    }
    return text.length <= maxLineChars
      ? text
      : this.#redact(text).slice(0, maxLineChars) + leftOut(text.length - maxLineChars);
  }

  /** Keeps of the line at hand only what tells how it ends. */
  #skip(left: number): void {
    this.#held = this.#held.slice(-announcementChars);
    this.#from = this.#held.length;
    this.#left = left - this.#held.length;
  }
}

function leftOut(chars: number): string {
  return chars === 0 ? '' : `… (${chars} more characters)`;
}

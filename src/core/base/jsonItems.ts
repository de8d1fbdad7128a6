/** One item of a list, as it stands in the text. */
export type JsonItem = {
  /** Which list of the document it is in, counted from 0 in the order they begin. */
  readonly list: number;
  readonly text: string;
};

/** Where in the document a list is: the document itself, or the field of this name at its top. */
export type ListPlace = 'document' | 'data' | 'models';

type State = 'start' | 'envelope' | 'key' | 'string' | 'list' | 'end' | 'odd';

/**
 * Cuts a JSON document that arrives in pieces into the items of its lists: of the document when that is an array, or of
 * its fields `data` and `models`. Counts brackets outside of strings, so each character is looked at once. Believes
 * nothing it has not seen the end of: whether items and envelope are JSON is for whoever parses them to find out, and
 * when all of them are, so is the document.
 */
export class JsonItems {
  readonly #places: ListPlace[] = [];
  #state: State = 'start';
  /** Everything outside of the lists; they are left empty in it. */
  #envelope = '';
  #depth = 0;
  #isEscaped = false;
  #key = '';
  /** The next string is a key of the document. */
  #isBeforeKey = false;
  /** Between the colon behind a key of the document and its value. */
  #isBeforeValue = false;
  #item = '';
  #itemDepth = 0;
  #isInItemString = false;
  #hasItems = false;
  #isFirst = true;

  /** Where each list is that has begun. */
  get places(): readonly ListPlace[] {
    return this.#places;
  }

  /** The text is something else than one document of a known shape; nothing more will come of it. */
  get isOdd(): boolean {
    return this.#state === 'odd';
  }

  /** @returns the document without the items of its lists; undefined when it is odd or not complete. */
  end(): string | undefined {
    return this.#state === 'end' ? this.#envelope : undefined;
  }

  /** Gives each item as soon as it is complete. The piece is read as far as its items are asked for. */
  *push(piece: string): Generator<JsonItem, void, void> {
    let at = this.#isFirst && piece.charCodeAt(0) === 0xfeff ? 1 : 0;
    this.#isFirst &&= piece === '';
    while (at < piece.length && this.#state !== 'odd') {
      if (this.#state === 'list') {
        at = yield* this.#pushList(piece, at);
      } else {
        at = this.#pushEnvelope(piece, at);
      }
    }
  }

  /** @returns where it stopped: at the first item of a list, at the end of the piece, or where it became odd. */
  #pushEnvelope(piece: string, start: number): number {
    let at = start;
    for (; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      switch (this.#state) {
        case 'string':
        case 'key':
          this.#inString(unit, piece.charAt(at));
          break;
        case 'start':
          this.#begin(unit);
          break;
        case 'envelope':
          this.#inEnvelope(unit);
          break;
        default:
          this.#state = isBlank(unit) ? this.#state : 'odd';
      }
      if (this.#isOver) {
        this.#envelope += piece.slice(start, at + 1);
        return at + 1;
      }
    }
    this.#envelope += piece.slice(start, at);
    return at;
  }

  get #isOver(): boolean {
    return this.#state === 'list' || this.#state === 'odd';
  }

  #begin(unit: number): void {
    if (unit === 0x5b) {
      this.#beginList('document');
    } else if (unit === 0x7b) {
      this.#state = 'envelope';
      this.#depth = 1;
      this.#isBeforeKey = true;
    } else if (!isBlank(unit)) {
      this.#state = 'odd';
    }
  }

  #inString(unit: number, character: string): void {
    const isKey = this.#state === 'key';
    if (this.#isEscaped) {
      this.#isEscaped = false;
    } else if (unit === 0x5c) {
      // Nobody spells `data` with escapes; who does is read as a whole.
      this.#state = isKey ? 'odd' : 'string';
      this.#isEscaped = true;
      return;
    } else if (unit === 0x22) {
      this.#state = 'envelope';
      return;
    }
    if (isKey) {
      this.#key += character;
    }
  }

  #inEnvelope(unit: number): void {
    if (isBlank(unit)) {
      return;
    }
    const isBeforeValue = this.#isBeforeValue;
    this.#isBeforeValue = false;
    if (unit === 0x22) {
      this.#state = this.#isBeforeKey ? 'key' : 'string';
      this.#key = this.#isBeforeKey ? '' : this.#key;
      this.#isBeforeKey = false;
    } else if (unit === 0x5b && isBeforeValue && (this.#key === 'data' || this.#key === 'models')) {
      this.#beginList(this.#key);
    } else if (unit === 0x7b || unit === 0x5b) {
      this.#depth++;
    } else if (unit === 0x7d || unit === 0x5d) {
      this.#depth--;
      this.#state = this.#depth === 0 ? 'end' : 'envelope';
    } else if (this.#depth === 1) {
      this.#isBeforeValue = unit === 0x3a;
      this.#isBeforeKey = unit === 0x2c;
    }
  }

  #beginList(place: ListPlace): void {
    this.#places.push(place);
    this.#state = 'list';
    this.#item = '';
    this.#itemDepth = 0;
    this.#hasItems = false;
  }

  *#pushList(piece: string, start: number): Generator<JsonItem, number, void> {
    const list = this.#places.length - 1;
    // In variables while it runs: this looks at every character of a list.
    let depth = this.#itemDepth;
    let isInString = this.#isInItemString;
    let isEscaped = this.#isEscaped;
    let from = start;
    for (let at = start; at < piece.length; at++) {
      const unit = piece.charCodeAt(at);
      if (isInString) {
        // Most of a long list are texts: the engine finds their ends many times faster than a look at each character.
        const first = isEscaped ? at + 1 : at;
        const end = stringEnd(piece, first);
        isEscaped = end < 0 && isEscapedAt(piece, piece.length, first);
        isInString = end < 0;
        at = end < 0 ? piece.length : end;
      } else if (unit === 0x22) {
        isInString = true;
      } else if (unit === 0x7b || unit === 0x5b) {
        depth++;
      } else if (depth > 0) {
        depth -= unit === 0x7d || unit === 0x5d ? 1 : 0;
      } else if (unit === 0x2c || unit === 0x5d) {
        const text = this.#item + piece.slice(from, at);
        this.#item = '';
        from = at + 1;
        const isLast = unit === 0x5d;
        if (!isBlankText(text)) {
          this.#hasItems = true;
          yield { list, text };
        } else if (!isLast || this.#hasItems) {
          // A comma too many.
          this.#state = 'odd';
          return piece.length;
        }
        if (isLast) {
          this.#envelope += ']';
          this.#state = this.#places[list] === 'document' ? 'end' : 'envelope';
          this.#itemDepth = 0;
          this.#isInItemString = false;
          this.#isEscaped = false;
          return at + 1;
        }
      } else if (unit === 0x7d) {
        this.#state = 'odd';
        return piece.length;
      }
    }
    this.#item += piece.slice(from);
    this.#itemDepth = depth;
    this.#isInItemString = isInString;
    this.#isEscaped = isEscaped;
    return piece.length;
  }
}

/** @returns where the string ends that goes on at `from`; below 0 when it does not end here. */
function stringEnd(text: string, from: number): number {
  let end = text.indexOf('"', from);
  while (end >= 0 && isEscapedAt(text, end, from)) {
    end = text.indexOf('"', end + 1);
  }
  return end;
}

/** Whether an odd number of backslashes stands before this place and behind `from`. */
function isEscapedAt(text: string, place: number, from: number): boolean {
  let first = place;
  while (first > from && text.charCodeAt(first - 1) === 0x5c) {
    first--;
  }
  return (place - first) % 2 === 1;
}

/** What JSON takes for a blank, and nothing else. */
function isBlank(unit: number): boolean {
  return unit === 0x20 || unit === 0x0a || unit === 0x0d || unit === 0x09;
}

function isBlankText(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    if (!isBlank(text.charCodeAt(at))) {
      return false;
    }
  }
  return true;
}

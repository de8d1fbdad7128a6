import { JsonDocuments } from '../base/jsonDocuments.ts';

/** A dispatched event. `name` is absent for an ordinary message. */
export type StreamEvent = { readonly name?: string; readonly data: string };

/**
 * Parses server-sent events as gateways really send them: LF, CRLF and CR; a byte order mark; comments; several `data:`
 * lines; raw JSON without a field name; a field named `error`; no blank line at the end (wire Q1–Q4, Q7, Q10–Q13, Q17,
 * Q18). The text may be split anywhere.
 */
export class EventStream {
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #maxEventUnits: number;
  readonly #raw = new JsonDocuments();
  #buffer = '';
  #data: string | undefined;
  /** The last line of `#data` may end a document. `#data` itself is asked nothing, as that would copy it for each line. */
  #mayEnd = false;
  #name: string | undefined;
  /** The JSON in `#data` has a raw line break. */
  #isBroken = false;
  #isFirst = true;
  /** The last line ended with CR, so an LF that follows belongs to it. */
  #endedWithCr = false;

  /** @param maxEventUnits the largest single event, in UTF-16 units: a picture of 4K can have 20 MB. */
  constructor(onEvent: (event: StreamEvent) => void, maxEventUnits = 32 * 1024 * 1024) {
    this.#onEvent = onEvent;
    this.#maxEventUnits = maxEventUnits;
  }

  /** @throws RangeError when one event grows beyond the limit. */
  feed(piece: string): void {
    let text = piece;
    if (this.#isFirst && text !== '') {
      this.#isFirst = false;
      if (text.charCodeAt(0) === 0xfeff) {
        text = text.slice(1);
      }
    }
    if (this.#endedWithCr && text !== '') {
      this.#endedWithCr = false;
      if (text.charCodeAt(0) === 0x0a) {
        text = text.slice(1);
      }
    }
    if (!/[\r\n]/.test(text)) {
      // Not searched again for line ends, so that the time for one long line stays linear in its length.
      this.#buffer += text;
    } else {
      this.#endedWithCr = text.endsWith('\r');
      // Nearly all streams use LF alone, and splitting by a string takes half the time of a regular expression.
      const lines = (this.#buffer + text).split(text.includes('\r') ? /\r\n|\r|\n/ : '\n');
      this.#buffer = lines.pop() ?? '';
      for (const line of lines) {
        this.#line(line);
      }
    }
    if (this.#buffer.length + (this.#data?.length ?? 0) + this.#raw.pending > this.#maxEventUnits) {
      throw new RangeError('One event of the stream is larger than the limit');
    }
  }

  /** Ends the stream and dispatches an event that lacks its line end or blank line. */
  end(): void {
    if (this.#buffer !== '') {
      const line = this.#buffer;
      this.#buffer = '';
      this.#line(line);
    }
    this.#dispatch();
    const rest = this.#raw.reset();
    if (rest !== '') {
      this.#onEvent({ data: rest });
    }
  }

  #line(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    if (this.#raw.pending > 0) {
      if (!/^(?:data|event):/.test(line)) {
        this.#rawLine(line);
        return;
      }
      // No line of a JSON document starts like this, so the open document is incomplete. End it here.
      this.#onEvent({ data: this.#raw.reset() });
    }
    if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5);
      if (this.#data !== undefined && this.#mayEnd && /^[{[]/.test(value)) {
        // Another document, without the blank line before it (wire Q7).
        this.#dispatch();
      }
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
      this.#mayEnd = value.endsWith('}');
      return;
    }
    const first = line.charCodeAt(0);
    if (first === 0x3a) {
      return;
    }
    if (first === 0x7b || first === 0x5b || /^\s+[{[]/.test(line)) {
      this.#dispatch();
      this.#rawLine(line);
      return;
    }
    if (line.startsWith('event:')) {
      this.#name = line.slice(6).trim();
    } else if (line.startsWith('error:')) {
      this.#dispatch();
      this.#onEvent({ name: 'error', data: line.slice(6).trim() });
    } else if (this.#data !== undefined && (this.#isBroken || isOpen(this.#data))) {
      // A raw line break within a string of the JSON (wire Q15).
      this.#isBroken = true;
      this.#data += `\n${line}`;
    }
    // Ignores id, retry and unknown fields, which a client that never reconnects doesn't need.
  }

  #rawLine(line: string): void {
    for (const document of this.#raw.push(line)) {
      this.#onEvent({ data: document });
    }
    if (this.#raw.pending > 0) {
      // Pushed separately, because appending it to a long line would copy that line.
      this.#raw.push('\n');
    }
  }

  #dispatch(): void {
    const data = this.#data;
    const name = this.#name;
    this.#data = undefined;
    this.#name = undefined;
    this.#isBroken = false;
    if (data !== undefined && data !== '') {
      this.#onEvent(name ? { name, data } : { data });
    }
  }
}

/** Whether a text ends within a JSON document. */
function isOpen(text: string): boolean {
  const documents = new JsonDocuments();
  documents.push(text);
  return documents.pending > 0;
}

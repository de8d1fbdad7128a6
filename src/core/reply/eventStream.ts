import { JsonDocuments } from '../base/jsonDocuments.ts';

/** One event as it was dispatched. `name` is absent for an ordinary message. */
export type StreamEvent = { readonly name?: string; readonly data: string };

/**
 * Server-sent events as gateways really send them: LF, CRLF and CR; a byte order mark; comments; several `data:` lines;
 * raw JSON without a field name; a field named `error`; no blank line at the end (wire Q1–Q4, Q7, Q10–Q13, Q17, Q18).
 * Pure: text in, events out, whatever the borders between pieces.
 */
export class EventStream {
  readonly #onEvent: (event: StreamEvent) => void;
  readonly #maxEventUnits: number;
  readonly #raw = new JsonDocuments();
  #buffer = '';
  #data: string | undefined;
  #name: string | undefined;
  #isFirst = true;
  /** A CR ended the last line; a LF that follows belongs to it. */
  #endedWithCr = false;

  /** @param maxEventUnits the largest single event, in UTF-16 units. */
  constructor(onEvent: (event: StreamEvent) => void, maxEventUnits = 8 * 1024 * 1024) {
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
    const hasCr = text.includes('\r');
    if (!hasCr && !text.includes('\n')) {
      // Joined without being looked at again, so that one long line costs its length and not its square.
      this.#buffer += text;
    } else {
      text = this.#buffer + text;
      this.#buffer = '';
      const start = hasCr ? this.#eachLine(text) : this.#eachLineByLf(text);
      this.#buffer = text.slice(start);
    }
    if (this.#buffer.length + (this.#data?.length ?? 0) + this.#raw.pending > this.#maxEventUnits) {
      throw new RangeError('One event of the stream is larger than the limit');
    }
  }

  /** The stream is over: what stands without a line end or a blank line counts as well. */
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

  /** The common case, with one search a line. @returns where the unfinished line starts. */
  #eachLineByLf(text: string): number {
    let start = 0;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', start)) {
      if (at === start) {
        this.#dispatch();
      } else if (this.#data === undefined && this.#raw.pending === 0 && isData(text, start)) {
        // What nearly every line is; cut out once.
        this.#data = text.slice(text.charCodeAt(start + 5) === 0x20 ? start + 6 : start + 5, at);
        if (at + 1 < text.length && text.charCodeAt(at + 1) === 0x0a) {
          this.#dispatch();
          at++;
        }
      } else {
        this.#line(text.slice(start, at));
      }
      start = at + 1;
    }
    return start;
  }

  #eachLine(text: string): number {
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit !== 0x0a && unit !== 0x0d) {
        continue;
      }
      if (at === start) {
        this.#dispatch();
      } else {
        this.#line(text.slice(start, at));
      }
      if (unit === 0x0d) {
        if (at + 1 === text.length) {
          this.#endedWithCr = true;
        } else if (text.charCodeAt(at + 1) === 0x0a) {
          at++;
        }
      }
      start = at + 1;
    }
    return start;
  }

  #line(line: string): void {
    if (this.#raw.pending > 0) {
      if (!/^(?:data|event):/.test(line)) {
        this.#rawLine(line);
        return;
      }
      // No line of a JSON document starts like this: what was open is broken off and must not swallow the stream.
      this.#onEvent({ data: this.#raw.reset() });
    }
    if (line.startsWith('data:')) {
      const value = line.slice(line.charCodeAt(5) === 0x20 ? 6 : 5);
      this.#data = this.#data === undefined ? value : `${this.#data}\n${value}`;
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
    }
    // id, retry and unknown fields mean nothing to a client that never reconnects.
  }

  #rawLine(line: string): void {
    for (const document of this.#raw.push(line)) {
      this.#onEvent({ data: document });
    }
    if (this.#raw.pending > 0) {
      // On its own: joined to a long line it would cost a copy of that line.
      this.#raw.push('\n');
    }
  }

  #dispatch(): void {
    const data = this.#data;
    const name = this.#name;
    this.#data = undefined;
    this.#name = undefined;
    if (data !== undefined && data !== '') {
      this.#onEvent(name ? { name, data } : { data });
    }
  }
}

/** Whether `data:` stands here. */
function isData(text: string, at: number): boolean {
  return (
    text.charCodeAt(at) === 0x64 &&
    text.charCodeAt(at + 1) === 0x61 &&
    text.charCodeAt(at + 2) === 0x74 &&
    text.charCodeAt(at + 3) === 0x61 &&
    text.charCodeAt(at + 4) === 0x3a
  );
}

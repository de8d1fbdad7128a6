import type { Steps } from '../base/runInSlices.ts';
import { type CountedEnd, type CountedStart, copied, readCountedLine } from './countedLine.ts';
import { callerName } from './ledgerLine.ts';
import type { CountedCall } from './usageTotals.ts';

/** Bytes that are decoded at a time, so that a step stays far below a millisecond. */
const pieceBytes = 64 * 1024;
/** Lines that are read in one step. */
const linesAtOnce = 32;
const lineFeed = 0x0a;
/** Enough of a file to recognize it: each line has an id and times. */
const overlapBytes = 128;

/**
 * The calls of one month: what was read of its file so far, and what this process added. Lines may come in any order
 * and more than once; the first start and the first end of a call count.
 */
export class LedgerMonth {
  readonly #calls: CountedCall[] = [];
  readonly #byConnection = new Map<string, CountedCall[]>();
  readonly #byId = new Map<string, CountedCall>();
  /** Ends whose start has not been read. */
  readonly #ends = new Map<string, CountedEnd>();
  /** Names that many calls have in common, each stored once. */
  readonly #names = new Map<string, string>();
  #readBytes = 0;
  /** The last of what was read, without a cut line at the end of the file. */
  #overlap = new Uint8Array();
  #places = 0;
  #unreadable = 0;
  #isTailUnreadable = false;

  get calls(): readonly CountedCall[] {
    return this.#calls;
  }

  /** The calls with a connection that began at a time or later, in the order of their times. */
  callsOf(connection: string, from: number): CountedCall[] {
    const calls = this.#byConnection.get(connection) ?? [];
    return calls.slice(indexFrom(calls, from));
  }

  /** The number of bytes of the file that need not be read again. */
  get readBytes(): number {
    return this.#readBytes - this.#overlap.length;
  }

  /**
   * Whether it is still the same file, and was not removed and begun again by another window.
   *
   * @param bytes of the file, from `readBytes` on.
   */
  isContinuedBy(bytes: Uint8Array): boolean {
    return this.#overlap.every((byte, at) => byte === bytes[at]);
  }

  /** The number of lines that could not be read, including a last one that is cut. */
  get unreadable(): number {
    return this.#unreadable + (this.#isTailUnreadable ? 1 : 0);
  }

  /** Where the start of a call is among the starts in the file; undefined if it was not read there. */
  placeOf(id: string): number | undefined {
    return this.#byId.get(id)?.place;
  }

  /** @returns the call; the earlier one if it has begun before. */
  begin(start: CountedStart): CountedCall {
    const { id, at, conversation, estimate, reserved } = start;
    const known = this.#byId.get(id);
    if (known !== undefined) {
      return known;
    }
    const connection = this.#name(start.connection);
    const call: CountedCall = {
      id,
      at,
      model: this.#name(start.model),
      connection,
      caller: this.#name(callerName(start.caller)),
      conversation: conversation === undefined ? undefined : this.#name(conversation),
      estimate,
      reserved,
      // All fields at once: those that are added later take V8 a second object for each call.
      place: undefined,
      state: undefined,
      usage: undefined,
      isFree: undefined,
    };
    this.#calls.push(call);
    const siblings = this.#byConnection.get(connection);
    if (siblings === undefined) {
      this.#byConnection.set(connection, [call]);
    } else if ((siblings.at(-1)?.at ?? 0) <= at) {
      siblings.push(call);
    } else {
      siblings.splice(siblings.findLastIndex((other) => other.at <= at) + 1, 0, call);
    }
    this.#byId.set(id, call);
    const end = this.#ends.size > 0 && this.#ends.get(id);
    if (end) {
      this.#ends.delete(id);
      this.end(end);
    }
    return call;
  }

  end(end: CountedEnd): void {
    const call = this.#byId.get(end.id);
    if (call === undefined) {
      this.#ends.set(end.id, this.#ends.get(end.id) ?? end);
    } else if (call.state === undefined) {
      call.state = end.state;
      call.usage = end.usage;
      call.isFree = end.isFree === true;
    }
  }

  /** @param bytes of the same file, from `readBytes` to its end. */
  *read(bytes: Uint8Array): Steps<void> {
    const decoder = new TextDecoder();
    let lines = 0;
    let from = this.#overlap.length;
    for (;;) {
      const near = bytes.subarray(from, from + pieceBytes).lastIndexOf(lineFeed);
      const to = near === -1 ? bytes.indexOf(lineFeed, from + pieceBytes) : from + near;
      if (to === -1) {
        break;
      }
      for (const text of decoder.decode(bytes.subarray(from, to)).split('\n')) {
        // `appendLines` leaves an empty line where two processes write at once.
        if (text !== '' && !this.#add(text)) {
          this.#unreadable++;
        }
        if (++lines % linesAtOnce === 0) {
          yield;
        }
      }
      this.#readBytes += to + 1 - from;
      from = to + 1;
      this.#overlap = bytes.slice(Math.max(0, from - overlapBytes), from);
    }
    // A line without a line feed may still get its rest, so it is read again next time.
    const tail = decoder.decode(bytes.subarray(from));
    this.#isTailUnreadable = tail !== '' && !this.#add(tail);
  }

  #name(text: string): string {
    let name = this.#names.get(text);
    if (name === undefined) {
      name = copied(text);
      this.#names.set(name, name);
    }
    return name;
  }

  #add(text: string): boolean {
    const line = readCountedLine(text);
    if (line?.type === 'start') {
      const call = this.begin(line);
      call.place ??= ++this.#places;
    } else if (line !== undefined) {
      this.end(line);
    }
    return line !== undefined;
  }
}

/** The index of the first call that began at a time or later. */
function indexFrom(calls: readonly CountedCall[], from: number): number {
  let [low, high] = [0, calls.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((calls[middle]?.at ?? 0) < from) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

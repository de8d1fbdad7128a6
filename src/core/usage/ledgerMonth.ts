import type { Steps } from '../base/runInSlices.ts';
import type { Charge } from '../reply/cost.ts';
import { type CountedEnd, type CountedReceipt, LineReader, startedCall } from './countedLine.ts';
import type { CallStart } from './ledgerLine.ts';
import type { CountedCall } from './usageTotals.ts';

/** Bytes that are read in one step, so that it stays far below a millisecond. */
const pieceBytes = 32 * 1024;
const lineFeed = 0x0a;
/** Enough of a file to recognize it: each line has an id and times. */
const markBytes = 128;

/** A place in a file, and the bytes there. The file is read on from there. */
export type Mark = { readonly from: number; readonly bytes: Uint8Array };

/**
 * Whether it is still the same file, and was not removed and begun again by another window.
 *
 * @param bytes of the file, from the mark on.
 */
export function isMarked({ bytes: known }: Mark, bytes: Uint8Array): boolean {
  return bytes.length >= known.length && known.every((byte, at) => byte === bytes[at]);
}

/**
 * The calls of one month: what was read of its file so far, and what this process added. Lines may come in any order
 * and more than once; the first start and the first end of a call count.
 */
export class LedgerMonth {
  readonly #calls: CountedCall[] = [];
  readonly #byConnection = new Map<string, CountedCall[]>();
  /** The calls whose end has not been read in the file, by their ids. */
  readonly #unsettled = new Map<string, CountedCall>();
  /** Ends whose start has not been read, and those that were written again. */
  readonly #ends = new Map<string, CountedEnd>();
  /** Receipts that are not applied to their calls yet, by the ids of those. */
  readonly #receipts = new Map<string, Charge>();
  /** What calls were charged, by their ids. */
  readonly #charged = new Map<string, Charge>();
  readonly #reader = new LineReader();
  #mark: Mark = { from: 0, bytes: new Uint8Array() };
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

  /** The end of what was read, without a cut line at the end of the file. */
  get mark(): Mark {
    return this.#mark;
  }

  /** The number of lines that could not be read, including a last one that is cut. */
  get unreadable(): number {
    return this.#unreadable + (this.#isTailUnreadable ? 1 : 0);
  }

  /** Where the start of a call is among the starts in the file; undefined if it was not read there. */
  placeOf(id: string): number | undefined {
    return this.#unsettled.get(id)?.place;
  }

  begin(start: CallStart): void {
    this.#add(startedCall(start));
  }

  end(end: CountedEnd): void {
    const call = this.#unsettled.get(end.id);
    if (call === undefined) {
      this.#ends.set(end.id, this.#ends.get(end.id) ?? end);
    } else if (call.state === undefined) {
      call.state = end.state;
      call.usage = end.usage ?? call.usage;
      call.isFree = end.isFree === true;
      call.cost ??= end.cost;
      call.firstTokenMs = end.firstTokenMs;
    }
  }

  /** What a call was charged, by its last receipt. */
  chargedOf(id: string): Charge | undefined {
    return this.#charged.get(id);
  }

  /** What a call was charged. It is applied to the sums at the next reading. */
  receive({ id, cost, usage }: Pick<CountedReceipt, 'id' | 'cost' | 'usage'>): void {
    const charge = { cost, usage };
    this.#receipts.set(id, charge);
    this.#charged.set(id, charge);
  }

  /**
   * @param bytes of the same file, from `mark` on.
   * @returns whether there were receipts since the last reading.
   */
  *read(bytes: Uint8Array): Steps<boolean> {
    const decoder = new TextDecoder();
    const { from: skipped, bytes: known } = this.#mark;
    let from = known.length;
    for (;;) {
      const near = bytes.subarray(from, from + pieceBytes).lastIndexOf(lineFeed);
      const last = near === -1 ? bytes.indexOf(lineFeed, from + pieceBytes) : from + near;
      if (last === -1) {
        break;
      }
      const to = last + 1;
      this.#unreadable += this.#addLines(decoder.decode(bytes.subarray(from, to)));
      from = to;
      const start = Math.max(0, to - markBytes);
      this.#mark = { from: skipped + start, bytes: bytes.slice(start, to) };
      yield;
    }
    // A line without a line feed may still get its rest, so it is read again next time.
    this.#isTailUnreadable = this.#addLines(decoder.decode(bytes.subarray(from))) > 0;
    const hasReceipts = this.#receipts.size > 0;
    if (hasReceipts) {
      yield* this.#applyReceipts();
    }
    return hasReceipts;
  }

  *#applyReceipts(): Steps<void> {
    for (const call of this.#calls) {
      const receipt = this.#receipts.get(call.id);
      if (receipt !== undefined) {
        call.cost = receipt.cost;
        call.usage ??= receipt.usage;
        this.#receipts.delete(call.id);
      }
      yield;
    }
  }

  /** @returns the call; the same one if it was added before. */
  #add(call: CountedCall): CountedCall {
    const { id, at, connection } = call;
    let siblings = this.#byConnection.get(connection);
    if (siblings === undefined) {
      siblings = [];
      this.#byConnection.set(connection, siblings);
    }
    let index = siblings.length;
    if ((siblings.at(-1)?.at ?? -1) >= at) {
      // A start that is written again has the same time. So not all ids need to be looked up.
      for (index = indexFrom(siblings, at); siblings[index]?.at === at; index++) {
        const other = siblings[index];
        if (other?.id === id) {
          return other;
        }
      }
    }
    if (index === siblings.length) {
      siblings.push(call);
    } else {
      siblings.splice(index, 0, call);
    }
    this.#calls.push(call);
    this.#unsettled.set(id, call);
    const end = this.#ends.size > 0 && this.#ends.get(id);
    if (end) {
      this.#ends.delete(id);
      this.end(end);
      this.#unsettled.delete(id);
    }
    return call;
  }

  /** @returns how many lines could not be read. */
  #addLines(text: string): number {
    let unreadable = 0;
    for (let at = 0; at < text.length; at = this.#reader.end) {
      const line = this.#reader.read(text, at);
      if (line === undefined) {
        // `appendLines` leaves an empty line where two processes write at once.
        unreadable += text[at] === '\n' ? 0 : 1;
      } else if (line.state === 'receipt') {
        this.receive(line);
      } else if (line.state === undefined) {
        this.#add(line).place ??= ++this.#places;
      } else {
        this.end(line);
        this.#unsettled.delete(line.id);
      }
    }
    return unreadable;
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

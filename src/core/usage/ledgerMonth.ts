import type { Steps } from '../base/runInSlices.ts';
import type { Charge } from '../reply/cost.ts';
import { type CallEnd, type CallStart, callerName, type Receipt, readLine } from './ledgerLine.ts';
import type { CountedCall } from './usageTotals.ts';

/** Bytes that are read in one step, so that it stays far below a millisecond. */
const pieceBytes = 32 * 1024;
const lineFeed = 0x0a;

/**
 * The calls of one month: what was read of its file so far, and what this process added. Lines may come in any order
 * and more than once; the first start and the first end of a call count, and its last receipt.
 */
export class LedgerMonth {
  readonly #calls = new Map<string, CountedCall>();
  /** In the order of their times. */
  readonly #byConnection = new Map<string, CountedCall[]>();
  /** Ends whose start was not read yet, by the ids of their calls. */
  readonly #ends = new Map<string, CallEnd>();
  /** What calls were charged, by their ids. */
  readonly #charges = new Map<string, Charge>();
  /** Which file was read, and up to which byte; see `LedgerStore`. */
  file = '';
  position = 0;
  #places = 0;
  #unreadable = 0;
  #isTailUnreadable = false;

  get calls(): Iterable<CountedCall> {
    return this.#calls.values();
  }

  /** The calls with a connection that began at a time or later, in the order of their times. */
  callsOf(connection: string, from: number): CountedCall[] {
    const calls = this.#byConnection.get(connection) ?? [];
    return calls.slice(calls.findLastIndex(({ at }) => at < from) + 1);
  }

  /** The number of lines that could not be read, including a last one that is cut. */
  get unreadable(): number {
    return this.#unreadable + (this.#isTailUnreadable ? 1 : 0);
  }

  /** Where the start of a call is among the starts in the file; undefined if it was not read there. */
  placeOf(id: string): number | undefined {
    return this.#calls.get(id)?.place;
  }

  /** What a call was charged. */
  chargeOf(id: string): Charge | undefined {
    return this.#charges.get(id);
  }

  begin(start: CallStart): CountedCall {
    const { id, at, connection, model, caller, conversation, isInMemory, estimate, reserved } = start;
    const known = this.#calls.get(id);
    if (known !== undefined) {
      return known;
    }
    const call: CountedCall = {
      id,
      at,
      connection,
      model,
      caller: callerName(caller),
      conversation,
      isInMemory,
      estimate,
      reserved,
      state: undefined,
      usage: undefined,
    };
    this.#calls.set(id, call);
    const siblings = this.#byConnection.get(connection) ?? [];
    this.#byConnection.set(connection, siblings);
    siblings.splice(siblings.findLastIndex((other) => other.at <= at) + 1, 0, call);
    const end = this.#ends.get(id);
    if (end !== undefined) {
      this.#ends.delete(id);
      this.end(end);
    }
    this.#charge(call);
    return call;
  }

  end(end: CallEnd): void {
    const call = this.#calls.get(end.id);
    if (call === undefined) {
      this.#ends.set(end.id, this.#ends.get(end.id) ?? end);
    } else if (call.state === undefined) {
      const { state, usage, isFree, cost, answered, requestId, firstTokenMs, totalMs } = end;
      Object.assign(call, { state, usage, isFree, cost, pricedCost: cost, answered, requestId, firstTokenMs, totalMs });
      this.#charge(call);
    }
  }

  receive({ id, cost, usage }: Receipt): void {
    this.#charges.set(id, { cost, usage });
    const call = this.#calls.get(id);
    if (call !== undefined) {
      this.#charge(call);
    }
  }

  /**
   * @param bytes of the file, from `position` on.
   * @returns whether there were receipts among them.
   */
  *read(bytes: Uint8Array): Steps<boolean> {
    const decoder = new TextDecoder();
    let hasReceipts = false;
    let from = 0;
    for (;;) {
      const near = bytes.subarray(from, from + pieceBytes).lastIndexOf(lineFeed);
      const last = near === -1 ? bytes.indexOf(lineFeed, from + pieceBytes) : from + near;
      if (last === -1) {
        break;
      }
      for (const line of decoder.decode(bytes.subarray(from, last)).split('\n')) {
        const type = this.#addLine(line);
        hasReceipts ||= type === 'receipt';
        // `appendLines` leaves an empty line where two processes write at once.
        this.#unreadable += type === undefined && line !== '' ? 1 : 0;
      }
      this.position += last + 1 - from;
      from = last + 1;
      yield;
    }
    // A line without a line feed may still get its rest, so it is read again next time.
    const tail = decoder.decode(bytes.subarray(from));
    this.#isTailUnreadable = tail !== '' && this.#addLine(tail) === undefined;
    return hasReceipts;
  }

  /** A receipt takes the place of the cost that was known before. */
  #charge(call: CountedCall): void {
    const charge = this.#charges.get(call.id);
    if (charge !== undefined) {
      call.cost = charge.cost;
      call.usage ??= charge.usage;
    }
  }

  /** @returns undefined for a line that could not be read. */
  #addLine(text: string) {
    const line = readLine(text);
    if (line?.type === 'start') {
      this.begin(line).place ??= ++this.#places;
    } else if (line?.type === 'end') {
      this.end(line);
    } else if (line?.type === 'receipt') {
      this.receive(line);
    }
    return line?.type;
  }
}

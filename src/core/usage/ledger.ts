import type { Clock } from '../base/clock.ts';
import { type Disposable, DisposableStore, Emitter } from '../base/lifetime.ts';
import { runInSlices, type Steps } from '../base/runInSlices.ts';
import { Sequencer } from '../base/sequencer.ts';
import { type Charge, knownCost } from '../reply/cost.ts';
import {
  type CallEnd,
  type CallStart,
  callerName,
  type LedgerLine,
  lineText,
  type Receipt,
  readLine,
} from './ledgerLine.ts';
import { tokenFactor } from './tokenFactor.ts';
import { type CostOfCall, type CountedCall, totalsOf, type UsageTotals } from './usageTotals.ts';

/**
 * Where the ledger is stored: for each month, such as `2026-11`, an append-only file that several windows write to.
 */
export type LedgerStore = {
  /**
   * Adds whole lines to the end of a month; resolves when they are safe from a power loss. When it rejects, some of them
   * may be stored all the same.
   */
  append(month: string, lines: string): Promise<void>;
  /** The months that have a file, in any order. */
  months(): Promise<string[]>;
  /**
   * Reads a month from a byte on. `file` identifies the file: it is another one after the month was removed and begun
   * again, and empty without a file.
   */
  read(month: string, from: number): Promise<{ readonly file: string; readonly bytes: Uint8Array }>;
  remove(month: string): Promise<void>;
};

/** A call that is running. */
export type StartedCall = {
  /** Why its start could not be written; undefined when it is on disk. */
  readonly failure: unknown;
  /**
   * Records how the call ended; only the first time. Resolves when that is on disk or could not be written; never
   * rejects.
   */
  end(end: Omit<CallEnd, 'id'>): Promise<void>;
};

/** Calls, and how many lines could not be read. */
export type ReadCalls = { readonly calls: readonly CountedCall[]; readonly unreadable: number };

/** A line that is to be written. */
type Entry = { readonly month: string; readonly line: LedgerLine };

const retryMs = 30_000;
/** How many of a model's last calls are counted. */
const countedCalls = 200;
const dayMs = 24 * 60 * 60_000;
/** Bytes that are read in one step, so that it stays far below a millisecond. */
const pieceBytes = 32 * 1024;
const lineFeed = 0x0a;
/** Almost the end of the year 9999, the last that names of months can express. */
const maxTime = 253_402_000_000_000;

/**
 * The record of all paid calls: a line before each is sent, and a line at its end. A call without an end has an unknown
 * outcome. When a line can't be written, the call goes on, and the line stays in memory until it can.
 */
export class Ledger extends DisposableStore {
  readonly #store: LedgerStore;
  readonly #clock: Clock;
  readonly #onDefect: (error: unknown) => void;
  readonly #didChange = this.add(new Emitter<void>());
  /** Fires when a call has begun or ended, when writing was tried again, and when calls were removed. */
  readonly onDidChange = this.#didChange.event;
  readonly #didReceive = this.add(new Emitter<void>());
  /** Fires when `chargedOf` may have changed. */
  readonly onDidReceive = this.#didReceive.event;
  readonly #didClear = this.add(new Emitter<void>());
  /** Fires when this process has removed all calls. */
  readonly onDidClear = this.#didClear.event;
  /** The starts of the calls that this process is making, by their ids. */
  readonly #running = new Map<string, Entry>();
  /** The months that were read, as far as they were, with everything that this process added. */
  readonly #months = new Map<string, LedgerMonth>();
  /** Reading and removing run one at a time. */
  readonly #sequencer = new Sequencer();
  /** The lines that are not on disk, in their order. */
  #unwritten: Entry[] = [];
  /** The error of the last writing; undefined when it succeeded. */
  #failure: unknown;
  #writing = Promise.resolve();
  #nextWriting: Promise<void> | undefined;
  #retry: Disposable | undefined;

  /** @param onDefect called with the error when writing starts to fail; not again before it has succeeded. */
  constructor(store: LedgerStore, clock: Clock, onDefect: (error: unknown) => void) {
    super();
    this.#store = store;
    this.#clock = clock;
    this.#onDefect = onDefect;
  }

  /** Records a call that is about to be sent. Resolves when that is on disk or could not be written; never rejects. */
  async begin(start: CallStart): Promise<StartedCall> {
    const { id } = start;
    const month = monthOf(start.at);
    const entry: Entry = { month, line: { type: 'start', ...start } };
    this.#running.set(id, entry);
    await this.#write(entry);
    return {
      failure: this.#unwritten.includes(entry) ? this.#failure : undefined,
      end: async (end) => {
        if (this.#running.delete(id)) {
          await this.#write({ month, line: { type: 'end', id, ...end } });
        }
      },
    };
  }

  /**
   * Reads the calls with a connection that began in a span of time, in the order of their times. Rejects when the store
   * can't be read.
   *
   * @param from Unix milliseconds.
   * @param to Unix milliseconds; calls that began at this time or later are left out.
   * @param before the id of a call of this process, to leave out what comes after it in its file. Each of the windows
   * that begin calls at once sees the same order.
   */
  calls(connection: string, from: number, to = maxTime, before?: string): Promise<readonly CountedCall[]> {
    return this.#sequencer.run('read', async () => {
      const found = (await this.#read(from, to)).flatMap((month) => month.callsOf(connection, from, to, before));
      // A call may be in the month of another time zone.
      return found.sort((one, other) => one.at - other.at);
    });
  }

  /**
   * Reads all calls that began in a span of time, in any order. Rejects when the store can't be read.
   *
   * @param from Unix milliseconds.
   * @param to Unix milliseconds; calls that began at this time or later are left out.
   * @returns also how many lines could not be read, in all months of the span.
   */
  callsBetween(from: number, to: number): Promise<ReadCalls> {
    return this.#sequencer.run('read', async () => {
      const months = await this.#read(from, to);
      return {
        calls: months.flatMap((month) => month.calls.filter(({ at }) => at >= from && at < to)),
        unreadable: months.reduce((sum, month) => sum + month.unreadable, 0),
      };
    });
  }

  /** Adds up the calls that began in a span of time; see `callsBetween`. @param costOf finds what a call cost. */
  async totals(from: number, to: number, costOf: CostOfCall = knownCost): Promise<UsageTotals> {
    const { calls } = await this.callsBetween(from, to);
    return totalsOf(calls, costOf);
  }

  /** The last calls to a model that have ended, as far as they were read. */
  lastCalls(model: string): readonly CountedCall[] {
    const months = [...this.#months].sort(([one], [other]) => (one < other ? -1 : 1));
    return months.flatMap(([, month]) => month.ended.get(model)?.slice(-countedCalls) ?? []).slice(-countedCalls);
  }

  /** What to multiply estimates of tokens with for a model, by its last calls. */
  tokenFactor(model: string): number {
    return tokenFactor(this.lastCalls(model));
  }

  /**
   * Records what calls were charged. Resolves when that is on disk; rejects when it can't be written, and tries again
   * later.
   *
   * @param receipts each with the time at which its call began.
   */
  async receive(receipts: readonly (Receipt & { readonly began: number })[]): Promise<void> {
    await Promise.all(
      receipts.map(({ began, ...receipt }) =>
        this.#write({ month: monthOf(began), line: { type: 'receipt', ...receipt } }),
      ),
    );
    this.#didReceive.fire();
    if (receipts.length > 0 && this.#failure !== undefined) {
      throw this.#failure;
    }
  }

  /**
   * What a call was charged, by a gateway's log. Undefined without a receipt, and for a call of a month that this process
   * has not read: nothing is read for it.
   */
  chargedOf(id: string): Charge | undefined {
    return [...this.#months.values()].map(({ charges }) => charges.get(id)).find((charge) => charge !== undefined);
  }

  /**
   * Removes the oldest month, if it isn't among the last `keepMonths` before the current one. Counts from the newest
   * recorded month if that is earlier, and removes one at a time, because the clock may be wrong. Rejects when the month
   * can't be removed.
   */
  async prune(keepMonths: number): Promise<void> {
    const months = (await this.#store.months()).toSorted();
    const [oldest = '', newest = ''] = [months[0], months.at(-1)];
    const [earlier = ''] = [newest, monthOf(this.#clock.now())].toSorted();
    const [year = 0, month = 0] = earlier.split('-').map(Number);
    if (oldest !== '' && oldest < monthOf(new Date(year, month - 1 - keepMonths, 1).getTime())) {
      await this.#remove((each) => each === oldest);
    }
  }

  /** Removes all calls. Rejects when a month can't be removed. */
  async clear(): Promise<void> {
    await this.#remove(() => true);
    this.#didClear.fire();
  }

  override dispose(): void {
    super.dispose();
    this.#retry?.dispose();
  }

  /** Resolves when the line is on disk or could not be written; never rejects. */
  async #write(entry: Entry): Promise<void> {
    (this.#months.get(entry.month) ?? this.#openMonth(entry.month)).add(entry.line);
    this.#unwritten.push(entry);
    await this.#flush();
    this.#didChange.fire();
  }

  /** Writes what is not written yet. Lines that arrive while the disk is busy are written together afterwards. */
  #flush(): Promise<void> {
    this.#nextWriting ??= this.#writing.then(() => {
      this.#nextWriting = undefined;
      this.#writing = this.#writeAll();
      return this.#writing;
    });
    return this.#nextWriting;
  }

  async #writeAll(): Promise<void> {
    const lines = [...this.#unwritten];
    let failure: unknown;
    for (const month of new Set(lines.map((line) => line.month))) {
      const batch = new Set(lines.filter((line) => line.month === month));
      try {
        await this.#store.append(month, [...batch].map(({ line }) => lineText(line)).join(''));
        this.#unwritten = this.#unwritten.filter((line) => !batch.has(line));
      } catch (error) {
        failure ??= error;
      }
    }
    this.#retry?.dispose();
    this.#retry = undefined;
    const wasWritable = this.#failure === undefined;
    this.#failure = failure;
    if (failure !== undefined) {
      if (!this.isDisposed) {
        const retry = () => void this.#flush().then(() => this.#didChange.fire());
        this.#retry = this.#clock.after(retryMs, retry);
      }
      if (wasWritable) {
        this.#onDefect(failure);
      }
    }
  }

  /** Reads what is new in the months that calls of a span of time may be in. Must not run twice at a time. */
  async #read(from: number, to: number): Promise<readonly LedgerMonth[]> {
    // A day more on each side: a call is in the month of its start in the time zone that the machine had then.
    const [first, last] = [monthOf(from - dayMs), monthOf(to + dayMs)];
    // The calls of a day are in one month, unless it is near the end of one.
    const names = first === last ? [first] : new Set([...(await this.#store.months()), ...this.#months.keys()].sort());
    const months: LedgerMonth[] = [];
    for (const name of names) {
      if (name >= first && name <= last) {
        months.push(await this.#readMonth(name));
      }
    }
    return months;
  }

  async #readMonth(name: string): Promise<LedgerMonth> {
    let month = this.#months.get(name) ?? this.#openMonth(name);
    let read = await this.#store.read(name, month.position);
    while (month.file !== '' && read.file !== month.file) {
      // Another window has removed the file, and may have begun it again.
      month = this.#openMonth(name);
      read = await this.#store.read(name, 0);
    }
    month.file = read.file;
    if (await runInSlices(this.#clock, month.read(read.bytes))) {
      this.#didReceive.fire();
    }
    return month;
  }

  /** A month of which only what isn't written yet is known. */
  #openMonth(name: string): LedgerMonth {
    const month = new LedgerMonth((id) => this.#running.has(id));
    for (const entry of this.#unwritten) {
      if (entry.month === name) {
        month.add(entry.line);
      }
    }
    this.#months.set(name, month);
    return month;
  }

  async #remove(isRemoved: (month: string) => boolean): Promise<void> {
    await this.#sequencer.run('read', async () => {
      this.#unwritten = this.#unwritten.filter(({ month }) => !isRemoved(month));
      await this.#writing;
      for (const month of await this.#store.months()) {
        if (isRemoved(month)) {
          await this.#store.remove(month);
        }
      }
      for (const month of [...this.#months.keys()].filter(isRemoved)) {
        this.#months.delete(month);
      }
      this.#didReceive.fire();
    });
    // A call that is still running is recorded again, so that its end has a start, and limits count it.
    await Promise.all(
      [...this.#running.values()].filter(({ month }) => isRemoved(month)).map((line) => this.#write(line)),
    );
    this.#didChange.fire();
  }
}

/** The month of a time in Unix milliseconds, by the local calendar, such as `2026-11`. */
function monthOf(time: number): string {
  const date = new Date(Math.min(Math.max(time, 0), maxTime));
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/**
 * The calls of one month: what was read of its file so far, and what this process added. Lines may come more than once; the
 * first start and the first end after it count, and the last receipt.
 */
class LedgerMonth {
  readonly #calls = new Map<string, CountedCall>();
  /** In the order of their times. */
  readonly #byConnection = new Map<string, CountedCall[]>();
  /** The calls that have ended, in the order of their ends, by model. */
  readonly ended = new Map<string, CountedCall[]>();
  /** What calls were charged, by their ids. */
  readonly charges = new Map<string, Charge>();
  /** Which file was read, and up to which byte; see `LedgerStore`. */
  file = '';
  position = 0;
  /** The number of lines that could not be read. */
  unreadable = 0;
  #places = 0;

  readonly #isRunning: (id: string) => boolean;

  /** @param isRunning whether this process is making a call. */
  constructor(isRunning: (id: string) => boolean) {
    this.#isRunning = isRunning;
  }

  /** In the order in which they were read. */
  get calls(): CountedCall[] {
    return [...this.#calls.values()];
  }

  /** See `Ledger.calls`. */
  callsOf(connection: string, from: number, to: number, before?: string): CountedCall[] {
    const all = this.#byConnection.get(connection) ?? [];
    const countBefore = (time: number) => all.findLastIndex(({ at }) => at < time) + 1;
    const calls = all.slice(countBefore(from), countBefore(to));
    if (before === undefined) {
      return calls;
    }
    const { place: end = Number.POSITIVE_INFINITY } = this.#calls.get(before) ?? {};
    return calls.filter(({ id, place = maxTime }) => id !== before && place < end);
  }

  /** @returns the call that the line is about, if its start is known. */
  add(line: LedgerLine): CountedCall | undefined {
    const { id } = line;
    const known = this.#calls.get(id);
    if (line.type === 'start') {
      return known ?? this.#begin(line);
    }
    if (line.type === 'receipt') {
      this.charges.set(id, line);
    } else if (known !== undefined && known.totalMs === undefined) {
      Object.assign(known, line, { at: known.at, pricedCost: line.cost });
      const ended = this.ended.get(known.model) ?? [];
      this.ended.set(known.model, ended);
      ended.push(known);
    }
    return known && this.#charged(known);
  }

  /**
   * @param bytes of the file, from `position` on.
   * @returns whether there were receipts among them.
   */
  *read(bytes: Uint8Array): Steps<boolean> {
    const decoder = new TextDecoder();
    const whole = bytes.lastIndexOf(lineFeed) + 1;
    let hasReceipts = false;
    for (let from = 0; from < whole; ) {
      // Lines that end within a piece, or the one that is longer.
      const near = bytes.subarray(from, from + pieceBytes).lastIndexOf(lineFeed);
      const last = near === -1 ? bytes.indexOf(lineFeed, from) : from + near;
      for (const line of decoder.decode(bytes.subarray(from, last)).split('\n')) {
        const type = this.#addLine(line);
        hasReceipts ||= type === 'receipt';
        // `appendLines` leaves an empty line where two processes write at once.
        this.unreadable += type === undefined && line !== '' ? 1 : 0;
      }
      from = last + 1;
      yield;
    }
    // A line without a line feed may still get its rest, so it is read next time.
    this.position += whole;
    return hasReceipts;
  }

  #begin(start: CallStart): CountedCall {
    const { id, at, connection } = start;
    const state = this.#isRunning(id) ? 'running' : 'unknown';
    const call: CountedCall = { ...start, caller: callerName(start.caller), state };
    this.#calls.set(id, call);
    const siblings = this.#byConnection.get(connection) ?? [];
    this.#byConnection.set(connection, siblings);
    siblings.splice(siblings.findLastIndex((other) => other.at <= at) + 1, 0, call);
    return this.#charged(call);
  }

  /** A receipt takes the place of the cost that was known before. */
  #charged(call: CountedCall): CountedCall {
    const charge = this.charges.get(call.id);
    return charge ? Object.assign(call, { cost: charge.cost, usage: call.usage ?? charge.usage }) : call;
  }

  /** @returns undefined for a line that could not be read. */
  #addLine(text: string) {
    const line = readLine(text);
    const call = line && this.add(line);
    if (call && line.type === 'start') {
      call.place ??= ++this.#places;
    }
    return line?.type;
  }
}

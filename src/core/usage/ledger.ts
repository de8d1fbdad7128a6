import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/lifetime.ts';
import { runInSlices, type Steps } from '../base/runInSlices.ts';
import { Sequencer } from '../base/sequencer.ts';
import { type CallEnd, type CallStart, endLine, startLine } from './ledgerLine.ts';
import { LedgerMonth } from './ledgerMonth.ts';
import { type LedgerLine, LedgerWriter } from './ledgerWriter.ts';
import { type CountedCall, UsageCounter, type UsageTotals } from './usageTotals.ts';

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
   * Reads bytes of a month.
   *
   * @param from the number of bytes to skip.
   * @param into is filled from its beginning.
   * @returns how many bytes were read; fewer than fit only at the end of the file, and 0 without a file.
   */
  read(month: string, from: number, into: Uint8Array): Promise<number>;
  remove(month: string): Promise<void>;
};

export type LedgerPorts = {
  readonly store: LedgerStore;
  readonly clock: Clock;
  /** Called with the error when writing starts to fail; not again before it has succeeded. */
  readonly onDefect: (error: unknown) => void;
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

/** Calls that are added up in one step. */
const callsAtOnce = 32;
const dayMs = 24 * 60 * 60_000;
/** Almost the end of the year 9999, the last that names of months can express. */
const maxTime = 253_402_000_000_000;

/**
 * The record of all paid calls: a line before each is sent, and a line at its end. A call without an end has an unknown
 * outcome. When a line can't be written, the call goes on, and the line stays in memory until it can.
 */
export class Ledger implements Disposable {
  readonly #ports: LedgerPorts;
  readonly #didChange = new Emitter<void>();
  /** The starts of the calls that this process is making, by their ids. */
  readonly #running = new Map<string, LedgerLine>();
  /** The months that were read, with everything that this process added since. */
  readonly #months = new Map<string, LedgerMonth>();
  /** All calls since this time were read at least once. */
  #readFrom = maxTime;
  /** What is read at a time, in the same memory again: new memory for a whole file takes longer than reading it. */
  #buffer = new Uint8Array(1024 * 1024);
  /** Reading and removing run one at a time. */
  readonly #sequencer = new Sequencer();
  readonly #writer: LedgerWriter;

  constructor(ports: LedgerPorts) {
    this.#ports = ports;
    this.#writer = new LedgerWriter({
      ...ports,
      append: (month, lines) => ports.store.append(month, lines),
      onRetried: () => this.#didChange.fire(),
    });
  }

  /** Fires when a call has begun or ended, when writing was tried again, and when calls were removed. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** Whether the last lines could be written. */
  get isWritable(): boolean {
    return this.#writer.failure === undefined;
  }

  /** Records a call that is about to be sent. Resolves when that is on disk or could not be written; never rejects. */
  async begin(start: CallStart): Promise<StartedCall> {
    const month = monthOf(start.at);
    const line: LedgerLine = { month, text: startLine(start), addTo: (each) => each.begin(start) };
    this.#running.set(start.id, line);
    await this.#write(line);
    return {
      failure: this.#writer.unwritten.includes(line) ? this.#writer.failure : undefined,
      end: async (facts) => {
        if (this.#running.delete(start.id)) {
          const end = { ...facts, id: start.id };
          await this.#write({ month, text: endLine(end), addTo: (each) => each.end(end) });
        }
      },
    };
  }

  /**
   * Reads the calls with a connection that began at a time or later, in the order of their times. Rejects when the store
   * can't be read.
   *
   * @param from Unix milliseconds.
   * @param before the id of a call of this process, to leave out what comes after it in its file. Each of the windows
   * that begin calls at once sees the same order.
   */
  calls(connection: string, from: number, before?: string): Promise<readonly CountedCall[]> {
    return this.#sequencer.run('read', async () => {
      const months = await this.#monthsOf(from, maxTime);
      this.#readFrom = Math.min(this.#readFrom, from);
      return callsIn(months, connection, from, before);
    });
  }

  /**
   * As `calls`, but reads the store only if nothing since that time has been read yet. Calls that other windows made
   * meanwhile are missing.
   */
  async knownCalls(connection: string, from: number): Promise<readonly CountedCall[]> {
    if (from < this.#readFrom) {
      return this.calls(connection, from);
    }
    const first = monthOf(from - dayMs);
    const months = [...this.#months].filter(([name]) => name >= first).sort();
    return callsIn(
      months.map(([, month]) => month),
      connection,
      from,
    );
  }

  /**
   * Adds up the calls that began in a span of time. Rejects when the store can't be read.
   *
   * @param from Unix milliseconds.
   * @param to Unix milliseconds; calls that began at this time or later are left out.
   */
  totals(from: number, to: number): Promise<UsageTotals> {
    return this.#sequencer.run('read', async () =>
      runInSlices(this.#ports.clock, this.#sum(await this.#monthsOf(from, to), from, to)),
    );
  }

  /** Removes the months before the current one, apart from the last `keepMonths`. Rejects when one can't be removed. */
  async prune(keepMonths: number): Promise<void> {
    const now = new Date(this.#ports.clock.now());
    const first = monthOf(new Date(now.getFullYear(), now.getMonth() - keepMonths, 1).getTime());
    await this.#remove((month) => month < first);
  }

  /** Removes all calls. Rejects when a month can't be removed. */
  async clear(): Promise<void> {
    await this.#remove(() => true);
  }

  dispose(): void {
    this.#writer.dispose();
    this.#didChange.dispose();
  }

  async #write(line: LedgerLine): Promise<void> {
    const month = this.#months.get(line.month);
    if (month) {
      line.addTo(month);
    }
    await this.#writer.write(line);
    this.#didChange.fire();
  }

  /** Reads what is new in the months that calls of a span of time may be in. */
  async #monthsOf(from: number, to: number): Promise<readonly LedgerMonth[]> {
    // A day more on each side: a call is in the month of its start in the time zone that the machine had then.
    const [first, last] = [monthOf(from - dayMs), monthOf(to + dayMs)];
    const names = new Set([
      ...(await this.#ports.store.months()),
      ...this.#months.keys(),
      ...this.#writer.unwritten.map(({ month }) => month),
    ]);
    const months: LedgerMonth[] = [];
    for (const name of [...names].sort()) {
      if (name >= first && name <= last) {
        months.push(await this.#readMonth(name));
      }
    }
    return months;
  }

  async #readMonth(name: string): Promise<LedgerMonth> {
    const { store, clock } = this.#ports;
    let month = this.#months.get(name) ?? this.#openMonth(name);
    for (;;) {
      const from = month.readBytes;
      const bytes = this.#buffer.subarray(0, await store.read(name, from, this.#buffer));
      if (!month.isContinuedBy(bytes)) {
        // Another window has removed the file, and may have begun it again.
        month = this.#openMonth(name);
        continue;
      }
      await runInSlices(clock, month.read(bytes));
      if (bytes.length < this.#buffer.length) {
        return month;
      }
      if (month.readBytes === from) {
        // Damaged: no line is that long.
        this.#buffer = new Uint8Array(2 * this.#buffer.length);
      }
    }
  }

  /** A month of which only what isn't written yet is known. From now on, all that this process writes is added to it. */
  #openMonth(name: string): LedgerMonth {
    const month = new LedgerMonth();
    for (const line of this.#writer.unwritten) {
      if (line.month === name) {
        line.addTo(month);
      }
    }
    this.#months.set(name, month);
    return month;
  }

  *#sum(months: readonly LedgerMonth[], from: number, to: number): Steps<UsageTotals> {
    const counter = new UsageCounter();
    let unreadable = 0;
    let visited = 0;
    for (const month of months) {
      unreadable += month.unreadable;
      for (const call of month.calls) {
        if (call.at >= from && call.at < to) {
          counter.add(call, call.state ?? (this.#running.has(call.id) ? 'running' : 'unknown'));
        }
        if (++visited % callsAtOnce === 0) {
          yield;
        }
      }
    }
    return counter.totals(unreadable);
  }

  async #remove(isRemoved: (month: string) => boolean): Promise<void> {
    await this.#sequencer.run('read', async () => {
      const { store } = this.#ports;
      await this.#writer.drop(isRemoved);
      for (const month of await store.months()) {
        if (isRemoved(month)) {
          await store.remove(month);
        }
      }
      for (const month of [...this.#months.keys()].filter(isRemoved)) {
        this.#months.delete(month);
      }
    });
    // A call that is still running is recorded again, so that its end has a start, and limits count it.
    await Promise.all(
      [...this.#running.values()].filter(({ month }) => isRemoved(month)).map((line) => this.#write(line)),
    );
    this.#didChange.fire();
  }
}

/** The calls with a connection in some months, in the order of their times; see `Ledger.calls`. */
function callsIn(months: readonly LedgerMonth[], connection: string, from: number, before?: string): CountedCall[] {
  let found: CountedCall[] = [];
  for (const month of months) {
    const end = before === undefined ? undefined : month.placeOf(before);
    const isBefore = ({ place }: CountedCall) => end === undefined || (place !== undefined && place < end);
    const calls = month.callsOf(connection, from);
    const isOrdered = (found.at(-1)?.at ?? 0) <= (calls[0]?.at ?? maxTime);
    const wanted = before === undefined ? calls : calls.filter((call) => call.id !== before && isBefore(call));
    found = found.length === 0 ? wanted : found.concat(wanted);
    if (!isOrdered) {
      // The time zone was changed at the end of a month.
      found.sort((one, other) => one.at - other.at);
    }
  }
  return found;
}

/** The month of a time in Unix milliseconds, by the local calendar, such as `2026-11`. */
function monthOf(time: number): string {
  const date = new Date(Math.min(Math.max(time, 0), maxTime));
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

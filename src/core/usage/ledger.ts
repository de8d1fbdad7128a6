import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/lifetime.ts';
import { runInSlices, type Steps } from '../base/runInSlices.ts';
import { Sequencer } from '../base/sequencer.ts';
import { type Charge, type Cost, knownCost } from '../reply/cost.ts';
import { type CallDetails, readDetails } from './callDetails.ts';
import { type CallEnd, type CallStart, endLine, type Receipt, receiptLine, startLine } from './ledgerLine.ts';
import type { LedgerMonth } from './ledgerMonth.ts';
import { callsBetween, callsIn, LedgerMonths, maxTime, monthOf, monthsBetween } from './ledgerMonths.ts';
import type { LedgerStore } from './ledgerStore.ts';
import { type LedgerLine, LedgerWriter } from './ledgerWriter.ts';
import { type CallState, type CountedCall, UsageCounter, type UsageTotals } from './usageTotals.ts';

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

/** Finds what a call cost; undefined when that is unknown. */
export type CostOfCall = (call: CountedCall) => Cost | undefined;

/** Calls that are added up in one step. */
const callsAtOnce = 32;

/**
 * The record of all paid calls: a line before each is sent, and a line at its end. A call without an end has an unknown
 * outcome. When a line can't be written, the call goes on, and the line stays in memory until it can.
 */
export class Ledger implements Disposable {
  readonly #ports: LedgerPorts;
  readonly #didChange = new Emitter<void>();
  readonly #didReceive = new Emitter<void>();
  readonly #didClear = new Emitter<void>();
  /** The starts of the calls that this process is making, by their ids. */
  readonly #running = new Map<string, LedgerLine>();
  readonly #months: LedgerMonths;
  /** All calls since this time were read at least once. */
  #readFrom = maxTime;
  /** Reading and removing run one at a time. */
  readonly #sequencer = new Sequencer();
  readonly #writer: LedgerWriter;

  constructor(ports: LedgerPorts) {
    this.#ports = ports;
    this.#writer = new LedgerWriter({
      ...ports,
      append: (month, lines) => ports.store.append(month, lines),
      isCleared: () => this.#months.isCleared(),
      isRunning: (line) => [...this.#running.values()].includes(line),
      onRetried: () => this.#didChange.fire(),
    });
    this.#months = new LedgerMonths({
      ...ports,
      unwritten: () => this.#writer.unwritten,
      onReceipts: () => this.#didReceive.fire(),
    });
  }

  /** Fires when a call has begun or ended, when writing was tried again, and when calls were removed. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** Fires when `chargedOf` may have changed. */
  get onDidReceive(): Event<void> {
    return this.#didReceive.event;
  }

  /** Fires when this process has removed all calls. */
  get onDidClear(): Event<void> {
    return this.#didClear.event;
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
      const months = await this.#months.read(from, maxTime);
      this.#readFrom = Math.min(this.#readFrom, from);
      return callsIn(months, connection, from, before);
    });
  }

  /**
   * As `calls`, but reads the store only if nothing since that time has been read yet. Calls that other windows made
   * meanwhile are missing.
   */
  async knownCalls(connection: string, from: number): Promise<readonly CountedCall[]> {
    // A month that had no file yet when the others were read gets its calls only once it has been read.
    if (from < this.#readFrom || !this.#months.has(monthOf(this.#ports.clock.now()))) {
      return this.calls(connection, from);
    }
    return callsIn(this.#months.known(from), connection, from);
  }

  /**
   * Adds up the calls that began in a span of time. Rejects when the store can't be read.
   *
   * @param from Unix milliseconds.
   * @param to Unix milliseconds; calls that began at this time or later are left out.
   * @param costOf finds what a call cost.
   */
  totals(from: number, to: number, costOf: CostOfCall = knownCost): Promise<UsageTotals> {
    return this.#sequencer.run('read', async () =>
      runInSlices(this.#ports.clock, this.#sum(await this.#months.read(from, to), from, to, costOf)),
    );
  }

  /** All calls that began in a span of time, in any order; see `totals`. */
  callsBetween(from: number, to: number): Promise<CountedCall[]> {
    return this.#sequencer.run('read', async () => {
      const months = await this.#months.read(from, to);
      return runInSlices(this.#ports.clock, callsBetween(months, from, to));
    });
  }

  /** How many lines could not be read, in all months of a span of time. Rejects when the store can't be read. */
  unreadable(from: number, to: number): Promise<number> {
    return this.#sequencer.run('read', async () =>
      (await this.#months.read(from, to)).reduce((sum, month) => sum + month.unreadable, 0),
    );
  }

  /** How a call is shown and counted: a call without an end may still be running in this process. */
  stateOf(call: CountedCall): CallState {
    return call.state ?? (this.#running.has(call.id) ? 'running' : 'unknown');
  }

  /** What only few need of the ends of the calls that are in the same months, by their ids. */
  details(from: number, to: number): Promise<ReadonlyMap<string, CallDetails>> {
    return this.#sequencer.run('read', () => readDetails(this.#ports, monthsBetween(from, to)));
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
        this.#write({ month: monthOf(began), text: receiptLine(receipt), addTo: (each) => each.receive(receipt) }),
      ),
    );
    this.#didReceive.fire();
    if (receipts.length > 0 && this.#writer.failure !== undefined) {
      throw this.#writer.failure;
    }
  }

  /**
   * What a call was charged, by a gateway's log. Undefined without a receipt, and for a call of a month that this process
   * has not read: nothing is read for it.
   */
  chargedOf(id: string): Charge | undefined {
    return this.#months.chargedOf(id);
  }

  /**
   * Removes the oldest month, if it isn't among the last `keepMonths` before the current one. Counts from the newest
   * recorded month if that is earlier, and removes one at a time, because the clock may be wrong. Rejects when the month
   * can't be removed.
   */
  async prune(keepMonths: number): Promise<void> {
    const { clock, store } = this.#ports;
    const months = (await store.months()).toSorted();
    const [oldest = '', newest = ''] = [months[0], months.at(-1)];
    const [earlier = ''] = [newest, monthOf(clock.now())].toSorted();
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

  dispose(): void {
    this.#writer.dispose();
    this.#didChange.dispose();
    this.#didReceive.dispose();
    this.#didClear.dispose();
  }

  async #write(line: LedgerLine): Promise<void> {
    this.#months.add(line);
    await this.#writer.write(line);
    this.#didChange.fire();
  }

  *#sum(months: readonly LedgerMonth[], from: number, to: number, costOf: CostOfCall): Steps<UsageTotals> {
    const counter = new UsageCounter();
    let unreadable = 0;
    let visited = 0;
    for (const month of months) {
      unreadable += month.unreadable;
      for (const call of month.calls) {
        if (call.at >= from && call.at < to) {
          counter.add(call, this.stateOf(call), costOf(call));
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
      this.#months.forget(isRemoved);
      this.#didReceive.fire();
    });
    // A call that is still running is recorded again, so that its end has a start, and limits count it.
    await Promise.all(
      [...this.#running.values()].filter(({ month }) => isRemoved(month)).map((line) => this.#write(line)),
    );
    this.#didChange.fire();
  }
}

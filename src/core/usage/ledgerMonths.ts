import type { Clock } from '../base/clock.ts';
import { runInSlices, type Steps } from '../base/runInSlices.ts';
import type { Charge } from '../reply/cost.ts';
import { isMarked, LedgerMonth } from './ledgerMonth.ts';
import type { LedgerStore } from './ledgerStore.ts';
import type { LedgerLine } from './ledgerWriter.ts';
import type { CountedCall } from './usageTotals.ts';

export type LedgerMonthsPorts = {
  readonly store: Pick<LedgerStore, 'months' | 'read'>;
  readonly clock: Clock;
  /** The lines that are not on disk, in their order. */
  readonly unwritten: () => readonly LedgerLine[];
  /** Called when receipts were read. */
  readonly onReceipts: () => void;
};

const dayMs = 24 * 60 * 60_000;
/** Almost the end of the year 9999, the last that names of months can express. */
export const maxTime = 253_402_000_000_000;

/** The months that were read, with everything that this process added since. */
export class LedgerMonths {
  readonly #ports: LedgerMonthsPorts;
  readonly #months = new Map<string, LedgerMonth>();
  /** What is read at a time, in the same memory again: new memory for a whole file takes longer than reading it. */
  #buffer = new Uint8Array(1024 * 1024);

  constructor(ports: LedgerMonthsPorts) {
    this.#ports = ports;
  }

  /** Adds a line to its month, if that was read. */
  add(line: LedgerLine): void {
    const month = this.#months.get(line.month);
    if (month) {
      line.addTo(month);
    }
  }

  /** Whether a month was read, so that it gets what this process adds. */
  has(month: string): boolean {
    return this.#months.has(month);
  }

  /** What a call was charged, if its month was read. */
  chargedOf(id: string): Charge | undefined {
    const month = [...this.#months.values()].find((each) => each.chargedOf(id));
    return month?.chargedOf(id);
  }

  /** The months, of those that were read, that calls since a time may be in. */
  known(from: number): LedgerMonth[] {
    const first = monthOf(from - dayMs);
    return sorted(this.#months)
      .filter(([name]) => name >= first)
      .map(([, month]) => month);
  }

  /** Reads what is new in the months that calls of a span of time may be in. Must not run twice at a time. */
  async read(from: number, to: number): Promise<readonly LedgerMonth[]> {
    const isWanted = monthsBetween(from, to);
    const months = new Map<string, LedgerMonth>();
    const readAll = async (names: readonly string[]) => {
      for (const name of names) {
        if (isWanted(name) && !months.has(name)) {
          months.set(name, await this.#readMonth(name));
        }
      }
    };
    const known = [...this.#months.keys(), ...this.#ports.unwritten().map(({ month }) => month)];
    // At the same time, because almost always there is no further month.
    const [names] = await Promise.all([this.#ports.store.months(), readAll(known)]);
    await readAll(names);
    return sorted(months).map(([, month]) => month);
  }

  /** Whether another window has removed all that was read, if anything. Retention leaves the last month. */
  async isCleared(): Promise<boolean> {
    const read = sorted(this.#months).findLast(([, { mark }]) => mark.bytes.length > 0);
    if (read === undefined) {
      return false;
    }
    const [name, { mark }] = read;
    const bytes = new Uint8Array(mark.bytes.length);
    return !isMarked(mark, bytes.subarray(0, await this.#ports.store.read(name, mark.from, bytes)));
  }

  forget(isForgotten: (month: string) => boolean): void {
    for (const month of [...this.#months.keys()].filter(isForgotten)) {
      this.#months.delete(month);
    }
  }

  async #readMonth(name: string): Promise<LedgerMonth> {
    const { store, clock, onReceipts } = this.#ports;
    let month = this.#months.get(name) ?? this.#openMonth(name);
    for (;;) {
      const { mark } = month;
      const bytes = this.#buffer.subarray(0, await store.read(name, mark.from, this.#buffer));
      if (!isMarked(mark, bytes)) {
        // Another window has removed the file, and may have begun it again.
        month = this.#openMonth(name);
        continue;
      }
      if (await runInSlices(clock, month.read(bytes))) {
        onReceipts();
      }
      if (bytes.length < this.#buffer.length) {
        return month;
      }
      if (month.mark === mark) {
        // Damaged: no line is that long.
        this.#buffer = new Uint8Array(2 * this.#buffer.length);
      }
    }
  }

  /** A month of which only what isn't written yet is known. From now on, all that this process writes is added to it. */
  #openMonth(name: string): LedgerMonth {
    const month = new LedgerMonth();
    for (const line of this.#ports.unwritten()) {
      if (line.month === name) {
        line.addTo(month);
      }
    }
    this.#months.set(name, month);
    return month;
  }
}

function sorted(months: ReadonlyMap<string, LedgerMonth>): [string, LedgerMonth][] {
  return [...months].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** The calls with a connection in some months, in the order of their times; see `Ledger.calls`. */
export function callsIn(
  months: readonly LedgerMonth[],
  connection: string,
  from: number,
  before?: string,
): CountedCall[] {
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

/** Tells which months calls of a span of time may be in. */
export function monthsBetween(from: number, to: number): (month: string) => boolean {
  // A day more on each side: a call is in the month of its start in the time zone that the machine had then.
  const [first, last] = [monthOf(from - dayMs), monthOf(to + dayMs)];
  return (month) => month >= first && month <= last;
}

/** The month of a time in Unix milliseconds, by the local calendar, such as `2026-11`. */
export function monthOf(time: number): string {
  const date = new Date(Math.min(Math.max(time, 0), maxTime));
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

/** The calls that began in a span of time. */
export function* callsBetween(months: readonly LedgerMonth[], from: number, to: number): Steps<CountedCall[]> {
  const found: CountedCall[] = [];
  for (const { calls } of months) {
    for (const call of calls) {
      if (call.at >= from && call.at < to) {
        found.push(call);
      }
      yield;
    }
  }
  return found;
}

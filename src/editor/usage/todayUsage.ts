import type { Clock } from '../../core/base/clock.ts';
import { dayStart } from '../../core/base/dayStart.ts';
import { type Disposable, DisposableStore, Emitter, type Event } from '../../core/base/lifetime.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { costsBySite, type UsageTotals } from '../../core/usage/usageTotals.ts';

/** Calls that end at the same moment, such as those of a comparison, are read together. */
const delayMs = 200;

type TodayPorts = {
  readonly ledger: () => Ledger;
  readonly clock: Clock;
  readonly connections: () => readonly { readonly id: string; readonly host: string }[];
  readonly onDefect: (error: unknown) => void;
};

/** The sums of the current day, of all windows, as last read. */
export class TodayUsage implements Disposable {
  readonly #ports: TodayPorts;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  /** Undefined before the first reading. */
  current: UsageTotals | undefined;
  #isOpen = false;
  #due: Disposable | undefined;

  constructor(ports: TodayPorts) {
    this.#ports = ports;
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** Reads the sums, and from now on again after every call and at midnight. */
  open(): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#store.add(this.#ports.ledger().onDidChange(() => this.#readAfter(delayMs)));
      this.#read().catch(this.#ports.onDefect);
    }
  }

  dispose(): void {
    this.#due?.dispose();
    this.#store.dispose();
  }

  async #read(): Promise<void> {
    const { ledger, clock, connections } = this.#ports;
    const now = clock.now();
    const [from, to] = [dayStart(now), dayStart(now, 1)];
    try {
      this.current = await ledger().totals(from, to, costsBySite(connections()));
      this.#didChange.fire();
    } finally {
      if (this.#due === undefined) {
        this.#readAfter(to - now);
      }
    }
  }

  #readAfter(ms: number): void {
    this.#due?.dispose();
    this.#due = this.#ports.clock.after(ms, () => {
      this.#due = undefined;
      this.#read().catch(this.#ports.onDefect);
    });
  }
}

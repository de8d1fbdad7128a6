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
  #current: UsageTotals | undefined;
  #isOpen = false;
  #due: Disposable | undefined;

  constructor(ports: TodayPorts) {
    this.#ports = ports;
  }

  /** Undefined before the first reading. */
  get current(): UsageTotals | undefined {
    return this.#current;
  }

  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** Reads the sums, and from now on again after every call and at midnight. */
  open(): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#start().catch(this.#ports.onDefect);
    }
  }

  dispose(): void {
    this.#due?.dispose();
    this.#store.dispose();
  }

  async #start(): Promise<void> {
    const ledger = this.#ports.ledger();
    this.#store.add(ledger.onDidChange(() => this.#readAfter(delayMs, ledger)));
    await this.#read(ledger);
  }

  async #read(ledger: Ledger): Promise<void> {
    const now = this.#ports.clock.now();
    const [from, to] = [dayStart(now, 0), dayStart(now, 1)];
    try {
      this.#current = await ledger.totals(from, to, costsBySite(this.#ports.connections()));
      this.#didChange.fire();
    } finally {
      if (this.#due === undefined) {
        this.#readAfter(to - now, ledger);
      }
    }
  }

  #readAfter(ms: number, ledger: Ledger): void {
    this.#due?.dispose();
    this.#due = this.#ports.clock.after(ms, () => {
      this.#due = undefined;
      this.#read(ledger).catch(this.#ports.onDefect);
    });
  }
}

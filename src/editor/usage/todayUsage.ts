import type { Clock } from '../../core/base/clock.ts';
import { dayStart } from '../../core/base/dayStart.ts';
import { type Disposable, DisposableStore, Emitter } from '../../core/base/lifetime.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { costsBySite, type UsageTotals } from '../../core/usage/usageTotals.ts';
import type { UsedConnection } from './usageMatching.ts';

/** Calls that end at the same moment, such as those of a comparison, are read together. */
const delayMs = 200;

/** The sums of the current day, of all windows, as last read. */
export class TodayUsage implements Disposable {
  readonly #ledger: () => Ledger;
  readonly #clock: Clock;
  readonly #connections: () => readonly UsedConnection[];
  readonly #onDefect: (error: unknown) => void;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly onDidChange = this.#didChange.event;
  /** Undefined before the first reading. */
  current: UsageTotals | undefined;
  #isOpen = false;
  #due: Disposable | undefined;

  constructor(
    ledger: () => Ledger,
    clock: Clock,
    connections: () => readonly UsedConnection[],
    onDefect: (error: unknown) => void,
  ) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#connections = connections;
    this.#onDefect = onDefect;
  }

  /** Reads the sums, and from now on again after every call and at midnight. */
  open(): void {
    if (!this.#isOpen) {
      this.#isOpen = true;
      this.#store.add(this.#ledger().onDidChange(() => this.#readAfter(delayMs)));
      this.#read().catch(this.#onDefect);
    }
  }

  dispose(): void {
    this.#due?.dispose();
    this.#store.dispose();
  }

  async #read(): Promise<void> {
    const now = this.#clock.now();
    const [from, to] = [dayStart(now), dayStart(now, 1)];
    try {
      this.current = await this.#ledger().totals(from, to, costsBySite(this.#connections()));
      this.#didChange.fire();
    } finally {
      if (this.#due === undefined) {
        this.#readAfter(to - now);
      }
    }
  }

  #readAfter(ms: number): void {
    this.#due?.dispose();
    this.#due = this.#clock.after(ms, () => {
      this.#due = undefined;
      this.#read().catch(this.#onDefect);
    });
  }
}

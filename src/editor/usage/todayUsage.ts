import type { Clock } from '../../core/base/clock.ts';
import { dayStart } from '../../core/base/dayStart.ts';
import { type Disposable, DisposableStore, Emitter } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { Ledger } from '../../core/usage/ledger.ts';
import { costsBySite, type UsageTotals } from '../../core/usage/usageTotals.ts';

/** Calls that end at the same moment, such as those of a comparison, are read together. */
const delayMs = 200;
/** Timers may stand still while a laptop sleeps (wire Q90): how often the sums are read again, also without a call. */
const againMs = 300_000;

/** The sums of the current day, of all windows, as last read; `open` starts reading them. */
export function openTodayUsage(
  ledger: () => Ledger,
  clock: Clock,
  connections: Pick<Connections, 'all'>,
  onDefect: (error: unknown) => void,
) {
  const store = new DisposableStore();
  const didChange = store.add(new Emitter<void>());
  const onDidChange = didChange.event;
  /** Undefined before the first reading. */
  let current: UsageTotals | undefined;
  let due: Disposable | undefined;

  /** Reads the sums, and from now on again after every call, at midnight, and every few minutes. */
  const open = once(() => {
    store.add(ledger().onDidChange(() => readAfter(delayMs)));
    read().catch(onDefect);
  });

  function dispose(): void {
    due?.dispose();
    store.dispose();
  }

  async function read(): Promise<void> {
    const now = clock.now();
    const [from, to] = [dayStart(now), dayStart(now, 1)];
    const again = readAfter(Math.min(to - now, againMs));
    try {
      current = await ledger().totals(from, to, costsBySite(connections.all));
    } catch (error) {
      // Otherwise the log would be full of it.
      again.dispose();
      throw error;
    }
    didChange.fire();
  }

  function readAfter(ms: number): Disposable {
    due?.dispose();
    due = clock.after(ms, () => void read().catch(onDefect));
    return due;
  }

  return {
    open,
    dispose,
    onDidChange,
    get current() {
      return current;
    },
  };
}

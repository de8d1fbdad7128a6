import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifetime.ts';
import type { CodeContext } from '../context/prompt.ts';

/** Asks the person whether as many more questions may go to these hosts. */
export type ConfirmMore = (count: number, hosts: readonly string[]) => Promise<boolean>;

/**
 * Whether an action of a command may send. Of those declined together the first is `declined`, so that its question can be
 * kept for the person, and the others are `dropped`.
 */
export type Admission = 'admitted' | 'declined' | 'dropped';

/** A repeat is ignored for this many steps after the last one: a second. */
const rememberedSteps = 4;
/** In steps, because repeats that waited while the host was busy are read only after the timer that was due meanwhile. */
const stepMs = 250;

/** Actions that commands may begin within this time without asking. */
export const mostUnasked = 3;
const unaskedMs = 10_000;

type Remembered = { readonly result: Promise<unknown>; forgetting?: Disposable };

/** What contexts put into a request: the same code, selected twice, has two ids. */
export function contentsOf(contexts: readonly CodeContext[]): unknown[] {
  return contexts.map(({ id: _, ...content }) => content);
}

/**
 * The gate of every action that ends in a paid call, one for each extension host. It takes a repeated action for the one
 * it repeats, and lets commands, which any extension can run, begin no more than a few actions without asking.
 */
export class PaidActions {
  readonly #clock: Clock;
  readonly #confirm: ConfirmMore;
  readonly #remembered = new Map<string, Remembered>();
  /** When commands began actions without asking, in unix milliseconds. */
  #unaskedAt: number[] = [];
  #waiting: { readonly host: string; readonly answer: (admission: Admission) => void }[] = [];
  #isAsking = false;

  constructor(clock: Clock, confirm: ConfirmMore) {
    this.#clock = clock;
    this.#confirm = confirm;
  }

  /**
   * Runs an action, unless the same one is running or was repeated less than a second ago: then this is one more repeat,
   * and gets the result of the first. So a key that is held down is one action, however long.
   *
   * @param identity everything that decides what would be sent; plain data.
   * @param isSettled whether the result is to be remembered: when nothing came of it, the next one is no repeat.
   * @param afterwards what a repeat gets that comes after the end of the first; without it, the result of the first.
   */
  async once<T>(
    identity: readonly unknown[],
    run: () => Promise<T>,
    isSettled: (result: T) => boolean,
    afterwards?: T,
  ): Promise<T> {
    const key = JSON.stringify(identity);
    const known = this.#remembered.get(key);
    if (known) {
      if (known.forgetting) {
        this.#forgetLater(key, known);
        if (afterwards !== undefined) {
          return afterwards;
        }
      }
      return known.result as Promise<T>;
    }
    const remembered: Remembered = { result: run() };
    this.#remembered.set(key, remembered);
    let isKept = false;
    try {
      const result = (await remembered.result) as T;
      isKept = isSettled(result);
      return result;
    } finally {
      if (isKept) {
        this.#forgetLater(key, remembered);
      } else {
        this.#remembered.delete(key);
      }
    }
  }

  /**
   * Asked before an action is begun that no person has typed or confirmed. Those that come while the person is asked wait
   * for the answer, and are then asked about together.
   *
   * @param host where it would go.
   */
  async admit(host: string): Promise<Admission> {
    const now = this.#clock.now();
    // A clock that was set back must not close the gate for longer.
    this.#unaskedAt = this.#unaskedAt.filter((at) => Math.abs(now - at) < unaskedMs);
    if (!this.#isAsking && this.#unaskedAt.length < mostUnasked) {
      this.#unaskedAt.push(now);
      return 'admitted';
    }
    return new Promise((answer) => {
      this.#waiting.push({ host, answer });
      if (!this.#isAsking) {
        void this.#ask();
      }
    });
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const asked = this.#waiting.splice(0);
      const hosts = [...new Set(asked.map(({ host }) => host))];
      const isConfirmed = await this.#confirm(asked.length, hosts).catch(() => false);
      if (!isConfirmed) {
        asked.push(...this.#waiting.splice(0));
      }
      for (const [index, { answer }] of asked.entries()) {
        answer(isConfirmed ? 'admitted' : index === 0 ? 'declined' : 'dropped');
      }
    }
    this.#isAsking = false;
  }

  #forgetLater(key: string, remembered: Remembered, steps = rememberedSteps): void {
    remembered.forgetting?.dispose();
    remembered.forgetting = this.#clock.after(stepMs, () => {
      if (steps > 1) {
        this.#forgetLater(key, remembered, steps - 1);
      } else {
        this.#remembered.delete(key);
      }
    });
  }
}

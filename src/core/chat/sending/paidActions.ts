import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifetime.ts';
import type { CodeContext } from '../context/prompt.ts';

/** Asks the person whether `count` more questions may be sent to these hosts. */
export type ConfirmMore = (count: number, hosts: readonly string[]) => Promise<boolean>;

/**
 * Whether an action of a command may send. When several are declined together, the first is `declined`, so that its
 * question can be saved for the person, and the others are `dropped`.
 */
export type Admission = 'admitted' | 'declined' | 'dropped';

/** Steps for which an action is remembered after its last repeat; together a second. */
const rememberedSteps = 4;
/** Counted in short steps, so that after the host was busy only one step ends before the repeats that waited. */
const stepMs = 250;

/** Number of actions that commands may start without confirmation between two gestures of the person. */
export const maxUnconfirmed = 3;

type Remembered = { readonly result: Promise<unknown>; forgetting?: Disposable };

/** What contexts add to a request, without their ids: the same code has two ids if it was selected twice. */
export function contentsOf(contexts: readonly CodeContext[]): unknown[] {
  return contexts.map(({ id: _, ...content }) => content);
}

/**
 * The gate for every action that makes a paid call; one instance for each extension host. Repeats of an action count as
 * one action. Commands, which any extension can run, may start only a few actions without confirmation.
 */
export class PaidActions {
  readonly #clock: Clock;
  readonly #confirm: ConfirmMore;
  readonly #remembered = new Map<string, Remembered>();
  /** Number of actions that commands started without confirmation since the last gesture. */
  #unconfirmed = 0;
  /** How often the person has typed or clicked where this extension notices it; written only here. */
  gestures = 0;
  #waiting: { readonly host: string; readonly answer: (admission: Admission) => void }[] = [];
  #isAsking = false;

  constructor(clock: Clock, confirm: ConfirmMore) {
    this.#clock = clock;
    this.#confirm = confirm;
  }

  /**
   * Runs an action, unless the same action is still running or last came less than a second ago. Such a repeat gets the
   * result of the first one, so a key that is held down counts as one action, however long it is held.
   *
   * @param identity everything that decides what would be sent; plain data.
   * @param run resolves to what was sent. If it resolves to nothing, the same action can run again at once.
   */
  async once(identity: readonly unknown[], run: () => Promise<unknown>): Promise<unknown> {
    const key = JSON.stringify(identity);
    const known = this.#remembered.get(key);
    if (known) {
      if (known.forgetting) {
        this.#forgetLater(key, known);
      }
      return known.result;
    }
    const remembered: Remembered = { result: run() };
    this.#remembered.set(key, remembered);
    let isStored = false;
    try {
      const result = await remembered.result;
      isStored = Boolean(result);
      return result;
    } finally {
      if (isStored) {
        this.#forgetLater(key, remembered);
      } else {
        this.#remembered.delete(key);
      }
    }
  }

  /**
   * Decides whether an action that the person has neither typed nor confirmed may start. Actions that come while the
   * person is being asked wait for the answer: after a yes, one question is asked for all of them; after a no, they are
   * declined too.
   *
   * @param host where the action would be sent.
   */
  async admit(host: string): Promise<Admission> {
    if (!this.#isAsking && this.#unconfirmed < maxUnconfirmed) {
      this.#unconfirmed++;
      return 'admitted';
    }
    return new Promise((answer) => {
      this.#waiting.push({ host, answer });
      if (!this.#isAsking) {
        void this.#ask();
      }
    });
  }

  /** Call this when the person types or clicks where this extension notices it: commands may start actions again. */
  noteGesture(): void {
    this.gestures++;
    this.#unconfirmed = 0;
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      const hosts = [...new Set(batch.map(({ host }) => host))];
      const isConfirmed = await this.#confirm(batch.length, hosts).catch(() => false);
      if (!isConfirmed) {
        batch.push(...this.#waiting.splice(0));
      }
      for (const [index, { answer }] of batch.entries()) {
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

import { type ModelChoices, noChoices, readChoices } from './modelChoices.ts';

/** Stores choices between sessions, by connection id. All windows share them. */
export type ChoiceMemory = {
  /** @returns what `write` last stored, in this window or another one; of any type, because it isn't validated. */
  read(connectionId: string): unknown;
  /** Resolves when the choices are stored; `read` returns them as soon as this is called. */
  write(connectionId: string, choices: ModelChoices): PromiseLike<unknown>;
};

/** The person's choices for the connection in use. */
export class PersonChoices {
  readonly #memory: ChoiceMemory;
  readonly #connectionId: () => string | undefined;
  readonly #onChange: () => void;
  #shown: { readonly connectionId: string | undefined; readonly choices: ModelChoices } | undefined;

  /** @param onChange called when a change or a reread has replaced `current`. */
  constructor(memory: ChoiceMemory, connectionId: () => string | undefined, onChange: () => void) {
    this.#memory = memory;
    this.#connectionId = connectionId;
    this.#onChange = onChange;
  }

  /** The same object as long as nothing changes. */
  get current(): ModelChoices {
    const connectionId = this.#connectionId();
    if (this.#shown === undefined || this.#shown.connectionId !== connectionId) {
      this.#shown = { connectionId, choices: this.#read(connectionId) };
    }
    return this.#shown.choices;
  }

  /** Reads the stored choices again, because another window may have changed them. */
  reread(): void {
    const connectionId = this.#connectionId();
    const choices = this.#read(connectionId);
    if (JSON.stringify(choices) !== JSON.stringify(this.#shown?.choices)) {
      this.#shown = { connectionId, choices };
      this.#onChange();
    }
  }

  /**
   * Applies a change to what is stored now, so that no window undoes the choices of another one.
   *
   * @param change must return the same object when nothing changes.
   * @throws what the memory throws; `current` then equals what the memory holds.
   */
  async change(change: (choices: ModelChoices) => ModelChoices): Promise<void> {
    const connectionId = this.#connectionId();
    if (connectionId === undefined) {
      return;
    }
    const stored = this.#read(connectionId);
    const next = change(stored);
    const written = next === stored ? undefined : this.#memory.write(connectionId, next);
    this.reread();
    try {
      await written;
    } finally {
      this.reread();
    }
  }

  #read(connectionId: string | undefined): ModelChoices {
    return connectionId === undefined ? noChoices : readChoices(this.#memory.read(connectionId));
  }
}

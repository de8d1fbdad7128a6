import { Sequencer } from '../../base/sequencer.ts';
import { type ModelChoices, noChoices, readChoices } from './modelChoices.ts';

/** Where choices are kept between sessions, by the id of their connection. Every window of an editor shares it. */
export type ChoiceMemory = {
  /** What was written last, by this window or another one; unknown until it is read. */
  read(connectionId: string): unknown;
  write(connectionId: string, choices: ModelChoices): PromiseLike<unknown>;
};

/**
 * What the person chose for the connection in use. A change is seen at once and then written: into what is kept at
 * that moment, one thing at a time, so that no window undoes what another one chose.
 */
export class PersonChoices {
  readonly #memory: ChoiceMemory;
  readonly #connectionId: () => string | undefined;
  readonly #onChange: () => void;
  #shown: { readonly connectionId: string | undefined; readonly choices: ModelChoices } | undefined;
  readonly #sequencer = new Sequencer();
  #pending = 0;

  /** @param onChange told whenever `current` became another one through a change or a reread. */
  constructor(memory: ChoiceMemory, connectionId: () => string | undefined, onChange: () => void) {
    this.#memory = memory;
    this.#connectionId = connectionId;
    this.#onChange = onChange;
  }

  /** The same object as long as nothing changed. */
  get current(): ModelChoices {
    const connectionId = this.#connectionId();
    if (this.#shown === undefined || this.#shown.connectionId !== connectionId) {
      this.#shown = { connectionId, choices: this.#read(connectionId) };
    }
    return this.#shown.choices;
  }

  /** Looks again at what is kept; another window may have changed it. */
  reread(): void {
    // What is still being written would seem undone for a moment.
    if (this.#pending === 0) {
      this.#show(this.#connectionId(), this.#read(this.#connectionId()));
    }
  }

  /**
   * @param change must give back the same object when there is nothing to do.
   * @throws what the memory throws; the change is then taken back.
   */
  async change(change: (choices: ModelChoices) => ModelChoices): Promise<void> {
    const connectionId = this.#connectionId();
    if (connectionId === undefined) {
      return;
    }
    this.#show(connectionId, change(this.current));
    this.#pending++;
    const written = this.#sequencer.run('', async () => {
      const kept = this.#read(connectionId);
      const next = change(kept);
      if (next !== kept) {
        await this.#memory.write(connectionId, next);
      }
    });
    try {
      await written;
    } finally {
      this.#pending--;
      if (this.#connectionId() === connectionId) {
        this.reread();
      }
    }
  }

  #read(connectionId: string | undefined): ModelChoices {
    return connectionId === undefined ? noChoices : readChoices(this.#memory.read(connectionId));
  }

  #show(connectionId: string | undefined, choices: ModelChoices): void {
    if (connectionId !== this.#connectionId() || isSame(this.current, choices)) {
      return;
    }
    this.#shown = { connectionId, choices };
    this.#onChange();
  }
}

function isSame(a: ModelChoices, b: ModelChoices): boolean {
  return a === b || JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
}

function inOrder({ defaultModel, favourites, recent, manual }: ModelChoices): unknown[] {
  return [defaultModel, favourites, recent, manual];
}

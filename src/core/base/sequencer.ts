/** Runs tasks of one key one after the other, in the order asked for, also when one of them fails. */
export class Sequencer {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @returns what the task gives; rejects as it does. */
  run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const done = this.settled(key).then(task);
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (this.#last.get(key) === settled) {
          this.#last.delete(key);
        }
      });
    this.#last.set(key, settled);
    return done;
  }

  /** Resolves when all that was asked for until now has ended. */
  async settled(key: string): Promise<void> {
    await this.#last.get(key);
  }
}

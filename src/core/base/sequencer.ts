/** Runs the tasks of each key one at a time, in the order they were added. A failed task doesn't stop the next. */
export class Sequencer {
  readonly #last = new Map<string, Promise<unknown>>();

  /** @returns the task's result; rejects when the task does. */
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

  /** Resolves when every task that was added for this key so far has ended. */
  async settled(key: string): Promise<void> {
    await this.#last.get(key);
  }
}

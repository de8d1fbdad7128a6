/** Disposables and events for the core, compatible with VS Code's own types. */

export type Disposable = { dispose(): void };

/** Assignable to `vscode.Event`. */
export type Event<T> = (listener: (value: T) => unknown) => Disposable;

/**
 * The disposables of one owner, which is often a class that extends it. Disposes last in, first out, and can be disposed
 * twice. An item that is added after disposal is disposed at once, so that it can't leak.
 */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  /** Written only here. */
  isDisposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.isDisposed) {
      item.dispose();
    } else {
      this.#items.push(item);
    }
    return item;
  }

  dispose(): void {
    this.isDisposed = true;
    for (let item = this.#items.pop(); item; item = this.#items.pop()) {
      item.dispose();
    }
  }
}

/** Notifies listeners that something changed. They read the new state from its owner. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();

  readonly event: Event<T> = (listener) => {
    // A new wrapper each time, so that the same function can be added twice.
    const entry = (value: T) => listener(value);
    this.#listeners.add(entry);
    return { dispose: () => void this.#listeners.delete(entry) };
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // Thrown later, so that the other listeners are still called.
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

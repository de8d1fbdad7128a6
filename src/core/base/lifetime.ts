/** Ownership and events for the core, shaped so that VS Code accepts them as its own. */

export type Disposable = { dispose(): void };

/** Assignable to `vscode.Event` as it is. */
export type Event<T> = (listener: (value: T) => unknown, thisArgs?: unknown, disposables?: Disposable[]) => Disposable;

/** Wraps a function as something that can be disposed once. */
export function disposable(run: () => void): Disposable {
  let isDone = false;
  return {
    dispose() {
      if (!isDone) {
        isDone = true;
        run();
      }
    },
  };
}

/**
 * What one owner has created. Disposes last in, first out; safe to dispose twice; what is added after disposal is
 * disposed at once, so that a late arrival can not leak.
 */
export class DisposableStore implements Disposable {
  readonly #items: Disposable[] = [];
  #isDisposed = false;

  get isDisposed(): boolean {
    return this.#isDisposed;
  }

  add<T extends Disposable>(item: T): T {
    if (this.#isDisposed) {
      item.dispose();
    } else {
      this.#items.push(item);
    }
    return item;
  }

  dispose(): void {
    this.#isDisposed = true;
    const failures: unknown[] = [];
    for (let item = this.#items.pop(); item; item = this.#items.pop()) {
      try {
        item.dispose();
      } catch (failure) {
        // One item that can not be disposed must not keep the others alive.
        failures.push(failure);
      }
    }
    if (failures.length > 0) {
      throw failures.length === 1 ? failures[0] : new AggregateError(failures, 'Several things could not be disposed');
    }
  }
}

/** Says that something changed. Readers ask for the state. */
export class Emitter<T> implements Disposable {
  readonly #listeners = new Set<(value: T) => unknown>();
  readonly #onListenerError: (error: unknown) => void;

  /** @param onListenerError gets what a listener throws; the other listeners are told all the same. */
  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.#onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener, thisArgs, disposables) => {
    // A wrapper of its own, so that one function may listen twice.
    const entry = (value: T) => listener.call(thisArgs, value);
    this.#listeners.add(entry);
    const subscription = disposable(() => this.#listeners.delete(entry));
    disposables?.push(subscription);
    return subscription;
  };

  fire(value: T): void {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.#onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}

import { type Disposable, Emitter } from '../base/lifetime.ts';

/** `unchecked`: no call has succeeded yet. `withoutList`: chat works, but the model list can't be read. */
export type CheckState = 'unchecked' | 'withoutList';

export type CheckMemory = {
  /** The stored state of a connection; may be a value of any type. */
  read(connectionId: string): unknown;
  write(connectionId: string, state: CheckState | undefined): PromiseLike<void>;
};

/** Tracks connections that were saved although their model list could not be read, and updates them after calls. */
export class UncheckedConnections implements Disposable {
  readonly #memory: CheckMemory;
  readonly #didChange = new Emitter<void>();
  /** Fires when the state of a connection changed. */
  readonly onDidChange = this.#didChange.event;

  constructor(memory: CheckMemory) {
    this.#memory = memory;
  }

  /** @returns undefined for a connection whose model list was read. */
  stateOf(connectionId: string): CheckState | undefined {
    const state = this.#memory.read(connectionId);
    return state === 'unchecked' || state === 'withoutList' ? state : undefined;
  }

  /** Call when a connection, or a new key for it, was saved without a check. */
  keep(connectionId: string): Promise<void> {
    return this.#set(connectionId, 'unchecked');
  }

  /** Call when its model list was read. */
  async listed(connectionId: string): Promise<void> {
    if (this.stateOf(connectionId) !== undefined) {
      await this.#set(connectionId, undefined);
    }
  }

  /** Call when a chat request succeeded. */
  async answered(connectionId: string): Promise<void> {
    if (this.stateOf(connectionId) === 'unchecked') {
      await this.#set(connectionId, 'withoutList');
    }
  }

  dispose(): void {
    this.#didChange.dispose();
  }

  async #set(connectionId: string, state: CheckState | undefined): Promise<void> {
    await this.#memory.write(connectionId, state);
    this.#didChange.fire();
  }
}

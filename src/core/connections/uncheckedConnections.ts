import { type Disposable, Emitter, type Event } from '../base/lifetime.ts';

/** `unchecked`: no call has succeeded yet. `withoutList`: questions are answered, and the list still cannot be read. */
export type CheckState = 'unchecked' | 'withoutList';

export type CheckMemory = {
  /** Of any type, by the id of the connection. */
  read(connectionId: string): unknown;
  write(connectionId: string, state: CheckState | undefined): PromiseLike<void>;
};

/** The connections that were kept although their list could not be read, and what calls have shown of them since. */
export class UncheckedConnections implements Disposable {
  readonly #memory: CheckMemory;
  readonly #didChange = new Emitter<void>();

  constructor(memory: CheckMemory) {
    this.#memory = memory;
  }

  /** The state of some connection changed. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** @returns undefined for a connection that was checked. */
  stateOf(connectionId: string): CheckState | undefined {
    const state = this.#memory.read(connectionId);
    return state === 'unchecked' || state === 'withoutList' ? state : undefined;
  }

  /** A person kept it, or another key for it, without a check. */
  keep(connectionId: string): Promise<void> {
    return this.#set(connectionId, 'unchecked');
  }

  /** Its list was read. */
  async listed(connectionId: string): Promise<void> {
    if (this.stateOf(connectionId) !== undefined) {
      await this.#set(connectionId, undefined);
    }
  }

  /** A question was answered. */
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

/** What *Stop* would end: a running reply, or an action that is about to start one. */
export class RunningAction {
  #reply: string | undefined;
  #pending: string | undefined;
  #stopping: string | undefined;

  /** A reply has the id of the action that started it. */
  get id(): string | undefined {
    return this.#reply ?? this.#pending;
  }

  /** Whether it was stopped and the host has not answered yet. */
  get isStopping(): boolean {
    return this.id !== undefined && this.#stopping === this.id;
  }

  /** @param id of the running reply, as the host says. */
  setReply(id: string | undefined): void {
    this.#reply = id;
    this.#settle();
  }

  /** @param id of the action that the host has not answered yet, from the composer or from another button. */
  setPending(id: string | undefined): void {
    this.#pending = id;
    this.#settle();
  }

  /** Stops it once. @returns its id; undefined when there is nothing to stop, or it is stopping already. */
  stop(): string | undefined {
    if (this.isStopping) {
      return undefined;
    }
    this.#stopping = this.id;
    return this.id;
  }

  #settle(): void {
    if (this.id !== this.#stopping) {
      this.#stopping = undefined;
    }
  }
}

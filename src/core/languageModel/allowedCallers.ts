/** Stores which extensions the person allowed, by their ids in lower case. */
export type AllowedCallersPorts = {
  /** The person's setting, where they can review and withdraw consent. Any extension can write to it. */
  readonly setting: { read(): readonly string[]; write(ids: readonly string[]): PromiseLike<void> };
  /** Storage of this extension alone. What is read may be of any type. */
  readonly memory: { read(): unknown; write(ids: readonly string[]): PromiseLike<void> };
};

/**
 * The extensions that the person allowed to call models. Consent counts only while it is in both places: an entry in
 * the setting alone may have been written by the extension itself, and without an entry the person has withdrawn
 * consent.
 */
export class AllowedCallers {
  readonly #ports: AllowedCallersPorts;

  constructor(ports: AllowedCallersPorts) {
    this.#ports = ports;
  }

  has(id: string): boolean {
    return this.#remembered.includes(id) && this.#listed.includes(id);
  }

  /** Records the person's consent. */
  async allow(id: string): Promise<void> {
    // The setting comes first: when it changes, `forgetUnlisted` removes ids that are not in it from memory.
    if (!this.#listed.includes(id)) {
      await this.#ports.setting.write([...this.#ports.setting.read(), id]);
    }
    await this.#ports.memory.write([...new Set([...this.#remembered, id])]);
  }

  /**
   * Forgets ids that are no longer in the setting, so that the person is asked again if an id is put back there. Call
   * this whenever the setting may have changed.
   */
  async forgetUnlisted(): Promise<void> {
    const before = this.#remembered;
    const after = before.filter((id) => this.#listed.includes(id));
    if (after.length < before.length) {
      await this.#ports.memory.write(after);
    }
  }

  get #listed(): readonly string[] {
    return this.#ports.setting.read().map((id) => id.toLowerCase());
  }

  get #remembered(): readonly string[] {
    const remembered = this.#ports.memory.read();
    return Array.isArray(remembered) ? remembered.filter((id): id is string => typeof id === 'string') : [];
  }
}

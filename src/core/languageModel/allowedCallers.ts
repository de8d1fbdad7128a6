/** Where the person's yes for other extensions is kept, by their ids in lower case. */
export type AllowedCallersPorts = {
  /** A setting of the person's, to be seen and taken back there. Any extension may write to it. */
  readonly setting: { read(): readonly string[]; write(ids: readonly string[]): PromiseLike<void> };
  /** Of this extension alone. What is read may be of any type. */
  readonly memory: { read(): unknown; write(ids: readonly string[]): PromiseLike<void> };
};

/**
 * Which extensions the person allowed to ask models. A yes counts while it is in both places: in the setting alone it may
 * be one that the extension wrote itself, and out of the setting the person has taken it back.
 */
export class AllowedCallers {
  readonly #ports: AllowedCallersPorts;

  constructor(ports: AllowedCallersPorts) {
    this.#ports = ports;
  }

  has(id: string): boolean {
    return this.#remembered.includes(id) && this.#listed.includes(id);
  }

  /** The person said yes. */
  async allow(id: string): Promise<void> {
    // In this order, because what is not in the setting is forgotten whenever it changes.
    if (!this.#listed.includes(id)) {
      await this.#ports.setting.write([...this.#ports.setting.read(), id]);
    }
    await this.#ports.memory.write([...new Set([...this.#remembered, id])]);
  }

  /** To be called when the setting may have changed: an id that is put back there later is asked about again. */
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

import type { Clock } from '../../base/clock.ts';
import type { Destination } from '../../connections/connection.ts';
import type { ModelLists, StoredAnswer, StoredList } from './storedList.ts';

export type ListStorePorts = {
  /** Loaded when the first list is needed. */
  readonly lists: ModelLists;
  /** A keyed hash of a text, which identifies a key without revealing it. */
  readonly fingerprint: (text: string) => Promise<string>;
  /** Called when a list could not be stored or read back, which affects nothing else. */
  readonly onFailure: (error: unknown) => void;
};

/** The connection and key that a list was read with; without a fingerprint, the list isn't stored. */
export type ListSource = { readonly connectionId: string; readonly fingerprint: string | undefined };

/** What fingerprints are of: with the address, because a key may list other models under another path of the gateway. */
export function fingerprinted({ connection, key }: Destination & { status: 'ready' }): string {
  return `${connection.url.base}\n${key}`;
}

/** The lists stored between sessions. Storing is optional: a failure is reported, and is no error for the caller. */
export class ListStore {
  readonly #clock: Clock;
  readonly #ports: ListStorePorts | undefined;

  /** @param ports without them nothing is stored. */
  constructor(clock: Clock, ports: ListStorePorts | undefined) {
    this.#clock = clock;
    this.#ports = ports;
  }

  fingerprint(text: string): Promise<string | undefined> {
    return this.#optional((ports) => ports.fingerprint(text));
  }

  /** @returns the list of an earlier session. Its `readAt` is at most now, even if the clock was set back. */
  async find({ connectionId, fingerprint }: ListSource): Promise<StoredList | undefined> {
    const stored = fingerprint && (await this.#optional(async ({ lists }) => lists.read(connectionId, fingerprint)));
    return stored ? { ...stored, readAt: Math.min(stored.readAt, this.#clock.now()) } : undefined;
  }

  /** @returns the gateway's own item of a model, as JSON; undefined when there is none. */
  async item({ connectionId, fingerprint }: ListSource, id: string): Promise<string | undefined> {
    return fingerprint && (await this.#optional(async ({ lists }) => lists.item(connectionId, fingerprint, id)));
  }

  /** @returns whether the answer is stored now. */
  async store({ connectionId, fingerprint }: ListSource, answer: StoredAnswer): Promise<boolean> {
    const isStored =
      fingerprint !== undefined &&
      (await this.#optional(async ({ lists }) => {
        await lists.write(connectionId, fingerprint, answer);
        return true;
      }));
    return isStored === true;
  }

  async #optional<T>(run: (ports: ListStorePorts) => Promise<T>): Promise<T | undefined> {
    try {
      return this.#ports && (await run(this.#ports));
    } catch (error) {
      this.#ports?.onFailure(error);
      return undefined;
    }
  }
}

import type { Event } from '../base/lifetime.ts';
import type { ClearRoute } from '../network/clearRoute.ts';
import {
  type Connection,
  type Destination,
  parseStoredKey,
  readStoredKey,
  type StoredKey,
  writeStoredKey,
} from './connection.ts';

/** The editor's secret storage, as far as connections need it. Other windows write to it as well. */
type SecretStore = {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  readonly onDidChange: Event<{ readonly key: string }>;
};

export type KeyPorts = {
  readonly secrets: SecretStore;
  readonly onUnreadableSecret: (error: unknown) => void;
  /** The route to this address, when the person has to accept it before a key may go there. */
  readonly unacceptedRoute: (address: string) => ClearRoute | undefined;
  /** Told of every key that is read or kept, so that it can be recognised where it must not appear. */
  readonly onKey: (key: string) => void;
};

const prefix = 'askModel.key.';

/** The keys of connections in the secret storage, each with the origin it was given for. Holds none of them. */
export class ConnectionKeys {
  readonly #ports: KeyPorts;

  constructor(ports: KeyPorts) {
    this.#ports = ports;
  }

  /** Tells the id of the connection. Also fired by other windows: a key replaced or removed in one is so in all. */
  readonly onDidChange: Event<string> = (listener, thisArgs, disposables) =>
    this.#ports.secrets.onDidChange(
      ({ key }) => key.startsWith(prefix) && listener.call(thisArgs, key.slice(prefix.length)),
      undefined,
      disposables,
    );

  /**
   * Where a call goes, with the key only when it was given for the origin the connection has now, and when no one can
   * read it on a route that the person has not accepted.
   */
  async destinationOf(connection: Connection): Promise<Exclude<Destination, { status: 'disconnected' }>> {
    let stored: string | undefined;
    try {
      stored = await this.#ports.secrets.get(prefix + connection.id);
    } catch (error) {
      this.#ports.onUnreadableSecret(error);
      const reason = error instanceof Error ? error.message : String(error);
      return { status: 'keyUnreadable', connection, reason };
    }
    const found = readStoredKey(stored, connection.url.origin);
    switch (found.status) {
      case 'found': {
        this.#ports.onKey(found.key);
        const route = this.#ports.unacceptedRoute(connection.url.modelsUrl);
        return route ? { status: 'keyInClear', connection, route } : { status: 'ready', connection, key: found.key };
      }
      case 'missing':
        return { status: 'keyMissing', connection };
      case 'otherOrigin':
        return { status: 'keyElsewhere', connection, origin: found.origin };
      default:
        return found satisfies never;
    }
  }

  /** @returns the key with its origin, whatever that is; undefined when there is none that can be read. */
  async read(id: string): Promise<StoredKey | undefined> {
    const stored = parseStoredKey(await this.#ports.secrets.get(prefix + id));
    if (stored) {
      this.#ports.onKey(stored.key);
    }
    return stored;
  }

  async keep(id: string, stored: StoredKey): Promise<void> {
    this.#ports.onKey(stored.key);
    await this.#ports.secrets.store(prefix + id, writeStoredKey(stored.origin, stored.key));
  }

  async remove(id: string): Promise<void> {
    await this.#ports.secrets.delete(prefix + id);
  }

  /** Keeps a key, or removes it, then writes; puts things back as they were when writing fails. */
  async keepWith(id: string, stored: StoredKey | undefined, write: () => Promise<void>): Promise<void> {
    const { secrets } = this.#ports;
    const before = await secrets.get(prefix + id);
    await (stored ? this.keep(id, stored) : this.remove(id));
    try {
      await write();
    } catch (error) {
      try {
        await (before === undefined ? this.remove(id) : secrets.store(prefix + id, before));
      } catch (second) {
        throw new AggregateError(
          [error, second],
          `${String(error)} The secret storage failed as well: ${String(second)}`,
        );
      }
      throw error;
    }
  }
}

import * as z from 'zod/mini';
import type { Event } from '../base/lifetime.ts';
import { parseJson } from '../base/loose.ts';
import type { ClearRoute } from '../network/networkErrors.ts';
import type { Connection, Destination } from './connection.ts';

/** A key in the secret storage, always together with the origin it was entered for. */
const storedKey = z.object({ origin: z.string(), key: z.string() });

export type StoredKey = z.infer<typeof storedKey>;

/** The part of the editor's secret storage that connections use. Other windows write to it as well. */
type SecretStore = {
  get(name: string): PromiseLike<string | undefined>;
  store(name: string, value: string): PromiseLike<void>;
  delete(name: string): PromiseLike<void>;
  readonly onDidChange: Event<{ readonly key: string }>;
};

export type KeyPorts = {
  readonly secrets: SecretStore;
  readonly onUnreadableSecret: (error: unknown) => void;
  /** The route to this address if the person has to accept it before a key is sent there. */
  readonly unacceptedRoute: (address: string) => ClearRoute | undefined;
  /** Called with every key that is read or stored, so that it can be recognized where it must not appear. */
  readonly onKey: (key: string) => void;
};

const prefix = 'askModel.key.';

/** The keys of connections in the secret storage, each with the origin it was entered for. Holds no key in memory. */
export class ConnectionKeys {
  readonly #ports: KeyPorts;

  constructor(ports: KeyPorts) {
    this.#ports = ports;
  }

  /** Fires with the id of the connection when this or another window has stored or removed its key. */
  readonly onDidChange: Event<string> = (listener, thisArgs, disposables) =>
    this.#ports.secrets.onDidChange(
      ({ key }) => key.startsWith(prefix) && listener.call(thisArgs, key.slice(prefix.length)),
      undefined,
      disposables,
    );

  /**
   * Where a call goes. Includes the key only if it was entered for the connection's current origin, and if others can't
   * read it on the route or the person accepted that route.
   */
  async destinationOf(connection: Connection): Promise<Exclude<Destination, { status: 'disconnected' }>> {
    let stored: StoredKey | undefined;
    try {
      stored = await this.read(connection.id);
    } catch (error) {
      this.#ports.onUnreadableSecret(error);
      const reason = error instanceof Error ? error.message : String(error);
      return { status: 'keyUnreadable', connection, reason };
    }
    if (stored === undefined) {
      return { status: 'keyMissing', connection };
    }
    const { origin, key } = stored;
    if (origin !== connection.url.origin) {
      return { status: 'keyElsewhere', connection, origin };
    }
    const route = this.#ports.unacceptedRoute(connection.url.modelsUrl);
    return route ? { status: 'keyInClear', connection, route } : { status: 'ready', connection, key };
  }

  /** @returns the key with the origin it was entered for; undefined when there is none or it can't be read. */
  async read(id: string): Promise<StoredKey | undefined> {
    const text = await this.#ports.secrets.get(prefix + id);
    const stored = text === undefined ? undefined : z.safeParse(storedKey, parseJson(text)).data;
    if (stored) {
      this.#ports.onKey(stored.key);
    }
    return stored;
  }

  async store(id: string, stored: StoredKey): Promise<void> {
    this.#ports.onKey(stored.key);
    await this.#ports.secrets.store(prefix + id, JSON.stringify(stored));
  }

  async remove(id: string): Promise<void> {
    await this.#ports.secrets.delete(prefix + id);
  }

  /** Stores or removes a key, then runs `write`; restores the key when `write` fails. */
  async storeAndWrite(id: string, stored: StoredKey | undefined, write: () => Promise<void>): Promise<void> {
    const { secrets } = this.#ports;
    const before = await secrets.get(prefix + id);
    await (stored ? this.store(id, stored) : this.remove(id));
    try {
      await write();
    } catch (error) {
      await (before === undefined ? this.remove(id) : secrets.store(prefix + id, before));
      throw error;
    }
  }
}

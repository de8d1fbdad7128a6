import * as l10n from '@vscode/l10n';
import type { SecretStorage } from 'vscode';
import * as z from 'zod/mini';
import { type Disposable, DisposableStore, Emitter, type Event } from '../base/lifetime.ts';
import { messageOf, parseJson, recordOf } from '../base/loose.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { ClearRoute } from '../network/networkErrors.ts';
import type { BaseUrl } from './baseUrl.ts';
import {
  type Connection,
  type Destination,
  readConnections,
  withEntry,
  withEntryFirst,
  withoutEntry,
  withSetting,
} from './connection.ts';
import { type ParameterChange, withChanges } from './questionDefaults.ts';

/** A key in the secret storage, always together with the origin it was entered for. */
const storedKey = z.object({ origin: z.string(), key: z.string() });

type StoredKey = z.infer<typeof storedKey>;

const prefix = 'askModel.key.';

/** The list of connections in the user settings. Workspace settings of the same name are ignored. */
export type ConnectionSetting = {
  /** The raw value, of any type. */
  read(): unknown;
  write(entries: readonly unknown[]): PromiseLike<void>;
  readonly onDidChange: Event<unknown>;
};

export type ConnectionPorts = {
  /** Other windows write to it as well. */
  readonly secrets: Pick<SecretStorage, 'get' | 'store' | 'delete' | 'onDidChange'>;
  readonly onUnreadableSecret: (error: unknown) => void;
  /** The route to this address if the person has to accept it before a key is sent there. */
  readonly unacceptedRoute: (address: string) => ClearRoute | undefined;
  /** Called with every key that is read or stored, so that it can be recognized where it must not appear. */
  readonly onKey: (key: string) => void;
  readonly setting: ConnectionSetting;
  /** A fresh id of `[\w-]`. */
  readonly newId: () => string;
  /** Called once for each new set of bad entries, and with an empty list when all entries are valid again. */
  readonly onProblems: (problems: readonly string[]) => void;
};

/** The properties that can change without changing where the key is sent; `undefined` removes one. */
export type ConnectionChange = Partial<Pick<Connection, 'name' | 'note' | 'consoleUrl' | 'probes' | 'headers'>> & {
  readonly creditUnit?: string;
};

/**
 * The person's connections: addresses in the user settings, keys in the secret storage, each key with the origin it was
 * entered for. The first valid entry is the active connection. Changes run one after another, so that none overwrites
 * another.
 */
export class Connections implements Disposable {
  readonly #ports: ConnectionPorts;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly #didChangeDestination = this.#store.add(new Emitter<void>());
  readonly #didRemove = this.#store.add(new Emitter<Connection>());
  /** Fires when addresses, names or keys changed, in this window or another one. */
  readonly onDidChange = this.#didChange.event;
  /** Fires when the next call uses another address, key or header: data read before is out of date. */
  readonly onDidChangeDestination = this.#didChangeDestination.event;
  /** Fires with the id of a connection when its key was stored or removed, in this window or another one. */
  readonly onDidChangeKey: Event<string> = (listener) =>
    this.#ports.secrets.onDidChange(({ key }) => key.startsWith(prefix) && listener(key.slice(prefix.length)));
  /** Fires when a connection was removed in this window, so that data stored for it can be deleted. */
  readonly onDidRemove = this.#didRemove.event;
  #read: readonly Connection[] | undefined;
  /** Id, base address and headers of the active connection, as JSON to compare. */
  #destination = '';
  #reportedProblems = '';
  #keysRead: Promise<unknown> | undefined;
  readonly #sequencer = new Sequencer();

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#store.add(
      ports.setting.onDidChange(() => {
        this.#read = undefined;
        this.#fireChange();
      }),
    );
    this.#store.add(this.onDidChangeKey((id) => this.#fireChange(id)));
  }

  /** All valid entries, the active one first. */
  get all(): readonly Connection[] {
    // Cached until the next change, because every row of the model list reads it.
    this.#read ??= this.#readAll();
    return this.#read;
  }

  get active(): Connection | undefined {
    return this.all[0];
  }

  /** The connection with an id, if there is one. */
  find(id: string): Connection | undefined {
    return this.all.find((each) => each.id === id);
  }

  /** Where the next call goes, or why no call is possible. */
  async findDestination(): Promise<Destination> {
    const { active } = this;
    return active ? this.destinationOf(active) : { status: 'disconnected' };
  }

  /**
   * Where a call goes. Includes the key only if it was entered for the connection's current origin, and if others can't
   * read it on the route or the person accepted that route.
   */
  async destinationOf(connection: Connection): Promise<Exclude<Destination, { status: 'disconnected' }>> {
    let stored: StoredKey | undefined;
    try {
      stored = await this.#readKey(connection.id);
    } catch (error) {
      this.#ports.onUnreadableSecret(error);
      const reason = messageOf(error);
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

  /** Resolves when all stored keys were passed to `onKey`; at once if they have not changed since. */
  async readKeys(): Promise<void> {
    this.#keysRead ??= Promise.all(
      this.all.map(({ id }) =>
        this.#readKey(id).catch((error: unknown) => {
          this.#keysRead = undefined;
          this.#ports.onUnreadableSecret(error);
        }),
      ),
    );
    await this.#keysRead;
  }

  /**
   * Adds a connection and makes it the active one. If the settings or the secret storage can't be written, both stay as
   * they were.
   */
  add(url: BaseUrl, key: string): Promise<Connection> {
    return this.#sequencer.run('', async () => {
      const id = this.#ports.newId();
      const name = this.#freeName(url.host);
      const entry = { id, name, baseUrl: url.base };
      await this.#storeKeyAndWrite(id, { origin: url.origin, key }, () => [entry, ...this.#entries()]);
      const added = this.find(id);
      if (added === undefined) {
        throw new Error(
          l10n.t("The connection couldn't be saved. Check that settings.json is writable and has no errors."),
        );
      }
      return added;
    });
  }

  /** Makes it the active connection. */
  use({ id }: Connection): Promise<void> {
    return this.#edit((entries) => withEntryFirst(entries, id));
  }

  /** Changes properties that don't affect where the key is sent. Unknown properties of the entry stay. */
  change({ id }: Pick<Connection, 'id'>, change: ConnectionChange): Promise<void> {
    return this.#edit((entries) => withEntry(entries, id, change));
  }

  /** Changes the address of a connection. The stored key stays bound to its origin and is sent to no other. */
  move({ id, name, url: before }: Connection, url: BaseUrl): Promise<void> {
    // A name that is just the host changes with it.
    const isRenamed = name === before.host && url.host !== before.host;
    return this.#edit((entries) =>
      withEntry(entries, id, { baseUrl: url.base, ...(isRenamed && { name: this.#freeName(url.host) }) }),
    );
  }

  /** Stores a key for the current origin of an existing connection. */
  replaceKey({ id, name, url }: Connection, key: string): Promise<void> {
    return this.#sequencer.run('', async () => {
      if (this.find(id) === undefined) {
        // A key without a connection would be hidden from the person, who could not remove it.
        throw new Error(l10n.t('{0} has been removed. Connect to its gateway again.', name));
      }
      await this.#storeKey(id, { origin: url.origin, key });
    });
  }

  removeKey({ id }: Connection): Promise<void> {
    return this.#sequencer.run('', async () => this.#ports.secrets.delete(prefix + id));
  }

  /** Sets the system prompt of a model or, if it is undefined, of the connection; an undefined text removes it. */
  setSystemPrompt({ id }: Connection, model: string | undefined, text: string | undefined): Promise<void> {
    return this.#edit((entries) => withSetting(entries, id, model, 'systemPrompt', () => text));
  }

  /** Changes parameters of a model or, if it is undefined, of the connection. */
  setParameters({ id }: Connection, model: string | undefined, change: ParameterChange): Promise<void> {
    return this.#edit((entries) =>
      withSetting(entries, id, model, 'parameters', (each) => withChanges(recordOf(each), change)),
    );
  }

  /** The key stored for another origin, to be used once the person confirms that it may be sent to the new one. */
  keyGivenElsewhere({ id }: Connection): Promise<{ origin: string; key: string } | undefined> {
    return this.#readKey(id);
  }

  /** Removes a connection and its key, or neither: most consoles never show a key again, so it must not get lost. */
  remove(connection: Connection): Promise<void> {
    return this.#sequencer.run('', async () => {
      await this.#storeKeyAndWrite(connection.id, undefined, () => withoutEntry(this.#entries(), connection.id));
      this.#didRemove.fire(connection);
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** @param keyOf id of the connection whose key changed; undefined when the settings changed. */
  #fireChange(keyOf?: string): void {
    const before = this.#destination;
    // Brings `#destination` up to date.
    const { active } = this;
    if (this.#keysRead !== undefined) {
      this.#keysRead = undefined;
      void this.readKeys();
    }
    const isAnother = before !== this.#destination || (active && keyOf === active.id);
    this.#didChange.fire();
    if (isAnother) {
      this.#didChangeDestination.fire();
    }
  }

  #readAll(): readonly Connection[] {
    const { connections, problems } = readConnections(this.#ports.setting.read());
    const text = problems.join('\n');
    if (text !== this.#reportedProblems) {
      this.#reportedProblems = text;
      this.#ports.onProblems(problems);
    }
    const [active] = connections;
    this.#destination = JSON.stringify(active && [active.id, active.url.base, active.headers]) ?? '';
    return connections;
  }

  /** @returns the key with the origin it was entered for; undefined when there is none or it can't be read. */
  async #readKey(id: string): Promise<StoredKey | undefined> {
    const text = await this.#ports.secrets.get(prefix + id);
    const stored = text === undefined ? undefined : z.safeParse(storedKey, parseJson(text)).data;
    if (stored) {
      this.#ports.onKey(stored.key);
    }
    return stored;
  }

  async #storeKey(id: string, stored: StoredKey): Promise<void> {
    this.#ports.onKey(stored.key);
    await this.#ports.secrets.store(prefix + id, JSON.stringify(stored));
  }

  /** Stores or removes a key, then writes the entries; restores the key when that fails. */
  async #storeKeyAndWrite(id: string, stored: StoredKey | undefined, entries: () => unknown[]): Promise<void> {
    const { secrets } = this.#ports;
    const before = await secrets.get(prefix + id);
    await (stored ? this.#storeKey(id, stored) : secrets.delete(prefix + id));
    try {
      await this.#write(entries());
    } catch (error) {
      await (before === undefined ? secrets.delete(prefix + id) : secrets.store(prefix + id, before));
      throw error;
    }
  }

  /** The raw entries, invalid ones included, so that writing the list back loses nothing the person wrote. */
  #entries(): unknown[] {
    const value = this.#ports.setting.read();
    return Array.isArray(value) ? value : [];
  }

  #edit(change: (entries: readonly unknown[]) => unknown[]): Promise<void> {
    return this.#sequencer.run('', () => this.#write(change(this.#entries())));
  }

  async #write(entries: readonly unknown[]): Promise<void> {
    await this.#ports.setting.write(entries);
    this.#read = undefined;
  }

  /** A name no connection has yet: two keys of one gateway are two connections, which need different names. */
  #freeName(host: string): string {
    const names = new Set(this.all.map(({ name }) => name));
    for (let number = 1; ; number++) {
      const name = number === 1 ? host : `${host} ${number}`;
      if (!names.has(name)) {
        return name;
      }
    }
  }
}

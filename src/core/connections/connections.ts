import { type Disposable, DisposableStore, Emitter, type Event } from '../base/lifetime.ts';
import { Sequencer } from '../base/sequencer.ts';
import type { BaseUrl } from './baseUrl.ts';
import {
  type Connection,
  type Destination,
  readConnections,
  withEntry,
  withEntryFirst,
  withHeader,
  withoutEntry,
} from './connection.ts';
import { ConnectionKeys, type KeyPorts } from './connectionKeys.ts';

/** The person's own list of connections; whatever a workspace says under that name never gets here. */
export type ConnectionSetting = {
  /** As it stands, of any type. */
  read(): unknown;
  write(entries: readonly unknown[]): PromiseLike<void>;
  readonly onDidChange: Event<unknown>;
};

export type ConnectionPorts = KeyPorts & {
  readonly setting: ConnectionSetting;
  /** A fresh id of `[\w-]`. */
  readonly newId: () => string;
  /** Told once for each new set of bad entries; empty when all are good again. */
  readonly onProblems: (problems: readonly string[]) => void;
};

/** What a person may change about a connection without changing where its key goes; `undefined` takes it away. */
export type ConnectionChange = {
  readonly name?: string | undefined;
  readonly note?: string | undefined;
  readonly consoleUrl?: string | undefined;
  readonly probes?: boolean | undefined;
};

/**
 * The person's connections: addresses in the user settings, keys in the secret storage, each with the origin it was
 * given for. The first good entry is the one in use. Changes follow one another, so that none undoes another.
 */
export class Connections implements Disposable {
  readonly #ports: ConnectionPorts;
  readonly #keys: ConnectionKeys;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new Emitter<void>());
  readonly #didChangeDestination = this.#store.add(new Emitter<void>());
  readonly #didRemove = this.#store.add(new Emitter<Connection>());
  #read: readonly Connection[] | undefined;
  /** What decides where a call goes and with what besides its key. */
  #destination = '';
  #toldProblems = '';
  readonly #sequencer = new Sequencer();

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
    this.#keys = new ConnectionKeys(ports);
    this.#store.add(
      ports.setting.onDidChange(() => {
        this.#read = undefined;
        this.#tellChange();
      }),
    );
    this.#store.add(this.#keys.onDidChange((id) => this.#tellChange(id)));
  }

  /** Addresses, names or keys are others now; in this window or another one. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** The next call goes elsewhere, or with another key: what was read with the former one no longer counts. */
  get onDidChangeDestination(): Event<void> {
    return this.#didChangeDestination.event;
  }

  /** A person removed it here; whatever was remembered for it can go. */
  get onDidRemove(): Event<Connection> {
    return this.#didRemove.event;
  }

  /** Every good entry, the one in use first. */
  get all(): readonly Connection[] {
    // Asked for once a row of the model list, so it is read once a change.
    this.#read ??= this.#readAll();
    return this.#read;
  }

  get active(): Connection | undefined {
    return this.all[0];
  }

  /** Where the next call goes, or why there is nowhere to go. */
  async findDestination(): Promise<Destination> {
    const { active } = this;
    return active ? this.destinationOf(active) : { status: 'disconnected' };
  }

  /** The key is read for each call; it is found only when it was given for the origin the connection has now. */
  destinationOf(connection: Connection): Promise<Exclude<Destination, { status: 'disconnected' }>> {
    return this.#keys.destinationOf(connection);
  }

  /**
   * Keeps an address with its key and extra headers as a further connection, which is then the one in use. Nothing stays behind
   * when one of the two stores fails.
   */
  add(url: BaseUrl, key: string, headers: Readonly<Record<string, string>> = {}): Promise<Connection> {
    return this.#sequencer.run('', async () => {
      const id = this.#ports.newId();
      const name = this.#freeName(new URL(url.base).host);
      const entry = { id, name, baseUrl: url.base, ...(Object.keys(headers).length > 0 && { headers }) };
      await this.#keys.keepWith(id, { origin: url.origin, key }, () => this.#write([entry, ...this.#entries()]));
      const added = this.all.find((each) => each.id === id);
      if (added === undefined) {
        throw new Error('The settings did not take the connection. Is settings.json writable and free of mistakes?');
      }
      return added;
    });
  }

  /** Makes it the one in use. */
  use({ id }: Connection): Promise<void> {
    return this.#sequencer.run('', () => this.#write(withEntryFirst(this.#entries(), id)));
  }

  /** Changes what does not decide where the key goes. What a person wrote into the entry by hand stays. */
  change({ id }: Connection, change: ConnectionChange): Promise<void> {
    return this.#sequencer.run('', () => this.#write(withEntry(this.#entries(), id, change)));
  }

  /**
   * Another address. The key goes along only because the caller hands it in: within the same origin, or after the
   * person confirmed the new one. Without a key the stored one stays with its old origin, and is not sent.
   */
  move({ id, name, url: before }: Connection, url: BaseUrl, key: string | undefined): Promise<void> {
    return this.#sequencer.run('', async () => {
      const [oldHost, newHost] = [new URL(before.base).host, new URL(url.base).host];
      // A name that only repeats the host follows it.
      const renamed = name === oldHost && newHost !== oldHost ? { name: this.#freeName(newHost) } : {};
      const write = () => this.#write(withEntry(this.#entries(), id, { baseUrl: url.base, ...renamed }));
      await (key === undefined ? write() : this.#keys.keepWith(id, { origin: url.origin, key }, write));
    });
  }

  /** Another key for a connection that is there; or the same one for the origin it has now. */
  replaceKey({ id, name, url }: Connection, key: string): Promise<void> {
    return this.#sequencer.run('', async () => {
      if (!this.all.some((each) => each.id === id)) {
        // A key without a connection could neither be seen nor removed.
        throw new Error(`${name} was removed meanwhile. Connect to it again.`);
      }
      await this.#keys.keep(id, { origin: url.origin, key });
    });
  }

  removeKey({ id }: Connection): Promise<void> {
    return this.#sequencer.run('', () => this.#keys.remove(id));
  }

  /**
   * Sets, renames or takes away one extra header; the others stay as a person wrote them.
   *
   * @param edited the header's name as it is now; undefined for a new one.
   * @param header what it becomes; undefined takes it away.
   */
  setHeader({ id }: Connection, edited: string | undefined, header?: { name: string; value: string }): Promise<void> {
    return this.#sequencer.run('', () => this.#write(withHeader(this.#entries(), id, edited, header)));
  }

  /** The key as it is kept for another origin, for a person who confirms that it may go to the new one. */
  keyGivenElsewhere({ id }: Connection): Promise<{ origin: string; key: string } | undefined> {
    return this.#keys.read(id);
  }

  /** Forgets a connection together with its key, or neither: a key that is lost can not be shown again by a console. */
  remove(connection: Connection): Promise<void> {
    return this.#sequencer.run('', async () => {
      const write = () => this.#write(withoutEntry(this.#entries(), connection.id));
      await this.#keys.keepWith(connection.id, undefined, write);
      this.#didRemove.fire(connection);
    });
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** @param keyOf id of the connection whose key changed; without it the settings did. */
  #tellChange(keyOf?: string): void {
    const before = this.#destination;
    const { active } = this;
    const isAnother = before !== this.#destination || (active && keyOf === active.id);
    this.#didChange.fire();
    if (isAnother) {
      this.#didChangeDestination.fire();
    }
  }

  #readAll(): readonly Connection[] {
    const { connections, problems } = readConnections(this.#ports.setting.read());
    const told = problems.join('\n');
    if (told !== this.#toldProblems) {
      this.#toldProblems = told;
      this.#ports.onProblems(problems);
    }
    const [active] = connections;
    this.#destination = JSON.stringify(active && [active.id, active.url.base, active.headers]) ?? '';
    return connections;
  }

  /** As they stand, bad ones included: what a person wrote by hand is not thrown away. */
  #entries(): unknown[] {
    const value = this.#ports.setting.read();
    return Array.isArray(value) ? value : [];
  }

  async #write(entries: readonly unknown[]): Promise<void> {
    await this.#ports.setting.write(entries);
    this.#read = undefined;
  }

  /** Two keys of one gateway are two connections, to be told apart by their names. */
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

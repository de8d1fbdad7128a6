import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { BaseUrl } from '../core/gateway/baseUrl.ts';
import {
  type Connection,
  type Destination,
  readConnections,
  readStoredKey,
  writeStoredKey,
} from '../core/gateway/connection.ts';
import { DisposableStore } from '../core/lifetime.ts';
import type { Log } from './log.ts';

const setting = 'askModel.connections';
const secretPrefix = 'askModel.key.';

/**
 * The person's connections: addresses in the user settings, keys in SecretStorage. Only the user's own value of the
 * setting counts; whatever a workspace says under that name is not read.
 */
export class Connections implements vscode.Disposable {
  readonly #secrets: vscode.SecretStorage;
  readonly #log: Log;
  readonly #store = new DisposableStore();
  readonly #didChange = this.#store.add(new vscode.EventEmitter<void>());
  readonly onDidChange = this.#didChange.event;
  #active: { readonly connection: Connection | undefined } | undefined;
  #toldProblems = '';

  constructor(secrets: vscode.SecretStorage, log: Log) {
    this.#secrets = secrets;
    this.#log = log;
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(setting)) {
          this.#active = undefined;
          this.#didChange.fire();
        }
      }),
    );
    // Also fired by other windows: a key replaced or removed in one is so in all.
    this.#store.add(
      secrets.onDidChange(({ key }) => {
        if (key.startsWith(secretPrefix)) {
          this.#didChange.fire();
        }
      }),
    );
  }

  /** The connection in use: the first good entry of the person's list. */
  get active(): Connection | undefined {
    // Asked for once a row of the model list, so it is read once a change.
    this.#active ??= { connection: this.#readActive() };
    return this.#active.connection;
  }

  /** The one that would be in use if the first was removed. */
  get next(): Connection | undefined {
    return readConnections(this.#value()).connections[1];
  }

  /** Where the next call goes, or why there is nowhere to go. */
  async findDestination(): Promise<Destination> {
    const connection = this.active;
    if (connection === undefined) {
      return { status: 'disconnected' };
    }
    let stored: string | undefined;
    try {
      stored = await this.#secrets.get(secretPrefix + connection.id);
    } catch (error) {
      this.#log.defect('SecretStorage could not be read', error);
      const reason = error instanceof Error ? error.message : String(error);
      return { status: 'keyUnreadable', connection, reason };
    }
    const found = readStoredKey(stored, connection.url.origin);
    switch (found.status) {
      case 'found':
        return { status: 'ready', connection, key: found.key };
      case 'missing':
        return { status: 'keyMissing', connection };
      case 'otherOrigin':
        return { status: 'keyElsewhere', connection, origin: found.origin };
      default:
        return found satisfies never;
    }
  }

  /** Keeps a checked connection and puts it first. Nothing stays behind when one of the two stores fails. */
  async save(url: BaseUrl, key: string): Promise<void> {
    const entries = this.#entries();
    const { connections } = readConnections(entries);
    const known = connections.find((connection) => connection.url.base === url.base);
    const id = known?.id ?? randomUUID().slice(0, 8);
    const entry = entries.find((each) => idOf(each) === id) ?? { id, name: new URL(url.base).host, baseUrl: url.base };
    const secretName = secretPrefix + id;
    const before = await this.#secrets.get(secretName);
    await this.#secrets.store(secretName, writeStoredKey(url.origin, key));
    try {
      await this.#write([entry, ...entries.filter((each) => each !== entry)]);
    } catch (error) {
      await (before === undefined ? this.#secrets.delete(secretName) : this.#secrets.store(secretName, before));
      throw error;
    }
  }

  /** Another key for a connection that is there. */
  async replaceKey(connection: Connection, key: string): Promise<void> {
    await this.#secrets.store(secretPrefix + connection.id, writeStoredKey(connection.url.origin, key));
  }

  /** Forgets a connection together with its key: the key first, so that a failure leaves no orphan secret. */
  async remove(connection: Connection): Promise<void> {
    await this.#secrets.delete(secretPrefix + connection.id);
    await this.#write(this.#entries().filter((each) => idOf(each) !== connection.id));
  }

  dispose(): void {
    this.#store.dispose();
  }

  #readActive(): Connection | undefined {
    const { connections, problems } = readConnections(this.#value());
    const told = problems.join('\n');
    if (told !== this.#toldProblems) {
      this.#toldProblems = told;
      if (told !== '') {
        this.#log.warn(told);
        void vscode.window.showWarningMessage(`Ask Model ignores part of its settings. ${problems.join(' ')}`);
      }
    }
    return connections[0];
  }

  #value(): unknown {
    return vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue;
  }

  /** As they stand, bad ones included: what a person wrote by hand is not thrown away. */
  #entries(): unknown[] {
    const value = this.#value();
    return Array.isArray(value) ? value : [];
  }

  async #write(entries: readonly unknown[]): Promise<void> {
    await vscode.workspace
      .getConfiguration()
      .update(setting, entries.length > 0 ? entries : undefined, vscode.ConfigurationTarget.Global);
  }
}

/** Of an entry as it stands in the settings, whatever it is. */
function idOf(entry: unknown): unknown {
  return typeof entry === 'object' && entry !== null && 'id' in entry ? entry.id : undefined;
}

import { Emitter } from '../../../../src/core/base/lifetime.ts';
import { Connections } from '../../../../src/core/connections/connections.ts';

/** A profile of VS Code, with the settings and secrets that all its windows share. */
export class Profile {
  entries: unknown;
  readonly secrets = new Map<string, string>();
  readonly didWriteSetting = new Emitter<void>();
  readonly didWriteSecret = new Emitter<{ key: string }>();
  secretFailure: Error | undefined;
  settingFailure: Error | undefined;
  /** All reported problems and errors, to search for keys. */
  readonly reported: string[] = [];
  readonly readKeys: string[] = [];
  /** Prefix of addresses at which others could read a key. */
  exposedPrefix = 'nothing';
  #ids = 0;

  window(): Connections {
    const answer = async () => {
      // Both stores answer asynchronously, as in VS Code.
      await new Promise((resolve) => setImmediate(resolve));
      if (this.secretFailure) {
        throw this.secretFailure;
      }
    };
    return new Connections({
      secrets: {
        get: async (key) => {
          await answer();
          return this.secrets.get(key);
        },
        store: async (key, value) => {
          await answer();
          this.secrets.set(key, value);
          this.didWriteSecret.fire({ key });
        },
        delete: async (key) => {
          await answer();
          this.secrets.delete(key);
          this.didWriteSecret.fire({ key });
        },
        onDidChange: this.didWriteSecret.event,
      },
      setting: {
        read: () => this.entries,
        write: async (entries) => {
          await new Promise((resolve) => setImmediate(resolve));
          if (this.settingFailure) {
            throw this.settingFailure;
          }
          this.setEntries(entries);
        },
        onDidChange: this.didWriteSetting.event,
      },
      newId: () => `id${++this.#ids}`,
      onProblems: (problems) => this.reported.push(...problems),
      onUnreadableSecret: (error) => this.reported.push(String(error)),
      onKey: (key) => this.readKeys.push(key),
      unacceptedRoute: (address) => (address.startsWith(this.exposedPrefix) ? { id: 'direct' } : undefined),
    });
  }

  setEntries(entries: unknown): void {
    this.entries = structuredClone(entries);
    this.didWriteSetting.fire();
  }
}

import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import type { DisposableStore } from '../../core/base/lifetime.ts';
import type { Log } from './log.ts';

/** Values of the extension. `allowedCallers` is of earlier versions. */
type Name = 'allowedCallers' | 'allowedExtensions' | 'clearRoutes' | 'dayNotes' | 'instructions' | 'movedSettings';
/** Values that each connection has. */
type ConnectionName = 'compared' | 'groupRatio' | 'logColumns' | 'models' | 'withoutUsage';

/**
 * Small values that the extension stores in a memento of VS Code. None is secret. Other extensions can't write them.
 * What is read may be of any type; undefined deletes a value.
 */
export class Remembered {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  value(name: Name) {
    return {
      read: (): unknown => this.#memory.get(name),
      write: async (value: unknown) => this.#memory.update(name, value),
    };
  }

  ofConnections(name: ConnectionName) {
    return {
      read: (id: string): unknown => this.#memory.get(`askModel.${name}.${id}`),
      write: async (id: string, value: unknown) => this.#memory.update(`askModel.${name}.${id}`, value),
    };
  }

  /** Deletes the values of a connection, or all values. */
  async forget(connectionId?: string): Promise<void> {
    for (const name of this.#memory.keys()) {
      if (connectionId === undefined || name.endsWith(`.${connectionId}`)) {
        await this.#memory.update(name, undefined);
      }
    }
  }
}

/** The dependencies of every part of the extension. */
export type SharedPorts = {
  /** Owns everything that must be disposed. There is only one, so that what was created last is disposed first. */
  readonly store: DisposableStore;
  readonly log: Log;
  readonly clock: Clock;
  readonly remembered: Remembered;
};

/** A person's own value of a setting, of any type. No workspace can change it. */
export function ownSetting(id: string): unknown {
  return vscode.workspace.getConfiguration().inspect<unknown>(id)?.globalValue;
}

/** Sets a person's own value of a setting; undefined removes it. */
export function setOwnSetting(id: string, value: unknown): Thenable<void> {
  return vscode.workspace.getConfiguration().update(id, value, vscode.ConfigurationTarget.Global);
}

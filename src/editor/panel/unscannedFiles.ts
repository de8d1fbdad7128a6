import type * as vscode from 'vscode';

const name = 'unscannedFiles';

/** The files of a workspace in which the person wants no secrets to be found, by their addresses. */
export class UnscannedFiles {
  readonly #memory: vscode.Memento;

  /** @param memory VS Code's memory of the workspace, which is not a file in it. */
  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  has(uri: string): boolean {
    return this.#uris.includes(uri);
  }

  async add(uri: string): Promise<void> {
    await this.#memory.update(name, [...new Set([...this.#uris, uri])]);
  }

  get #uris(): readonly string[] {
    const stored = this.#memory.get<unknown>(name);
    return Array.isArray(stored) ? stored.filter((uri): uri is string => typeof uri === 'string') : [];
  }
}

import type * as vscode from 'vscode';

const name = 'unscannedFiles';

/** The files of a workspace in which the person wants no secrets to be found, by the paths of their contexts. */
export class UnscannedFiles {
  readonly #memory: vscode.Memento;

  /** @param memory VS Code's memory of the workspace, which is not a file in it. */
  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  has(path: string): boolean {
    return this.#paths.includes(path);
  }

  async add(path: string): Promise<void> {
    await this.#memory.update(name, [...new Set([...this.#paths, path])]);
  }

  get #paths(): readonly string[] {
    const stored = this.#memory.get<unknown>(name);
    return Array.isArray(stored) ? stored.filter((path): path is string => typeof path === 'string') : [];
  }
}

import type * as vscode from 'vscode';

/** Small choices that are remembered for a connection, by its id; nothing secret, and nothing that costs. */
export class Remembered {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Exact id of the default model. */
  defaultModel(connectionId: string): string | undefined {
    return this.#memory.get<string>(modelName(connectionId));
  }

  async setDefaultModel(connectionId: string, model: string): Promise<void> {
    await this.#memory.update(modelName(connectionId), model);
  }

  /** Whether the gateway rejects the option that asks for token counts. */
  isWithoutUsage(connectionId: string): boolean {
    return this.#memory.get<boolean>(usageName(connectionId)) === true;
  }

  async forgoUsage(connectionId: string): Promise<void> {
    await this.#memory.update(usageName(connectionId), true);
  }

  async forget(connectionId: string): Promise<void> {
    await this.#memory.update(modelName(connectionId), undefined);
    await this.#memory.update(usageName(connectionId), undefined);
  }
}

const modelName = (connectionId: string) => `askModel.defaultModel.${connectionId}`;
const usageName = (connectionId: string) => `askModel.withoutUsage.${connectionId}`;

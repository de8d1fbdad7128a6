import type * as vscode from 'vscode';

/** Small choices that are remembered, most for a connection by its id; nothing secret. No other extension can write here. */
export class Remembered {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** Default model, favourites and the like, as they were handed to `setModels`; unknown until they are read. */
  models(connectionId: string): unknown {
    return this.#memory.get<unknown>(modelsName(connectionId));
  }

  async setModels(connectionId: string, choices: object): Promise<void> {
    await this.#memory.update(modelsName(connectionId), choices);
  }

  /** Whether the gateway rejects the option that asks for token counts. */
  isWithoutUsage(connectionId: string): boolean {
    return this.#memory.get<boolean>(usageName(connectionId)) === true;
  }

  async forgoUsage(connectionId: string): Promise<void> {
    await this.#memory.update(usageName(connectionId), true);
  }

  /** Exact ids of the models that were compared last. */
  compared(connectionId: string): readonly string[] {
    const kept = this.#memory.get<unknown>(comparedName(connectionId));
    return Array.isArray(kept) ? kept.filter((id): id is string => typeof id === 'string') : [];
  }

  async setCompared(connectionId: string, models: readonly string[]): Promise<void> {
    await this.#memory.update(comparedName(connectionId), models);
  }

  /** What calls have shown of a connection that was kept without a check, as it was handed to `setCheckState`. */
  checkState(connectionId: string): unknown {
    return this.#memory.get<unknown>(checkName(connectionId));
  }

  async setCheckState(connectionId: string, state: string | undefined): Promise<void> {
    await this.#memory.update(checkName(connectionId), state);
  }

  /** Ids of extensions that may ask models, as they were handed to `setAllowedCallers`. */
  get allowedCallers(): unknown {
    return this.#memory.get<unknown>(allowedCallersName);
  }

  async setAllowedCallers(ids: readonly string[]): Promise<void> {
    await this.#memory.update(allowedCallersName, ids);
  }

  /** Routes that were accepted, as they were handed to `setClearRoutes`. */
  get clearRoutes(): unknown {
    return this.#memory.get<unknown>(clearRoutesName);
  }

  async setClearRoutes(accepted: object): Promise<void> {
    await this.#memory.update(clearRoutesName, accepted);
  }

  async forget(connectionId: string): Promise<void> {
    await this.#memory.update(modelsName(connectionId), undefined);
    await this.#memory.update(usageName(connectionId), undefined);
    await this.#memory.update(comparedName(connectionId), undefined);
    await this.#memory.update(checkName(connectionId), undefined);
  }
}

const clearRoutesName = 'clearRoutes';
const allowedCallersName = 'allowedCallers';
const modelsName = (connectionId: string) => `askModel.models.${connectionId}`;
const comparedName = (connectionId: string) => `askModel.compared.${connectionId}`;
const checkName = (connectionId: string) => `askModel.check.${connectionId}`;
const usageName = (connectionId: string) => `askModel.withoutUsage.${connectionId}`;

import type * as vscode from 'vscode';

/**
 * Small values that the extension stores in a memento of VS Code, most of them per connection, under its id. None is
 * secret. Other extensions can't write them.
 */
export class Remembered {
  readonly #memory: vscode.Memento;

  constructor(memory: vscode.Memento) {
    this.#memory = memory;
  }

  /** The default model, the favourites and similar choices, as passed to `setModels`. The caller validates them. */
  models(connectionId: string): unknown {
    return this.#memory.get<unknown>(modelsName(connectionId));
  }

  async setModels(connectionId: string, choices: object): Promise<void> {
    await this.#memory.update(modelsName(connectionId), choices);
  }

  /** Whether the gateway rejects the option to send token counts. */
  isWithoutUsage(connectionId: string): boolean {
    return this.#memory.get<boolean>(usageName(connectionId)) === true;
  }

  async setWithoutUsage(connectionId: string): Promise<void> {
    await this.#memory.update(usageName(connectionId), true);
  }

  /** Exact ids of the models that were compared last. */
  compared(connectionId: string): readonly string[] {
    const stored = this.#memory.get<unknown>(comparedName(connectionId));
    return Array.isArray(stored) ? stored.filter((id): id is string => typeof id === 'string') : [];
  }

  async setCompared(connectionId: string, models: readonly string[]): Promise<void> {
    await this.#memory.update(comparedName(connectionId), models);
  }

  /** What calls have shown about a connection that was saved without a check, as passed to `setCheckState`. */
  checkState(connectionId: string): unknown {
    return this.#memory.get<unknown>(checkName(connectionId));
  }

  async setCheckState(connectionId: string, state: string | undefined): Promise<void> {
    await this.#memory.update(checkName(connectionId), state);
  }

  /** Ids of the extensions that may ask models, as passed to `setAllowedCallers`. */
  get allowedCallers(): unknown {
    return this.#memory.get<unknown>(allowedCallersName);
  }

  async setAllowedCallers(ids: readonly string[]): Promise<void> {
    await this.#memory.update(allowedCallersName, ids);
  }

  /** How estimates of tokens compare with what gateways report, as passed to `setTokenRatios`. */
  get tokenRatios(): unknown {
    return this.#memory.get<unknown>(tokenRatiosName);
  }

  async setTokenRatios(ratios: object): Promise<void> {
    await this.#memory.update(tokenRatiosName, ratios);
  }

  /** The questions and warnings about limits that the person got today, as passed to `setDayNotes`. */
  get dayNotes(): unknown {
    return this.#memory.get<unknown>(dayNotesName);
  }

  async setDayNotes(notes: object): Promise<void> {
    await this.#memory.update(dayNotesName, notes);
  }

  /** Whether the limits of an earlier version's settings are in their new setting. */
  get hasMovedLimits(): boolean {
    return this.#memory.get<unknown>(movedLimitsName) === true;
  }

  async setMovedLimits(): Promise<void> {
    await this.#memory.update(movedLimitsName, true);
  }

  /** The routes that the person accepted although others can read a key on them, as passed to `setClearRoutes`. */
  get clearRoutes(): unknown {
    return this.#memory.get<unknown>(clearRoutesName);
  }

  async setClearRoutes(accepted: object): Promise<void> {
    await this.#memory.update(clearRoutesName, accepted);
  }

  /** The ratio of a key's group, as its gateway's log stated it; see `setGroupRatio`. */
  groupRatio(connectionId: string): number | undefined {
    const ratio = this.#memory.get<unknown>(groupRatioName(connectionId));
    return typeof ratio === 'number' && ratio >= 0 ? ratio : undefined;
  }

  async setGroupRatio(connectionId: string, ratio: number | undefined): Promise<void> {
    await this.#memory.update(groupRatioName(connectionId), ratio);
  }

  /** What the columns of the last imported log mean, as passed to `setLogColumns`. */
  logColumns(connectionId: string): unknown {
    return this.#memory.get<unknown>(logColumnsName(connectionId));
  }

  async setLogColumns(connectionId: string, columns: object): Promise<void> {
    await this.#memory.update(logColumnsName(connectionId), columns);
  }

  /** Deletes all values. */
  async forgetAll(): Promise<void> {
    await this.#forget(() => true);
  }

  /** Deletes all values of a connection. */
  async forget(connectionId: string): Promise<void> {
    await this.#forget((name) => name.endsWith(`.${connectionId}`));
  }

  async #forget(isForgotten: (name: string) => boolean): Promise<void> {
    for (const name of this.#memory.keys().filter(isForgotten)) {
      await this.#memory.update(name, undefined);
    }
  }
}

const clearRoutesName = 'clearRoutes';
const dayNotesName = 'dayNotes';
const movedLimitsName = 'movedLimits';
const tokenRatiosName = 'tokenRatios';
const allowedCallersName = 'allowedCallers';
const modelsName = (connectionId: string) => `askModel.models.${connectionId}`;
const comparedName = (connectionId: string) => `askModel.compared.${connectionId}`;
const checkName = (connectionId: string) => `askModel.check.${connectionId}`;
const groupRatioName = (connectionId: string) => `askModel.groupRatio.${connectionId}`;
const logColumnsName = (connectionId: string) => `askModel.logColumns.${connectionId}`;
const usageName = (connectionId: string) => `askModel.withoutUsage.${connectionId}`;

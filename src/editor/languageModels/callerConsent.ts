import * as vscode from 'vscode';
import { AllowedCallers, type AllowedCallersPorts } from '../../core/languageModel/allowedCallers.ts';
import type { Log } from '../ui/log.ts';
import { showWarningMessage } from '../ui/messages.ts';

const setting = 'askModel.languageModels.allowedExtensions';
/** VS Code itself: there a person acts. */
const editor = 'core';
/** Older versions do not say who asks. */
const unnamed = 'unknown';

/**
 * Whether another extension may spend the person's money. VS Code asks nobody on behalf of a provider like this one, so
 * the first request of each extension does. A yes stands in the person's own settings, where it can be taken back, and
 * in the extension's own storage, because any extension can write to settings. A no holds until the window is reloaded.
 */
export class CallerConsent implements vscode.Disposable {
  readonly #log: Log;
  readonly #allowed: AllowedCallers;
  readonly #asked = new Map<string, Promise<boolean>>();
  readonly #watch = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(setting)) {
      this.#forgetUnlisted();
    }
  });

  /** @param memory where this extension alone keeps something. */
  constructor(log: Log, memory: AllowedCallersPorts['memory']) {
    this.#log = log;
    this.#allowed = new AllowedCallers({ setting: { read: listed, write: writeListed }, memory });
    this.#forgetUnlisted();
  }

  /**
   * @param caller id of the extension as VS Code tells it.
   * @param connection where its requests go, by its name.
   * @returns undefined when it may; else why it may not.
   */
  async refusal(caller: string | undefined, connection: string): Promise<string | undefined> {
    const id = caller?.toLowerCase() ?? unnamed;
    if (id === editor || this.#allowed.has(id)) {
      return undefined;
    }
    // Several requests at once are one question.
    let asked = this.#asked.get(id);
    if (asked === undefined) {
      asked = this.#ask(id, connection);
      this.#asked.set(id, asked);
    }
    if (await asked) {
      // From now on what is kept says it, and only as long as it does.
      this.#asked.delete(id);
      return undefined;
    }
    return `${nameOf(id)} may not ask models with your key. You are asked again after the window is reloaded.`;
  }

  /** The person said yes. */
  allow(id: string): Promise<void> {
    return this.#allowed.allow(id.toLowerCase());
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async #ask(id: string, connection: string): Promise<boolean> {
    const allow = 'Allow';
    try {
      const answer = await showWarningMessage(
        `${nameOf(id)} wants to ask models with your key.`,
        {
          modal: true,
          detail: `Each of its requests is a paid call to ${connection}. It sends what it decides to send, and does not see the key. You can take this back in the setting ${setting}.`,
        },
        allow,
      );
      if (answer !== allow) {
        return false;
      }
      await this.#allowed.allow(id);
      return true;
    } catch (error) {
      this.#log.defect('Nobody could be asked whether another extension may ask models', error);
      return false;
    }
  }

  #forgetUnlisted(): void {
    this.#allowed
      .forgetUnlisted()
      .catch((error) => this.#log.defect('An extension that may no longer ask models was not forgotten', error));
  }
}

/** Only the person's own value counts; what a workspace says under that name is not read. */
function listed(): string[] {
  const value = vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function writeListed(ids: readonly string[]): Thenable<void> {
  return vscode.workspace.getConfiguration().update(setting, ids, vscode.ConfigurationTarget.Global);
}

function nameOf(id: string): string {
  if (id === unnamed) {
    return 'An extension (this version of VS Code does not say which)';
  }
  const displayName: unknown = vscode.extensions.getExtension(id)?.packageJSON?.displayName;
  return typeof displayName === 'string' && displayName !== '' ? `${displayName} (${id})` : id;
}

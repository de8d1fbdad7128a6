import * as vscode from 'vscode';
import type { Log } from './log.ts';
import { showWarningMessage } from './ui/messages.ts';

const setting = 'askModel.languageModels.allowedExtensions';
/** VS Code itself: there a person acts. */
const editor = 'core';
/** Older versions do not say who asks. */
const unnamed = 'unknown';

/**
 * Whether another extension may spend the person's money. VS Code asks nobody on behalf of a provider like this one, so
 * the first request of each extension does. A yes stands in the person's own settings, where it can be taken back; a
 * no holds until the window is reloaded.
 */
export class CallerConsent {
  readonly #log: Log;
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(log: Log) {
    this.#log = log;
  }

  /**
   * @param caller id of the extension as VS Code tells it.
   * @param connection where its requests go, by its name.
   * @returns undefined when it may; else why it may not.
   */
  async refusal(caller: string | undefined, connection: string): Promise<string | undefined> {
    const id = caller?.toLowerCase() ?? unnamed;
    if (id === editor || allowed().some((each) => each.toLowerCase() === id)) {
      return undefined;
    }
    // Several requests at once are one question.
    let asked = this.#asked.get(id);
    if (asked === undefined) {
      asked = this.#ask(id, connection);
      this.#asked.set(id, asked);
    }
    if (await asked) {
      // From now on the setting says it, and only as long as it does.
      this.#asked.delete(id);
      return undefined;
    }
    return `${nameOf(id)} may not ask models with your key. The setting ${setting} can allow it: ${id}.`;
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
      await vscode.workspace.getConfiguration().update(setting, [...allowed(), id], vscode.ConfigurationTarget.Global);
      return true;
    } catch (error) {
      this.#log.defect('Nobody could be asked whether another extension may ask models', error);
      return false;
    }
  }
}

/** Only the person's own value counts; what a workspace says under that name is not read. */
function allowed(): string[] {
  const value = vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function nameOf(id: string): string {
  if (id === unnamed) {
    return 'An extension (this version of VS Code does not say which)';
  }
  const displayName: unknown = vscode.extensions.getExtension(id)?.packageJSON?.displayName;
  return typeof displayName === 'string' && displayName !== '' ? `${displayName} (${id})` : id;
}

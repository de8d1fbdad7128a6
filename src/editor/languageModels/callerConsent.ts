import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { AllowedCallers, type AllowedCallersPorts } from '../../core/languageModel/allowedCallers.ts';
import type { Log } from '../ui/log.ts';
import { showWarningMessage } from '../ui/messages.ts';

const setting = 'askModel.languageModels.allowedExtensions';
/** As VS Code's settings show it, in every language. */
const settingTitle = 'Ask Model › Language Models: Allowed Extensions';
/** The id of VS Code itself as the caller. It needs no consent, because the person acts directly. */
const editor = 'core';
/** For older versions of VS Code, which don't name the caller. */
const unnamed = 'unknown';

/**
 * Asks the person whether another extension may make paid calls. VS Code requests no consent for a provider like this
 * one, so we ask at the first request of each extension. Consent is stored in the person's settings, where it can be
 * withdrawn, and in this extension's own storage, because any extension can write to settings. A refusal lasts until
 * the window is reloaded.
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

  /** @param memory storage that only this extension can write to. */
  constructor(log: Log, memory: AllowedCallersPorts['memory']) {
    this.#log = log;
    this.#allowed = new AllowedCallers({ setting: { read: listed, write: writeListed }, memory });
    this.#forgetUnlisted();
  }

  /**
   * Checks whether an extension may call models, and asks the person if necessary.
   *
   * @param caller id of the extension as VS Code passes it.
   * @param connection name of the connection that receives its requests.
   * @returns undefined when it is allowed; otherwise why it isn't.
   */
  async refusal(caller: string | undefined, connection: string): Promise<string | undefined> {
    const id = caller?.toLowerCase() ?? unnamed;
    if (id === editor || this.#allowed.has(id)) {
      return undefined;
    }
    // Concurrent requests share one question.
    let asked = this.#asked.get(id);
    if (asked === undefined) {
      asked = this.#ask(id, connection);
      this.#asked.set(id, asked);
    }
    if (await asked) {
      // From now on the stored consent decides, and it can be withdrawn.
      this.#asked.delete(id);
      return undefined;
    }
    return id === unnamed
      ? l10n.t(
          "An extension isn't allowed to ask models with your key. This version of VS Code doesn't say which one. You'll be asked again after you reload the window.",
        )
      : l10n.t(
          "{0} isn't allowed to ask models with your key. You'll be asked again after you reload the window.",
          nameOf(id),
        );
  }

  /** Records the person's consent. */
  allow(id: string): Promise<void> {
    return this.#allowed.allow(id.toLowerCase());
  }

  dispose(): void {
    this.#watch.dispose();
  }

  async #ask(id: string, connection: string): Promise<boolean> {
    const allow = l10n.t('Allow');
    try {
      const answer = await showWarningMessage(
        id === unnamed
          ? l10n.t(
              "Allow an extension to ask models with your key? This version of VS Code doesn't say which extension it is.",
            )
          : l10n.t('Allow {0} to ask models with your key?', nameOf(id)),
        {
          modal: true,
          detail: sentences(
            l10n.t(
              'Each of its requests is a paid call to {0}. The extension decides what to send and never gets your key. You can revoke this in the setting "{1}".',
              connection,
              settingTitle,
            ),
            l10n.t('Its requests are not searched for secrets.'),
          ),
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

/** Reads only the person's own setting; a workspace must not grant consent. */
function listed(): string[] {
  const value = vscode.workspace.getConfiguration().inspect<unknown>(setting)?.globalValue;
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function writeListed(ids: readonly string[]): Thenable<void> {
  return vscode.workspace.getConfiguration().update(setting, ids, vscode.ConfigurationTarget.Global);
}

function nameOf(id: string): string {
  const displayName: unknown = vscode.extensions.getExtension(id)?.packageJSON?.displayName;
  return typeof displayName === 'string' && displayName !== '' ? `${displayName} (${id})` : id;
}

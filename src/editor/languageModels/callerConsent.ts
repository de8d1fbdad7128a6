import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { textsIn } from '../../core/base/loose.ts';
import type { Log } from '../ui/log.ts';
import { isConfirmed, showInformationMessage } from '../ui/messages.ts';
import { pickRow } from '../ui/quickPick.ts';
import { ownSetting, type Remembered, setOwnSetting } from '../ui/remembered.ts';

/** Of earlier versions. Their consent counted while it was in this setting and in the extension's own memory. */
const formerSetting = 'askModel.languageModels.allowedExtensions';
/** The id of VS Code itself as the caller. It needs no consent, because the person acts directly. */
const editor = 'core';
/** For older versions of VS Code, which don't name the caller. */
const unnamed = 'unknown';

/**
 * Asks the person whether another extension may make paid calls. VS Code requests no consent for a provider like this
 * one, so we ask at the first request of each extension. Consent is kept in this extension's own memory, because any
 * extension can write to settings. A refusal lasts until the window is reloaded.
 */
export class CallerConsent {
  readonly #log: Log;
  readonly #remembered: Remembered;
  readonly #asked = new Map<string, Promise<boolean>>();

  constructor(log: Log, remembered: Remembered) {
    this.#log = log;
    this.#remembered = remembered;
    this.#moveFormer().catch((error) => log.defect('Consent of an earlier version could not be moved', error));
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
    if (id === editor || this.#allowed.includes(id)) {
      return undefined;
    }
    // Concurrent requests share one question.
    const asked = this.#asked.get(id) ?? this.#ask(id, connection);
    this.#asked.set(id, asked);
    if (await asked) {
      // From now on the stored consent decides, and it can be revoked.
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

  /** *Revoke Access of an Extension*: lists the extensions that may ask models, and revokes the one that is picked. */
  async revoke(): Promise<void> {
    const allowed = this.#allowed;
    if (allowed.length === 0) {
      void showInformationMessage(l10n.t('No extension is allowed to ask models with your key.'));
      return;
    }
    const { value } = await pickRow({
      title: l10n.t('Revoke Access of an Extension'),
      placeholder: l10n.t("Select an extension. You'll be asked again before its next request."),
      rows: allowed.map((id) => ({ value: id, label: nameOf(id) })),
    });
    if (value !== undefined) {
      await this.#remembered.value('allowedExtensions').write(this.#allowed.filter((id) => id !== value));
    }
  }

  /** Ids in lower case. */
  get #allowed(): readonly string[] {
    return textsIn(this.#remembered.value('allowedExtensions').read());
  }

  async #ask(id: string, connection: string): Promise<boolean> {
    const question =
      id === unnamed
        ? l10n.t(
            "Allow an extension to ask models with your key? This version of VS Code doesn't say which extension it is.",
          )
        : l10n.t('Allow {0} to ask models with your key?', nameOf(id));
    const detail = sentences(
      l10n.t(
        'Each of its requests is a paid call to {0}. The extension decides what to send and never gets your key. You can revoke this with the command "{1}".',
        connection,
        `Ask Model: ${l10n.t('Revoke Access of an Extension')}…`,
      ),
      l10n.t('Its requests are not searched for secrets.'),
    );
    try {
      if (!(await isConfirmed(question, l10n.t('Allow'), detail))) {
        return false;
      }
      await this.#remembered.value('allowedExtensions').write([...new Set([...this.#allowed, id])]);
      return true;
    } catch (error) {
      this.#log.defect('Nobody could be asked whether another extension may ask models', error);
      return false;
    }
  }

  async #moveFormer(): Promise<void> {
    const written = ownSetting(formerSetting);
    const listed = Array.isArray(written) ? written.map((id) => String(id).toLowerCase()) : [];
    const former = this.#remembered.value('allowedCallers');
    const moved = textsIn(former.read()).filter((id) => listed.includes(id));
    if (moved.length > 0) {
      await this.#remembered.value('allowedExtensions').write([...new Set([...this.#allowed, ...moved])]);
    }
    await former.write(undefined);
    await (written !== undefined && setOwnSetting(formerSetting, undefined));
  }
}

function nameOf(id: string): string {
  const displayName: unknown = vscode.extensions.getExtension(id)?.packageJSON?.displayName;
  return typeof displayName === 'string' && displayName !== '' ? `${displayName} (${id})` : id;
}

import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import type { Draft } from '../../core/chat/conversation/conversation.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { PanelMessage } from '../../protocol/protocol.ts';
import { showWarningMessage } from '../ui/messages.ts';
import type { PanelUpdates } from './panelUpdates.ts';
import { canSendAsIs, onlyFile, secretsText } from './secretsText.ts';

export type SecretRequestsDeps = {
  readonly chat: Chat;
  readonly updates: Pick<PanelUpdates, 'composer' | 'post'>;
  readonly unscanned: Pick<UnscannedFiles, 'add'>;
};

/** Handles what a panel's page asks about secrets in the next question. */
export class SecretRequests {
  readonly #deps: SecretRequestsDeps;

  constructor(deps: SecretRequestsDeps) {
    this.#deps = deps;
  }

  /** Why a question can't be sent before the page has shown what was found; undefined when it can. */
  whyNotYet({ secrets }: Extract<PanelMessage, { type: 'send' }>): string | undefined {
    const found = this.#deps.chat.secretsIn();
    return found.length > 0 && secrets === undefined ? secretsText(found) : undefined;
  }

  /** Whether the secrets are to be sent. */
  isAsIs({ secrets }: Extract<PanelMessage, { type: 'send' }>): boolean {
    const found = this.#deps.chat.secretsIn();
    return secrets === 'asIs' && found.length > 0 && canSendAsIs(found);
  }

  noteSentAsIs(): void {
    const reason = l10n.t('Sent as they are, the values are also stored in the conversation.');
    this.#deps.updates.post({ type: 'notAdded', reason, isNote: true });
  }

  /** Runs what changes the typed text, and shows what was found in it. */
  watch(change: () => void): void {
    const { chat, updates } = this.#deps;
    const before = secretsText(chat.secretsIn());
    change();
    if (secretsText(chat.secretsIn()) !== before) {
      updates.composer();
    }
  }

  /** Removes the context that has secrets. */
  leaveOut(): void {
    const { chat, updates } = this.#deps;
    const secret = new Set(chat.secretsIn().map(({ context }) => context));
    chat.setDraft({ contexts: chat.composed.contexts.filter((each) => !secret.has(each)) });
    updates.composer();
  }

  /** Gives the file with the secrets back what is masked in it, now and whenever it is included again. */
  async neverScan(): Promise<void> {
    const { chat, updates, unscanned } = this.#deps;
    const uri = onlyFile(chat.secretsIn());
    if (uri !== undefined) {
      await unscanned.add(uri);
      chat.maskAgain();
      updates.composer();
    }
  }
}

/**
 * Asks what to do with secrets in a question that is sent from outside of the panel.
 *
 * @param masked as `Chat.mask` returned it.
 * @returns what to send; undefined when the person cancelled.
 */
export async function confirmSecrets(chat: Chat, masked: Draft): Promise<Draft | undefined> {
  const secrets = chat.secretsIn(masked);
  if (secrets.length === 0) {
    return masked;
  }
  const mask = l10n.t('Mask and Send');
  const asIs = canSendAsIs(secrets) ? [l10n.t('Send As Is')] : [];
  const detail = sentences(
    l10n.t('Masked, the model gets placeholders, and the values are put back into its answer on this screen.'),
    asIs.length > 0 && l10n.t('Sent as they are, the values are also stored in the conversation.'),
  );
  const answer = await showWarningMessage(secretsText(secrets), { modal: true, detail }, mask, ...asIs);
  return answer === mask ? masked : answer === undefined ? undefined : chat.unmask(masked);
}

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

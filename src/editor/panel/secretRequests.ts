import * as l10n from '@vscode/l10n';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { PanelMessage } from '../../protocol/messages.ts';
import type { PanelUpdates } from './panelUpdates.ts';
import { onlyFile, secretsText } from './secretsText.ts';
import type { UnscannedFiles } from './unscannedFiles.ts';

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
    return secrets === 'asIs' && this.#deps.chat.secretsIn().length > 0;
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
    const path = onlyFile(chat.secretsIn());
    if (path === undefined) {
      return;
    }
    await unscanned.add(path);
    const { composed } = chat;
    const { contexts } = chat.unmask(composed);
    chat.setDraft({
      contexts: composed.contexts.map((each, at) => (each.path === path ? (contexts[at] ?? each) : each)),
    });
    updates.composer();
  }
}

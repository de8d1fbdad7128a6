import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { numberText, plural, sentences } from '../../core/base/localization.ts';
import { titleOf } from '../../core/chat/conversation/conversation.ts';
import { endRunning } from '../../core/chat/conversation/conversationRecord.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import { conversationsJson } from '../../core/chat/store/conversationJson.ts';
import { conversationMarkdown, fileNameOf } from '../../core/chat/store/conversationMarkdown.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { diskReason, unsavedEnds } from '../../core/chat/store/unsavedText.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/registrations.ts';

/** Notifies the person of conversations that can't be written to the disk, and offers to save them elsewhere. */
export class UnsavedConversations {
  readonly #log: Log;
  readonly #home: vscode.Uri;
  /** Why each conversation can't be written, by its id. */
  readonly #reasons = new Map<string, string>();

  /** @param home the folder where dialogs start when no folder is open. */
  constructor(log: Log, home: vscode.Uri) {
    this.#log = log;
    this.#home = home;
  }

  /** Called when a conversation could not be written. @param isShown whether it is in a panel. */
  failed(live: LiveConversation, error: unknown, isShown: boolean): void {
    this.#reasons.set(live.conversation.id, diskReason(error));
    this.notify(live, isShown);
  }

  /** Called when all of a conversation is written. */
  saved(live: LiveConversation): void {
    if (this.#reasons.delete(live.conversation.id)) {
      void showInformationMessage(l10n.t('"{0}" is now saved.', nameOf(live)));
    }
  }

  /** Shows the notification, with the reason of the last failure. */
  notify(live: LiveConversation, isShown: boolean): void {
    const isDeleted = live.unsavedChanges?.isDeleted === true;
    const words = isDeleted ? this.#deletedWords(live, isShown) : this.#failedWords(live, isShown);
    const [show, saveAs] = [l10n.t('Show Again'), l10n.t('Save As…')];
    // *Show Again* is not offered for a deleted conversation: it may no longer be in memory when it is pressed.
    const buttons = isShown || isDeleted ? [saveAs] : [show, saveAs];
    void (async () => {
      const answer = await showWarningMessage(words, ...buttons);
      const { id } = live.conversation;
      if (answer === show) {
        await runCommand('askModel.openConversation', id);
      } else if (answer === saveAs && !(await this.#saveAs(live)) && live.unsavedChanges) {
        // The person cancelled the dialog.
        this.notify(live, isShown);
      }
    })().catch((error: unknown) => {
      this.#log.defect('An unsaved conversation could not be shown or saved elsewhere', error);
      void showErrorMessage(sentences(l10n.t('"{0}" wasn\'t saved to the file.', nameOf(live)), diskReason(error)));
      this.notify(live, isShown);
    });
  }

  #deletedWords(live: LiveConversation, isShown: boolean): string {
    const name = nameOf(live);
    return isShown
      ? sentences(
          l10n.t('"{0}" was deleted in another window.', name),
          l10n.t('Its new content exists only in this panel and is lost when you close it.'),
          l10n.t('To keep it, save the conversation to a file.'),
        )
      : sentences(
          l10n.t('"{0}" was deleted in another window, and its panel is closed.', name),
          l10n.t("Its new content isn't saved."),
          l10n.t('To keep it, save the conversation to a file.'),
        );
  }

  #failedWords(live: LiveConversation, isShown: boolean): string {
    const name = nameOf(live);
    const replies = live.unsavedChanges?.replies ?? 0;
    return sentences(
      isShown
        ? l10n.t('"{0}" can\'t be saved.', name)
        : l10n.t('"{0}" can\'t be saved, and its panel is closed.', name),
      this.#reasons.get(live.conversation.id),
      l10n.t('It stays in memory and is saved as soon as possible.'),
      replies === 0
        ? l10n.t('Until then, reloading or closing this window loses its new content.')
        : plural(
            replies,
            l10n.t('Until then, reloading or closing this window loses one answer.'),
            l10n.t('Until then, reloading or closing this window loses {0} answers.', numberText(replies)),
          ),
    );
  }

  /** Writes the conversation to a file of the person's choice. @returns false when the person cancelled. */
  async #saveAs(live: LiveConversation): Promise<boolean> {
    const filters = { Markdown: ['md'], JSON: ['json'] };
    const name = `${fileNameOf(titleOf(live.conversation))}.md`;
    const target = await askExportFile(this.#home, name, l10n.t('Save Conversation As'), filters);
    if (target === undefined) {
      return false;
    }
    // A reply may still be running, and may have grown while the dialog was open.
    const ended = endRunning(live.conversation);
    const isJson = target.path.toLowerCase().endsWith('.json');
    await writeExport(target, isJson ? conversationsJson([ended]) : conversationMarkdown(ended));
    return true;
  }
}

function nameOf(live: LiveConversation): string {
  return titleOf(live.conversation);
}

/**
 * Notifies the person of conversations that lost text because it couldn't be written before their window was closed,
 * and records the loss in those conversations.
 *
 * @param ids the conversations that were marked as unsaved.
 */
export async function reportUnsaved(store: UnsavedStore, ids: readonly string[], log: Log): Promise<void> {
  for (const id of ids) {
    try {
      await reportOne(store, id, log);
    } catch (error) {
      // The others are still reported.
      log.defect(`Conversation ${id} can't be read for what could not be saved`, error);
      await markAgain(store, id, log);
    }
  }
}

type UnsavedStore = Pick<ConversationStore, 'read' | 'append' | 'markUnsaved'>;

async function reportOne(store: UnsavedStore, id: string, log: Log): Promise<void> {
  const file = await store.read(id);
  if (file === undefined) {
    // It was deleted in the meantime.
    return;
  }
  const { title, text } = unsavedEnds(id, file);
  if (text !== '') {
    await store.append(id, text).catch(async (error: unknown) => {
      log.defect(`Conversation ${id} can still not be written`, error);
      await markAgain(store, id, log);
    });
  }
  const open = l10n.t('Open');
  void showWarningMessage(
    sentences(
      title === undefined ? l10n.t('A conversation is incomplete.') : l10n.t('"{0}" is incomplete.', title),
      l10n.t(
        "Its last part couldn't be saved before its window was closed, because the disk was full or write-protected.",
      ),
    ),
    open,
  ).then((answer) => answer === open && runCommand('askModel.openConversation', id));
}

/** Marks the conversation again, so that the next start reports it. */
async function markAgain(store: UnsavedStore, id: string, log: Log): Promise<void> {
  await store.markUnsaved(id).catch((error: unknown) => log.defect(`Conversation ${id} can't be marked`, error));
}

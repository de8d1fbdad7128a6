import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { errorCode, messageOf } from '../../core/base/loose.ts';
import { type Conversation, titleOf } from '../../core/chat/conversation/conversation.ts';
import { endRunning } from '../../core/chat/conversation/conversationRecord.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import { conversationsJson } from '../../core/chat/store/conversationJson.ts';
import { conversationMarkdown, fileNameOf } from '../../core/chat/store/conversationMarkdown.ts';
import { type ConversationStore, PictureWaitsError, readPictures } from '../../core/chat/store/conversationStore.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/registrations.ts';

/** See `openUnsavedConversations`. */
export type UnsavedConversations = ReturnType<typeof openUnsavedConversations>;

/**
 * Notifies the person of conversations that can't be written to the disk, and offers to save them elsewhere.
 *
 * @param home the folder where dialogs start when no folder is open.
 */
export function openUnsavedConversations(log: Log, store: Pick<ConversationStore, 'readPicture'>, home: vscode.Uri) {
  /** Called when all of a conversation is written that could not be before. */
  function saved(live: LiveConversation): void {
    void showInformationMessage(l10n.t('"{0}" is now saved.', titleOf(live.conversation)));
  }

  /** Says that a conversation can't be written. VS Code shows the same notification only once. */
  function notify(live: LiveConversation): void {
    const { failure } = live;
    const name = titleOf(live.conversation);
    const words = sentences(
      l10n.t('"{0}" can\'t be saved.', name),
      diskReason(failure instanceof PictureWaitsError ? failure.cause : failure),
      l10n.t('It stays in memory and is saved as soon as possible.'),
      l10n.t('Until then, reloading or closing this window loses its new content.'),
    );
    const [show, saveAs] = [l10n.t('Show Conversation'), l10n.t('Save As…')];
    void (async () => {
      const answer = await showWarningMessage(words, show, saveAs);
      const { id } = live.conversation;
      if (answer === show) {
        await runCommand('askModel.openConversation', id);
      } else if (answer === saveAs) {
        const filters = { Markdown: ['md'], JSON: ['json'] };
        await save(l10n.t('Save Conversation As'), filters, () => [live.conversation]);
      }
    })().catch((error: unknown) => {
      log.defect('An unsaved conversation could not be shown or saved elsewhere', error);
      void showErrorMessage(
        sentences(l10n.t('"{0}" wasn\'t saved to the file.', titleOf(live.conversation)), diskReason(error)),
      );
    });
  }

  /**
   * Writes conversations to a file of the person's choice, as Markdown or JSON.
   *
   * @param current is asked again once the file is chosen: a reply may have grown while the dialog was open.
   */
  async function save(
    title: string,
    filters: { readonly Markdown?: string[]; readonly JSON?: string[] },
    current: () => readonly Conversation[],
  ): Promise<void> {
    const [first, ...others] = current();
    const name =
      first && others.length === 0
        ? fileNameOf(titleOf(first))
        : l10n.t({ message: '{0}-conversations', args: [others.length + 1], comment: ['A file name'] });
    const target = await askExportFile(home, `${name}.${filters.Markdown ? 'md' : 'json'}`, title, { ...filters });
    if (target) {
      const ended = current().map((each) => endRunning(each));
      const pictures = await readPictures(store, ended);
      const isJson = filters.Markdown === undefined || (filters.JSON && /\.json$/i.test(target.path));
      const markdown = () => ended.map((each) => conversationMarkdown(each, pictures)).join('\n---\n\n');
      await writeExport(target, isJson ? conversationsJson(ended, pictures) : markdown());
    }
  }

  return { saved, notify, save };
}

/** Why something can't be written to the disk, as a sentence; the system has its own words for all but the usual cause. */
function diskReason(error: unknown): string {
  return errorCode(error) === 'ENOSPC' ? l10n.t('The disk is full.') : messageOf(error).replace(/(?<![.。])$/, '.');
}

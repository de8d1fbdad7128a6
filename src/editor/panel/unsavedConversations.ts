import type * as vscode from 'vscode';
import { titleOf } from '../../core/chat/conversation/conversation.ts';
import { endRunning } from '../../core/chat/conversation/conversationRecord.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import { conversationsJson } from '../../core/chat/store/conversationJson.ts';
import { conversationMarkdown, fileNameOf } from '../../core/chat/store/conversationMarkdown.ts';
import { diskReason } from '../../core/chat/store/unsavedText.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';

export type UnsavedDeps = {
  /** Shows a conversation of that id. @returns false when there is none any more. */
  readonly show: (id: string) => Promise<boolean>;
  /** Where dialogs begin when no folder is open. */
  readonly home: vscode.Uri;
  readonly log: Log;
};

/** Tells of conversations that can't be written to the disk, and offers what keeps their text all the same. */
export class UnsavedConversations {
  readonly #deps: UnsavedDeps;
  /** Why, by the id of the conversation, for as long as it lasts. */
  readonly #reasons = new Map<string, string>();

  constructor(deps: UnsavedDeps) {
    this.#deps = deps;
  }

  /** It could not be written. @param isShown whether it is in a panel. */
  failed(chat: Chat, error: unknown, isShown: boolean): void {
    this.#reasons.set(chat.conversation.id, diskReason(error));
    this.#tell(chat, isShown);
  }

  /** Its panel was closed, so that what is not written is out of sight. */
  closed(chat: Chat): void {
    this.#tell(chat, false);
  }

  /** All of it is written now. */
  saved(chat: Chat): void {
    if (this.#reasons.delete(chat.conversation.id)) {
      void showInformationMessage(`All of “${nameOf(chat)}” is saved now.`);
    }
  }

  #tell(chat: Chat, isShown: boolean): void {
    const isDeleted = chat.unkept?.isDeleted === true;
    const words = isDeleted ? this.#deletedWords(chat, isShown) : this.#failedWords(chat, isShown);
    const [show, saveAs] = ['Show Again', 'Save As…'];
    // What was deleted may be gone from here too when that is pressed.
    const buttons = isShown || isDeleted ? [saveAs] : [show, saveAs];
    void (async () => {
      const answer = await showWarningMessage(words, ...buttons);
      const { id } = chat.conversation;
      if (answer === show) {
        await this.#deps.show(id);
      } else if (answer === saveAs && !(await this.#saveAs(chat)) && chat.unkept) {
        // The person has left the dialog.
        this.#tell(chat, isShown);
      }
    })().catch((error: unknown) => {
      this.#deps.log.defect('An unsaved conversation could not be shown or saved elsewhere', error);
      void showErrorMessage(`“${nameOf(chat)}” was not saved there. ${diskReason(error)}`);
      this.#tell(chat, isShown);
    });
  }

  #deletedWords(chat: Chat, isShown: boolean): string {
    return [
      `“${nameOf(chat)}” was deleted in another window${isShown ? '' : ', and its panel is closed'}.`,
      isShown ? 'What is new here is only in this panel. Closing it loses that.' : 'What is new in it is not saved.',
      'To keep it, save the conversation to a file.',
    ].join(' ');
  }

  #failedWords(chat: Chat, isShown: boolean): string {
    const replies = chat.unkept?.replies ?? 0;
    const lost = replies === 0 ? 'what is new in it' : replies === 1 ? 'one answer' : `${replies} answers`;
    const reason = this.#reasons.get(chat.conversation.id) ?? '';
    return [
      `“${nameOf(chat)}” can’t be saved${isShown ? '' : ', and its panel is closed'}.`,
      reason,
      'It stays in memory and is saved as soon as that is possible.',
      `Until then, reloading or closing this window loses ${lost}.`,
    ].join(' ');
  }

  /** Writes all of it to a file of the person's choice. @returns false when they chose none. */
  async #saveAs(chat: Chat): Promise<boolean> {
    const filters = { Markdown: ['md'], JSON: ['json'] };
    const name = `${fileNameOf(titleOf(chat.conversation))}.md`;
    const target = await askExportFile(this.#deps.home, name, 'Save Conversation As', filters);
    if (target === undefined) {
      return false;
    }
    // The answer may have gone on while the dialog was there.
    const ended = endRunning(chat.conversation);
    const isJson = target.path.toLowerCase().endsWith('.json');
    await writeExport(target, isJson ? conversationsJson([ended]) : conversationMarkdown(ended));
    return true;
  }
}

function nameOf(chat: Chat): string {
  return titleOf(chat.conversation);
}

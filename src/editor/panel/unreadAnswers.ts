import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { DisposableStore, Emitter } from '../../core/base/lifetime.ts';
import { type Conversation, isRunning, type Reply, titleOf } from '../../core/chat/conversation/conversation.ts';
import { offerConversation } from '../sending/tellTrouble.ts';
import { showInformationMessage } from '../ui/messages.ts';

/** The conversations with an answer that ended while they weren't visible, until they are shown. */
export class UnreadAnswers extends DisposableStore {
  readonly #ids = new Set<string>();
  readonly #didChange = this.add(new Emitter<string>());
  /** Fires with the id of a conversation that was added or removed. */
  readonly onDidChange = this.#didChange.event;

  get count(): number {
    return this.#ids.size;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** Called when an answer ended in a conversation that isn't visible. The person may want a notification. */
  ended(conversation: Conversation, state: Reply['state']): void {
    // The person knows about a stopped answer, and a comparison ends with its last answer.
    if (state === 'stopped' || conversation.turns.some(({ replies }) => replies.some(isRunning))) {
      return;
    }
    const { id } = conversation;
    this.#ids.add(id);
    this.#didChange.fire(id);
    if (vscode.workspace.getConfiguration().get<unknown>('askModel.notifyWhenAnswerEnds') === true) {
      void offerConversation(endText(titleOf(conversation), state), id, showInformationMessage);
    }
  }

  /** Called when a conversation was shown or deleted. */
  remove(id: string): void {
    if (this.#ids.delete(id)) {
      this.#didChange.fire(id);
    }
  }

  /** Removes all conversations but these: the others were deleted in another window. */
  retain(ids: ReadonlySet<string>): void {
    for (const id of this.#ids) {
      if (!ids.has(id)) {
        this.remove(id);
      }
    }
  }
}

function endText(title: string, state: Reply['state']): string {
  switch (state) {
    case 'failed':
      return l10n.t('The answer in "{0}" failed.', title);
    case 'incomplete':
      return l10n.t('The answer in "{0}" is incomplete.', title);
    default:
      return l10n.t('The answer in "{0}" is complete.', title);
  }
}

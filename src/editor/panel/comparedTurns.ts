import { chosenReply, columnsOf } from '../../core/chat/conversation/comparison.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { PaidCalls } from './paidCalls.ts';
import type { PanelUpdates } from './panelUpdates.ts';
import type { ComparisonLayout } from './panelView.ts';

/** Handles the actions of a panel on compared questions. None of them makes a paid call. */
export class ComparedTurns {
  readonly #chat: Chat;
  readonly #layout: ComparisonLayout;
  readonly #calls: PaidCalls;
  readonly #updates: PanelUpdates;

  constructor(chat: Chat, layout: ComparisonLayout, calls: PaidCalls, updates: PanelUpdates) {
    this.#chat = chat;
    this.#layout = layout;
    this.#calls = calls;
    this.#updates = updates;
  }

  /** Shows another reply: in its column where replies are side by side, otherwise instead of the shown one. */
  choose(replyId: string): void {
    const turn = this.#chat.turnOf(replyId);
    if (turn && this.#layout.isSideBySide(turn)) {
      this.#layout.choose(turn, replyId);
      this.#updates.snapshot();
    } else if (turn && columnsOf(turn).length > 0) {
      this.keep(replyId);
    } else {
      this.#chat.chooseReply(replyId);
    }
  }

  /** Shows only this reply of a comparison. The conversation continues from it, with its model. */
  keep(replyId: string): void {
    const turn = this.#chat.turnOf(replyId);
    const reply = turn?.replies.find(({ id }) => id === replyId);
    if (turn === undefined || reply === undefined) {
      return;
    }
    this.#layout.close(turn.id);
    this.#calls.continueWith(reply.model);
    if (chosenReply(turn) === reply) {
      this.#updates.snapshot();
    } else {
      this.#chat.chooseReply(replyId);
    }
  }

  /** Shows the replies of a comparison side by side again. The chosen one stays chosen. */
  compareAgain(turnId: string): void {
    this.#layout.open(turnId);
    this.#updates.snapshot();
  }
}

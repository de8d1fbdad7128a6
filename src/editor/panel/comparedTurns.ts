import { columnsOf, keptReply } from '../../core/chat/conversation/comparison.ts';
import type { Turn } from '../../core/chat/conversation/conversation.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { ComparedLook } from './comparedLook.ts';
import type { PaidCalls } from './paidCalls.ts';
import type { PanelNews } from './panelNews.ts';

/** What a person does in a panel with questions that were compared. None of it is a paid call. */
export class ComparedTurns {
  readonly #chat: Chat;
  readonly #look: ComparedLook;
  readonly #calls: PaidCalls;
  readonly #news: PanelNews;

  constructor(chat: Chat, look: ComparedLook, calls: PaidCalls, news: PanelNews) {
    this.#chat = chat;
    this.#look = look;
    this.#calls = calls;
    this.#news = news;
  }

  /** Goes to another reply: in its column where they are side by side, else in the place of the one that is shown. */
  choose(replyId: string): void {
    const turn = this.#turnOf(replyId);
    if (turn && this.#look.isSideBySide(turn)) {
      this.#look.choose(turn, replyId);
      this.#news.snapshot();
    } else if (turn && columnsOf(turn).length > 0) {
      this.keep(replyId);
    } else {
      this.#chat.chooseReply(replyId);
    }
  }

  /** Shows this one alone; the conversation goes on from it, with its model. */
  keep(replyId: string): void {
    const turn = this.#turnOf(replyId);
    const reply = turn?.replies.find(({ id }) => id === replyId);
    if (turn === undefined || reply === undefined) {
      return;
    }
    this.#look.close(turn.id);
    this.#calls.goOnWith(reply.model);
    if (keptReply(turn) === reply) {
      this.#news.snapshot();
    } else {
      this.#chat.chooseReply(replyId);
    }
  }

  /** Shows all of them side by side again; the one that is kept stays it. */
  compareAgain(turnId: string): void {
    this.#look.open(turnId);
    this.#news.snapshot();
  }

  #turnOf(replyId: string): Turn | undefined {
    return this.#chat.conversation.turns.find(({ replies }) => replies.some(({ id }) => id === replyId));
  }
}

import { columnsOf, keptReply } from '../../core/chat/conversation/comparison.ts';
import type { Reply, Turn } from '../../core/chat/conversation/conversation.ts';

/**
 * How one panel shows the questions that were compared: a look at them, and no part of the conversation. What is kept is
 * in its record; this is gone with the panel.
 */
export class ComparedLook {
  readonly #sideBySide = new Set<string>();
  /** Replies that were gone to in their columns. */
  readonly #chosen = new Set<string>();

  /** Shows the answers of a turn side by side although one of them is kept. */
  open(turnId: string): void {
    this.#sideBySide.add(turnId);
  }

  close(turnId: string): void {
    this.#sideBySide.delete(turnId);
  }

  isSideBySide(turn: Turn): boolean {
    return columnsOf(turn).length > 0 && (keptReply(turn) === undefined || this.#sideBySide.has(turn.id));
  }

  /** Goes to this reply in its column; a new one is gone to by itself. */
  choose(turn: Pick<Turn, 'replies'>, replyId: string): void {
    const column = columnsOf(turn).find((each) => each.some(({ id }) => id === replyId)) ?? [];
    for (const { id } of column) {
      this.#chosen.delete(id);
    }
    // The newest is shown by itself, and so is one that comes after it.
    if (column.at(-1)?.id !== replyId) {
      this.#chosen.add(replyId);
    }
  }

  /** The reply of a column that is shown. */
  shownIn(column: readonly Reply[]): Reply | undefined {
    return column.find(({ id }) => this.#chosen.has(id)) ?? column.at(-1);
  }
}

import { chosenReply, columnsOf } from '../../core/chat/conversation/comparison.ts';
import type { Reply, Turn } from '../../core/chat/conversation/conversation.ts';

/**
 * How one panel shows compared questions. This is only the panel's view state, which ends with the panel; the choice of
 * a reply is stored in the conversation.
 */
export class ComparisonLayout {
  readonly #sideBySide = new Set<string>();
  /** Ids of the replies that are shown in their columns instead of the newest one. */
  readonly #chosen = new Set<string>();

  /** Shows the replies of a turn side by side although one of them is chosen. */
  open(turnId: string): void {
    this.#sideBySide.add(turnId);
  }

  close(turnId: string): void {
    this.#sideBySide.delete(turnId);
  }

  isSideBySide(turn: Turn): boolean {
    return columnsOf(turn).length > 0 && (chosenReply(turn) === undefined || this.#sideBySide.has(turn.id));
  }

  /** Shows this reply in its column. */
  choose(turn: Pick<Turn, 'replies'>, replyId: string): void {
    const column = columnsOf(turn).find((each) => each.some(({ id }) => id === replyId)) ?? [];
    for (const { id } of column) {
      this.#chosen.delete(id);
    }
    // The newest reply is shown by default, so that a later one replaces it.
    if (column.at(-1)?.id !== replyId) {
      this.#chosen.add(replyId);
    }
  }

  /** The shown reply of a column. */
  shownIn(column: readonly Reply[]): Reply | undefined {
    return column.find(({ id }) => this.#chosen.has(id)) ?? column.at(-1);
  }
}

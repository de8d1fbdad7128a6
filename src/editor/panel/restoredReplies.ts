import { isRunning, type Reply } from '../../core/chat/conversation/conversation.ts';
import { MaskRestorer, type Masks } from '../../core/chat/masking/masks.ts';
import type { ReplyDelta } from '../../core/reply/replyContent.ts';

type Restorers = Readonly<Record<'text' | 'reasoning', MaskRestorer>>;

/** Puts secrets back into replies while they arrive. What may be the start of a mask is held back. */
export class RestoredReplies {
  readonly #masks: Masks;
  /** By reply id; only for replies that got text while there were masks. */
  readonly #restorers = new Map<string, Restorers>();

  constructor(masks: Masks) {
    this.#masks = masks;
  }

  /** @returns what can be shown of a delta, with what was held back before it. */
  push(replyId: string, delta: ReplyDelta): ReplyDelta {
    const restorers = this.#restorers.get(replyId) ?? (this.#masks.size > 0 ? this.#begin(replyId) : undefined);
    return restorers
      ? { text: restorers.text.push(delta.text), reasoning: restorers.reasoning.push(delta.reasoning) }
      : delta;
  }

  /** Ends a reply. @returns what was held back. */
  end(replyId: string): ReplyDelta {
    const restorers = this.#restorers.get(replyId);
    this.#restorers.delete(replyId);
    return { text: restorers?.text.end() ?? '', reasoning: restorers?.reasoning.end() ?? '' };
  }

  /** Continues after the page got all that `withSecrets` shows of these replies. */
  restart(replies: readonly Reply[]): void {
    this.#restorers.clear();
    if (this.#masks.size === 0) {
      return;
    }
    for (const reply of replies.filter(isRunning)) {
      const { text, reasoning } = this.#begin(reply.id);
      text.push(reply.text);
      reasoning.push(reply.reasoning);
    }
  }

  #begin(replyId: string): Restorers {
    const restorers = { text: new MaskRestorer(this.#masks), reasoning: new MaskRestorer(this.#masks) };
    this.#restorers.set(replyId, restorers);
    return restorers;
  }
}

/** A fresh random id. `randomUUID` is missing where VS Code is served over plain http. */
export function newSendId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What a wish to send waits for: the composer, or the card of a turn. */
export type Sender =
  | { readonly kind: 'composer' }
  | { readonly kind: 'card'; readonly turnId: string; readonly replyId: string | undefined };

/**
 * Lets one wish through at a time. Every click and every Enter makes one id, and nothing more goes out until the host
 * has answered it: that is how one question is never paid twice.
 */
export class PendingSends {
  #pending: { readonly sendId: string; readonly sender: Sender } | undefined;

  /** Id of the wish that is not answered yet. */
  get pendingId(): string | undefined {
    return this.#pending?.sendId;
  }

  /** A fresh id, or undefined when an earlier wish is still unanswered. */
  begin(sender: Sender): string | undefined {
    if (this.#pending !== undefined) {
      return undefined;
    }
    const sendId = newSendId();
    this.#pending = { sendId, sender };
    return sendId;
  }

  /** Who made this wish, if it is the one that waits. */
  settle(sendId: string): Sender | undefined {
    if (this.#pending?.sendId !== sendId) {
      return undefined;
    }
    const { sender } = this.#pending;
    this.#pending = undefined;
    return sender;
  }
}

/** Returns a new random id. `randomUUID` is missing where VS Code is served over plain HTTP. */
export function newSendId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Where a send came from: the composer, or a button of a turn. */
export type Sender =
  | { readonly kind: 'composer' }
  | { readonly kind: 'card'; readonly turnId: string; readonly replyId: string | undefined };

/**
 * Allows one pending send at a time. Every click and every Enter gets its own id, and nothing else is sent until the
 * host has answered it, so that no question is paid for twice.
 */
export class PendingSends {
  #pending: { readonly sendId: string; readonly sender: Sender } | undefined;

  /** Id of the send that the host has not answered yet. */
  get pendingId(): string | undefined {
    return this.#pending?.sendId;
  }

  /** @returns a new id, or undefined while another send is pending. */
  begin(sender: Sender): string | undefined {
    if (this.#pending !== undefined) {
      return undefined;
    }
    const sendId = newSendId();
    this.#pending = { sendId, sender };
    return sendId;
  }

  /** Ends the pending send. Returns its sender, or undefined if `sendId` is not the pending one. */
  settle(sendId: string): Sender | undefined {
    if (this.#pending?.sendId !== sendId) {
      return undefined;
    }
    const { sender } = this.#pending;
    this.#pending = undefined;
    return sender;
  }
}

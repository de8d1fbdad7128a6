import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What goes over the socket: bytes, or something done to the connection. */
export type WirePiece =
  | string
  | Uint8Array
  /** Stays silent for a while. */
  | { readonly waitMs: number }
  /** Breaks the connection without ending the body. */
  | 'cut'
  /** Resets the connection. */
  | 'reset'
  /** Stays silent and open until the client goes away. */
  | 'hang';

/**
 * Writes the pieces to the response with back pressure and ends it. Rejects with the signal's reason once the client
 * is gone; a `cut` or `reset` ends the writing without an error.
 */
export async function sendPieces(
  response: ServerResponse,
  wirePieces: AsyncIterable<WirePiece>,
  gone: AbortSignal,
): Promise<void> {
  let lastWrite: Promise<unknown> = Promise.resolve();
  for await (const piece of wirePieces) {
    gone.throwIfAborted();
    if (piece === 'cut' || piece === 'reset') {
      // All that was written leaves for the kernel first, so that the cut does not swallow it.
      await Promise.race([lastWrite, untilGone(gone)]);
      if (piece === 'reset') {
        response.socket?.resetAndDestroy();
      }
      response.destroy();
      return;
    }
    if (piece === 'hang') {
      await untilGone(gone);
    } else if (typeof piece === 'object' && 'waitMs' in piece) {
      await sleep(piece.waitMs, undefined, { signal: gone });
    } else {
      let hasRoom = true;
      lastWrite = new Promise((resolve) => {
        hasRoom = response.write(piece, resolve);
      });
      if (!hasRoom) {
        await once(response, 'drain', { signal: gone });
      }
    }
  }
  gone.throwIfAborted();
  response.end();
}

function untilGone(gone: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    gone.addEventListener('abort', () => reject(gone.reason), { once: true });
  });
}

/** One text as the only piece. */
export async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}

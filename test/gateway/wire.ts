import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './network/connection.ts';
import type { Exchange } from './network/exchange.ts';

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
 * is gone; harm done to the connection ends the writing without an error.
 */
export async function sendPieces(
  { response, connection, gone }: Exchange,
  wirePieces: AsyncIterable<WirePiece>,
): Promise<void> {
  let lastWrite: Promise<unknown> = Promise.resolve();
  for await (const piece of wirePieces) {
    gone.throwIfAborted();
    if (isHarm(piece)) {
      // All that was written leaves for the kernel first, so that the cut does not swallow it.
      await Promise.race([lastWrite, untilGone(gone)]);
      harms[piece](connection);
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

const harms = {
  cut: (connection: Connection) => connection.close(),
  reset: (connection: Connection) => connection.reset(),
} as const;

function isHarm(piece: WirePiece): piece is keyof typeof harms {
  return typeof piece === 'string' && Object.hasOwn(harms, piece);
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

import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from './network/connection.ts';
import type { Exchange } from './network/exchange.ts';

/** What is sent over the socket: bytes, or an action on the connection. */
export type WirePiece =
  | string
  | Uint8Array
  /** Sends nothing for a while. */
  | { readonly waitMs: number }
  /** Closes the connection without ending the body. */
  | 'cut'
  /** Resets the connection. */
  | 'reset'
  /** Sends nothing and stays open until the client disconnects. */
  | 'hang';

/**
 * Writes the pieces to the response with backpressure and ends it. Rejects with the signal's reason when the client has
 * disconnected. After `cut` or `reset` it resolves without writing more.
 */
export async function sendPieces(
  { response, connection, gone }: Exchange,
  wirePieces: AsyncIterable<WirePiece>,
): Promise<void> {
  let lastWrite: Promise<unknown> = Promise.resolve();
  for await (const piece of wirePieces) {
    gone.throwIfAborted();
    if (isBreak(piece)) {
      // Everything written so far must reach the kernel first, or it would be lost.
      await Promise.race([lastWrite, untilGone(gone)]);
      breaks[piece](connection);
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

const breaks = {
  cut: (connection: Connection) => connection.close(),
  reset: (connection: Connection) => connection.reset(),
} as const;

function isBreak(piece: WirePiece): piece is keyof typeof breaks {
  return typeof piece === 'string' && Object.hasOwn(breaks, piece);
}

function untilGone(gone: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    gone.addEventListener('abort', () => reject(gone.reason), { once: true });
  });
}

/** Yields one text as the only piece. */
export async function* onePiece(text: string): AsyncGenerator<string> {
  yield text;
}

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WirePiece } from '../wire.ts';

type Text = AsyncIterable<string>;

/** Sends `count` frames, then the pieces of `ending`. */
export function afterFrames(count: number, ending: readonly WirePiece[]) {
  return async function* (text: Text): AsyncGenerator<WirePiece> {
    let index = 0;
    for await (const frame of text) {
      if (index === count) {
        break;
      }
      yield frame;
      index += 1;
    }
    yield* ending;
  };
}

/** Sends the text in packets of `size` bytes. */
export async function* inBytes(text: Text, size: number): AsyncGenerator<WirePiece> {
  for await (const frame of text) {
    const bytes = Buffer.from(frame);
    for (let at = 0; at < bytes.length; at += size) {
      yield bytes.subarray(at, at + size);
      await nextTurn();
    }
  }
}

/** Sends the first `count` bytes, then `ending`. */
export async function* firstBytes(text: Text, count: number, ending: WirePiece): AsyncGenerator<WirePiece> {
  let left = count;
  for await (const frame of text) {
    const bytes = Buffer.from(frame);
    yield bytes.subarray(0, left);
    left -= bytes.length;
    if (left <= 0) {
      break;
    }
  }
  yield ending;
}

/** Joins all frames to one text. */
export async function whole(text: Text): Promise<string> {
  let all = '';
  for await (const frame of text) {
    all += frame;
  }
  return all;
}

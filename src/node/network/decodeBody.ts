import { pipeline, type Readable } from 'node:stream';
import * as zlib from 'node:zlib';

/**
 * The encodings to ask for. A compressed event stream is often held back by whoever compresses it; a list of 5,000
 * models is worth it.
 */
export function acceptedEncodings(method: 'GET' | 'POST'): string {
  return method === 'GET' ? 'gzip, br' : 'identity';
}

/** Undoes the content encoding of an answer; what it does not know stays as it came over the wire. */
export function decodeBody(body: Readable, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = encoding?.trim().toLowerCase();
  if (name === 'deflate') {
    return inflated(body);
  }
  const decoder = decoderFor(name);
  if (decoder === undefined) {
    return body;
  }
  // Errors reach the reader through the decoder, which the pipeline destroys with them.
  pipeline(body, decoder, () => undefined);
  return decoder;
}

/** Some servers leave the header out that `deflate` should have; the first byte tells (RFC 1950: method 8). */
async function* inflated(body: Readable): AsyncIterable<Uint8Array> {
  const pieces: AsyncIterator<Uint8Array> = body[Symbol.asyncIterator]();
  const first = await pieces.next();
  const flush = { flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH };
  const hasHeader = !first.done && ((first.value[0] ?? 0) & 0x0f) === 8;
  const decoder = hasHeader ? zlib.createInflate(flush) : zlib.createInflateRaw(flush);
  async function* all() {
    for (let piece = first; !piece.done; piece = await pieces.next()) {
      yield piece.value;
    }
  }
  pipeline(all, decoder, () => undefined);
  try {
    yield* decoder;
  } finally {
    body.destroy();
  }
}

function decoderFor(encoding: string | undefined): (NodeJS.ReadWriteStream & Readable) | undefined {
  // Flushed after each piece, so that a compressed stream still streams; a cut one gives what it held.
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip({ flush: zlib.constants.Z_SYNC_FLUSH, finishFlush: zlib.constants.Z_SYNC_FLUSH });
    case 'br':
      return zlib.createBrotliDecompress({
        flush: zlib.constants.BROTLI_OPERATION_FLUSH,
        finishFlush: zlib.constants.BROTLI_OPERATION_FLUSH,
      });
    case 'zstd':
      // Not in every Node that VS Code ships.
      return zlib.createZstdDecompress?.();
    default:
      return undefined;
  }
}

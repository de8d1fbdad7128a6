import { pipeline, type Readable } from 'node:stream';
import * as zlib from 'node:zlib';

/**
 * The content encodings to accept. Servers and proxies that compress an event stream often buffer it, so compression is
 * accepted only for model lists: a list of 5,000 models is long enough to be worth it.
 */
export function acceptedEncodings(method: 'GET' | 'POST'): string {
  return method === 'GET' ? 'gzip, br' : 'identity';
}

/** Decodes the content encoding of a response. With an unknown encoding, the body stays as received. */
export function decodeBody(body: Readable, encoding: string | undefined): AsyncIterable<Uint8Array> {
  const name = encoding?.trim().toLowerCase();
  if (name === 'deflate') {
    return inflated(body);
  }
  const decoder = decoderFor(name);
  if (decoder === undefined) {
    return body;
  }
  // The pipeline destroys the decoder with an error of the body, so the reader gets the error.
  pipeline(body, decoder, () => undefined);
  return decoder;
}

/**
 * Decodes `deflate`. Some servers omit its zlib header; the first byte shows whether it is there (RFC 1950: method 8).
 */
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
  // Flushed after each chunk, so that a compressed stream still streams, and a cut one gives what it contains.
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
      // Not in every Node that VS Code comes with.
      return zlib.createZstdDecompress?.();
    default:
      return undefined;
  }
}

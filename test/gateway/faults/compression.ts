import type { Transform } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
  type Zlib,
} from 'node:zlib';
import type { Fault } from '../fault.ts';
import type { WirePiece } from '../wire.ts';

type Coder = Transform & Pick<Zlib, 'flush'>;

/** Compresses a stream and flushes after every event, as a good proxy does. */
async function* compressed(text: AsyncIterable<string>, coder: Coder, flush: number): AsyncGenerator<Uint8Array> {
  let parts: Buffer[] = [];
  coder.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => coder.on('end', resolve));
  for await (const frame of text) {
    coder.write(frame);
    await new Promise<void>((resolve) => coder.flush(flush, resolve));
    await nextTurn();
    yield Buffer.concat(parts);
    parts = [];
  }
  coder.end();
  await ended;
  yield Buffer.concat(parts);
}

function coding(name: string, encoding: string, about: string, create: () => Coder, flush: number): Fault {
  return {
    name,
    quirk: 'Q75',
    about: `${about} although nobody asked, flushed at every event`,
    on: 'both',
    headers: { 'content-encoding': encoding },
    wire: (text) => compressed(text, create(), flush),
  };
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;

/** Compressed bodies, and a body that is wrongly labelled as compressed. */
export const compressionFaults: readonly Fault[] = [
  coding('gzip', 'gzip', 'gzip', createGzip, Z_SYNC_FLUSH),
  coding('deflate', 'deflate', 'deflate (with the header of zlib)', createDeflate, Z_SYNC_FLUSH),
  coding('deflate-raw', 'deflate', 'deflate without the header of zlib', createDeflateRaw, Z_SYNC_FLUSH),
  coding('br', 'br', 'Brotli', createBrotliCompress, BROTLI_OPERATION_FLUSH),
  coding('zstd', 'zstd', 'Zstandard', createZstdCompress, ZSTD_e_flush),
  {
    name: 'gzip-cut',
    quirk: 'Q75',
    about: 'gzip that ends in the middle, under a clean end of HTTP',
    on: 'chat',
    headers: { 'content-encoding': 'gzip' },
    async *wire(text): AsyncGenerator<WirePiece> {
      let index = 0;
      for await (const part of compressed(text, createGzip(), Z_SYNC_FLUSH)) {
        if (index === 6) {
          break;
        }
        yield part;
        index += 1;
      }
    },
  },
  {
    name: 'gzip-lie',
    quirk: 'Q75',
    about: 'content-encoding gzip on a body that is not compressed',
    on: 'both',
    headers: { 'content-encoding': 'gzip' },
  },
];

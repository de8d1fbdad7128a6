import type { Transform } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { constants, createBrotliCompress, createDeflate, createGzip, createZstdCompress, type Zlib } from 'node:zlib';
import type { WirePiece } from '../http.ts';
import type { Call, How, Rows } from './fault.ts';

type Text = AsyncIterable<string>;
type Pieces = AsyncGenerator<WirePiece>;

/** Sends the first `count` pieces, then those of `ending`. */
async function* first(count: number, pieces: AsyncIterable<WirePiece>, ...ending: readonly WirePiece[]): Pieces {
  let index = 0;
  for await (const piece of pieces) {
    if (index === count) {
      break;
    }
    yield piece;
    index += 1;
  }
  yield* ending;
}

/** Sends the first `count` bytes, then `ending`. */
async function* firstBytes(text: Text, count: number, ending: WirePiece): Pieces {
  let left = count;
  for await (const event of text) {
    const bytes = Buffer.from(event);
    yield bytes.subarray(0, left);
    left -= bytes.length;
    if (left <= 0) {
      break;
    }
  }
  yield ending;
}

/** Joins all events to one text. */
async function whole(text: Text): Promise<string> {
  let all = '';
  for await (const event of text) {
    all += event;
  }
  return all;
}

/** Sends one body with a `content-length` that is too large or too small by so many bytes. */
function withLength(difference: number, ...ending: readonly WirePiece[]): How {
  return {
    on: 'both',
    isStream: false,
    async *wire(text, { exchange }) {
      const body = await whole(text);
      exchange.response.setHeader('content-length', Buffer.byteLength(body) + difference);
      yield body;
      yield* ending;
    },
  };
}

/** Compresses a stream and flushes after every event, as a good proxy does. */
async function* compressed(text: Text, coder: Transform & Pick<Zlib, 'flush'>, flush: number) {
  let parts: Buffer[] = [];
  coder.on('data', (part: Buffer) => parts.push(part));
  const ended = new Promise((resolve) => coder.on('end', resolve));
  for await (const event of text) {
    coder.write(event);
    await new Promise<void>((resolve) => coder.flush(flush, resolve));
    await nextTurn();
    yield Buffer.concat(parts);
    parts = [];
  }
  coder.end();
  await ended;
  yield Buffer.concat(parts);
}

function coded(encoding: string, create: () => Parameters<typeof compressed>[1], flush: number): How {
  const wire = (text: Text) => compressed(text, create(), flush);
  return { on: 'both', headers: { 'content-encoding': encoding }, wire };
}

const silence = (ms: number, { exchange }: Call) => sleep(ms, undefined, { signal: exchange.gone });
const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, ZSTD_e_flush } = constants;
const gzipped = { 'content-encoding': 'gzip' };
const threeSeconds = ['milliseconds', 3000] as const;

/** Faults of the connection, of how bytes are split, delayed and compressed. */
export const transportFaults: Rows = {
  'byte-by-byte Q18 the body arrives in packets of one byte, UTF-8 cut anywhere': {
    on: 'both',
    amount: ['bytes a packet', 1],
    async *wire(text, { amount }) {
      const size = Math.max(1, amount);
      for await (const event of text) {
        const bytes = Buffer.from(event);
        for (let at = 0; at < bytes.length; at += size) {
          yield bytes.subarray(at, at + size);
          await nextTurn();
        }
      }
    },
  },
  'slow Q74 a pause before every event': {
    on: 'both',
    amount: ['milliseconds', 300],
    async *wire(text, { amount }) {
      for await (const event of text) {
        yield amount;
        yield event;
      }
    },
  },
  'late-headers Q74 silence before the headers': {
    on: 'both',
    amount: threeSeconds,
    before: (call) => silence(call.amount, call),
  },
  'late-first-event Q74 headers at once, then silence before the first event': {
    amount: threeSeconds,
    async *wire(text, { amount }) {
      yield amount;
      yield* text;
    },
  },
  'stalled Q73 some events, then silence for ever on an open connection': {
    amount: ['events before the silence', 6],
    wire: (text, { amount }) => first(amount, text, 'hang'),
  },
  'never-answers Q74 no headers, for ever': { on: 'both', before: (call) => silence(2 ** 31 - 1, call) },
  'pings-only Q73 some events, then comments for ever and no data': {
    amount: ['milliseconds between comments', 500],
    async *wire(text, { amount }) {
      yield* first(6, text);
      for (;;) {
        yield amount;
        yield ': keep-alive\n\n';
      }
    },
  },
  'cut-mid-stream Q71 the connection is closed in the middle of the body': {
    on: 'both',
    amount: ['bytes before the cut', 1500],
    wire: (text, { amount }) => firstBytes(text, amount, 'cut'),
  },
  'reset-mid-stream Q71 the connection is reset in the middle of the body': {
    on: 'both',
    amount: ['bytes before the reset', 1500],
    wire: (text, { amount }) => firstBytes(text, amount, 'reset'),
  },
  'reset-before-headers Q72 the connection is reset before any answer': {
    answer: ({ exchange }) => void exchange.tcp.resetAndDestroy(),
  },
  'closed-when-idle Q72 the kept-alive connection is closed soon after a complete answer': {
    on: 'both',
    amount: ['milliseconds', 20],
    before: ({ exchange: { response }, amount }) => {
      const { socket } = response;
      // The socket's time-out applies only while it is idle: the server clears it when the next request arrives.
      response.on('finish', () => socket?.setTimeout(amount));
    },
  },
  'all-at-once Q75 a proxy keeps the whole stream back and sends it in one piece': {
    async *wire(text) {
      yield await whole(text);
    },
  },
  'early-hints Q77 a 103 response before the real one': {
    on: 'both',
    before: ({ exchange: { response } }) =>
      new Promise((resolve) => response.writeEarlyHints({ link: '</console.css>; rel=preload' }, resolve)),
  },
  'short-content-length Q78 content-length promises more bytes than come before the connection closes': withLength(
    100,
    'cut',
  ),
  'bad-chunking Q78 the chunked transfer coding is broken in the middle': {
    async *wire(text, { exchange }) {
      yield* first(6, text);
      exchange.response.socket?.write('zz\r\nnot a chunk\r\n');
      yield 20;
      yield 'cut';
    },
  },
  'long-body Q78 content-length promises fewer bytes than come': withLength(-20),
  'reset-when-reused Q72 a connection that brought a request before is reset without an answer': {
    answer: ({ exchange }) => {
      if (exchange.earlierRequests > 0) {
        exchange.tcp.resetAndDestroy();
      }
      return undefined;
    },
  },
  'unexpected-101 Q77 101 Switching Protocols, which nobody asked for, then silence and a close': {
    async answer({ exchange }) {
      const head = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: tea\r\nconnection: upgrade\r\n\r\n';
      exchange.response.socket?.write(head);
      await sleep(50);
      exchange.tcp.destroy();
      return undefined;
    },
  },
  'gzip Q75 gzip although nobody asked, flushed at every event': coded('gzip', createGzip, Z_SYNC_FLUSH),
  'br Q75 Brotli although nobody asked, flushed at every event': coded(
    'br',
    createBrotliCompress,
    BROTLI_OPERATION_FLUSH,
  ),
  'deflate Q75 deflate although nobody asked, flushed at every event': coded('deflate', createDeflate, Z_SYNC_FLUSH),
  'zstd Q75 Zstandard although nobody asked, flushed at every event': coded('zstd', createZstdCompress, ZSTD_e_flush),
  'gzip-cut Q75 gzip that ends in the middle, under a clean end of HTTP': {
    headers: gzipped,
    wire: (text) => first(6, compressed(text, createGzip(), Z_SYNC_FLUSH)),
  },
  'gzip-lie Q75 content-encoding gzip on a body that is not compressed': { on: 'both', headers: gzipped },
};

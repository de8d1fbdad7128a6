import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault } from '../fault.ts';
import { afterFrames, firstBytes, inBytes, whole } from './frames.ts';

/** Faults of the connection, and of how bytes are split and delayed. */
export const transportFaults: readonly Fault[] = [
  {
    name: 'byte-by-byte',
    quirk: 'Q18',
    about: 'the body arrives in packets of one byte, UTF-8 cut anywhere',
    on: 'both',
    amount: { about: 'bytes a packet', default: 1 },
    wire: (text, { amount }) => inBytes(text, Math.max(1, amount)),
  },
  {
    name: 'slow',
    quirk: 'Q74',
    about: 'a pause before every event',
    on: 'both',
    amount: { about: 'milliseconds', default: 300 },
    async *wire(text, { amount }) {
      for await (const frame of text) {
        yield { waitMs: amount };
        yield frame;
      }
    },
  },
  {
    name: 'late-headers',
    quirk: 'Q74',
    about: 'silence before the headers',
    on: 'both',
    amount: { about: 'milliseconds', default: 3000 },
    before: ({ amount, exchange }) => sleep(amount, undefined, { signal: exchange.gone }),
  },
  {
    name: 'late-first-event',
    quirk: 'Q74',
    about: 'headers at once, then silence before the first event',
    on: 'chat',
    amount: { about: 'milliseconds', default: 3000 },
    async *wire(text, { amount }) {
      yield { waitMs: amount };
      yield* text;
    },
  },
  {
    name: 'stalled',
    quirk: 'Q73',
    about: 'some events, then silence for ever on an open connection',
    on: 'chat',
    amount: { about: 'events before the silence', default: 6 },
    wire: (text, { amount }) => afterFrames(amount, ['hang'])(text),
  },
  {
    name: 'never-answers',
    quirk: 'Q74',
    about: 'no headers, for ever',
    on: 'both',
    before: ({ exchange }) => sleep(2 ** 31 - 1, undefined, { signal: exchange.gone }),
  },
  {
    name: 'pings-only',
    quirk: 'Q73',
    about: 'some events, then comments for ever and no data',
    on: 'chat',
    amount: { about: 'milliseconds between comments', default: 500 },
    async *wire(text, { amount }) {
      yield* afterFrames(6, [])(text);
      for (;;) {
        yield { waitMs: amount };
        yield ': keep-alive\n\n';
      }
    },
  },
  {
    name: 'cut-mid-stream',
    quirk: 'Q71',
    about: 'the connection is closed in the middle of the body',
    on: 'both',
    amount: { about: 'bytes before the cut', default: 1500 },
    wire: (text, { amount }) => firstBytes(text, amount, 'cut'),
  },
  {
    name: 'reset-mid-stream',
    quirk: 'Q71',
    about: 'the connection is reset in the middle of the body',
    on: 'both',
    amount: { about: 'bytes before the reset', default: 1500 },
    wire: (text, { amount }) => firstBytes(text, amount, 'reset'),
  },
  {
    name: 'reset-before-headers',
    quirk: 'Q72',
    about: 'the connection is reset before any answer',
    on: 'both',
    instead: ({ exchange }) => {
      exchange.connection.reset();
    },
  },
  {
    name: 'closed-when-idle',
    quirk: 'Q72',
    about: 'the kept-alive connection is closed soon after a complete answer',
    on: 'both',
    amount: { about: 'milliseconds', default: 20 },
    before: ({ exchange, amount }) => {
      exchange.connection.closeWhenIdle(amount);
    },
  },
  {
    name: 'all-at-once',
    quirk: 'Q75',
    about: 'a proxy keeps the whole stream back and sends it in one piece',
    on: 'chat',
    async *wire(text) {
      yield await whole(text);
    },
  },
  {
    name: 'stall-then-end',
    quirk: 'Q71',
    about: 'some events, a silence, then a clean end without a finish reason',
    on: 'chat',
    amount: { about: 'milliseconds of silence', default: 3000 },
    wire: (text, { amount }) => afterFrames(6, [{ waitMs: amount }])(text),
  },
  {
    name: 'early-hints',
    quirk: 'Q77',
    about: 'a 103 response before the real one',
    on: 'both',
    before: ({ exchange }) => exchange.connection.sendEarlyHints(),
  },
  {
    name: 'short-content-length',
    quirk: 'Q78',
    about: 'content-length promises more bytes than come before the connection closes',
    on: 'both',
    isStream: false,
    async *wire(text, { exchange }) {
      const body = await whole(text);
      exchange.response.setHeader('content-length', Buffer.byteLength(body) + 100);
      yield body;
      yield 'cut';
    },
  },
  {
    name: 'bad-chunking',
    quirk: 'Q78',
    about: 'the chunked transfer coding is broken in the middle',
    on: 'chat',
    async *wire(text, { exchange }) {
      yield* afterFrames(6, [])(text);
      exchange.connection.writeRaw('zz\r\nnot a chunk\r\n');
      yield { waitMs: 20 };
      yield 'cut';
    },
  },
  {
    name: 'long-body',
    quirk: 'Q78',
    about: 'content-length promises fewer bytes than come',
    on: 'both',
    isStream: false,
    async *wire(text, { exchange }) {
      const body = await whole(text);
      exchange.response.setHeader('content-length', Buffer.byteLength(body) - 20);
      yield body;
    },
  },
  {
    name: 'pings-first',
    quirk: 'Q73',
    about: 'ten comments before the first event',
    on: 'chat',
    isStream: true,
    amount: { about: 'milliseconds between comments', default: 300 },
    async *wire(text, { amount }) {
      for (let count = 0; count < 10; count += 1) {
        yield ': PING\n\n';
        yield { waitMs: amount };
      }
      yield* text;
    },
  },
  {
    name: 'blank-lines-first',
    quirk: '1.2',
    about: 'ten blank lines before the body, as DeepSeek keeps a connection alive',
    on: 'both',
    amount: { about: 'milliseconds between them', default: 300 },
    async *wire(text, { amount }) {
      for (let count = 0; count < 10; count += 1) {
        yield '\n';
        yield { waitMs: amount };
      }
      yield* text;
    },
  },
  {
    name: 'reset-when-reused',
    quirk: 'Q72',
    about: 'a connection that brought a request before is reset without an answer',
    on: 'both',
    instead: ({ exchange }) => {
      if (exchange.connection.earlierRequests > 0) {
        exchange.connection.reset();
      }
    },
  },
  {
    name: 'processing-102',
    quirk: 'Q77',
    about: 'a 102 response before the real one',
    on: 'both',
    before: ({ exchange }) => exchange.connection.writeRaw('HTTP/1.1 102 Processing\r\n\r\n'),
  },
  {
    name: 'continue-100',
    quirk: 'Q77',
    about: 'a 100 response nobody asked for, before the real one',
    on: 'both',
    before: ({ exchange }) => exchange.connection.writeRaw('HTTP/1.1 100 Continue\r\n\r\n'),
  },
  {
    name: 'unexpected-101',
    quirk: 'Q77',
    about: '101 Switching Protocols, which nobody asked for, then silence and a close',
    on: 'both',
    instead: async ({ exchange }) => {
      exchange.connection.writeRaw('HTTP/1.1 101 Switching Protocols\r\nupgrade: tea\r\nconnection: upgrade\r\n\r\n');
      await sleep(50);
      exchange.connection.close();
    },
  },
];

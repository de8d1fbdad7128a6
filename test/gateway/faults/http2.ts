import type { Fault } from '../fault.ts';
import type { WirePiece } from '../wire.ts';
import { afterFrames } from './frames.ts';

/** What only HTTP/2 can do. Over HTTP/1.1 these are refused, so that no test takes silence for success. */
export const http2Faults: readonly Fault[] = [
  {
    name: 'h2-reset-before-headers',
    quirk: 'Q76',
    about: 'RST_STREAM (INTERNAL_ERROR) before any answer; the connection stays',
    on: 'both',
    needs: 'h2',
    instead: ({ exchange }) => exchange.connection.resetStream(),
  },
  {
    name: 'h2-reset-mid-stream',
    quirk: 'Q76',
    about: 'RST_STREAM (INTERNAL_ERROR) after some events; the connection stays',
    on: 'chat',
    needs: 'h2',
    amount: { about: 'events before it', default: 6 },
    wire: (text, { amount }) => afterFrames(amount, ['reset-stream'])(text),
  },
  {
    name: 'h2-goaway-before-headers',
    quirk: 'Q76',
    about: 'GOAWAY (INTERNAL_ERROR) that leaves this request out, before any answer; then the connection closes',
    on: 'both',
    needs: 'h2',
    instead: ({ exchange }) => exchange.connection.goAway(false),
  },
  {
    name: 'h2-goaway-mid-stream',
    quirk: 'Q76',
    about: 'GOAWAY (INTERNAL_ERROR) after some events; then the connection closes',
    on: 'chat',
    needs: 'h2',
    amount: { about: 'events before it', default: 6 },
    wire: (text, { amount }) => afterFrames(amount, ['go-away'])(text),
  },
  {
    name: 'h2-goaway-then-all',
    quirk: 'Q76',
    about: 'GOAWAY (NO_ERROR) after some events, and the answer goes on to its end; the next needs a new connection',
    on: 'chat',
    needs: 'h2',
    async *wire(text, { exchange }): AsyncGenerator<WirePiece> {
      let index = 0;
      for await (const frame of text) {
        if (index === 6) {
          exchange.connection.goAway(true);
        }
        yield frame;
        index += 1;
      }
    },
  },
];

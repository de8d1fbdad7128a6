import { setImmediate as nextTurn } from 'node:timers/promises';
import { frameItem, type StreamItem } from '../chat/streamItem.ts';
import type { Fault } from '../fault.ts';
import type { WirePiece } from '../wire.ts';
import { atDone, eachChunk, eachItem, eachText, isFinish, withDelta } from './streamTransforms.ts';

/** Rewrites the framed text of every event. */
function eachFrame(rewrite: (frame: string, index: number) => string) {
  return async function* (text: AsyncIterable<string>): AsyncGenerator<WirePiece> {
    let index = 0;
    for await (const frame of text) {
      yield rewrite(frame, index);
      index += 1;
    }
  };
}

const mixedEnds = ['\n', '\r\n', '\r'];

function pretty(item: StreamItem): string {
  return 'chunk' in item ? `${JSON.stringify(item.chunk, null, 1).replace(/^/gm, 'data: ')}\n\n` : frameItem(item);
}

/** Splits after the first byte of every character that has more than one byte. */
function cutCharacters(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let from = 0;
  for (const [at, byte] of bytes.entries()) {
    if (byte >= 0xc0) {
      parts.push(bytes.subarray(from, at + 1));
      from = at + 1;
    }
  }
  return [...parts, bytes.subarray(from)];
}

function halves(text: string): [string, string] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

/** Faults in the framing of server-sent events: line ends, byte order marks, comments, odd lines. */
export const framingFaults: readonly Fault[] = [
  {
    name: 'crlf',
    quirk: 'Q1',
    about: 'lines end with CR LF',
    on: 'chat',
    wire: eachFrame((frame) => frame.replaceAll('\n', '\r\n')),
  },
  {
    name: 'cr',
    quirk: 'Q1',
    about: 'lines end with a lone CR',
    on: 'chat',
    wire: eachFrame((frame) => frame.replaceAll('\n', '\r')),
  },
  {
    name: 'mixed-line-ends',
    quirk: 'Q1',
    about: 'LF, CR LF and CR take turns, event by event',
    on: 'chat',
    wire: eachFrame((frame, index) => frame.replaceAll('\n', mixedEnds[index % 3] ?? '\n')),
  },
  {
    name: 'bom',
    quirk: 'Q2',
    about: 'a byte order mark before the first byte',
    on: 'both',
    wire: eachFrame((frame, index) => (index === 0 ? `\uFEFF${frame}` : frame)),
  },
  {
    name: 'comments',
    quirk: 'Q3',
    about: 'keep-alive comments of four kinds between the events',
    on: 'chat',
    items: eachItem((item, index) => [
      { text: [': keep-alive\n\n', ': OPENROUTER PROCESSING\n\n', ': PING\n\n', ':\n'][index % 4] ?? '' },
      item,
    ]),
  },
  {
    name: 'no-space-after-data',
    quirk: 'Q4',
    about: 'data: without the space',
    on: 'chat',
    wire: eachFrame((frame) => frame.replace(/^data: /gm, 'data:')),
  },
  {
    name: 'two-spaces-after-data',
    quirk: 'Q4',
    about: 'data: with two spaces',
    on: 'chat',
    wire: eachFrame((frame) => frame.replace(/^data: /gm, 'data:  ')),
  },
  { name: 'no-done', quirk: 'Q6', about: 'finish reason, but no [DONE]', on: 'chat', items: atDone([]) },
  {
    name: 'no-last-newline',
    quirk: 'Q7',
    about: 'finish reason in an event the stream ends without a line end, no [DONE]',
    on: 'chat',
    items: eachItem((item) => {
      if ('chunk' in item && (isFinish(item.chunk) || item.chunk.usage !== undefined)) {
        return isFinish(item.chunk) ? [{ text: frameItem(item).trimEnd() }] : [];
      }
      return 'done' in item ? [] : [item];
    }),
  },
  {
    name: 'data-after-done',
    quirk: 'Q9',
    about: 'junk, text and a second [DONE] after [DONE]',
    on: 'chat',
    items: atDone([
      { done: true },
      { text: 'data: {"junk":true}\n\n' },
      { text: 'data: {"choices":[{"index":0,"delta":{"content":"AFTER DONE"}}]}\n\n' },
      { done: true },
    ]),
  },
  {
    name: 'multi-line-data',
    quirk: 'Q10',
    about: 'every chunk is pretty JSON over several data: lines',
    on: 'chat',
    items: eachItem((item) => [{ text: pretty(item) }]),
  },
  {
    name: 'ndjson',
    quirk: 'Q11',
    about: 'chunks as bare JSON lines without data:',
    on: 'chat',
    items: eachChunk((chunk) => [{ text: `${JSON.stringify(chunk)}\n` }]),
  },
  {
    name: 'event-fields',
    quirk: 'Q12',
    about: 'event:, id:, retry: fields and ping events among the chunks',
    on: 'chat',
    items: eachItem((item, index) => [
      { text: index % 5 === 0 ? 'event: ping\ndata: {"type":"ping"}\n\n' : '' },
      { text: `id: ${index}\nretry: 3000\nevent: message\n${frameItem(item)}` },
    ]),
  },
  {
    name: 'empty-events',
    quirk: 'Q14',
    about: 'data lines that hold nothing, {}, null, "" and ping',
    on: 'chat',
    items: eachItem((item, index) => [
      { text: `data:${['', ' {}', ' null', ' ""', ' ping', ' [PING]'][index % 6] ?? ''}\n\n` },
      item,
    ]),
  },
  {
    name: 'malformed-event',
    quirk: 'Q15',
    about: 'one event in the middle is broken JSON',
    on: 'chat',
    items: eachItem((item, index) => (index === 4 ? [{ text: 'data: {"choices":[{"delta":{"con\n\n' }, item] : [item])),
  },
  {
    name: 'two-objects-in-one-event',
    quirk: 'Q16',
    about: 'some data lines hold two JSON objects side by side',
    on: 'chat',
    items: eachText((text, chunk, index) => {
      const [first, second] = halves(text).map((half) => withDelta(chunk, { content: half }));
      return index % 3 === 0 && first !== undefined && second !== undefined && 'chunk' in first && 'chunk' in second
        ? [{ text: `data: ${JSON.stringify(first.chunk)}${JSON.stringify(second.chunk)}\n\n` }]
        : [{ chunk }];
    }),
  },
  {
    name: 'split-characters',
    quirk: 'Q17',
    about: 'text of two, three and four bytes a character, every character cut over two packets',
    on: 'chat',
    items: eachText((text, chunk, index) =>
      index === 1
        ? [{ chunk }, withDelta(chunk, { content: '\nna\u00efve \u6f22\u5b57 \u{1f98a}\n\n' })]
        : [withDelta(chunk, { content: text })],
    ),
    async *wire(text) {
      for await (const frame of text) {
        for (const part of cutCharacters(Buffer.from(frame))) {
          yield part;
          yield { waitMs: 1 };
        }
      }
    },
  },
  {
    name: 'huge-event',
    quirk: 'Q19',
    about: 'one event of many megabytes in the middle of the text',
    on: 'chat',
    amount: { about: 'megabytes', default: 9 },
    items: (items, { amount }) =>
      eachText((_, chunk, index) =>
        index === 3 ? [{ chunk }, { json: { ...chunk, image: 'A'.repeat(amount * 1024 * 1024) } }] : [{ chunk }],
      )(items),
  },
  {
    name: 'json-over-two-events',
    quirk: 'Q16',
    about: 'some chunks are cut over two data events',
    on: 'chat',
    items: eachText((_, chunk, index) => {
      const [first, second] = halves(JSON.stringify(chunk));
      return index % 5 === 0 ? [{ text: `data: ${first}\n\n` }, { text: `data: ${second}\n\n` }] : [{ chunk }];
    }),
  },
  {
    name: 'crlf-split',
    quirk: 'Q1',
    about: 'lines end with CR LF, in two packets each time',
    on: 'chat',
    async *wire(text) {
      for await (const frame of text) {
        for (const part of frame.replaceAll('\n', '\r\n').split(/(?<=\r)/)) {
          yield part;
          await nextTurn();
        }
      }
    },
  },
  {
    name: 'no-last-blank-line',
    quirk: 'Q7',
    about: '[DONE] ends its line, but no blank line ends its event',
    on: 'chat',
    items: atDone([{ text: 'data: [DONE]\n' }]),
  },
  {
    name: 'only-malformed',
    quirk: 'Q15',
    about: 'every event is broken JSON: nothing usable arrives',
    on: 'chat',
    items: eachChunk((chunk) => [{ text: `data: ${JSON.stringify(chunk).slice(0, -9)}\n\n` }]),
  },
];

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WirePiece } from '../http.ts';
import type { How, Rows } from './fault.ts';
import {
  after,
  atDone,
  atFinish,
  contentOf,
  deltaChunk,
  doneEvent,
  eachChunk,
  eachItem,
  eachText,
  everywhere,
  finishes,
  frame,
  type Item,
  inMessage,
  isChunk,
  isFinish,
} from './items.ts';

type Text = AsyncIterable<string>;

/** Rewrites the framed text of every event. */
function eachFrame(rewrite: (text: string, index: number) => string): How {
  return {
    async *wire(text: Text): AsyncGenerator<WirePiece> {
      let index = 0;
      for await (const event of text) {
        yield rewrite(event, index);
        index += 1;
      }
    },
  };
}

/** Sends text before every item. */
function beforeEach(texts: readonly string[]): How {
  return { items: eachItem((item, index) => [texts[index % texts.length] ?? '', item]) };
}

/** Adds deltas before the text: after the first chunk, which has the role. */
function afterRole(...deltas: readonly object[]): How {
  return {
    items: eachChunk((chunk, index) =>
      index === 0 ? [chunk, ...deltas.map((delta) => deltaChunk(chunk, { ...delta }))] : [chunk],
    ),
  };
}

const endOfText = (item: Item) => isFinish(item) || (isChunk(item) && item.usage !== undefined);
const asData = (text: string) => `data: ${text}\n\n`;
const thoughts = ['Let me ', 'count ', 'the words.'];

function halves(text: string): [string, string] {
  const middle = Math.floor(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)];
}

function cut(text: string, length: number): string[] {
  return text.match(new RegExp(`.{1,${length}}`, 'gs')) ?? [];
}

/** Cuts every character of more than one byte over two packets. */
async function* splitCharacters(text: Text): AsyncGenerator<WirePiece> {
  for await (const event of text) {
    const bytes = Buffer.from(event);
    let from = 0;
    for (const [at, byte] of bytes.entries()) {
      if (byte >= 0xc0) {
        yield bytes.subarray(from, at + 1);
        yield 1;
        from = at + 1;
      }
    }
    yield bytes.subarray(from);
    yield 1;
  }
}

/** Repeats all previous text in every delta. */
async function* cumulative(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let text = '';
  for await (const item of items) {
    const content = isChunk(item) ? contentOf(item) : '';
    text += content;
    yield isChunk(item) && content !== '' ? deltaChunk(item, { content: text }) : item;
  }
}

/** The text of a reply as content in parts, the first of them thinking. */
function parts(text: unknown, isFirst: boolean): object[] {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: thoughts.join('') }] };
  return [...(isFirst ? [thinking] : []), { type: 'text', text }];
}

/** A PNG of one pixel. */
const dot =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const upstream = { message: 'Upstream provider error', type: 'upstream_error', param: null, code: 'upstream_error' };

/** A key in the forms that answers contain: plain, and as Base64 of two headers. */
export function keyForms(key: string): readonly string[] {
  return [key, ...['Bearer ', 'user:'].map((before) => Buffer.from(before + key).toString('base64'))];
}

/** Repeats the key in the name of the model, in the reasoning and in the text, cut over deltas. */
function echoKey(key: string) {
  const echo = cut(`Called with ${keyForms(key).join(' and ')}.\n\n`, 5);
  return eachChunk((sent, index) => {
    const chunk = { ...sent, model: `${sent.model} ${key}` };
    const deltas = [
      ...echo.map((piece) => ({ reasoning_content: piece })),
      ...echo.map((piece) => ({ content: piece })),
    ];
    return index === 0 ? [chunk, ...deltas.map((delta) => deltaChunk(chunk, delta))] : [chunk];
  });
}

/** Faults in streams, apart from usage and tools: framing, content, reasoning, errors after the status 200. */
export const streamFaults: Rows = {
  'mixed-line-ends Q1 LF, CR LF and CR take turns, event by event': eachFrame((text, index) =>
    text.replaceAll('\n', ['\n', '\r\n', '\r'][index % 3] ?? '\n'),
  ),
  'bom Q2 a byte order mark before the first byte': {
    on: 'both',
    ...eachFrame((text, index) => (index === 0 ? `\uFEFF${text}` : text)),
  },
  'comments Q3 keep-alive comments of four kinds between the events': beforeEach([
    ': keep-alive\n\n',
    ': OPENROUTER PROCESSING\n\n',
    ': PING\n\n',
    ':\n',
  ]),
  'no-space-after-data Q4 data: without the space': eachFrame((text) => text.replace(/^data: /gm, 'data:')),
  'no-done Q6 finish reason, but no [DONE]': { items: atDone() },
  'no-last-newline Q7 finish reason in an event the stream ends without a line end, no [DONE]': {
    items: eachItem((item) =>
      isFinish(item) ? [frame(item).trimEnd()] : endOfText(item) || item === doneEvent ? [] : [item],
    ),
  },
  'data-after-done Q9 junk, text and a second [DONE] after [DONE]': {
    items: atDone(doneEvent, { junk: true }, { choices: [{ index: 0, delta: { content: 'AFTER DONE' } }] }, doneEvent),
  },
  'multi-line-data Q10 every chunk is pretty JSON over several data: lines': {
    items: eachChunk((chunk) => [`${JSON.stringify(chunk, null, 1).replace(/^/gm, 'data: ')}\n\n`]),
  },
  'ndjson Q11 chunks as bare JSON lines without data:': { items: eachChunk((chunk) => [`${JSON.stringify(chunk)}\n`]) },
  'event-fields Q12 event:, id:, retry: fields and ping events among the chunks': {
    items: eachItem((item, index) => [
      index % 5 === 0 ? 'event: ping\ndata: {"type":"ping"}\n\n' : '',
      `id: ${index}\nretry: 3000\nevent: message\n${frame(item)}`,
    ]),
  },
  'empty-events Q14 data lines that hold nothing, {}, null, "" and ping': beforeEach(
    ['', ' {}', ' null', ' ""', ' ping', ' [PING]'].map((text) => `data:${text}\n\n`),
  ),
  'malformed-event Q15 one event in the middle is broken JSON': {
    items: eachItem((item, index) => (index === 4 ? [asData('{"choices":[{"delta":{"con'), item] : [item])),
  },
  'two-objects-in-one-event Q16 some data lines hold two JSON objects side by side': {
    items: eachText((text, chunk, index) =>
      index % 3 === 0
        ? [
            asData(
              halves(text)
                .map((content) => JSON.stringify(deltaChunk(chunk, { content })))
                .join(''),
            ),
          ]
        : [chunk],
    ),
  },
  'split-characters Q17 text of two, three and four bytes a character, every character cut over two packets': {
    items: eachText((content, chunk, index) =>
      index === 1
        ? [chunk, deltaChunk(chunk, { content: '\nna\u00efve \u6f22\u5b57 \u{1f98a}\n\n' })]
        : [deltaChunk(chunk, { content })],
    ),
    wire: splitCharacters,
  },
  'huge-event Q19 one event of many megabytes in the middle of the text': {
    amount: ['megabytes', 33],
    items: (items, { amount }) =>
      eachText((_, chunk, index) =>
        index === 3 ? [chunk, { ...chunk, image: 'A'.repeat(amount * 1024 * 1024) }] : [chunk],
      )(items),
  },
  'crlf-split Q1 lines end with CR LF, in two packets each time': {
    async *wire(text) {
      for await (const event of text) {
        for (const part of event.replaceAll('\n', '\r\n').split(/(?<=\r)/)) {
          yield part;
          await nextTurn();
        }
      }
    },
  },
  'only-malformed Q15 every event is broken JSON: nothing usable arrives': {
    items: eachChunk((chunk) => [asData(JSON.stringify(chunk).slice(0, -9))]),
  },
  'done-without-finish Q5 [DONE] although no finish reason came': { items: atFinish(() => []) },
  'clean-end-without-finish Q29 the text, then a clean end: no finish reason, no usage, no [DONE]': {
    items: eachItem((item) => (item === doneEvent || endOfText(item) ? [] : [item])),
  },
  'no-text Q26 role and finish reason, no text': {
    items: eachText(() => []),
    ...inMessage(() => ({ role: 'assistant', content: null })),
  },
  'odd-choices Q28 choices null, empty and missing between the good ones': {
    items: eachText((_, chunk, index) => [
      chunk,
      { ...chunk, id: '', created: 0, choices: [null, [], undefined][index % 3] },
    ]),
  },
  'finish-error Q32 finish_reason error without an error': { items: finishes('error') },
  'content-filter Q26 a few words, then finish_reason content_filter': {
    items: (items) => finishes('content_filter')(eachText((_, chunk, index) => (index < 4 ? [chunk] : []))(items)),
  },
  'cumulative Q36 every delta repeats all the text so far': { items: cumulative },
  'split-surrogates Q20 the two halves of a fox (U+1F98A) in two deltas': {
    items: atFinish((chunk) => [...['\ud83e', '\udd8a'].map((content) => deltaChunk(chunk, { content })), chunk]),
  },
  'no-ids Q89 empty id, no object, created a fraction (in a stream) or in milliseconds (in one body)': {
    items: eachChunk(({ object: _, ...chunk }) => [{ ...chunk, id: '', created: chunk.created + 0.5 }]),
    completion: ({ object: _, ...completion }) => ({ ...completion, id: '', created: completion.created * 1000 }),
  },
  'other-model Q88 another model answers than the one asked for': everywhere((reply) => ({
    ...reply,
    model: 'some-other-model-v2',
  })),
  'open-after-done Q8 the connection stays open after [DONE]': {
    async *wire(text) {
      yield* text;
      yield 'hang';
    },
  },
  'open-after-finish Q8 finish reason and usage, then silence on an open connection': {
    items: atDone(),
    async *wire(text) {
      yield* text;
      yield 'hang';
    },
  },
  'only-reasoning Q26 thinking ate the token budget: reasoning, no text, finish_reason length': {
    items: (items) =>
      finishes('length')(
        eachText((text, chunk) => [deltaChunk(chunk, { content: null, reasoning_content: text })])(items),
      ),
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map(({ message, index }) => ({
        index,
        message: { role: 'assistant', content: null, reasoning_content: message.content },
        finish_reason: 'length',
      })),
    }),
  },
  'reasoning-field Q33 reasoning in the field reasoning': afterRole(
    ...thoughts.map((text) => ({ reasoning: text, content: '' })),
  ),
  'think-tags Q33 reasoning inside the text between <think> tags that are cut over deltas': afterRole(
    ...['<th', 'ink>\nLet me ', 'count the words.', '\n</thi', 'nk>\n\n'].map((content) => ({ content })),
  ),
  'content-parts Q34 content as arrays of parts, thinking among them': {
    items: eachText((text, chunk, index) => [deltaChunk(chunk, { content: parts(text, index === 1) })]),
    ...inMessage(({ content }) => ({ role: 'assistant', content: parts(content, true) })),
  },
  'picture Q34 a picture beside the text (OpenRouter)': {
    items: eachText((_, chunk, index) =>
      index === 1
        ? [chunk, deltaChunk(chunk, { content: '', images: [{ type: 'image_url', image_url: { url: dot } }] })]
        : [chunk],
    ),
  },
  'error-first-event Q31 the first and only event is an error, then [DONE]': {
    items: after(0, { error: upstream }, doneEvent),
  },
  'error-mid-stream Q31 some text, then an error event, then [DONE]': {
    amount: ['items before the error', 6],
    items: (items, { amount }) => after(amount, { error: upstream }, doneEvent)(items),
  },
  'error-as-field Q13 some text, then a line error: {…}': {
    items: after(6, 'error: {"code":500,"message":"slot unavailable","type":"server_error"}\n\n'),
  },
  'key-in-reply Q57 reasoning, text and the name of the model repeat the key in several spellings, cut over deltas': {
    items: (items, { keyValue }) => echoKey(keyValue)(items),
  },
  'key-in-tools Q57 two more tool calls, which have the key in their arguments: as it is, and in escapes of JSON': {
    items: (items, { keyValue }) => {
      const escaped = Array.from(keyValue, (unit) => `\\u00${unit.charCodeAt(0).toString(16)}`).join('');
      return atFinish((chunk) => [
        ...[keyValue, escaped].flatMap((word, offset) => {
          const index = 50 + offset;
          const first = { index, id: `call_key_${offset}`, type: 'function' };
          return [
            { ...first, function: { name: 'find', arguments: '' } },
            ...cut(`{"word": "${word}"}`, 5).map((piece) => ({ index, function: { arguments: piece } })),
          ].map((call) => deltaChunk(chunk, { tool_calls: [call] }));
        }),
        chunk,
      ])(items);
    },
  },
};

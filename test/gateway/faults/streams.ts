import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WirePiece } from '../http.ts';
import type { How, Rows } from './fault.ts';
import {
  after,
  atDone,
  atFinish,
  type Chunk,
  type Completion,
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
  wireUsage,
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

function withIndex<T extends Chunk | Completion>(reply: T, index: number): object {
  return { ...reply, choices: reply.choices.map((choice) => ({ ...choice, index })) };
}

/** Interleaves two replies in one stream; the second ends after the usage. */
async function* twoChoices(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let late: object[] = [];
  for await (const item of items) {
    if (item === doneEvent) {
      yield* late;
    }
    yield item;
    if (isFinish(item)) {
      late = [withIndex(deltaChunk(item, { content: 'OTHER CHOICE, LATE' }), 1), withIndex(item, 1)];
    } else if (isChunk(item) && item.choices.length > 0) {
      yield withIndex(deltaChunk(item, { content: 'OTHER CHOICE ' }), 1);
    }
  }
}

const reversed = (object: object): object => Object.fromEntries(Object.entries(object).toReversed());

function oddOrder({ id, object, created, model, choices, ...rest }: Chunk | Completion): object {
  return { choices: choices.map((choice) => reversed(choice)), ...rest, model, created, object, id };
}

function withExtras(sent: Chunk | Completion): object {
  const more = { logprobs: null, native_finish_reason: null, stop_reason: null };
  return {
    ...sent,
    choices: sent.choices.map((choice) => ({ ...choice, ...more })),
    system_fingerprint: null,
    service_tier: 'default',
    provider: 'Somewhere',
    citations: ['https://source.invalid/1'],
    timings: { prompt_n: 1, predicted_per_second: 41.5 },
    x_groq: { id: 'req_01' },
    obfuscation: 'aK3x',
    prompt_logprobs: null,
  };
}

/** A complete reply whose field `error` has a value that doesn't mean an error. */
function noError(value: unknown): How {
  return {
    items: eachText((_, chunk) => [{ ...chunk, error: value }]),
    completion: (completion) => ({ ...completion, error: value }),
  };
}

/** The text of a reply as content in parts, the first of them thinking. */
function parts(text: unknown, isFirst: boolean): object[] {
  const thinking = { type: 'thinking', thinking: [{ type: 'text', text: thoughts.join('') }] };
  return [...(isFirst ? [thinking] : []), { type: 'text', text }];
}

const upstream = { message: 'Upstream provider error', type: 'upstream_error', param: null, code: 'upstream_error' };
const disconnected = { code: 502, message: 'Provider disconnected' };

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
  'crlf Q1 lines end with CR LF': eachFrame((text) => text.replaceAll('\n', '\r\n')),
  'cr Q1 lines end with a lone CR': eachFrame((text) => text.replaceAll('\n', '\r')),
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
  'two-spaces-after-data Q4 data: with two spaces': eachFrame((text) => text.replace(/^data: /gm, 'data:  ')),
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
    amount: ['megabytes', 9],
    items: (items, { amount }) =>
      eachText((_, chunk, index) =>
        index === 3 ? [chunk, { ...chunk, image: 'A'.repeat(amount * 1024 * 1024) }] : [chunk],
      )(items),
  },
  'json-over-two-events Q16 some chunks are cut over two data events': {
    items: eachText((_, chunk, index) => (index % 5 === 0 ? halves(JSON.stringify(chunk)).map(asData) : [chunk])),
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
  'no-last-blank-line Q7 [DONE] ends its line, but no blank line ends its event': { items: atDone('data: [DONE]\n') },
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
  'odd-choices Q28 choices null, empty, missing and with index 1 between the good ones': {
    items: eachText((_, chunk, index) => {
      const other = [{ index: 1, delta: { content: 'OTHER CHOICE ' }, finish_reason: null }];
      const odd = { ...chunk, id: '', created: 0, choices: [null, [], undefined][(index / 2) % 3] };
      return [index % 2 === 0 ? odd : { ...chunk, choices: other }, chunk];
    }),
  },
  'finish-error Q32 finish_reason error without an error': { items: finishes('error') },
  'length-finish 1.2 the reply hit its token limit': { items: finishes('length') },
  'content-filter Q26 a few words, then finish_reason content_filter': {
    items: (items) => finishes('content_filter')(eachText((_, chunk, index) => (index < 4 ? [chunk] : []))(items)),
  },
  'odd-finish-reason 1.2 finish_reason end_turn, untranslated': { items: finishes('end_turn') },
  'cumulative Q36 every delta repeats all the text so far': { items: cumulative },
  'role-every-chunk 1.3 role in every delta, empty at times': {
    items: eachText((content, chunk, index) => [
      deltaChunk(chunk, { role: index % 2 === 0 ? 'assistant' : '', content }),
    ]),
  },
  'message-for-delta 1.3 message instead of delta in every chunk': {
    items: eachText((content, chunk) => [
      { ...chunk, choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: null }] },
    ]),
  },
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
  'no-choices 1.2 a completion without choices and with zero usage': {
    isStream: false,
    completion: (completion) => ({ ...completion, choices: [], usage: wireUsage(0, 0) }),
  },
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
  'role-null 1.3 the first chunk has a role and content null': {
    items: eachChunk((chunk, index) =>
      index === 0 ? [deltaChunk(chunk, { role: 'assistant', content: null })] : [chunk],
    ),
  },
  'role-late 1.3 reasoning first, the role after it and once more among the text': {
    items: eachChunk((chunk, index) => {
      const role = deltaChunk(chunk, { role: 'assistant', content: '' });
      if (index === 0) {
        return [deltaChunk(chunk, { reasoning_content: 'Let me count.' })];
      }
      return index === 1 || index === 4 ? [role, chunk] : [chunk];
    }),
  },
  'odd-key-order 1.3 choices is the first key and id the last': everywhere(oddOrder),
  'extra-fields 1.3 fields of every vendor around the text, and a first chunk without choices as Azure sends it': {
    ...everywhere(withExtras),
    items: eachChunk((chunk, index) => [
      ...(index === 0 ? [{ ...chunk, choices: [], prompt_filter_results: [{ prompt_index: 0 }] }] : []),
      withExtras(chunk),
    ]),
  },
  'finish-without-delta 1.3 the finish chunk has no delta': {
    items: atFinish((chunk) => [{ ...chunk, choices: [{ index: 0, finish_reason: 'stop' }] }]),
  },
  'finish-null-delta 1.3 the finish chunk has a delta that is null': {
    items: atFinish((chunk) => [{ ...chunk, choices: [{ index: 0, delta: null, finish_reason: 'stop' }] }]),
  },
  'finish-empty 1.2 finish_reason is an empty string at the end': { items: finishes('') },
  'finish-max-tokens 1.2 finish_reason MAX_TOKENS, untranslated: the reply is cut': { items: finishes('MAX_TOKENS') },
  'finish-resource 1.2 finish_reason insufficient_system_resource: the reply is cut': {
    items: finishes('insufficient_system_resource'),
  },
  'refusal-field 1.2 the text is in refusal, content is null': {
    items: eachText((refusal, chunk) => [deltaChunk(chunk, { content: null, refusal })]),
    ...inMessage(({ content }) => ({ role: 'assistant', content: null, refusal: content })),
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
  'two-choices Q28 a second choice nobody asked for, woven in; some of it comes after the usage': {
    items: twoChoices,
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.flatMap((choice) => [
        choice,
        { ...choice, index: 1, message: { role: 'assistant', content: 'OTHER CHOICE' } },
      ]),
    }),
  },
  'choice-from-one Q28 the only choice has index 1': everywhere((reply) => withIndex(reply, 1)),
  'choices-null 1.2 a completion whose choices are null': {
    isStream: false,
    completion: (completion) => ({ ...completion, choices: null }),
  },
  'error-as-content 1.6 the text of an error comes as the reply, and a finish reason stop': {
    items: eachText((_, chunk, index) =>
      index === 1 ? [deltaChunk(chunk, { content: 'Error: upstream timed out' })] : [],
    ),
  },
  'nothing-after-role 1.3 the role, then a clean end: an upstream killed before its first token, behind a proxy': {
    items: after(1),
  },
  'reasoning-both Q33 the same reasoning in reasoning_content and reasoning': afterRole(
    ...thoughts.map((text) => ({ reasoning_content: text, reasoning: text })),
  ),
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
  'error-first-event Q31 the first and only event is an error, then [DONE]': {
    items: after(0, { error: upstream }, doneEvent),
  },
  'error-mid-stream Q31 some text, then an error event, then [DONE]': {
    amount: ['items before the error', 6],
    items: (items, { amount }) => after(amount, { error: upstream }, doneEvent)(items),
  },
  'error-in-choice 1.6 an error beside a choice whose finish_reason is error': {
    items: after(
      6,
      { error: disconnected, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error' }] },
      doneEvent,
    ),
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map((choice) => ({
        ...choice,
        finish_reason: 'error',
        error: { ...disconnected, metadata: { provider_name: 'Somewhere' } },
      })),
    }),
  },
  'error-as-event Q12 some text, then event: error': {
    items: after(
      6,
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n',
    ),
  },
  'error-as-field Q13 some text, then a line error: {…}': {
    items: after(6, 'error: {"code":500,"message":"slot unavailable","type":"server_error"}\n\n'),
  },
  'error-after-pings Q11 comments, then raw error JSON without data:': {
    items: after(0, ': PING\n\n: PING\n\n', JSON.stringify({ error: upstream })),
  },
  'error-as-text 1.6 the error is text behind data:, not JSON': {
    items: after(0, asData('error: upstream timed out')),
  },
  'error-dropped 1.6 an upstream error arrives as choices: null, then [DONE]: an empty success': {
    items: after(0, { id: '', object: '', created: 0, model: '', choices: null }, doneEvent),
  },
  'error-null 1.6 error: null on every chunk, which is no error': noError(null),
  'error-false 1.6 error: false beside good choices, which is no error': noError(false),
  'error-blank 1.6 error: "" beside good choices, which is no error': noError(''),
  'error-empty-beside 1.6 error: {} beside good choices, which is no error': noError({}),
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

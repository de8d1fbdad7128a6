import { wireUsage } from '../chat/completion.ts';
import type { StreamItem } from '../chat/streamItem.ts';
import type { Fault } from '../fault.ts';
import {
  atDone,
  contentOf,
  eachChunk,
  eachItem,
  eachText,
  isFinish,
  withDelta,
  withFinishReason,
} from './streamTransforms.ts';

/** Repeats all previous text in every delta. */
async function* cumulative(items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
  let text = '';
  for await (const item of items) {
    if ('chunk' in item && contentOf(item.chunk) !== '') {
      text += contentOf(item.chunk);
      yield withDelta(item.chunk, { content: text });
    } else {
      yield item;
    }
  }
}

/** Adds deltas with these texts just before the finish chunk. */
function beforeFinish(texts: readonly string[]) {
  return eachChunk((chunk) =>
    isFinish(chunk) ? [...texts.map((content) => withDelta(chunk, { content })), { chunk }] : [{ chunk }],
  );
}

/** Faults in the content of a stream, apart from its framing. */
export const contentFaults: readonly Fault[] = [
  {
    name: 'done-without-finish',
    quirk: 'Q5',
    about: '[DONE] although no finish reason came',
    on: 'chat',
    items: eachChunk((chunk) => (isFinish(chunk) ? [] : [{ chunk }])),
  },
  {
    name: 'clean-end-without-finish',
    quirk: 'Q29',
    about: 'the text, then a clean end: no finish reason, no usage, no [DONE]',
    on: 'chat',
    items: eachItem((item) =>
      'done' in item || ('chunk' in item && (isFinish(item.chunk) || item.chunk.usage !== undefined)) ? [] : [item],
    ),
  },
  {
    name: 'no-text',
    quirk: 'Q26',
    about: 'role and finish reason, no text',
    on: 'chat',
    items: eachText(() => []),
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map((choice) => ({ ...choice, message: { role: 'assistant', content: null } })),
    }),
  },
  {
    name: 'odd-choices',
    quirk: 'Q28',
    about: 'choices null, empty, missing and with index 1 between the good ones',
    on: 'chat',
    items: eachText((_, chunk, index) => [
      index % 2 === 0
        ? { json: { ...chunk, id: '', created: 0, choices: [null, [], undefined][(index / 2) % 3] } }
        : { json: { ...chunk, choices: [{ index: 1, delta: { content: 'OTHER CHOICE ' }, finish_reason: null }] } },
      { chunk },
    ]),
  },
  {
    name: 'finish-error',
    quirk: 'Q32',
    about: 'finish_reason error without an error',
    on: 'chat',
    items: withFinishReason('error'),
  },
  {
    name: 'length-finish',
    quirk: '1.2',
    about: 'the reply hit its token limit',
    on: 'chat',
    items: withFinishReason('length'),
  },
  {
    name: 'content-filter',
    quirk: 'Q26',
    about: 'a few words, then finish_reason content_filter',
    on: 'chat',
    items: (items) =>
      withFinishReason('content_filter')(eachText((_, chunk, index) => (index < 4 ? [{ chunk }] : []))(items)),
  },
  {
    name: 'odd-finish-reason',
    quirk: '1.2',
    about: 'finish_reason end_turn, untranslated',
    on: 'chat',
    items: withFinishReason('end_turn'),
  },
  { name: 'cumulative', quirk: 'Q36', about: 'every delta repeats all the text so far', on: 'chat', items: cumulative },
  {
    name: 'role-every-chunk',
    quirk: '1.3',
    about: 'role in every delta, empty at times',
    on: 'chat',
    items: eachText((content, chunk, index) => [
      withDelta(chunk, { role: index % 2 === 0 ? 'assistant' : '', content }),
    ]),
  },
  {
    name: 'message-for-delta',
    quirk: '1.3',
    about: 'message instead of delta in every chunk',
    on: 'chat',
    items: eachText((content, chunk) => [
      { json: { ...chunk, choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: null }] } },
    ]),
  },
  {
    name: 'split-surrogates',
    quirk: 'Q20',
    about: 'the two halves of a fox (U+1F98A) in two deltas',
    on: 'chat',
    items: beforeFinish(['\ud83e', '\udd8a']),
  },
  {
    name: 'no-ids',
    quirk: 'Q89',
    about: 'empty id, no object, created a fraction (in a stream) or in milliseconds (in one body)',
    on: 'chat',
    items: eachChunk(({ object: _, ...chunk }) => [{ json: { ...chunk, id: '', created: chunk.created + 0.5 } }]),
    completion: ({ object: _, ...completion }) => ({ ...completion, id: '', created: completion.created * 1000 }),
  },
  {
    name: 'other-model',
    quirk: 'Q88',
    about: 'another model answers than the one asked for',
    on: 'chat',
    items: eachChunk((chunk) => [{ chunk: { ...chunk, model: 'some-other-model-v2' } }]),
    completion: (completion) => ({ ...completion, model: 'some-other-model-v2' }),
  },
  {
    name: 'no-choices',
    quirk: '1.2',
    about: 'a completion without choices and with zero usage',
    on: 'chat',
    isStream: false,
    completion: (completion) => ({ ...completion, choices: [], usage: wireUsage(0, 0) }),
  },
  {
    name: 'open-after-done',
    quirk: 'Q8',
    about: 'the connection stays open after [DONE]',
    on: 'chat',
    async *wire(text) {
      yield* text;
      yield 'hang';
    },
  },
  {
    name: 'open-after-finish',
    quirk: 'Q8',
    about: 'finish reason and usage, then silence on an open connection',
    on: 'chat',
    items: atDone([]),
    async *wire(text) {
      yield* text;
      yield 'hang';
    },
  },
];

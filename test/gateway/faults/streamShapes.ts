import { type Chunk, type Completion, deltaChunk } from '../chat/completion.ts';
import type { StreamItem } from '../chat/streamItem.ts';
import type { Fault } from '../fault.ts';
import { after, eachChunk, eachText, isFinish, withDelta, withFinishReason } from './streamTransforms.ts';

/** Replaces the finish chunk. */
function atFinish(replace: (chunk: Chunk) => readonly StreamItem[]) {
  return eachChunk((chunk) => (isFinish(chunk) ? replace(chunk) : [{ chunk }]));
}

function withIndex(chunk: Chunk, index: number): StreamItem {
  return { chunk: { ...chunk, choices: chunk.choices.map((choice) => ({ ...choice, index })) } };
}

/** Interleaves two replies in one stream; the second ends after the usage. */
async function* twoChoices(items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
  let late: StreamItem[] = [];
  for await (const item of items) {
    if ('done' in item) {
      yield* late;
    }
    yield item;
    if ('chunk' in item && isFinish(item.chunk)) {
      const text = deltaChunk(item.chunk, { content: 'OTHER CHOICE, LATE' }, null);
      late = [withIndex(text, 1), withIndex(item.chunk, 1)];
    } else if ('chunk' in item && item.chunk.choices.length > 0) {
      yield withIndex(deltaChunk(item.chunk, { content: 'OTHER CHOICE ' }, null), 1);
    }
  }
}

function oddOrder({ id, object, created, model, choices, ...rest }: Chunk | Completion): object {
  return { choices: choices.map((choice) => reversed(choice)), ...rest, model, created, object, id };
}

function reversed(object: object): object {
  return Object.fromEntries(Object.entries(object).toReversed());
}

function withExtras<T extends Chunk | Completion>(sent: T): object {
  return {
    ...sent,
    choices: sent.choices.map((choice) => ({
      ...choice,
      logprobs: null,
      native_finish_reason: null,
      stop_reason: null,
    })),
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

/** Chunks and completions with other roles, keys, choices and ends. */
export const streamShapeFaults: readonly Fault[] = [
  {
    name: 'role-null',
    quirk: '1.3',
    about: 'the first chunk has a role and content null',
    on: 'chat',
    items: eachChunk((chunk, index) =>
      index === 0 ? [withDelta(chunk, { role: 'assistant', content: null })] : [{ chunk }],
    ),
  },
  {
    name: 'role-late',
    quirk: '1.3',
    about: 'reasoning first, the role after it and once more among the text',
    on: 'chat',
    items: eachChunk((chunk, index) => {
      const role = withDelta(chunk, { role: 'assistant', content: '' });
      if (index === 0) {
        return [withDelta(chunk, { reasoning_content: 'Let me count.' })];
      }
      return index === 1 || index === 4 ? [role, { chunk }] : [{ chunk }];
    }),
  },
  {
    name: 'odd-key-order',
    quirk: '1.3',
    about: 'choices is the first key and id the last',
    on: 'chat',
    items: eachChunk((chunk) => [{ json: oddOrder(chunk) }]),
    completion: oddOrder,
  },
  {
    name: 'extra-fields',
    quirk: '1.3',
    about: 'fields of every vendor around the text, and a first chunk without choices as Azure sends it',
    on: 'chat',
    items: eachChunk((chunk, index) => [
      ...(index === 0 ? [{ json: { ...chunk, choices: [], prompt_filter_results: [{ prompt_index: 0 }] } }] : []),
      { json: withExtras(chunk) },
    ]),
    completion: withExtras,
  },
  {
    name: 'finish-without-delta',
    quirk: '1.3',
    about: 'the finish chunk has no delta',
    on: 'chat',
    items: atFinish((chunk) => [{ json: { ...chunk, choices: [{ index: 0, finish_reason: 'stop' }] } }]),
  },
  {
    name: 'finish-null-delta',
    quirk: '1.3',
    about: 'the finish chunk has a delta that is null',
    on: 'chat',
    items: atFinish((chunk) => [{ json: { ...chunk, choices: [{ index: 0, delta: null, finish_reason: 'stop' }] } }]),
  },
  {
    name: 'finish-empty',
    quirk: '1.2',
    about: 'finish_reason is an empty string at the end',
    on: 'chat',
    items: withFinishReason(''),
  },
  {
    name: 'finish-max-tokens',
    quirk: '1.2',
    about: 'finish_reason MAX_TOKENS, untranslated: the reply is cut',
    on: 'chat',
    items: withFinishReason('MAX_TOKENS'),
  },
  {
    name: 'finish-resource',
    quirk: '1.2',
    about: 'finish_reason insufficient_system_resource: the reply is cut',
    on: 'chat',
    items: withFinishReason('insufficient_system_resource'),
  },
  {
    name: 'refusal-field',
    quirk: '1.2',
    about: 'the text is in refusal, content is null',
    on: 'chat',
    items: eachText((refusal, chunk) => [withDelta(chunk, { content: null, refusal })]),
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map(({ message, ...choice }) => ({
        ...choice,
        message: { role: 'assistant', content: null, refusal: message.content },
      })),
    }),
  },
  {
    name: 'only-reasoning',
    quirk: 'Q26',
    about: 'thinking ate the token budget: reasoning, no text, finish_reason length',
    on: 'chat',
    items: (items) =>
      withFinishReason('length')(
        eachText((text, chunk) => [withDelta(chunk, { content: null, reasoning_content: text })])(items),
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
  {
    name: 'two-choices',
    quirk: 'Q28',
    about: 'a second choice nobody asked for, woven in; some of it comes after the usage',
    on: 'chat',
    items: twoChoices,
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.flatMap((choice) => [
        choice,
        { ...choice, index: 1, message: { role: 'assistant', content: 'OTHER CHOICE' } },
      ]),
    }),
  },
  {
    name: 'choice-from-one',
    quirk: 'Q28',
    about: 'the only choice has index 1',
    on: 'chat',
    items: eachChunk((chunk) => [withIndex(chunk, 1)]),
    completion: (completion) => ({
      ...completion,
      choices: completion.choices.map((choice) => ({ ...choice, index: 1 })),
    }),
  },
  {
    name: 'choices-null',
    quirk: '1.2',
    about: 'a completion whose choices are null',
    on: 'chat',
    isStream: false,
    completion: (completion) => ({ ...completion, choices: null }),
  },
  {
    name: 'error-as-content',
    quirk: '1.6',
    about: 'the text of an error comes as the reply, and a finish reason stop',
    on: 'chat',
    items: (items) =>
      eachText((_, chunk, index) => (index === 1 ? [withDelta(chunk, { content: 'Error: upstream timed out' })] : []))(
        items,
      ),
  },
  {
    name: 'nothing-after-role',
    quirk: '1.3',
    about: 'the role, then a clean end: an upstream killed before its first token, behind a proxy',
    on: 'chat',
    items: after(1, []),
  },
];

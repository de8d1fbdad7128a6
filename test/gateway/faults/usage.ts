import { type Chunk, type WireUsage, wireUsage } from '../chat/completion.ts';
import { estimateTokens } from '../chat/metering.ts';
import type { StreamItem } from '../chat/streamItem.ts';
import type { Fault } from '../fault.ts';
import { contentOf, eachChunk, eachText, isFinish } from './streamTransforms.ts';

/** Adds the usage so far to every chunk that has a choice. */
async function* usageOnEveryChunk(items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
  let text = '';
  for await (const item of items) {
    if ('chunk' in item && item.chunk.choices.length > 0) {
      text += contentOf(item.chunk);
      yield { chunk: { ...item.chunk, usage: wireUsage(10, estimateTokens(text)) } };
    } else {
      yield item;
    }
  }
}

function withCost(usage: WireUsage): object {
  return {
    ...usage,
    cost: 0.00042,
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 3 },
  };
}

/** Merges the usage chunk into the finish chunk. */
async function* finishWithUsage(items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
  let finish: Chunk | undefined;
  for await (const item of items) {
    if ('chunk' in item && isFinish(item.chunk)) {
      finish = item.chunk;
    } else if ('chunk' in item && item.chunk.usage !== undefined && finish !== undefined) {
      yield { chunk: { ...finish, usage: item.chunk.usage } };
      finish = undefined;
    } else {
      if (finish !== undefined) {
        yield { chunk: finish };
        finish = undefined;
      }
      yield item;
    }
  }
}

/** The different places and names of usage. */
export const usageFaults: readonly Fault[] = [
  {
    name: 'usage-every-chunk',
    quirk: 'Q27',
    about: 'running usage on every chunk; the last one counts',
    on: 'chat',
    items: usageOnEveryChunk,
  },
  {
    name: 'usage-never',
    quirk: 'Q27',
    about: 'no usage although it was asked for',
    on: 'chat',
    items: eachChunk((chunk) => (chunk.usage === undefined ? [{ chunk }] : [])),
    completion: ({ usage: _, ...rest }) => rest,
  },
  {
    name: 'usage-zero',
    quirk: '1.4',
    about: 'usage that counts nothing',
    on: 'chat',
    items: eachChunk((chunk) => [{ chunk: chunk.usage === undefined ? chunk : { ...chunk, usage: wireUsage(0, 0) } }]),
    completion: (completion) => ({ ...completion, usage: wireUsage(0, 0) }),
  },
  {
    name: 'usage-then-text',
    quirk: '1.3',
    about: 'a usage chunk early, more text after it',
    on: 'chat',
    items: eachText((_, chunk, index) =>
      index === 3 ? [{ chunk }, { chunk: { ...chunk, choices: [], usage: wireUsage(10, 2) } }] : [{ chunk }],
    ),
  },
  {
    name: 'cost-reported',
    quirk: '1.4',
    about: 'usage with a cost in USD and cached and reasoning tokens, as OpenRouter has it',
    on: 'chat',
    items: eachChunk((chunk) =>
      chunk.usage === undefined ? [{ chunk }] : [{ json: { ...chunk, usage: withCost(chunk.usage) } }],
    ),
    completion: (completion) => ({ ...completion, usage: withCost(completion.usage) }),
  },
  {
    name: 'usage-with-finish',
    quirk: '1.3',
    about: 'finish reason and usage in one chunk',
    on: 'chat',
    items: finishWithUsage,
  },
  {
    name: 'usage-other-names',
    quirk: '1.4',
    about: 'input_tokens and output_tokens, as strings, with details',
    on: 'chat',
    items: eachChunk((chunk) =>
      chunk.usage === undefined
        ? [{ chunk }]
        : [
            {
              json: {
                ...chunk,
                usage: {
                  input_tokens: String(chunk.usage.prompt_tokens),
                  output_tokens: String(chunk.usage.completion_tokens),
                  input_tokens_details: { cached_tokens: 8 },
                  output_tokens_details: { reasoning_tokens: 3 },
                },
              },
            },
          ],
    ),
  },
];

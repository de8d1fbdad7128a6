import type { How, Rows } from './fault.ts';
import {
  type Completion,
  contentOf,
  eachChunk,
  estimateTokens,
  type Item,
  isChunk,
  type WireUsage,
  wireUsage,
} from './items.ts';

/** Writes the usage of a stream and of a completion in another way. */
function asUsage(write: (usage: WireUsage) => object) {
  return {
    items: eachChunk((chunk) => [chunk.usage === undefined ? chunk : { ...chunk, usage: write(chunk.usage) }]),
    completion: (completion: Completion) => ({ ...completion, usage: write(completion.usage) }),
  } satisfies How;
}

/** Adds the usage so far to every chunk that has a choice. */
async function* usageOnEveryChunk(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  let text = '';
  for await (const item of items) {
    if (isChunk(item) && item.choices.length > 0) {
      text += contentOf(item);
      yield { ...item, usage: wireUsage(10, estimateTokens(text)) };
    } else {
      yield item;
    }
  }
}

/** What usage says, or does not, and what is charged. */
export const usageFaults: Rows = {
  'usage-every-chunk Q27 running usage on every chunk; the last one counts': { items: usageOnEveryChunk },
  'usage-never Q27 no usage although it was asked for': {
    items: eachChunk((chunk) => (chunk.usage === undefined ? [chunk] : [])),
    completion: ({ usage: _, ...rest }) => rest,
  },
  'usage-deepseek 1.4 cached tokens as DeepSeek names them': asUsage((usage) => ({
    ...usage,
    prompt_cache_hit_tokens: 8,
    prompt_cache_miss_tokens: 2,
  })),
  'usage-moonshot 1.4 cached_tokens beside the counts': asUsage((usage) => ({ ...usage, cached_tokens: 8 })),
  'runs-on Q91 a reply that is stopped runs on to its end, and all of it is charged': { runsOn: true },
  'priced-per-call Q92 a call that reached the model costs the same whatever it made, also when it is stopped or cut': {
    amount: ['micro-USD', 10_000],
    isPricedPerCall: true,
  },
};

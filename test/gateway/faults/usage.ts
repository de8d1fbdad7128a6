import type { How, Rows } from './fault.ts';
import {
  type Chunk,
  type Completion,
  contentOf,
  eachChunk,
  eachText,
  estimateTokens,
  type Item,
  isChunk,
  isFinish,
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

/** Merges the usage chunk into the finish chunk. */
function finishWithUsage(merge: (finish: Chunk, usage: WireUsage) => object) {
  return async function* (items: AsyncIterable<Item>): AsyncGenerator<Item> {
    let finish: Chunk | undefined;
    for await (const item of items) {
      if (isFinish(item)) {
        finish = item;
        continue;
      }
      const usage = isChunk(item) ? item.usage : undefined;
      if (finish !== undefined) {
        yield usage === undefined ? finish : merge(finish, usage);
      }
      if (finish === undefined || usage === undefined) {
        yield item;
      }
      finish = undefined;
    }
  };
}

/** The different places and names of usage and cost, and invalid numbers. */
export const usageFaults: Rows = {
  'usage-every-chunk Q27 running usage on every chunk; the last one counts': { items: usageOnEveryChunk },
  'usage-never Q27 no usage although it was asked for': {
    items: eachChunk((chunk) => (chunk.usage === undefined ? [chunk] : [])),
    completion: ({ usage: _, ...rest }) => rest,
  },
  'usage-zero 1.4 usage that counts nothing': asUsage(() => wireUsage(0, 0)),
  'usage-then-text 1.3 a usage chunk early, more text after it': {
    items: eachText((_, chunk, index) =>
      index === 3 ? [chunk, { ...chunk, choices: [], usage: wireUsage(10, 2) }] : [chunk],
    ),
  },
  'cost-reported 1.4 usage with a cost in USD and cached and reasoning tokens, as OpenRouter has it': asUsage(
    (usage) => ({
      ...usage,
      cost: 0.00042,
      prompt_tokens_details: { cached_tokens: 8 },
      completion_tokens_details: { reasoning_tokens: 3 },
    }),
  ),
  'usage-with-finish 1.3 finish reason and usage in one chunk': {
    items: finishWithUsage((finish, usage) => ({ ...finish, usage })),
  },
  'usage-other-names 1.4 input_tokens and output_tokens, as strings, with details': {
    items: asUsage((usage) => ({
      input_tokens: String(usage.prompt_tokens),
      output_tokens: String(usage.completion_tokens),
      input_tokens_details: { cached_tokens: 8 },
      output_tokens_details: { reasoning_tokens: 3 },
    })).items,
  },
  'usage-camel-case 1.4 promptTokens and completionTokens': asUsage((usage) => ({
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
  })),
  'usage-ollama 1.4 prompt_eval_count and eval_count': asUsage((usage) => ({
    prompt_eval_count: usage.prompt_tokens,
    eval_count: usage.completion_tokens,
  })),
  'usage-deepseek 1.4 cached tokens as DeepSeek names them': asUsage((usage) => ({
    ...usage,
    prompt_cache_hit_tokens: 8,
    prompt_cache_miss_tokens: 2,
  })),
  'usage-anthropic 1.4 input_tokens, output_tokens and cached tokens as Anthropic names them': asUsage((usage) => ({
    input_tokens: usage.prompt_tokens,
    output_tokens: usage.completion_tokens,
    cache_read_input_tokens: 8,
    cache_creation_input_tokens: 2,
  })),
  'usage-moonshot 1.4 cached_tokens beside the counts': asUsage((usage) => ({ ...usage, cached_tokens: 8 })),
  'usage-odd-numbers 1.4 counts that are negative, null, text and no number at all': asUsage(() => ({
    prompt_tokens: -5,
    completion_tokens: 'NaN',
    total_tokens: null,
    prompt_tokens_details: null,
    completion_tokens_details: { reasoning_tokens: '3' },
  })),
  'cost-ticks 1.4 cost_in_usd_ticks, and a total that holds reasoning besides, as xAI has it': asUsage((usage) => ({
    ...usage,
    total_tokens: usage.total_tokens + 40,
    completion_tokens_details: { reasoning_tokens: 40 },
    cost_in_usd_ticks: 4_200_000,
  })),
  'cost-object 1.4 cost as an object, as Perplexity has it': asUsage((usage) => ({
    ...usage,
    cost: { input_tokens_cost: 0.0001, output_tokens_cost: 0.0002, total_cost: 0.0003 },
  })),
  'cost-header 1.5 the cost in a header, as LiteLLM has it': {
    headers: { 'x-litellm-response-cost': '0.00042', 'x-litellm-key-spend': '1.25', 'x-litellm-call-id': 'call-1' },
  },
  'usage-null-chunks 1.3 usage: null on every chunk before the one that has it': {
    items: eachChunk((chunk) => [chunk.usage === undefined ? { ...chunk, usage: null } : chunk]),
  },
  'usage-repeats-finish 1.3 the usage chunk has a choice, and the finish reason again': {
    items: eachChunk((chunk) => {
      const choices = [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }];
      return [chunk.usage === undefined ? chunk : { ...chunk, choices }];
    }),
  },
  'usage-in-x-groq 1.3 the usage is in x_groq of the finish chunk': {
    items: finishWithUsage((finish, usage) => ({ ...finish, x_groq: { id: 'req_01', usage } })),
  },
  'runs-on Q91 a reply that is stopped runs on to its end, and all of it is charged': { runsOn: true },
  'priced-per-call Q92 a call that reached the model costs the same whatever it made, also when it is stopped or cut': {
    amount: ['micro-USD', 10_000],
    isPricedPerCall: true,
  },
};

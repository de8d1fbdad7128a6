import type { WireUsage } from '../chat/completion.ts';
import type { StreamItem } from '../chat/streamItem.ts';
import type { Fault } from '../fault.ts';
import { eachChunk, isFinish } from './streamTransforms.ts';

function usageFault(name: string, about: string, write: (usage: WireUsage) => object): Fault {
  return {
    name,
    quirk: '1.4',
    about,
    on: 'chat',
    items: eachChunk((chunk) =>
      chunk.usage === undefined ? [{ chunk }] : [{ json: { ...chunk, usage: write(chunk.usage) } }],
    ),
    completion: (completion) => ({ ...completion, usage: write(completion.usage) }),
  };
}

/** Moves the usage into another field of the finish chunk. */
async function* usageInFinish(items: AsyncIterable<StreamItem>): AsyncGenerator<StreamItem> {
  let finish: StreamItem | undefined;
  for await (const item of items) {
    if ('chunk' in item && isFinish(item.chunk)) {
      finish = item;
    } else if ('chunk' in item && item.chunk.usage !== undefined && finish !== undefined && 'chunk' in finish) {
      finish = { json: { ...finish.chunk, x_groq: { id: 'req_01', usage: item.chunk.usage } } };
    } else {
      if (finish !== undefined) {
        yield finish;
        finish = undefined;
      }
      yield item;
    }
  }
}

/** Other names of usage and cost, and invalid numbers. */
export const usageNameFaults: readonly Fault[] = [
  usageFault('usage-camel-case', 'promptTokens and completionTokens', (usage) => ({
    promptTokens: usage.prompt_tokens,
    completionTokens: usage.completion_tokens,
  })),
  usageFault('usage-ollama', 'prompt_eval_count and eval_count', (usage) => ({
    prompt_eval_count: usage.prompt_tokens,
    eval_count: usage.completion_tokens,
  })),
  usageFault('usage-deepseek', 'cached tokens as DeepSeek names them', (usage) => ({
    ...usage,
    prompt_cache_hit_tokens: 8,
    prompt_cache_miss_tokens: 2,
  })),
  usageFault('usage-anthropic', 'input_tokens, output_tokens and cached tokens as Anthropic names them', (usage) => ({
    input_tokens: usage.prompt_tokens,
    output_tokens: usage.completion_tokens,
    cache_read_input_tokens: 8,
    cache_creation_input_tokens: 2,
  })),
  usageFault('usage-moonshot', 'cached_tokens beside the counts', (usage) => ({ ...usage, cached_tokens: 8 })),
  usageFault('usage-odd-numbers', 'counts that are negative, null, text and no number at all', () => ({
    prompt_tokens: -5,
    completion_tokens: 'NaN',
    total_tokens: null,
    prompt_tokens_details: null,
    completion_tokens_details: { reasoning_tokens: '3' },
  })),
  usageFault('cost-ticks', 'cost_in_usd_ticks, and a total that holds reasoning besides, as xAI has it', (usage) => ({
    ...usage,
    total_tokens: usage.total_tokens + 40,
    completion_tokens_details: { reasoning_tokens: 40 },
    cost_in_usd_ticks: 4_200_000,
  })),
  usageFault('cost-object', 'cost as an object, as Perplexity has it', (usage) => ({
    ...usage,
    cost: { input_tokens_cost: 0.0001, output_tokens_cost: 0.0002, total_cost: 0.0003 },
  })),
  {
    name: 'cost-header',
    quirk: '1.5',
    about: 'the cost in a header, as LiteLLM has it',
    on: 'chat',
    headers: { 'x-litellm-response-cost': '0.00042', 'x-litellm-key-spend': '1.25', 'x-litellm-call-id': 'call-1' },
  },
  {
    name: 'usage-null-chunks',
    quirk: '1.3',
    about: 'usage: null on every chunk before the one that has it',
    on: 'chat',
    items: eachChunk((chunk) => (chunk.usage === undefined ? [{ json: { ...chunk, usage: null } }] : [{ chunk }])),
  },
  {
    name: 'usage-repeats-finish',
    quirk: '1.3',
    about: 'the usage chunk has a choice, and the finish reason again',
    on: 'chat',
    items: eachChunk((chunk) =>
      chunk.usage === undefined
        ? [{ chunk }]
        : [{ chunk: { ...chunk, choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }] } }],
    ),
  },
  {
    name: 'usage-in-x-groq',
    quirk: '1.3',
    about: 'the usage is in x_groq of the finish chunk',
    on: 'chat',
    items: usageInFinish,
  },
];

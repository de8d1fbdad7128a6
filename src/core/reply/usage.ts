import { amountOf, isRecord, type LooseRecord, recordOf } from '../base/loose.ts';

/** Tokens and cost as reported by the gateway; figures it did not report are absent, never 0. */
export type Usage = {
  readonly promptTokens?: number | undefined;
  readonly completionTokens?: number | undefined;
  readonly totalTokens?: number | undefined;
  readonly cachedTokens?: number | undefined;
  readonly cacheWriteTokens?: number | undefined;
  readonly reasoningTokens?: number | undefined;
  /** In the gateway's own unit, which is US dollars for all gateways known to send it. */
  readonly cost?: number | undefined;
};

/** Input and output tokens together. Some gateways count reasoning only in the total. */
export function allTokens({ promptTokens = 0, completionTokens = 0, totalTokens = 0 }: Usage = {}): number {
  return Math.max(totalTokens, promptTokens + completionTokens);
}

/** All input. Some gateways count what is read from a cache, or written to it, beside the prompt tokens, and not in them. */
export function inputTokens({ promptTokens = 0, cachedTokens = 0, cacheWriteTokens = 0 }: Usage = {}): number {
  const inCache = cachedTokens + cacheWriteTokens;
  return inCache > promptTokens ? promptTokens + inCache : promptTokens;
}

/** All output. Some gateways count reasoning only in the total. */
export function outputTokens(usage: Usage = {}): number {
  return Math.max(usage.completionTokens ?? 0, (usage.totalTokens ?? 0) - inputTokens(usage));
}

/** Whether input and output are known. Some gateways report 0 for both when they know neither (wire 1.4). */
export function isCounted(usage: Usage | undefined): usage is Usage {
  return usage?.promptTokens !== undefined && usage.completionTokens !== undefined && allTokens(usage) > 0;
}

/** Reads usage in all field names of wire 1.4. @returns undefined when it has no figures. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const promptDetails = recordOf(value.prompt_tokens_details ?? value.input_tokens_details);
  const completionDetails = recordOf(value.completion_tokens_details ?? value.output_tokens_details);
  const cost = value.cost;
  const figures: { [name in keyof Usage]: Usage[name] | undefined } = {
    promptTokens: first(value, 'prompt_tokens', 'input_tokens', 'promptTokens', 'prompt_eval_count'),
    completionTokens: first(value, 'completion_tokens', 'output_tokens', 'completionTokens', 'eval_count'),
    totalTokens: first(value, 'total_tokens', 'totalTokens'),
    cachedTokens:
      first(promptDetails, 'cached_tokens') ??
      first(value, 'prompt_cache_hit_tokens', 'cache_read_input_tokens', 'cached_tokens'),
    cacheWriteTokens:
      first(promptDetails, 'cache_write_tokens', 'cached_creation_tokens', 'cache_creation_tokens') ??
      first(value, 'cache_creation_input_tokens'),
    reasoningTokens: first(completionDetails, 'reasoning_tokens'),
    cost: isRecord(cost) ? first(cost, 'total_cost') : amountOf(cost),
  };
  const known = Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
  return Object.keys(known).length > 0 ? (known as Usage) : undefined;
}

/**
 * Adds the cost that LiteLLM reports in a header if the body reports none (wire 1.4). LiteLLM sends 0 while it doesn't
 * know the cost yet, so 0 counts as unknown.
 */
export function withHeaderCost(usage: Usage | undefined, headers: Readonly<Record<string, string>>): Usage | undefined {
  const cost = amountOf(headers['x-litellm-response-cost']);
  return usage?.cost === undefined && cost !== undefined && cost > 0 ? { ...usage, cost } : usage;
}

function first(record: LooseRecord, ...names: string[]): number | undefined {
  for (const name of names) {
    const amount = amountOf(record[name]);
    if (amount !== undefined) {
      return amount;
    }
  }
  return undefined;
}

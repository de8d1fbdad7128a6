import { amountOf, isRecord, type LooseRecord, recordOf } from '../base/loose.ts';

/** Tokens and cost as the gateway reported them; what it did not report is absent, never 0. */
export type Usage = {
  readonly promptTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
  readonly cachedTokens?: number;
  readonly reasoningTokens?: number;
  /** In the gateway's own unit, which for the gateways known to send it is US dollars. */
  readonly cost?: number;
};

/** Reads the spellings of wire 1.4. @returns undefined when there is no figure in it. */
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
    reasoningTokens: first(completionDetails, 'reasoning_tokens'),
    cost: isRecord(cost) ? first(cost, 'total_cost') : amountOf(cost),
  };
  const known = Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
  return Object.keys(known).length > 0 ? (known as Usage) : undefined;
}

/**
 * The usage with the cost that LiteLLM reports in a header, for a body that reports none (wire 1.4). A nought there is
 * what it writes before it knows the cost, so it counts as unknown.
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

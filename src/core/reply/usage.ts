import * as z from 'zod/mini';
import { amountOf, fieldsOf, isRecord, type LooseRecord, recordOf, textOf } from '../base/loose.ts';
import { mostOfCall } from '../base/money.ts';

/** The unit of xAI's `cost_in_usd_ticks`, by docs.x.ai/developers/cost-tracking. */
const ticksPerDollar = 1e10;

/** The figures of a usage, as they are stored. */
export const storedUsage = z.object({
  promptTokens: z.optional(z.number()),
  completionTokens: z.optional(z.number()),
  totalTokens: z.optional(z.number()),
  cachedTokens: z.optional(z.number()),
  cacheWriteTokens: z.optional(z.number()),
  reasoningTokens: z.optional(z.number()),
  /** In US dollars, which all gateways known to report a cost mean. */
  cost: z.optional(z.number()),
});

/** Tokens and cost as reported by the gateway; figures it did not report are absent, never 0. */
export type Usage = Readonly<z.infer<typeof storedUsage>> & {
  /** Where the gateway has the cost from, unless it is simply what it charges. */
  readonly costSource?: 'estimated' | 'upstream';
};

/** Input and output tokens together. */
export function allTokens(usage: Usage = {}): number {
  return Math.max(usage.totalTokens ?? 0, inputTokens(usage) + outputTokens(usage));
}

/**
 * All input. Some gateways count what is read from a cache, or written to it, beside the prompt tokens, and not in them,
 * which their total shows (Portkey-AI/gateway#1210).
 */
export function inputTokens(usage: Usage = {}): number {
  const { promptTokens = 0, completionTokens, totalTokens, cachedTokens = 0, cacheWriteTokens = 0 } = usage;
  const inCache = cachedTokens + cacheWriteTokens;
  const isBeside = completionTokens !== undefined && totalTokens === promptTokens + inCache + completionTokens;
  return isBeside || inCache > promptTokens ? promptTokens + inCache : promptTokens;
}

/**
 * All output: as stated, and what the total leaves only where none is stated. xAI and Gemini count reasoning beside it
 * (wire 1.4).
 */
export function outputTokens(usage: Usage = {}): number {
  const { completionTokens, totalTokens = 0, reasoningTokens = 0 } = usage;
  const inTotal = Math.max(0, totalTokens - inputTokens(usage));
  if (completionTokens === undefined) {
    return inTotal;
  }
  const all = completionTokens + reasoningTokens;
  return reasoningTokens > completionTokens || inTotal >= all ? all : completionTokens;
}

/** Whether input and output are known. Some gateways report an input of 0 when they don't know it (wire 1.4). */
export function isCounted(usage: Usage | undefined): usage is Usage {
  return usage?.promptTokens !== undefined && usage.completionTokens !== undefined && inputTokens(usage) > 0;
}

/** The spellings of each figure, as `fieldsOf` makes them. */
const names = {
  promptTokens: ['prompttokens', 'inputtokens', 'prompttokencount', 'promptevalcount'],
  completionTokens: ['completiontokens', 'outputtokens', 'candidatestokencount', 'evalcount'],
  totalTokens: ['totaltokens', 'totaltokencount'],
  cachedTokens: [
    ...['cachedtokens', 'promptcachehittokens', 'cachereadinputtokens', 'cachereadtokens', 'cachedcontenttokencount'],
    ...['cachedinputtokens', 'cachedprompttokens', 'numcachedtokens'],
  ],
  cacheWriteTokens: [
    ...['cachewritetokens', 'cachedcreationtokens', 'cachecreationtokens', 'cachecreationinputtokens'],
    ...['cachewriteinputtokens', 'cachedwritetokens'],
  ],
  reasoningTokens: ['reasoningtokens', 'thoughtstokencount'],
};

/**
 * Adds what a chunk, or a whole answer, reports to the usage that is known, wherever it is (wire 1.4). Figures are
 * cumulative, so a later one replaces an earlier one, but a later 0 doesn't: chunks often state a part of them only.
 */
export function withUsageOf(body: LooseRecord, known: Usage | undefined): Usage | undefined {
  let usage = withStated(withStated(withStated(known, body), body.x_groq), body.message);
  for (const choice of Array.isArray(body.choices) ? body.choices : []) {
    const { delta, message } = recordOf(choice);
    usage = withStated(withStated(withStated(usage, choice), delta), message);
  }
  return usage;
}

function withStated(known: Usage | undefined, part: unknown): Usage | undefined {
  if (!isRecord(part)) {
    return known;
  }
  const { usage, usageMetadata, x_nanogpt_pricing, provider_metadata, cost, currency } = part;
  if (!usage && !usageMetadata && !x_nanogpt_pricing && !provider_metadata && cost === undefined) {
    // As in nearly all chunks.
    return known;
  }
  let all = known;
  for (const place of [
    { cost, currency },
    usage,
    usageMetadata,
    x_nanogpt_pricing,
    recordOf(provider_metadata).gateway,
  ]) {
    all = place ? merged(all, readUsage(place)) : all;
  }
  return all;
}

function merged(known: Usage | undefined, more: Usage | undefined): Usage | undefined {
  if (known === undefined || more === undefined) {
    return known ?? more;
  }
  const { costSource, ...figures } = known;
  const added = Object.entries(more).filter(
    ([name, value]) => value !== 0 || figures[name as keyof typeof figures] === undefined,
  );
  return { ...(more.cost ? figures : known), ...Object.fromEntries(added) };
}

/** Reads usage in all field names of wire 1.4. @returns undefined when it has no figures. */
export function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) {
    return undefined;
  }
  const details = [
    recordOf(value.prompt_tokens_details ?? value.input_tokens_details),
    recordOf(value.completion_tokens_details ?? value.output_tokens_details),
    value,
  ].map(fieldsOf);
  const figures = Object.entries(names).map(([name, spellings]) => [name, first(details, ...spellings)] as const);
  // Bifrost states what is read from a cache beside the sum of what is read and written.
  const read = ['cachedTokens', first(details, 'cachedreadtokens')] as const;
  const known = [...figures, read, ...Object.entries(readCost(value))].filter(([, figure]) => figure !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

/**
 * Reads what a call cost. With a vendor's key that the person gave the gateway, the gateway charges only its fee, or 0,
 * and the vendor charges the rest; otherwise the vendor's charge is a part of the gateway's (cline/cline#9053).
 */
function readCost(value: LooseRecord): Pick<Usage, 'cost' | 'costSource'> {
  const currency = textOf(value.currency);
  if (currency !== undefined && currency !== 'USD') {
    return {};
  }
  const ofTicks = { cost: (amountOf(value.cost_in_usd_ticks) ?? Number.NaN) / ticksPerDollar };
  const costs = [value, recordOf(value.cost), ofTicks].map(fieldsOf);
  const charged = first(costs, 'cost', 'totalcost', 'costusdtotal', 'costusd', 'totalcostusd');
  const upstream = first([fieldsOf(recordOf(value.cost_details))], 'upstreaminferencecost');
  const estimated = first(costs, 'estimatedcost');
  if (upstream && (value.is_byok === true || !charged)) {
    return { cost: (charged ?? 0) + upstream, costSource: 'upstream' };
  }
  return estimated && !charged ? { cost: estimated, costSource: 'estimated' } : { cost: charged ?? estimated };
}

/**
 * Adds the cost that LiteLLM reports in a header if the body reports none (wire 1.4). LiteLLM sends 0 while it doesn't
 * know the cost yet, so 0 counts as unknown.
 */
export function withHeaderCost(usage: Usage | undefined, headers: Readonly<Record<string, string>>): Usage | undefined {
  const stated = headers['x-litellm-response-cost'] ?? headers['x-litellm-response-cost-original'];
  const cost = first([fieldsOf({ stated })], 'stated');
  return usage?.cost === undefined && cost ? { ...usage, cost } : usage;
}

/** @returns the first plausible amount above 0; otherwise 0 where it is stated. */
function first(records: readonly ReadonlyMap<string, unknown>[], ...spellings: readonly string[]): number | undefined {
  let zero: number | undefined;
  for (const record of records) {
    for (const name of spellings) {
      const amount = amountOf(record.get(name));
      if (amount && amount <= mostOfCall) {
        return amount;
      }
      zero ??= amount === 0 ? 0 : undefined;
    }
  }
  return zero;
}

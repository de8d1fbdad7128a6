import * as l10n from '@vscode/l10n';
import type { CostBasis, Span } from '../../base/costRange.ts';
import { numberText } from '../../base/localization.ts';
import { moneyText } from '../../base/money.ts';
import { sourceText } from '../../reply/cost.ts';
import { inputTokens, outputTokens, type Usage } from '../../reply/usage.ts';
import type { KnownPrices } from './prices.ts';

/** A call that has ended: our estimate of its input, without a factor, and what the gateway counted. */
export type PastCall = { readonly estimate: number; readonly usage: Usage | undefined };

/** What the cost of the next question to a model depends on, and where that is from. */
export type QuestionPrice = CostBasis & {
  readonly source: KnownPrices['source'];
  /** The number of answers that the range of the output is from. */
  readonly answers: number;
};

/** How many of a model's last answers are counted. */
const countedAnswers = 200;
/** With fewer answers, the output is unknown. */
const neededAnswers = 5;
/** With fewer values, the extremes are not among them yet. */
const manyValues = 20;
/** Below this estimate, what a gateway adds to each request counts for more than the tokenizer. */
const smallestEstimate = 100;
/** How far our estimate is off with most tokenizers; see `estimateTokens`. */
const usualError: Span = { low: 0.8, high: 1.25 };
/** Vendors keep what they cached for at least this time after its last use. */
const cachedMs = 5 * 60_000;

/**
 * What the next question to a model may cost.
 *
 * @param calls of this model with this connection, in the order of their times.
 * @param question `factor` is what to multiply estimates of its tokens with, `last` the call whose request and answer the
 * question follows, if it went to this model, and `endedAt` its end in Unix milliseconds.
 * @returns undefined without a price for each kind of token.
 */
export function questionPrice(
  prices: KnownPrices | undefined,
  calls: readonly PastCall[],
  question: {
    readonly factor: number;
    readonly tokenLimit?: number;
    readonly last?: (PastCall & { readonly endedAt: number }) | undefined;
  },
): QuestionPrice | undefined {
  if (prices?.input === undefined || prices.output === undefined) {
    return undefined;
  }
  const { factor, tokenLimit = Number.POSITIVE_INFINITY, last } = question;
  const { input, output, cachedInput = input, cacheWrite = input, perRequest = 0, unit, source } = prices;
  const answered = calls.filter(({ usage }) => outputTokens(usage) > 0).slice(-countedAnswers);
  const isUsual = answered.length >= neededAnswers;
  const answer = isUsual
    ? spread(answered.map(({ usage }) => outputTokens(usage)))
    : { low: 0, high: output === 0 ? 0 : Number.POSITIVE_INFINITY };
  const high = Math.min(answer.high, tokenLimit);
  const ratios = answered.flatMap(({ estimate, usage }) =>
    estimate >= smallestEstimate && inputTokens(usage) > 0 ? inputTokens(usage) / estimate : [],
  );
  const lastInput = inputTokens(last?.usage);
  const lastCached = calls.some(({ usage }) => usage?.cachedTokens) ? last?.usage?.cachedTokens : undefined;
  return {
    unit,
    source,
    answers: isUsual ? answered.length : 0,
    inputPrice: input / 1_000_000,
    cachedPrice: cachedInput / 1_000_000,
    writePrice: (calls.some(({ usage }) => usage?.cacheWriteTokens) ? Math.max(input, cacheWrite) : input) / 1_000_000,
    outputPrice: output / 1_000_000,
    requestPrice: perRequest,
    // Without a limit, `high` is left out, because messages to the panel can't have an infinite number.
    answer: { low: Math.min(answer.low, tokenLimit), ...(Number.isFinite(high) && { high }) },
    ratio:
      ratios.length < manyValues ? { low: factor * usualError.low, high: factor * usualError.high } : spread(ratios),
    ...(last && lastInput > 0 && { counted: { estimate: last.estimate, tokens: lastInput } }),
    ...(last &&
      lastCached !== undefined && {
        // All of the last request may be cached by now; what was already cached then is likely still.
        cached: { low: lastCached, high: lastInput, until: last.endedAt + cachedMs },
      }),
  };
}

/** How the cost of the next question is estimated, in a few lines. @param now Unix milliseconds. */
export function questionPriceText(price: QuestionPrice, now: number): string {
  const { unit, source, answers, inputPrice, cachedPrice, outputPrice, requestPrice, answer, cached } = price;
  const perMillion = (amount: number) => moneyText({ amount: amount * 1_000_000, unit });
  const { low, high } = answer;
  return [
    l10n.t('Input: as estimated, at {0} per million tokens', perMillion(inputPrice)),
    ...(cached && cached.low > 0 && now < cached.until
      ? [l10n.t('Likely cached: {0} input tokens, at {1} per million', numberText(cached.low), perMillion(cachedPrice))]
      : []),
    answers > 0 && high !== undefined
      ? l10n.t(
          'Output: {0}–{1} tokens by the last {2} answers, at {3} per million',
          numberText(Math.floor(low)),
          numberText(Math.ceil(high)),
          numberText(answers),
          perMillion(outputPrice),
        )
      : l10n.t('Output: unknown before {0} answers, at {1} per million tokens', neededAnswers, perMillion(outputPrice)),
    ...(requestPrice > 0 ? [l10n.t('{0} per call', moneyText({ amount: requestPrice, unit }))] : []),
    l10n.t('Prices: {0}', sourceText(source)),
  ].join('\n');
}

/**
 * The range of what a value will likely be: from the lowest to the highest within 1.5 interquartile ranges of the
 * quartiles, as the whiskers of a box plot. Few values have not shown their extremes yet, so it ends at that distance.
 */
function spread(values: readonly number[]): Span {
  const sorted = values.toSorted((one, other) => one - other);
  const [first, third] = [quantile(sorted, 0.25), quantile(sorted, 0.75)];
  const reach = 1.5 * (third - first);
  const [low, high] = [Math.max(0, first - reach), third + reach];
  const within = sorted.length < manyValues ? [] : sorted.filter((value) => value >= low && value <= high);
  return { low: within[0] ?? low, high: within.at(-1) ?? high };
}

/** Interpolates between the two nearest values. */
function quantile(sorted: readonly number[], part: number): number {
  const at = (sorted.length - 1) * part;
  const [below = 0, above = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at % 1);
}

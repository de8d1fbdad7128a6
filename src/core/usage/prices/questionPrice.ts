import * as l10n from '@vscode/l10n';
import type { CostBasis } from '../../base/costRange.ts';
import { numberText } from '../../base/localization.ts';
import { exactMoneyText } from '../../base/money.ts';
import { percentile } from '../../base/percentile.ts';
import { sourceText } from '../../reply/cost.ts';
import { inputTokens, outputTokens, type Usage } from '../../reply/usage.ts';
import type { KnownPrices } from './prices.ts';

type TokenPrices = Omit<NonNullable<KnownPrices['longPrompts']>, 'above'>;

/** What the cost of the next question to a model depends on, and where that is from. */
export type QuestionPrice = CostBasis & {
  readonly source: KnownPrices['source'];
  /** The number of answers that the range of the output is from. */
  readonly answers: number;
};

/** With fewer answers, the output is unknown. */
const neededAnswers = 5;
/** The shares of the answers that are no longer than the lower and the upper end of the range. */
const [lowShare, highShare] = [0.05, 0.95];

/**
 * What the next question to a model may cost.
 *
 * @param usages of calls to this model with this connection, in the order of their times.
 * @param question `factor` is what to multiply estimates of its tokens with, and `last` the usage of the call whose
 * request and answer the question follows, if it went to this model.
 * @returns undefined without a price for each kind of token.
 */
export function questionPrice(
  prices: KnownPrices | undefined,
  usages: readonly (Usage | undefined)[],
  question: { readonly factor: number; readonly tokenLimit?: number; readonly last?: Usage | undefined },
): QuestionPrice | undefined {
  if (prices?.input === undefined || prices.output === undefined) {
    return undefined;
  }
  const { factor, tokenLimit = Number.POSITIVE_INFINITY, last } = question;
  const { input, output, cachedInput, cacheWrite, longPrompts, perRequest = 0, unit, source } = prices;
  const outputs = usages.map((usage) => outputTokens(usage)).filter((tokens) => tokens > 0);
  const writesCache = usages.some((usage) => usage?.cacheWriteTokens);
  const perToken = ({ input, output, cachedInput = input, cacheWrite = input }: TokenPrices) => ({
    inputPrice: input / 1_000_000,
    cachedPrice: cachedInput / 1_000_000,
    writePrice: (writesCache ? Math.max(input, cacheWrite) : input) / 1_000_000,
    outputPrice: output / 1_000_000,
  });
  const answers = outputs.length < neededAnswers ? [] : outputs;
  const low = percentile(answers, lowShare) ?? 0;
  const most = percentile(answers, highShare) ?? (output === 0 ? 0 : Number.POSITIVE_INFINITY);
  const high = Math.min(most, tokenLimit);
  return {
    unit,
    source,
    answers: answers.length,
    ...perToken({ input, output, cachedInput, cacheWrite }),
    ...(longPrompts && { longPrompts: { above: longPrompts.above, ...perToken(longPrompts) } }),
    requestPrice: perRequest,
    // Without a limit, `high` is left out, because messages to the panel can't have an infinite number.
    answer: { low: Math.min(low, tokenLimit), ...(Number.isFinite(high) && { high }) },
    factor,
    cached: usages.some((usage) => usage?.cachedTokens) ? inputTokens(last) : 0,
  };
}

/** How the cost of the next question is estimated, in a few lines. */
export function questionPriceText(price: QuestionPrice): string {
  const { unit, source, answers, inputPrice, outputPrice, longPrompts, requestPrice, answer } = price;
  const perMillion = (amount: number) => exactMoneyText({ amount: amount * 1_000_000, unit });
  const { low, high } = answer;
  return [
    l10n.t('Input: as estimated, at {0} per million tokens', perMillion(inputPrice)),
    answers > 0 && high !== undefined
      ? l10n.t(
          'Output: {0}–{1} tokens by the last {2} answers, at {3} per million',
          numberText(Math.floor(low)),
          numberText(Math.ceil(high)),
          numberText(answers),
          perMillion(outputPrice),
        )
      : l10n.t('Output: unknown before {0} answers, at {1} per million tokens', neededAnswers, perMillion(outputPrice)),
    ...(longPrompts === undefined
      ? []
      : [
          l10n.t(
            'With more than {0} tokens of input: {1} per million, and {2} for the output',
            numberText(longPrompts.above),
            perMillion(longPrompts.inputPrice),
            perMillion(longPrompts.outputPrice),
          ),
        ]),
    ...(requestPrice > 0 ? [l10n.t('{0} per call', exactMoneyText({ amount: requestPrice, unit }))] : []),
    l10n.t('Prices: {0}', sourceText(source)),
  ].join('\n');
}

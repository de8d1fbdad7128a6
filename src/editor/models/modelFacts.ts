import * as l10n from '@vscode/l10n';
import { listText } from '../../core/base/localization.ts';
import { exactMoneyText } from '../../core/base/money.ts';
import { shortNumberText } from '../../core/base/requestSize.ts';
import type { Model, ModelAbility, ModelKind, ModelPrices } from '../../core/models/list/model.ts';
import type { KnownPrices } from '../../core/usage/prices/prices.ts';

/** Facts about a model that are short enough for a description. */
export function shortFacts(model: Model | undefined, prices: ShownPrices | undefined = model?.prices): string[] {
  return [
    model?.contextTokens && shortNumberText(model.contextTokens),
    prices && priceText(prices),
    model?.kind !== undefined && model.kind !== 'chat' && kindText(model.kind),
  ].filter((fact) => typeof fact === 'string');
}

/** What a model is for. */
export function kindText(kind: ModelKind): string {
  return {
    chat: l10n.t({ message: 'chat', comment: ['What a model is for'] }),
    embedding: l10n.t({ message: 'embedding', comment: ['What a model is for'] }),
    image: l10n.t({ message: 'image', comment: ['What a model is for'] }),
    speech: l10n.t({ message: 'speech', comment: ['What a model is for'] }),
    video: l10n.t({ message: 'video', comment: ['What a model is for'] }),
    rerank: l10n.t({ message: 'rerank', comment: ['What a model is for'] }),
    moderation: l10n.t({ message: 'moderation', comment: ['What a model is for'] }),
    other: l10n.t({ message: 'other', comment: ['What a model is for'] }),
  }[kind];
}

export function abilityText(ability: ModelAbility): string {
  return {
    vision: l10n.t({ message: 'vision', comment: ['What a model can do'] }),
    tools: l10n.t({ message: 'tools', comment: ['What a model can do'] }),
    reasoning: l10n.t({ message: 'reasoning', comment: ['What a model can do'] }),
    audio: l10n.t({ message: 'audio', comment: ['What a model can do'] }),
    video: l10n.t({ message: 'video', comment: ['What a model can do'] }),
    files: l10n.t({ message: 'files', comment: ['What a model can do'] }),
  }[ability];
}

/** Prices, and where they are from if that is known. */
type ShownPrices = ModelPrices & Partial<Pick<KnownPrices, 'source'>>;

function priceText(prices: ShownPrices): string | undefined {
  const { input, output, perRequest } = prices;
  const text = (amount: number) => amountText(amount, prices);
  if (perRequest && !input && !output) {
    return l10n.t('{0} per call', text(perRequest));
  }
  if (input === undefined || output === undefined) {
    return undefined;
  }
  if (input === 0 && output === 0) {
    return l10n.t({ message: 'free', comment: ['The price of a model'] });
  }
  const both = l10n.t({ message: '{0} in, {1} out', args: [text(input), text(output)], comment: ['Prices of tokens'] });
  return prices.source === 'vendor' ? l10n.t('≈ {0}', both) : both;
}

/** All prices of a model in one text. */
export function longPriceText(prices: ModelPrices): string {
  const { input, output, cachedInput, cacheWrite, perRequest } = prices;
  const text = (amount: number) => amountText(amount, prices);
  return listText(
    [
      input !== undefined && l10n.t('{0} per 1M input tokens', text(input)),
      output !== undefined && l10n.t('{0} per 1M output tokens', text(output)),
      cachedInput !== undefined && l10n.t('{0} per 1M cached input tokens', text(cachedInput)),
      cacheWrite !== undefined && l10n.t('{0} per 1M input tokens written to the cache', text(cacheWrite)),
      perRequest !== undefined && l10n.t('{0} per call', text(perRequest)),
    ].filter((price) => price !== false),
  );
}

function amountText(amount: number, { unit }: ModelPrices): string {
  return exactMoneyText({ amount, unit }, 3);
}

import * as l10n from '@vscode/l10n';
import { exactMoneyText, isTiny, type Money, moneyText } from '../base/money.ts';
import type { Usage } from './usage.ts';

/**
 * How a cost is known, the most reliable first. `charged`: the gateway's own log has the call, by its request id.
 * `likely`: a line of that log fits the call by model, time and tokens. `reported`: the gateway stated it in its answer;
 * `upstream`: with what the vendor charges to the person's own key; `estimated`: and called it an estimate. The others are
 * tokens times prices: of the model list, of the gateway's price list, as the person stated them, or of the model's vendor.
 */
export const costSources = [
  'charged',
  'likely',
  'reported',
  'upstream',
  'estimated',
  'listed',
  'priceList',
  'stated',
  'vendor',
] as const;
export type CostSource = (typeof costSources)[number];

/** What a call cost, and how that is known. */
export type Cost = Money & { readonly source: CostSource };

/** What the gateway's own log says of a call, in place of what its answer reported. */
export type Charge = { readonly cost: Cost; readonly usage?: Usage | undefined };

/**
 * What a call cost, if that is known: as charged, or by prices where nothing was reported.
 *
 * @param cost as charged, as reported, or by prices.
 */
export function knownCost({ cost, usage }: { cost?: Cost; usage?: Usage | undefined }): Cost | undefined {
  return cost !== undefined && !isByPrices(cost) ? cost : (reportedCost(usage) ?? cost);
}

/** What the gateway stated in its answer. */
export function reportedCost({ cost, costSource }: Usage = {}): Cost | undefined {
  return cost === undefined ? undefined : { amount: cost, unit: 'USD', source: costSource ?? 'reported' };
}

/** Whether the gateway's own log gave the cost. */
export function isFromLog(cost: Cost | undefined): boolean {
  return cost?.source === 'charged' || cost?.source === 'likely';
}

/** Such as “$0.0061”, “under $0.001” or, when it is calculated from prices, “≈ $0.0061”. */
export function costText(cost: Cost): string {
  return isTiny(cost.amount) ? moneyText(cost) : exactCostText(cost);
}

export function exactCostText(cost: Cost): string {
  const text = exactMoneyText(cost);
  return isByPrices(cost) || cost.source === 'estimated' ? l10n.t('≈ {0}', text) : text;
}

/** How a cost is known, in a few words. */
export function sourceText(source: CostSource): string {
  return {
    charged: l10n.t({ message: "gateway's log", comment: ['How a cost is known'] }),
    likely: l10n.t({ message: "gateway's log, likely", comment: ['How a cost is known'] }),
    reported: l10n.t({ message: 'reported', comment: ['How a cost is known: the gateway stated it in its answer'] }),
    upstream: l10n.t({
      message: "reported, with the vendor's charge",
      comment: ["How a cost is known: the gateway stated it, with what the vendor charges to the person's own key"],
    }),
    estimated: l10n.t({ message: "gateway's estimate", comment: ['How a cost is known'] }),
    listed: l10n.t({ message: 'model list', comment: ['How a cost is known: by prices of the list of models'] }),
    priceList: l10n.t({ message: "gateway's prices", comment: ['How a cost is known'] }),
    stated: l10n.t({ message: 'your prices', comment: ['How a cost is known'] }),
    vendor: l10n.t({ message: "vendor's list price", comment: ['How a cost is known: the gateway states no price'] }),
  }[source];
}

/** Whether a cost is tokens times prices. */
export function isByPrices({ source }: Cost): boolean {
  return ['listed', 'priceList', 'stated', 'vendor'].includes(source);
}

import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../base/localization.ts';
import { exactMoneyText, moneyText, type Sums, sumsText } from '../base/money.ts';

/** What calls used and cost. */
export type CallSums = {
  readonly calls: number;
  /** As reported; 0 if none were. */
  readonly tokens: number;
  readonly costs: Sums;
  /** Calls that may have cost something, with an unknown cost. */
  readonly unpriced: number;
};

/** Such as “3 calls, 1.2K tokens, $0.042 (1 not priced)”; without tokens and without a cost if none are known. */
export function callsText({ calls, tokens, costs, unpriced }: CallSums, textOf = moneyText): string {
  const parts = [plural(calls, l10n.t('{0} call'), l10n.t('{0} calls'))];
  if (tokens > 0) {
    parts.push(l10n.t('{0} tokens', numberText(tokens, { notation: 'compact' })));
  }
  if (costs.size > 0) {
    const cost = sumsText(costs, textOf);
    parts.push(unpriced > 0 ? l10n.t('{0} ({1} not priced)', cost, numberText(unpriced)) : cost);
  }
  return parts.reduce((text, part) =>
    l10n.t({ message: '{0}, {1}', args: [text, part], comment: ['A number of calls, then of tokens or their cost'] }),
  );
}

/** A line of a hover, such as “gpt-5: 3 calls, 1.2K tokens”. */
export function callsOf(name: string, sums: CallSums): string {
  const args = [name, callsText(sums, exactMoneyText)];
  return l10n.t({ message: '{0}: {1}', args, comment: ['A name, then what is said about it'] });
}

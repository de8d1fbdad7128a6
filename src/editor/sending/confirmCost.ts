import * as l10n from '@vscode/l10n';
import { assumedAnswerTokens, type CostRange, rangesText, rangeText, totalCosts } from '../../core/base/costRange.ts';
import { numberText, plural, sentences } from '../../core/base/localization.ts';
import { moneyText } from '../../core/base/money.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { ownNumber } from './ownNumber.ts';

const setting = 'askModel.confirmPrice';

/**
 * Asks before a question that may cost more than the person wants to pay without being asked.
 *
 * @param costs of its requests, one for each model.
 */
export async function confirmCost(
  costs: readonly { readonly model: string; readonly cost: CostRange | undefined }[],
): Promise<boolean> {
  const limit = ownNumber(setting);
  const totals = totalCosts(costs.map(({ cost }) => cost));
  const exceeding = limit > 0 ? totals.find(({ low, assumed = low, high = assumed }) => high > limit) : undefined;
  const [first] = costs;
  if (exceeding === undefined || first === undefined) {
    return true;
  }
  const send = l10n.t('Send');
  const message = plural(
    costs.length,
    l10n.t('Send this question to {0}?', first.model),
    l10n.t('Send this question to {0} models?', numberText(costs.length)),
  );
  const reason = l10n.t(
    'You want to be asked before a question that may cost more than {0} (setting {1}).',
    moneyText({ amount: limit, unit: exceeding.unit }),
    setting,
  );
  const models = costs.length > 1 ? costs.map(({ model, cost }) => `${model}: ${costText(cost)}`) : [];
  const total = sentences(
    l10n.t('Estimated cost: {0}.', rangesText(totals)),
    costs.some(({ cost }) => cost?.assumed !== undefined) &&
      l10n.t('With few answers so far, {0} output tokens are assumed.', numberText(assumedAnswerTokens)),
    reason,
  );
  const detail = [...models, total].join('\n');
  return (await showWarningMessage(message, { modal: true, detail }, send)) === send;
}

function costText(cost: CostRange | undefined): string {
  return cost ? rangeText(cost) : l10n.t('price unknown');
}

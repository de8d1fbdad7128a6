import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../base/localization.ts';
import { exactMoneyText, sumsText } from '../../base/money.ts';
import { visibleName } from '../../base/visibleText.ts';
import { allTokens } from '../../reply/usage.ts';
import type { CostOfCall } from '../usageTotals.ts';
import type { UsageChart, UsageChoice } from './usageDocument.ts';
import type { UsageTally } from './usageTally.ts';

/** Models that have a color of their own. */
const mostModels = 2;
const mostTicks = 4;

/** The amounts of a model, or of several, by bucket of the span. */
type Group = { readonly name: string; readonly amounts: readonly number[] };

/** A chart of the unit that most calls have, or of tokens when no cost is known. Undefined when there is nothing to show. */
export function usageChart(
  { calls, span: { buckets }, totals }: Pick<UsageTally, 'calls' | 'span' | 'totals'>,
  { period }: UsageChoice,
  costOf: CostOfCall,
): UsageChart | undefined {
  const costs = calls.flatMap((call) => costOf(call) ?? []).filter(({ amount }) => amount > 0);
  const byUnit = Map.groupBy(costs, ({ unit }) => unit);
  const [unit] = [...byUnit].sort(([, one], [, other]) => other.length - one.length)[0] ?? [];
  const byModel = new Map<string, number[]>();
  for (const call of calls) {
    const cost = unit === undefined ? undefined : costOf(call);
    const amount = unit === undefined ? allTokens(call.usage) : cost?.unit === unit ? cost.amount : 0;
    if (amount > 0) {
      const amounts = byModel.get(call.model) ?? buckets.map(() => 0);
      byModel.set(call.model, amounts);
      const bucket = buckets.findLastIndex((each) => each.from <= call.at);
      amounts[bucket] = (amounts[bucket] ?? 0) + amount;
    }
  }
  if (byModel.size === 0) {
    return undefined;
  }
  const text = (amount: number) =>
    unit === undefined ? numberText(amount, { notation: 'compact' }) : exactMoneyText({ amount, unit });
  const groups = groupsOf(byModel);
  const sums = buckets.map((_, index) => sum(groups.map(({ amounts }) => amounts[index] ?? 0)));
  const highest = Math.max(...sums);
  const step = stepOf(highest, unit === undefined ? 1 : 0);
  const steps = Math.ceil(highest / step);
  const title = titleOf(period === 'today', unit !== undefined);
  const others = new Map([...totals.costs].filter(([each, amount]) => each !== unit && amount > 0));
  const bars = buckets.map(({ label, name }, index) => ({
    text: label,
    title: `${name}: ${text(sums[index] ?? 0)}`,
    parts: groups.map(({ amounts }) => (amounts[index] ?? 0) / (steps * step)),
  }));
  return {
    title,
    note:
      unit === undefined
        ? l10n.t('The chart shows tokens, because no cost is known.')
        : others.size > 0
          ? l10n.t('Costs in other units are not in the chart: {0}.', sumsText(others))
          : undefined,
    label: l10n.t('Bar chart: {0}. {1}', title, bars.map((bar) => bar.title).join('; ')),
    ticks: Array.from({ length: steps + 1 }, (_, index) => ({ text: text(index * step), at: index / steps })),
    bars,
    legend: groups.map(({ name }) => name),
  };
}

function titleOf(isByHour: boolean, isCost: boolean): string {
  if (isByHour) {
    return isCost ? l10n.t('Cost by Hour') : l10n.t('Tokens by Hour');
  }
  return isCost ? l10n.t('Cost by Day') : l10n.t('Tokens by Day');
}

/** The models with the largest amounts, and the others together. */
function groupsOf(byModel: ReadonlyMap<string, readonly number[]>): Group[] {
  const models = [...byModel]
    .map(([model, amounts]) => ({ name: visibleName(model), amounts }))
    .sort((one, other) => sum(other.amounts) - sum(one.amounts));
  const others = models.slice(mostModels);
  if (others.length <= 1) {
    return models;
  }
  const together = others[0]?.amounts.map((_, index) => sum(others.map(({ amounts }) => amounts[index] ?? 0))) ?? [];
  const name = plural(others.length, l10n.t('{0} other'), l10n.t('{0} others'));
  return [...models.slice(0, mostModels), { name, amounts: together }];
}

/** The distance of the lines, so that there are few and their amounts are round. */
function stepOf(highest: number, smallest: number): number {
  const power = 10 ** Math.floor(Math.log10(highest / mostTicks));
  const step = [1, 2, 2.5, 5].map((each) => each * power).find((each) => highest / each <= mostTicks) ?? 10 * power;
  return Math.max(step, smallest);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, each) => all + each, 0);
}

import * as l10n from '@vscode/l10n';
import { listText, numberText } from '../../base/localization.ts';
import { sumsText } from '../../base/money.ts';
import { visibleName } from '../../base/visibleText.ts';
import { costSources, sourceText } from '../../reply/cost.ts';
import type { UsageSums, UsageTotals } from '../usageTotals.ts';
import type { FilterName, UsageAction, UsageCell, UsageChoice, UsageColumn, UsageTable } from './usageDocument.ts';

/** What the tables need to know beyond the calls. */
export type TableFacts = {
  /** Gives the name of a connection, or its id if it was removed. */
  readonly connectionName: (id: string) => string;
  readonly now: number;
};

/** By model, connection and caller; a table whose only row would repeat the figures is left out. */
export function sumsTables(totals: UsageTotals, choice: UsageChoice, facts: TableFacts): UsageTable[] {
  const { byConnection, byCaller } = totals;
  const { connectionName } = facts;
  return [
    sumsTable(l10n.t('By Model'), l10n.t('Model'), rowsOf('model', totals.byModel, visibleName, choice)),
    ...(byConnection.size > 1
      ? [
          sumsTable(
            l10n.t('By Connection'),
            l10n.t('Connection'),
            rowsOf('connection', byConnection, connectionName, choice),
          ),
        ]
      : []),
    ...(byCaller.size > 1
      ? [sumsTable(l10n.t('By Caller'), l10n.t('Caller'), rowsOf('caller', byCaller, callerText, choice))]
      : []),
  ];
}

/** What a caller is called; see `callerName`. */
export function callerText(name: string): string {
  switch (name) {
    case 'panel':
      return l10n.t('Panel');
    case 'comparison':
      return l10n.t('Comparison');
    case 'extension':
      return l10n.t('Another extension');
    default:
      return visibleName(name.replace(/^extension:/, ''));
  }
}

function sumsTable(title: string, name: string, rows: readonly (readonly UsageCell[])[]): UsageTable {
  const columns: UsageColumn[] = [
    { text: name },
    { text: l10n.t('Calls'), isNumber: true },
    { text: l10n.t('Input'), isNumber: true, needs: 'medium' },
    { text: l10n.t('Cached'), isNumber: true, needs: 'wide' },
    { text: l10n.t('Output'), isNumber: true, needs: 'medium' },
    { text: l10n.t('Cost'), isNumber: true },
    { text: l10n.t('Per Call'), isNumber: true, needs: 'wide' },
    { text: l10n.t('Known From') },
  ];
  return { title, columns, rows, isRowClickable: true };
}

/** The action that filters by a value; undefined if it is filtered by already. */
export function filterBy(by: FilterName, value: string, choice: UsageChoice): UsageAction | undefined {
  return choice[by] === value ? undefined : { type: 'filter', by, value };
}

function rowsOf(
  by: FilterName,
  sums: ReadonlyMap<string, UsageSums>,
  nameOf: (value: string) => string,
  choice: UsageChoice,
): UsageCell[][] {
  return sorted(sums).map(([value, each]) => [
    { text: nameOf(value), action: filterBy(by, value, choice) },
    ...figures(each),
    knownFrom(each, by === 'model' ? value : undefined),
  ]);
}

/** The most used first. */
function sorted(sums: ReadonlyMap<string, UsageSums>): (readonly [string, UsageSums])[] {
  return [...sums].sort(([, one], [, other]) => other.calls - one.calls);
}

function figures(sums: UsageSums): UsageCell[] {
  const { calls, states, costs, unpriced, inputTokens, cachedTokens, outputTokens } = sums;
  const tokens = (count: number) => (isUnreported(sums) ? unknown() : { text: numberText(count) });
  const priced = calls - unpriced - states.running - states.notSent;
  const isDivisible = costs.size === 1 && priced > 0;
  const perCall = new Map([...costs].map(([unit, amount]) => [unit, amount / priced]));
  return [
    { text: numberText(calls) },
    tokens(inputTokens),
    { text: cachedTokens === 0 ? '–' : cachedText(sums) },
    tokens(outputTokens),
    costs.size > 0 ? { text: sumsText(costs) } : unpriced > 0 ? unknown() : { text: '–' },
    { text: isDivisible ? sumsText(perCall) : '–' },
  ];
}

/** Whether nothing was reported for any of these calls, so that a sum of 0 tokens says nothing. */
export function isUnreported({ unreported, inputTokens, outputTokens }: UsageSums): boolean {
  return unreported > 0 && inputTokens + outputTokens === 0;
}

/** The part of the input that was cached. Some gateways count cached tokens beside the input, and not in it. */
export function cachedText({ inputTokens, cachedTokens }: UsageSums): string {
  const all = cachedTokens > inputTokens ? inputTokens + cachedTokens : inputTokens;
  return numberText(cachedTokens / all, { style: 'percent' });
}

export function unknown(): UsageCell {
  return { text: l10n.t('unknown'), tone: 'muted' };
}

function knownFrom({ sources, unpriced }: UsageSums, model: string | undefined): UsageCell {
  const known = costSources.filter((source) => sources.has(source)).map(sourceText);
  if (known.length > 0) {
    const notPriced = unpriced > 0 && l10n.t('{0} not priced', numberText(unpriced));
    return { text: joined(listText(known), notPriced) };
  }
  if (unpriced === 0) {
    return { text: '–' };
  }
  const action = model === undefined ? undefined : ({ type: 'statePrice', model } as const);
  const button = action && { text: l10n.t('State a Price'), action };
  return { text: l10n.t('no known price'), tone: 'muted', button };
}

/** Joins short facts; leaves out those that are not there. */
export function joined(...facts: readonly (string | false)[]): string {
  return facts.filter(Boolean).join(' · ');
}

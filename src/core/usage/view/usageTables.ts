import * as l10n from '@vscode/l10n';
import { listText, numberText } from '../../base/localization.ts';
import { sumsText } from '../../base/money.ts';
import { visibleName } from '../../base/visibleText.ts';
import { costSources, sourceText } from '../../reply/cost.ts';
import type { UsageSums, UsageTotals } from '../usageTotals.ts';
import type { FilterName, Tone, UsageCell, UsageChoice, UsageColumn, UsageTable } from './usageDocument.ts';

/** How the tokens that a gateway counts compare with our own estimate; `warning` when that has changed. */
export type MeterText = { readonly text: string; readonly tone?: Tone };

/** What the tables need to know beyond the calls. */
export type TableFacts = {
  /** Gives the name of a connection, or its id if it was removed. */
  readonly connectionName: (id: string) => string;
  /** Undefined without a measurement. */
  readonly meter: (connection: string, model: string) => MeterText | undefined;
};

/** By model, connection and caller; a table whose only row would repeat the figures is left out. */
export function sumsTables(totals: UsageTotals, choice: UsageChoice, facts: TableFacts): UsageTable[] {
  const { byModel, byConnection, byCaller } = totals;
  const { connectionName } = facts;
  return [
    modelTable(totals, choice, facts),
    ...(byConnection.size > 1
      ? [sumsTable(l10n.t('By Connection'), l10n.t('Connection'), rowsOf('connection', byConnection, connectionName))]
      : []),
    ...(byCaller.size > 1
      ? [sumsTable(l10n.t('By Caller'), l10n.t('Caller'), rowsOf('caller', byCaller, callerText))]
      : []),
  ].filter(({ rows }) => rows.length > 0 || byModel.size > 0);
}

/** Those of a model with all connections: the one that has changed, if any. */
export function meterOf(model: string, totals: UsageTotals, meter: TableFacts['meter']): MeterText | undefined {
  const texts = [...totals.modelsByConnection]
    .filter(([, models]) => models.has(model))
    .flatMap(([connection]) => meter(connection, model) ?? []);
  return texts.find(({ tone }) => tone === 'warning') ?? texts[0];
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

function modelTable(totals: UsageTotals, choice: UsageChoice, { meter }: TableFacts): UsageTable {
  const rows = rowsOf('model', totals.byModel, visibleName, choice.model);
  const meters = sorted(totals.byModel).map(([model]) => meterOf(model, totals, meter));
  const table = sumsTable(l10n.t('By Model'), l10n.t('Model'), rows);
  if (meters.every((each) => each === undefined)) {
    return table;
  }
  const meterNote = l10n.t(
    'Meter: input tokens that the gateway counted, over our own estimate of what was sent. A change can mean another tokenizer, a hidden prompt, or another way to count.',
  );
  return {
    ...table,
    columns: [...table.columns, { text: l10n.t('Meter') }],
    rows: table.rows.map((cells, index) => [...cells, meterCell(meters[index])]),
    notes: [{ text: meterNote }],
  };
}

function meterCell(meter: MeterText | undefined): UsageCell {
  return meter === undefined
    ? { text: l10n.t('too few calls'), tone: 'muted' }
    : { ...meter, ...(meter.tone === 'warning' && { icon: 'warning' }) };
}

function sumsTable(title: string, name: string, rows: readonly (readonly UsageCell[])[]): UsageTable {
  const numbers = [
    l10n.t('Calls'),
    l10n.t('Input'),
    l10n.t('Cached'),
    l10n.t('Output'),
    l10n.t('Cost'),
    l10n.t('Per Call'),
  ];
  const columns: UsageColumn[] = [
    { text: name },
    ...numbers.map((text) => ({ text, isNumber: true as const })),
    { text: l10n.t('Known From') },
  ];
  return { title, columns, rows, isRowClickable: true };
}

/** @param chosen the value that is filtered by, which can't be chosen again. */
function rowsOf(
  by: FilterName,
  sums: ReadonlyMap<string, UsageSums>,
  nameOf: (value: string) => string,
  chosen?: string,
): UsageCell[][] {
  return sorted(sums).map(([value, each]) => {
    const action = value === chosen ? undefined : ({ type: 'filter', by, value } as const);
    return [{ text: nameOf(value), action }, ...figures(each), knownFrom(each, by === 'model' ? value : undefined)];
  });
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
  const button = model !== undefined && {
    text: l10n.t('State a Price'),
    action: { type: 'statePrice', model } as const,
  };
  return { text: l10n.t('no known price'), tone: 'muted', ...(button && { button }) };
}

/** Joins short facts; leaves out those that are not there. */
export function joined(...facts: readonly (string | false)[]): string {
  return facts.filter(Boolean).join(' · ');
}

import * as l10n from '@vscode/l10n';
import { factsText, listText, numberText, plural } from '../../base/localization.ts';
import { exactMoneyText, sumsText } from '../../base/money.ts';
import { visibleName } from '../../base/visibleText.ts';
import type { DailyLimits } from '../limits.ts';
import type { MatchResult } from '../receipts/matchLog.ts';
import { meterText } from '../tokenFactor.ts';
import type { UsageSums } from '../usageTotals.ts';
import { usageChart } from './usageChart.ts';
import {
  periods,
  type UsageButton,
  type UsageChoice,
  type UsageDocument,
  type UsageFigure,
  type UsageNote,
  type UsageNotice,
} from './usageDocument.ts';
import {
  cachedText,
  callerText,
  callsTable,
  differencesTable,
  isUnreported,
  matchNotice,
  sumsTables,
  type TableFacts,
} from './usageTables.ts';
import type { UsageTally } from './usageTally.ts';

/** Everything that the document is made of. */
export type UsageFacts = TableFacts &
  UsageTally & {
    /** How many of the latest calls to list. */
    readonly most: number;
    /** The ids of the person's connections. */
    readonly connections: readonly string[];
    /** Undefined when a limit has an invalid value. */
    readonly limits: Pick<DailyLimits, 'hard'> | undefined;
    /** The last match with the log of the gateway that is shown. */
    readonly match?: MatchResult;
    /** Buttons for that log, of the connection that is shown. */
    readonly logButtons: readonly UsageButton[];
    readonly hasConsole: boolean;
  };

/** Makes the document of the usage view. A figure that no gateway reported is shown as unknown, never as 0. */
export function composeUsage(facts: UsageFacts): UsageDocument {
  const { choice, totals, logButtons, match } = facts;
  const isEmpty = totals.calls === 0;
  const figures = isEmpty ? [] : figuresOf(facts);
  return {
    title: l10n.t('Usage'),
    connections: { label: l10n.t('Connection'), options: connectionOptions(facts) },
    periods: {
      label: l10n.t('Period'),
      options: periods.map((period) => ({
        text: periodTexts(period).name,
        action: { type: 'period', period },
        isChosen: period === choice.period,
      })),
    },
    buttons: isEmpty ? logButtons : [...logButtons, { text: l10n.t('Export…'), action: { type: 'export' } }],
    filters: filtersOf(choice),
    figures,
    notices: noticesOf(facts),
    chart: usageChart(facts, choice, facts.costOf),
    tables: [
      ...(match && choice.isDifferences ? [differencesTable(match, facts)].filter(({ rows }) => rows.length > 0) : []),
      ...(isEmpty
        ? []
        : [
            ...sumsTables(totals, facts),
            callsTable(facts.calls, facts.most, facts, notesOf(totals, facts.hasConsole)),
          ]),
    ],
    empty: isEmpty ? emptyOf(choice) : undefined,
    status: isEmpty ? emptyOf(choice).title : listText(figures.map(({ value, text }) => `${value} ${text}`)),
    choice,
  };
}

/** The name of a period on its button, and in a line of text. */
function periodTexts(period: UsageChoice['period']): { readonly name: string; readonly text: string } {
  return {
    today: { name: l10n.t('Today'), text: l10n.t('today') },
    week: { name: l10n.t('7 Days'), text: l10n.t('7 days') },
    days30: { name: l10n.t('30 Days'), text: l10n.t('30 days') },
    month: { name: l10n.t('Month'), text: l10n.t('this month') },
  }[period];
}

/** The connection that all of the view is about, if there is only one. */
export function shownConnection(choice: UsageChoice, called: ReadonlySet<string>, connections: readonly string[]) {
  const all = new Set([...connections, ...called]);
  return choice.connection ?? (all.size === 1 ? [...all][0] : undefined);
}

function connectionOptions({ choice, called, connections, connectionName }: UsageFacts) {
  const ids = [...new Set([...connections, ...called, ...(choice.connection ? [choice.connection] : [])])];
  return ids.length < 2
    ? []
    : [undefined, ...ids].map((value) => ({
        text: value === undefined ? l10n.t('All Connections') : connectionName(value),
        action: { type: 'filter', by: 'connection', value } as const,
        isChosen: value === choice.connection,
      }));
}

function filtersOf({ model, caller }: UsageChoice): UsageDocument['filters'] {
  const filter = (by: 'model' | 'caller', text: string) => ({
    text,
    title: l10n.t('Remove Filter {0}', text),
    action: { type: 'filter', by } as const,
  });
  return [
    ...(model === undefined ? [] : [filter('model', visibleName(model))]),
    ...(caller === undefined ? [] : [filter('caller', callerText(caller))]),
  ];
}

function figuresOf(facts: UsageFacts): UsageFigure[] {
  const { choice, totals, today } = facts;
  const { calls, states, unpriced, inputTokens, cachedTokens, outputTokens } = totals;
  const notPriced = unpriced > 0 && plural(unpriced, l10n.t('{0} call not priced'), l10n.t('{0} calls not priced'));
  const ofToday = todayFigure(today, facts);
  const compact = (count: number) => numberText(count, { notation: 'compact' });
  return [
    ...(choice.period === 'today'
      ? [{ ...ofToday, text: factsText(ofToday.text, notPriced) }]
      : [{ ...costFigure(totals), text: factsText(periodTexts(choice.period).text, notPriced) }, ofToday]),
    {
      value: numberText(calls),
      text: factsText(
        plural(calls, l10n.t('call'), l10n.t('calls')),
        states.failed > 0 && l10n.t('{0} failed', numberText(states.failed)),
        states.stopped > 0 && l10n.t('{0} stopped', numberText(states.stopped)),
        states.running > 0 && l10n.t('{0} running', numberText(states.running)),
      ),
    },
    isUnreported(totals)
      ? { value: l10n.t('unknown'), text: l10n.t('tokens') }
      : {
          value: compact(inputTokens),
          text: factsText(
            cachedTokens > 0 ? l10n.t('tokens in ({0} cached)', cachedText(totals)) : l10n.t('tokens in'),
            l10n.t({ message: '{0} out', args: [compact(outputTokens)], comment: ['A number of output tokens'] }),
          ),
        },
  ];
}

function costsText({ costs, unpriced }: UsageSums): string {
  return sumsText(costs) || (unpriced > 0 ? l10n.t('unknown') : '–');
}

const costFigure = (sums: UsageSums) => ({ value: costsText(sums), title: sumsText(sums.costs, exactMoneyText) });

function todayFigure(today: UsageSums, facts: UsageFacts): UsageFigure {
  const { choice, called, limits, connections } = facts;
  const { model, caller } = choice;
  const cost = costFigure(today);
  // Each connection has the limits for itself, and they count all of its calls.
  const isLimited = shownConnection(choice, called, connections) !== undefined && (model ?? caller) === undefined;
  const limit = isLimited ? limits?.hard.cost : undefined;
  const [unit, used] = [...today.costs].sort(([, one], [, other]) => other - one)[0] ?? ['USD', 0];
  if (!limit) {
    return { ...cost, text: l10n.t('today') };
  }
  const share = Math.min(1, used / limit);
  return {
    ...cost,
    text: l10n.t('today, of {0} a day', exactMoneyText({ amount: limit, unit })),
    bar: { label: l10n.t('{0} of the daily limit', numberText(share, { style: 'percent' })), share },
  };
}

function noticesOf({ moved, unreadable, match, choice, now }: UsageFacts): UsageNotice[] {
  const warnings = [
    ...moved.map(({ model, factor }) => meterText(model, factor)),
    unreadable > 0 &&
      plural(
        unreadable,
        l10n.t('{0} line of the usage data is damaged and was skipped.'),
        l10n.t('{0} lines of the usage data are damaged and were skipped.'),
      ),
  ].filter((text) => text !== false);
  return [
    ...(match ? [matchNotice(match, choice, now)] : []),
    ...warnings.map((text) => ({ text, icon: 'warning' as const })),
  ];
}

/** What the sums leave out. */
function notesOf({ unreported, states }: UsageSums, hasConsole: boolean): UsageNote[] {
  const notes = [
    unreported > 0 &&
      plural(
        unreported,
        l10n.t('The gateway reported no tokens for {0} call.'),
        l10n.t('The gateway reported no tokens for {0} calls.'),
      ),
    states.unknown > 0 &&
      plural(
        states.unknown,
        l10n.t('The outcome of {0} call is unknown. It may have been charged.'),
        l10n.t('The outcome of {0} calls is unknown. They may have been charged.'),
      ),
  ].filter((text) => text !== false);
  const console = { text: l10n.t('Open Usage Log in Browser'), action: { type: 'openConsole' } as const };
  return [
    ...notes.map((text) => ({ text })),
    {
      text: l10n.t("Paid calls from this computer. The usage log in a gateway's console shows what was charged."),
      ...(hasConsole && { button: console }),
    },
  ];
}

function emptyOf({ model, caller }: UsageChoice) {
  return (model ?? caller) === undefined
    ? {
        title: l10n.t('No calls in this period'),
        text: l10n.t(
          'Each paid call from this computer is recorded with its time, model, tokens, and cost. When you ask a question, or another extension uses your models, you can see here what it cost, and how that is known.',
        ),
      }
    : {
        title: l10n.t('No calls match the filter'),
        text: l10n.t('Remove the filter or choose a longer period.'),
      };
}

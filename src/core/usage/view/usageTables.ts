import * as l10n from '@vscode/l10n';
import type { LogEntry } from '../../account/logEntries.ts';
import { dayStart } from '../../base/dayStart.ts';
import { dateText, listText, numberText, plural, sentences } from '../../base/localization.ts';
import { exactMoneyText, moneyText, type Sums, sumsText } from '../../base/money.ts';
import { timeAgo } from '../../base/timeAgo.ts';
import { visibleName } from '../../base/visibleText.ts';
import { costSources, costText, exactCostText, sourceText } from '../../reply/cost.ts';
import type { Usage } from '../../reply/usage.ts';
import { costBeforeLog, type MatchResult } from '../receipts/matchLog.ts';
import type { CallState, CostOfCall, CountedCall, UsageSums, UsageTotals } from '../usageTotals.ts';
import type {
  FilterName,
  Tone,
  UsageAction,
  UsageCell,
  UsageChoice,
  UsageColumn,
  UsageNote,
  UsageNotice,
  UsageTable,
} from './usageDocument.ts';

/** What the tables need to know beyond the calls. */
export type TableFacts = {
  readonly choice: UsageChoice;
  readonly now: number;
  /** Gives the name of a connection, or its id if it was removed. */
  readonly connectionName: (id: string) => string;
  /** The titles of those conversations that can be opened, by their ids; undefined when they can't be read. */
  readonly titles?: ReadonlyMap<string, string>;
  readonly costOf: CostOfCall;
};

/** By model, connection and caller; a table whose only row would repeat the figures is left out. */
export function sumsTables(totals: UsageTotals, { choice, connectionName }: TableFacts): UsageTable[] {
  const { byConnection, byCaller } = totals;
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
  const texts = new Map([
    ['panel', l10n.t('Panel')],
    ['comparison', l10n.t('Comparison')],
    ['commitMessage', l10n.t('Write Commit Message')],
    ['explain', l10n.t('Explanations')],
    ['review', l10n.t('Reviews')],
    ['prompt', l10n.t('Prompts')],
    ['edit', l10n.t('Edits')],
    ['extension', l10n.t('Another extension')],
  ]);
  return texts.get(name) ?? visibleName(name.replace(/^extension:/, ''));
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
function filterBy(by: FilterName, value: string, choice: UsageChoice): UsageAction | undefined {
  return choice[by] === value ? undefined : { type: 'filter', by, value };
}

function rowsOf(
  by: FilterName,
  sums: ReadonlyMap<string, UsageSums>,
  nameOf: (value: string) => string,
  choice: UsageChoice,
): UsageCell[][] {
  // The most used first.
  const sorted = [...sums].sort(([, one], [, other]) => other.calls - one.calls);
  return sorted.map(([value, each]) => [
    { text: nameOf(value), action: filterBy(by, value, choice) },
    ...figures(each),
    knownFrom(each, by === 'model' ? value : undefined),
  ]);
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
    costs.size > 0 ? sumsCell(costs) : unpriced > 0 ? unknown() : { text: '–' },
    isDivisible ? sumsCell(perCall) : { text: '–' },
  ];
}

function sumsCell(sums: Sums): UsageCell {
  return { text: sumsText(sums), title: sumsText(sums, exactMoneyText) };
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

function unknown(): UsageCell {
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

/**
 * The latest calls, one a row.
 *
 * @param all the calls, the latest first.
 * @param most how many of them to list.
 */
export function callsTable(
  all: readonly CountedCall[],
  most: number,
  facts: TableFacts,
  notes: readonly UsageNote[],
): UsageTable {
  const more = all.length > most;
  const shown = l10n.t('The latest {0} of {1} calls.', numberText(most), numberText(all.length));
  return {
    title: l10n.t({ message: 'Calls', comment: ['A list of calls'] }),
    columns: [
      { text: l10n.t('When') },
      { text: l10n.t('Model') },
      { text: l10n.t('From'), needs: 'wide' },
      { text: l10n.t('State'), needs: 'medium' },
      { text: l10n.t('In / Out'), isNumber: true, needs: 'wide' },
      { text: l10n.t('Cost'), isNumber: true },
      { text: l10n.t('Conversation') },
    ],
    rows: all.slice(0, most).map((call) => rowOf(call, facts)),
    notes: more ? [{ text: shown }, ...notes] : notes,
    button: more ? { text: l10n.t('Show More'), action: { type: 'showMore' } } : undefined,
  };
}

function rowOf(call: CountedCall, facts: TableFacts): UsageCell[] {
  const { at, model, caller, usage, state } = call;
  return [
    whenCell(at, facts.now),
    { text: visibleName(model), action: filterBy('model', model, facts.choice) },
    { text: callerText(caller), action: filterBy('caller', caller, facts.choice) },
    { text: stateText(state), tone: tones[state] },
    { text: tokensText(usage) },
    costCell(call, facts),
    conversationCell(call, facts),
  ];
}

const tones: Readonly<Partial<Record<CallState, Tone>>> = {
  stopped: 'warning',
  incomplete: 'warning',
  failed: 'error',
  unknown: 'error',
  notSent: 'muted',
  running: 'muted',
};

/** How a call ended, in a few words. */
function stateText(state: CallState): string {
  return {
    complete: l10n.t({ message: 'complete', comment: ['State of a call'] }),
    stopped: l10n.t({ message: 'stopped', comment: ['State of a call'] }),
    incomplete: l10n.t({ message: 'cut off', comment: ['State of a call'] }),
    failed: l10n.t({ message: 'failed', comment: ['State of a call'] }),
    notSent: l10n.t({ message: 'not sent', comment: ['State of a call'] }),
    unknown: l10n.t({ message: 'outcome unknown', comment: ['State of a call'] }),
    running: l10n.t({ message: 'running', comment: ['State of a call'] }),
  }[state];
}

function costCell(call: CountedCall, { costOf }: TableFacts): UsageCell {
  const { state, isFree } = call;
  const cost = costOf(call);
  if (cost !== undefined) {
    const text = cost.source === 'charged' ? l10n.t('{0} charged', moneyText(cost)) : costText(cost);
    return { text, title: `${exactMoneyText(cost)} · ${sourceText(cost.source)}` };
  }
  return state === 'running' || state === 'notSent' || isFree ? { text: '–' } : unknown();
}

/** The time of a call, with its day only if that isn't today. */
function whenCell(at: number, now: number): UsageCell {
  return {
    text: dateText(at, { timeStyle: 'short', ...(at < dayStart(now) && { dateStyle: 'short' }) }),
    title: dateText(at, { dateStyle: 'full', timeStyle: 'medium' }),
  };
}

/** Such as “1,204 / 356”. */
function tokensText({ promptTokens, completionTokens }: Pick<Usage, 'promptTokens' | 'completionTokens'> = {}): string {
  const figure = (tokens: number | undefined) => (tokens === undefined ? '?' : numberText(tokens));
  return (promptTokens ?? completionTokens) === undefined
    ? '–'
    : `${figure(promptTokens)} / ${figure(completionTokens)}`;
}

/** Leads to the conversation of a call, or says why it can't. */
function conversationCell(
  { conversation: id, isInMemory }: Partial<Pick<CountedCall, 'conversation' | 'isInMemory'>>,
  { titles }: TableFacts,
): UsageCell {
  const title = id !== undefined && titles?.get(id);
  if (title) {
    return { text: visibleName(title), action: { type: 'openConversation', id } };
  }
  if (id === undefined || titles === undefined) {
    return { text: '–', tone: 'muted' };
  }
  const text = isInMemory
    ? l10n.t({ message: 'not kept', comment: ['Of a conversation'] })
    : l10n.t({ message: 'deleted', comment: ['Of a conversation'] });
  return { text, tone: 'muted' };
}

/** Differences that are listed. */
const maxDifferences = 200;

/** The part of a match that the filters of the view select. Who made the calls that only the log has is unknown. */
export function chosenMatch(result: MatchResult, { model, caller }: UsageChoice): MatchResult {
  const ofModel = (each: CountedCall | LogEntry) => model === undefined || each.model === model;
  const isEntryChosen = (entry: LogEntry) => ofModel(entry) && caller === undefined;
  const isCallChosen = (call: CountedCall) => ofModel(call) && (caller === undefined || call.caller === caller);
  const { matched, differing, onlyHere, onlyThere, unclear } = result;
  return {
    ...result,
    matched: matched.filter(({ call }) => isCallChosen(call)),
    differing: differing.filter(({ call }) => isCallChosen(call)),
    onlyHere: onlyHere.filter(isCallChosen),
    onlyThere: onlyThere.filter(isEntryChosen),
    unclear: { calls: unclear.calls.filter(isCallChosen), entries: unclear.entries.filter(isEntryChosen) },
  };
}

/** What a match showed, in a sentence. */
export function matchNotice(result: MatchResult, { isDifferences }: UsageChoice, now: number): UsageNotice {
  const { matched, onlyHere, onlyThere, differing, unclear, unreadable, file, at } = result;
  const likely = matched.filter(({ how }) => how === 'likely').length;
  const others = Math.max(unclear.calls.length, unclear.entries.length);
  const counts = [
    l10n.t('{0} matched', numberText(matched.length)),
    likely > 0 && l10n.t('{0} of them likely', numberText(likely)),
    differing.length > 0 && l10n.t('{0} differing', numberText(differing.length)),
    onlyHere.length > 0 && l10n.t('{0} only here', numberText(onlyHere.length)),
    onlyThere.length > 0 && l10n.t('{0} only there', numberText(onlyThere.length)),
    others > 0 && l10n.t('{0} unclear', numberText(others)),
  ].filter((count) => count !== false);
  const from = file === undefined ? l10n.t("the gateway's log") : visibleName(file);
  const hasDifferences = differing.length + onlyHere.length + onlyThere.length + others > 0;
  return {
    icon: 'check',
    text: sentences(
      l10n.t('Matched with {0} {1}: {2}.', from, timeAgo(at, now), counts.join(', ')),
      unreadable > 0 && unreadableText(unreadable),
    ),
    button: hasDifferences
      ? {
          text: isDifferences ? l10n.t('Hide Differences') : l10n.t('Show Differences'),
          action: { type: 'toggleDifferences' },
        }
      : undefined,
  };
}

/** How many lines of a log could not be read, as a sentence. */
export function unreadableText(lines: number): string {
  return plural(
    lines,
    l10n.t("{0} line of the log couldn't be read.", numberText(lines)),
    l10n.t("{0} lines of the log couldn't be read.", numberText(lines)),
  );
}

/** The calls that `differencesTable` shows. */
export function callsInDifferences({ differing, onlyHere, unclear }: MatchResult): CountedCall[] {
  return [...differing.map(({ call }) => call), ...onlyHere, ...unclear.calls];
}

/** What the record here and the log say differently, the latest first. */
export function differencesTable(result: MatchResult, facts: TableFacts): UsageTable {
  const { differing, onlyHere, onlyThere, unclear } = result;
  const row = (finding: string, call: CountedCall | undefined, entry?: LogEntry) => {
    const { at = 0, model = '' } = call ?? entry ?? {};
    const cost = call && costBeforeLog(call);
    const cells: UsageCell[] = [
      { text: finding },
      whenCell(at, facts.now),
      { text: visibleName(model) },
      call ? { text: tokensText(call.usage), title: stateText(call.state) } : { text: '–' },
      { text: entry ? tokensText(entry) : '–' },
      cost ? { text: exactCostText(cost) } : call ? unknown() : { text: '–' },
      { text: entry ? exactMoneyText(entry.charged) : '–' },
      call ? conversationCell(call, facts) : { text: '–' },
    ];
    return { at, cells };
  };
  const rows = [
    ...differing.map(({ call, entry }) => row(l10n.t('Differing'), call, entry)),
    ...onlyHere.map((call) => row(l10n.t('Only here'), call)),
    ...onlyThere.map((entry) => row(l10n.t('Only there'), undefined, entry)),
    ...unclear.calls.map((call) => row(l10n.t('Unclear, here'), call)),
    ...unclear.entries.map((entry) => row(l10n.t('Unclear, there'), undefined, entry)),
  ].sort((one, other) => other.at - one.at);
  const shown = rows.slice(0, maxDifferences);
  return {
    title: l10n.t("Differences from the Gateway's Log"),
    columns: [
      { text: l10n.t('Finding') },
      { text: l10n.t('When') },
      { text: l10n.t('Model') },
      { text: l10n.t('Tokens Here'), isNumber: true, needs: 'wide' },
      { text: l10n.t('Tokens There'), isNumber: true, needs: 'wide' },
      { text: l10n.t('Cost Here'), isNumber: true, needs: 'wide' },
      { text: l10n.t('Charged'), isNumber: true },
      { text: l10n.t('Conversation') },
    ],
    rows: shown.map(({ cells }) => cells),
    notes: [
      {
        text: l10n.t(
          'Only there: calls that were made with the same key elsewhere, or whose record was cleared. Only here: calls that the gateway did not charge, or not yet. Unclear: several calls fit, so none was chosen.',
        ),
      },
      ...(rows.length > shown.length
        ? [{ text: l10n.t('The latest {0} of {1} differences.', numberText(shown.length), numberText(rows.length)) }]
        : []),
    ],
  };
}

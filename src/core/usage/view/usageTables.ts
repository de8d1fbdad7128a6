import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import { dateText, factsText, listText, numberText, plural, sentences } from '../../base/localization.ts';
import { exactMoneyText, moneyText, type Sums, sumsText } from '../../base/money.ts';
import { timeAgo } from '../../base/timeAgo.ts';
import { visibleName } from '../../base/visibleText.ts';
import { costSources, costText, exactCostText, sourceText } from '../../reply/cost.ts';
import type { Usage } from '../../reply/usage.ts';
import type { Caller } from '../ledgerLine.ts';
import { costBeforeLog, type Finding, type MatchResult } from '../receipts/matchLog.ts';
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

/** A column with what makes its cell of a row. */
type Column<Row> = UsageColumn & { readonly cell: (row: Row) => UsageCell };

function tableOf<Row>(title: string, columns: readonly Column<Row>[], rows: readonly Row[]): UsageTable {
  return {
    title,
    columns: columns.map(({ text, look }) => ({ text, ...(look && { look }) })),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
  };
}

/** By model, connection and caller; a table whose only row would repeat the figures is left out. */
export function sumsTables(
  { byModel, byConnection, byCaller }: UsageTotals,
  { choice, connectionName }: TableFacts,
): UsageTable[] {
  const [model, connection, caller] = [l10n.t('Model'), l10n.t('Connection'), l10n.t('Caller')];
  return [
    sumsTable(l10n.t('By Model'), model, 'model', byModel, visibleName, choice),
    sumsTable(l10n.t('By Connection'), connection, 'connection', byConnection, connectionName, choice),
    sumsTable(l10n.t('By Caller'), caller, 'caller', byCaller, callerText, choice),
  ].filter(({ rows }, index) => index === 0 || rows.length > 1);
}

/** What a caller is called; see `callerName`. */
export function callerText(name: string): string {
  const texts: Readonly<Record<Caller['kind'], string>> = {
    panel: l10n.t('Panel'),
    comparison: l10n.t('Comparison'),
    commitMessage: l10n.t('Write Commit Message'),
    explain: l10n.t('Explanations'),
    review: l10n.t('Reviews'),
    prompt: l10n.t('Prompts'),
    edit: l10n.t('Edits'),
    extension: l10n.t('Another extension'),
  };
  return new Map<string, string>(Object.entries(texts)).get(name) ?? visibleName(name.replace(/^extension:/, ''));
}

function sumsTable(
  title: string,
  name: string,
  by: FilterName,
  all: ReadonlyMap<string, UsageSums>,
  nameOf: (value: string) => string,
  choice: UsageChoice,
): UsageTable {
  const tokens = (sums: UsageSums, count: number) => (isUnreported(sums) ? unknown() : { text: numberText(count) });
  const columns: Column<readonly [string, UsageSums]>[] = [
    { text: name, cell: ([value]) => ({ text: nameOf(value), action: filterBy(by, value, choice) }) },
    { text: l10n.t('Calls'), look: 'number', cell: ([, { calls }]) => ({ text: numberText(calls) }) },
    { text: l10n.t('Input'), look: 'number medium', cell: ([, sums]) => tokens(sums, sums.inputTokens) },
    { text: l10n.t('Cached'), look: 'number wide', cell: ([, sums]) => ({ text: cachedText(sums) }) },
    { text: l10n.t('Output'), look: 'number medium', cell: ([, sums]) => tokens(sums, sums.outputTokens) },
    { text: l10n.t('Cost'), look: 'number', cell: ([, sums]) => costsCell(sums) },
    { text: l10n.t('Per Call'), look: 'number wide', cell: ([, sums]) => perCall(sums) },
    { text: l10n.t('Known From'), cell: ([value, sums]) => knownFrom(sums, by === 'model' ? value : undefined) },
  ];
  const sorted = [...all].sort(([, one], [, other]) => other.calls - one.calls);
  return { ...tableOf(title, columns, sorted), isRowClickable: true };
}

/** The action that filters by a value; undefined if it is filtered by already. */
function filterBy(by: FilterName, value: string, choice: UsageChoice): UsageAction | undefined {
  return choice[by] === value ? undefined : { type: 'filter', by, value };
}

function costsCell({ costs, unpriced }: UsageSums): UsageCell {
  return costs.size > 0 ? sumsCell(costs) : unpriced > 0 ? unknown() : { text: '–' };
}

function perCall({ calls, unpriced, states, costs }: UsageSums): UsageCell {
  const priced = calls - unpriced - states.running - states.notSent;
  return costs.size === 1 && priced > 0
    ? sumsCell(new Map([...costs].map(([unit, amount]) => [unit, amount / priced])))
    : { text: '–' };
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
  return cachedTokens === 0 ? '–' : numberText(cachedTokens / all, { style: 'percent' });
}

function unknown(): UsageCell {
  return { text: l10n.t('unknown'), tone: 'muted' };
}

function knownFrom({ sources, unpriced }: UsageSums, model: string | undefined): UsageCell {
  const known = costSources.filter((source) => sources.has(source)).map(sourceText);
  if (known.length > 0) {
    const notPriced = unpriced > 0 && l10n.t('{0} not priced', numberText(unpriced));
    // Some of them have commas.
    return { text: factsText(...known, notPriced) };
  }
  if (unpriced === 0) {
    return { text: '–' };
  }
  const action = model === undefined ? undefined : ({ type: 'statePrice', model } as const);
  const button = action && { text: l10n.t('State a Price'), action };
  return { text: l10n.t('no known price'), tone: 'muted', button };
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
  const title = l10n.t({ message: 'Calls', comment: ['A list of calls'] });
  const filtering = (by: 'model' | 'caller', value: string, text: string) => {
    return { text, action: filterBy(by, value, facts.choice) };
  };
  const columns: Column<CountedCall>[] = [
    { text: l10n.t('When'), cell: ({ at }) => whenCell(at, facts.now) },
    { text: l10n.t('Model'), cell: ({ model }) => filtering('model', model, visibleName(model)) },
    { text: l10n.t('From'), look: 'wide', cell: ({ caller }) => filtering('caller', caller, callerText(caller)) },
    { text: l10n.t('State'), look: 'medium', cell: ({ state }) => ({ text: stateText(state), tone: tones[state] }) },
    { text: l10n.t('In / Out'), look: 'number wide', cell: ({ usage }) => ({ text: tokensText(usage) }) },
    { text: l10n.t('Cost'), look: 'number', cell: (call) => costCell(call, facts) },
    { text: l10n.t('Conversation'), cell: (call) => conversationCell(call, facts) },
  ];
  return {
    ...tableOf(title, columns, all.slice(0, most)),
    notes: more ? [{ text: shown }, ...notes] : notes,
    button: more ? { text: l10n.t('Show More'), action: { type: 'showMore' } } : undefined,
  };
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
  const isChosen = ({ call, entry }: Omit<Finding, 'kind'>) =>
    (model === undefined || (call ?? entry)?.model === model) && (caller === undefined || call?.caller === caller);
  return { ...result, matched: result.matched.filter(isChosen), findings: result.findings.filter(isChosen) };
}

/** What a match showed, in a sentence. */
export function matchNotice(result: MatchResult, { isDifferences }: UsageChoice, now: number): UsageNotice {
  const { matched, findings, unreadable, file, at } = result;
  const countOf = (kind: Finding['kind']) => findings.filter((each) => each.kind === kind).length;
  const [differing, onlyHere, onlyThere] = [countOf('differing'), countOf('onlyHere'), countOf('onlyThere')];
  const likely = matched.filter(({ how }) => how === 'likely').length;
  const unclearHere = findings.filter(({ kind, call }) => kind === 'unclear' && call !== undefined).length;
  const unclear = Math.max(unclearHere, countOf('unclear') - unclearHere);
  const counts = [
    likely > 0
      ? l10n.t('{0} matched ({1} of them likely)', numberText(matched.length), numberText(likely))
      : l10n.t('{0} matched', numberText(matched.length)),
    differing > 0 && l10n.t('{0} differing', numberText(differing)),
    onlyHere > 0 && l10n.t('{0} only here', numberText(onlyHere)),
    onlyThere > 0 && l10n.t('{0} only there', numberText(onlyThere)),
    unclear > 0 && l10n.t('{0} unclear', numberText(unclear)),
  ].filter((count) => count !== false);
  const from = file === undefined ? l10n.t("the gateway's log") : visibleName(file);
  return {
    icon: 'check',
    text: sentences(
      l10n.t('Matched with {0} {1}: {2}.', from, timeAgo(at, now), listText(counts)),
      matched.length + findings.length + unreadable === 0 && l10n.t('The log has no such calls.'),
      unreadable > 0 &&
        plural(
          unreadable,
          l10n.t("{0} line of the log couldn't be read."),
          l10n.t("{0} lines of the log couldn't be read."),
        ),
    ),
    button:
      findings.length > 0
        ? {
            text: isDifferences ? l10n.t('Hide Differences') : l10n.t('Show Differences'),
            action: { type: 'toggleDifferences' },
          }
        : undefined,
  };
}

/** What the record here and the log say differently, the latest first. */
export function differencesTable({ findings }: MatchResult, facts: TableFacts): UsageTable {
  const here = l10n.t('Unclear, here');
  const texts = {
    differing: l10n.t('Differing'),
    onlyHere: l10n.t('Only here'),
    onlyThere: l10n.t('Only there'),
    unclear: l10n.t('Unclear, there'),
  };
  const none = { text: '–' };
  const costOf = (call: CountedCall) => {
    const cost = costBeforeLog(call);
    return cost ? { text: exactCostText(cost) } : unknown();
  };
  const tokensOf = ({ usage, state }: CountedCall) => ({ text: tokensText(usage), title: stateText(state) });
  const columns: Column<Finding>[] = [
    { text: l10n.t('Finding'), cell: ({ kind, call }) => ({ text: kind === 'unclear' && call ? here : texts[kind] }) },
    { text: l10n.t('When'), cell: (each) => whenCell(timeOf(each), facts.now) },
    { text: l10n.t('Model'), cell: ({ call, entry }) => ({ text: visibleName((call ?? entry)?.model ?? '') }) },
    { text: l10n.t('Tokens Here'), look: 'number wide', cell: ({ call }) => (call ? tokensOf(call) : none) },
    { text: l10n.t('Tokens There'), look: 'number wide', cell: ({ entry }) => ({ text: tokensText(entry) }) },
    { text: l10n.t('Cost Here'), look: 'number wide', cell: ({ call }) => (call ? costOf(call) : none) },
    {
      text: l10n.t('Charged'),
      look: 'number',
      cell: ({ entry }) => (entry ? { text: exactMoneyText(entry.charged) } : none),
    },
    { text: l10n.t('Conversation'), cell: ({ call }) => (call ? conversationCell(call, facts) : none) },
  ];
  const all = [...findings].sort((one, other) => timeOf(other) - timeOf(one));
  const shown = all.slice(0, maxDifferences);
  return {
    ...tableOf(l10n.t("Differences from the Gateway's Log"), columns, shown),
    notes: [
      {
        text: l10n.t(
          'Only there: calls that were made with the same key elsewhere, or whose record was cleared. Only here: calls that the gateway did not charge, or not yet. Unclear: several calls fit, so none was chosen.',
        ),
      },
      ...(all.length > shown.length
        ? [{ text: l10n.t('The latest {0} of {1} differences.', numberText(shown.length), numberText(all.length)) }]
        : []),
    ],
  };
}

function timeOf({ call, entry }: Finding): number {
  return (call ?? entry)?.at ?? 0;
}

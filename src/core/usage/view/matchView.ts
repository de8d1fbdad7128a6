import * as l10n from '@vscode/l10n';
import type { LogEntry } from '../../account/logEntry.ts';
import { numberText, plural, sentences } from '../../base/localization.ts';
import { moneyText } from '../../base/money.ts';
import { timeAgo } from '../../base/timeAgo.ts';
import { visibleName } from '../../base/visibleText.ts';
import { costText } from '../../reply/cost.ts';
import type { MatchResult, RecordedCall } from '../receipts/matchLog.ts';
import { type CallFacts, conversationCell, stateText, tokensText, whenCell } from './callsTable.ts';
import type { UsageCell, UsageChoice, UsageNotice, UsageTable } from './usageDocument.ts';

/** Differences that are listed. */
const maxRows = 200;

/** The part of a match that the filters of the view select. Who made the calls that only the log has is unknown. */
export function chosenMatch(result: MatchResult, { model, caller }: UsageChoice): MatchResult {
  const ofModel = (each: RecordedCall | LogEntry) => model === undefined || each.model === model;
  const isEntryChosen = (entry: LogEntry) => ofModel(entry) && caller === undefined;
  const isCallChosen = (call: RecordedCall) => ofModel(call) && (caller === undefined || call.caller === caller);
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
export function callsInDifferences({ differing, onlyHere, unclear }: MatchResult): RecordedCall[] {
  return [...differing.map(({ call }) => call), ...onlyHere, ...unclear.calls];
}

/** What the record here and the log say differently, the latest first. */
export function differencesTable(result: MatchResult, facts: CallFacts): UsageTable {
  const { differing, onlyHere, onlyThere, unclear } = result;
  const ofCall = (finding: string, call: RecordedCall, entry?: LogEntry) => ({
    at: call.at,
    cells: [
      { text: finding },
      whenCell(call.at, facts.now),
      { text: visibleName(call.model) },
      { text: tokensText(call), title: stateText(call.state) },
      { text: entry === undefined ? '–' : tokensText(entry) },
      call.cost === undefined ? { text: l10n.t('unknown'), tone: 'muted' as const } : { text: costText(call.cost) },
      { text: entry === undefined ? '–' : moneyText(entry.charged) },
      conversationCell(call, facts),
    ],
  });
  const ofEntry = (finding: string, entry: LogEntry) => ({
    at: entry.at,
    cells: [
      { text: finding },
      whenCell(entry.at, facts.now),
      { text: visibleName(entry.model) },
      { text: '–' },
      { text: tokensText(entry) },
      { text: '–' },
      { text: moneyText(entry.charged) },
      { text: '–' },
    ],
  });
  const rows: { readonly at: number; readonly cells: readonly UsageCell[] }[] = [
    ...differing.map(({ call, entry }) => ofCall(l10n.t('Differing'), call, entry)),
    ...onlyHere.map((call) => ofCall(l10n.t('Only here'), call)),
    ...onlyThere.map((entry) => ofEntry(l10n.t('Only there'), entry)),
    ...unclear.calls.map((call) => ofCall(l10n.t('Unclear, here'), call)),
    ...unclear.entries.map((entry) => ofEntry(l10n.t('Unclear, there'), entry)),
  ].sort((one, other) => other.at - one.at);
  const shown = rows.slice(0, maxRows);
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

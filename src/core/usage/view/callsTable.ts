import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import { dateText, numberText } from '../../base/localization.ts';
import { moneyText } from '../../base/money.ts';
import { visibleName } from '../../base/visibleText.ts';
import { costText, sourceText } from '../../reply/cost.ts';
import type { Usage } from '../../reply/usage.ts';
import type { CallState, CountedCall } from '../usageTotals.ts';
import type { Tone, UsageCell, UsageChoice, UsageNote, UsageTable } from './usageDocument.ts';
import { callerText, filterBy, unknown } from './usageTables.ts';
import type { TallyPorts } from './usageTally.ts';

export type CallFacts = TallyPorts & {
  readonly choice: UsageChoice;
  readonly now: number;
  /** The titles of conversations by their ids, as far as known; undefined for one that can't be opened. */
  readonly titles: ReadonlyMap<string, string | undefined>;
};

/**
 * The latest calls, one a row.
 *
 * @param all how many calls there are.
 */
export function callsTable(
  calls: readonly CountedCall[],
  all: number,
  facts: CallFacts,
  notes: readonly UsageNote[],
): UsageTable {
  const more = all > calls.length;
  const shown = l10n.t('The latest {0} of {1} calls.', numberText(calls.length), numberText(all));
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
    rows: calls.map((call) => rowOf(call, facts)),
    notes: more ? [{ text: shown }, ...notes] : notes,
    button: more ? { text: l10n.t('Show More'), action: { type: 'showMore' } } : undefined,
  };
}

function rowOf(call: CountedCall, facts: CallFacts): UsageCell[] {
  const { at, model, caller, usage } = call;
  const state = facts.stateOf(call);
  return [
    whenCell(at, facts.now),
    { text: visibleName(model), action: filterBy('model', model, facts.choice) },
    { text: callerText(caller), action: filterBy('caller', caller, facts.choice) },
    stateCell(state),
    { text: tokensText(usage) },
    costCell(call, state, facts),
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

function stateCell(state: CallState): UsageCell {
  return { text: stateText(state), tone: tones[state] };
}

/** How a call ended, in a few words. */
export function stateText(state: CallState): string {
  switch (state) {
    case 'complete':
      return l10n.t({ message: 'complete', comment: ['State of a call'] });
    case 'stopped':
      return l10n.t({ message: 'stopped', comment: ['State of a call'] });
    case 'incomplete':
      return l10n.t({ message: 'cut off', comment: ['State of a call'] });
    case 'failed':
      return l10n.t({ message: 'failed', comment: ['State of a call'] });
    case 'notSent':
      return l10n.t({ message: 'not sent', comment: ['State of a call'] });
    case 'unknown':
      return l10n.t({ message: 'outcome unknown', comment: ['State of a call'] });
    case 'running':
      return l10n.t({ message: 'running', comment: ['State of a call'] });
    default:
      return state satisfies never;
  }
}

function costCell(call: CountedCall, state: CallState, { costOf }: TallyPorts): UsageCell {
  const cost = costOf(call);
  if (cost !== undefined) {
    const text = cost.source === 'charged' ? l10n.t('{0} charged', moneyText(cost)) : costText(cost);
    return { text, title: sourceText(cost.source) };
  }
  return state === 'running' || state === 'notSent' || call.isFree ? { text: '–' } : unknown();
}

/** The time of a call, with its day only if that isn't today. */
export function whenCell(at: number, now: number): UsageCell {
  return {
    text: dateText(at, { timeStyle: 'short', ...(at < dayStart(now) && { dateStyle: 'short' }) }),
    title: dateText(at, { dateStyle: 'full', timeStyle: 'medium' }),
  };
}

/** Such as “1,204 / 356”. */
export function tokensText({
  promptTokens,
  completionTokens,
}: Pick<Usage, 'promptTokens' | 'completionTokens'> = {}): string {
  const figure = (tokens: number | undefined) => (tokens === undefined ? '?' : numberText(tokens));
  return (promptTokens ?? completionTokens) === undefined
    ? '–'
    : `${figure(promptTokens)} / ${figure(completionTokens)}`;
}

/** Leads to the conversation of a call, or says why it can't. */
export function conversationCell(
  { conversation: id, isInMemory }: Partial<Pick<CountedCall, 'conversation' | 'isInMemory'>>,
  { titles }: CallFacts,
): UsageCell {
  const title = id !== undefined && titles.get(id);
  if (title) {
    return { text: visibleName(title), action: { type: 'openConversation', id } };
  }
  if (id === undefined || !titles.has(id)) {
    return { text: '–', tone: 'muted' };
  }
  const text = isInMemory
    ? l10n.t({ message: 'not kept', comment: ['Of a conversation'] })
    : l10n.t({ message: 'deleted', comment: ['Of a conversation'] });
  return { text, tone: 'muted' };
}

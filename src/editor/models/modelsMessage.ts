import * as l10n from '@vscode/l10n';
import { dateText, numberText, plural, sentences } from '../../core/base/localization.ts';
import { visibleText } from '../../core/base/visibleText.ts';
import type { CheckState } from '../../core/connections/uncheckedConnections.ts';
import { adviceText, quotedWords } from '../../core/errors/advice.ts';
import type { ListState } from '../../core/models/catalogue/currentList.ts';
import { leftOutModels } from '../../core/models/list/leftOutModels.ts';
import { modelCount } from '../../core/models/list/modelCount.ts';

/** What the message shows besides the state of the list. */
export type ModelsMessageFacts = {
  /** Name of the list's connection. */
  readonly name: string | undefined;
  /** Set for a connection that was saved without a check. */
  readonly checkState: CheckState | undefined;
  /** How many models are new in the list. */
  readonly newModels: number;
  /** The text of the filter, and how many models match it. */
  readonly filter: { readonly text: string; readonly matches: number } | undefined;
};

/**
 * The message above the list of models: why there is no list, the connection, the number of models, the list's age, and
 * what was left out of it. Empty when there is nothing to show, because a message hides the welcome views.
 */
export function modelsMessage(state: ListState, facts: ModelsMessageFacts): string {
  const { list } = state;
  const lines = [
    failureText(state, facts.checkState),
    list && list.models.length > 0 && sourceText(state, facts),
    list && leftOutModels(list),
  ];
  return visibleText(lines.filter((line) => line).join(' '));
}

function failureText(
  { status, connection, problem, advice }: ListState,
  checkState: CheckState | undefined,
): string | undefined {
  if (status !== 'failed' || connection === undefined || problem === undefined || advice === undefined) {
    return undefined;
  }
  const { host } = new URL(connection.url.base);
  const said = quotedWords(problem, host);
  switch (checkState) {
    case 'unchecked':
      return sentences(
        l10n.t("The connection hasn't been checked. {0} didn't return a model list: {1}.", host, advice.title),
        l10n.t('To test it, add a model by ID and ask it a question.'),
        said,
      );
    case 'withoutList':
      return l10n.t("{0} answers questions but didn't return a model list: {1}.", host, advice.title);
    default:
      return sentences(adviceText(advice), said);
  }
}

/** The connection of the list, its number of models, its age and what is new in it. */
function sourceText({ list, readAt, isCached, status }: ListState, facts: ModelsMessageFacts): string {
  const { name, newModels, filter } = facts;
  const all = list?.models.length ?? 0;
  return [
    filter && filterText(filter.text, filter.matches, all),
    name,
    filter ? undefined : modelCount(all),
    readAt !== undefined && (isCached ? l10n.t('as of {0}', timeText(readAt)) : timeText(readAt)),
    isCached && status === 'loading' && l10n.t('refreshing…'),
    newModels > 0 && l10n.t({ message: '{0} new', args: [numberText(newModels)], comment: ['A number of new models'] }),
  ]
    .filter((part) => typeof part === 'string')
    .join(' · ');
}

function filterText(text: string, matches: number, all: number): string {
  const [found, total] = [numberText(matches), numberText(all)];
  return plural(
    all,
    l10n.t('"{0}": {1} of {2} model', text, found, total),
    l10n.t('"{0}": {1} of {2} models', text, found, total),
  );
}

/** The time, with the date if it isn't today. Non-breaking spaces keep the time on one line in a narrow side bar. */
function timeText(at: number): string {
  const clock = { hour: '2-digit', minute: '2-digit' } as const;
  const isToday = new Date(at).toDateString() === new Date().toDateString();
  return dateText(at, isToday ? clock : { month: 'short', day: 'numeric', ...clock }).replaceAll(' ', '\u00A0');
}

import { visibleText } from '../../core/base/visibleText.ts';
import type { CheckState } from '../../core/connections/uncheckedConnections.ts';
import { saidBy } from '../../core/errors/saidBy.ts';
import type { CatalogueState } from '../../core/models/catalogue/catalogue.ts';
import { leftOutForKey } from '../../core/models/list/leftOutForKey.ts';

/** What the message is made of besides the list and its state. */
export type ModelsMessageFacts = {
  /** Name of the connection the list is of. */
  readonly name: string | undefined;
  /** Of a connection that was kept without a check. */
  readonly checkState: CheckState | undefined;
  /** How many models are new in the list. */
  readonly newModels: number;
  /** What the list is narrowed to, and how many models that leaves. */
  readonly filter: { readonly text: string; readonly matches: number } | undefined;
};

/**
 * The message above the list of models: why there is no list, whose list it is, how long and how old, and what is left
 * out of it. Empty when nothing is to be said: a message hides the welcome views.
 */
export function modelsMessage(state: CatalogueState, facts: ModelsMessageFacts): string {
  const { list } = state;
  const lines = [
    failureText(state, facts.checkState),
    list && list.models.length > 0 && sourceText(state, facts),
    list?.withKey !== undefined && leftOutForKey(list),
  ];
  return visibleText(lines.filter((line) => typeof line === 'string').join(' '));
}

function failureText(
  { status, connection, problem, advice }: CatalogueState,
  checkState: CheckState | undefined,
): string | undefined {
  if (status !== 'failed' || problem === undefined || advice === undefined) {
    return undefined;
  }
  const host = connection ? new URL(connection.url.base).host : 'The gateway';
  const said = saidBy(problem, host);
  switch (checkState) {
    case 'unchecked':
      return `Not checked yet: ${host} gave no list of models. ${advice.title}. Add a model by its ID, and ask it to see whether the connection works.${said}`;
    case 'withoutList':
      return `${host} answers questions, but gives no list of models. ${advice.title}.`;
    default:
      return `${advice.title}. ${advice.remedy}${said}`;
  }
}

/** Whose list it is, how long, how old, and what is new in it. */
function sourceText({ list, readAt, isCached, status }: CatalogueState, facts: ModelsMessageFacts): string {
  const { name, newModels, filter } = facts;
  const all = counted(list?.models.length ?? 0);
  return [
    filter && `“${filter.text}”: ${filter.matches.toLocaleString('en-US')} of ${all}`,
    name,
    filter ? undefined : all,
    readAt !== undefined && `${isCached ? 'as of ' : ''}${timeText(readAt)}`,
    isCached && status === 'loading' && 'reading again…',
    newModels > 0 && `${newModels.toLocaleString('en-US')} new`,
  ]
    .filter((part) => typeof part === 'string')
    .join(' · ');
}

function counted(models: number): string {
  return `${models.toLocaleString('en-US')} ${models === 1 ? 'model' : 'models'}`;
}

/** The time of day; with the date when it was another day. A narrow side bar does not break it. */
function timeText(at: number): string {
  const time = new Date(at);
  const clock = time.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' }).replaceAll(' ', '\u00A0');
  return time.toDateString() === new Date().toDateString()
    ? clock
    : `${time.toLocaleDateString([], { month: 'short', day: 'numeric' })}, ${clock}`;
}

import type { CheckState } from '../../core/connections/uncheckedConnections.ts';
import type { Advice, AdviceAction } from '../../core/errors/advice.ts';
import type { CommandId } from '../ui/commandIds.ts';

/** A row of the list of models that runs a command. */
export type ListAction = {
  readonly kind: 'action';
  readonly title: string;
  readonly command: CommandId;
  /** Name of a codicon. */
  readonly icon: string;
};

/** Makes a row that runs a command. */
export function listAction(title: string, command: CommandId, icon: string): ListAction {
  return { kind: 'action', title, command, icon };
}

/**
 * What a person can do about a list that can't be read, in the order of the rows: first what mends it; where the
 * connection was kept without a check, first what goes without a list.
 */
export function failedListActions(
  { action }: Advice,
  hasList: boolean,
  checkState: CheckState | undefined,
): readonly ListAction[] {
  const remedies: Partial<Record<AdviceAction, ListAction>> = {
    replaceKey: listAction('Replace Key…', 'askModel.replaceKey', 'key'),
    editAddress: listAction('Change Address…', 'askModel.editAddress', 'link'),
    checkConnection: listAction('Check Connection', 'askModel.checkConnection', 'pulse'),
    proxySettings: listAction('Check Connection', 'askModel.checkConnection', 'pulse'),
    editConnection: listAction('Edit Connection…', 'askModel.editConnection', 'edit'),
    openConsole: listAction('Open Console', 'askModel.openConsole', 'globe'),
  };
  // A gateway that answers without a list has nothing to be mended.
  const found = checkState === 'withoutList' ? undefined : remedies[action];
  const remedy = found ? [found] : [];
  const byHand = hasList ? [] : [listAction('Type a Model’s Id…', 'askModel.addModel', 'edit')];
  const retry = listAction('Retry', 'askModel.refreshModels', 'refresh');
  return checkState ? [...byHand, retry, ...remedy] : [...remedy, retry, ...byHand];
}

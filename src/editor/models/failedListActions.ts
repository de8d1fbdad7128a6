import * as l10n from '@vscode/l10n';
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
 * What the person can do about a list that can't be read, in the order of the rows. The remedy comes first; but for a
 * connection that was saved without a check, the action that needs no list comes first.
 */
export function failedListActions(
  { action }: Advice,
  hasList: boolean,
  checkState: CheckState | undefined,
): readonly ListAction[] {
  const remedies: Partial<Record<AdviceAction, ListAction>> = {
    replaceKey: listAction(l10n.t('Replace Key…'), 'askModel.replaceKey', 'key'),
    editAddress: listAction(l10n.t('Change Address…'), 'askModel.editAddress', 'link'),
    checkConnection: listAction(l10n.t('Check Connection'), 'askModel.checkConnection', 'pulse'),
    proxySettings: listAction(l10n.t('Check Connection'), 'askModel.checkConnection', 'pulse'),
    editConnection: listAction(l10n.t('Edit Connection…'), 'askModel.editConnection', 'edit'),
    openConsole: listAction(l10n.t('Open Console in Browser'), 'askModel.openConsole', 'globe'),
  };
  // If the gateway answers questions, the missing list needs no remedy.
  const found = checkState === 'withoutList' ? undefined : remedies[action];
  const remedy = found ? [found] : [];
  const addManually = hasList ? [] : [listAction(l10n.t('Add Model by ID…'), 'askModel.addModel', 'edit')];
  const retry = listAction(l10n.t('Retry'), 'askModel.refreshModels', 'refresh');
  return checkState ? [...addManually, retry, ...remedy] : [...remedy, retry, ...addManually];
}

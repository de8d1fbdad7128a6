import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Accounts } from '../../core/account/accounts.ts';
import type { Connection } from '../../core/connections/connection.ts';
import { consoleAddress } from '../../core/connections/consoleSettings.ts';
import { type ConsolePage, consolePages, openPageText } from '../../core/errors/consolePage.ts';
import { openLink } from '../ui/openLink.ts';
import { pickRow } from '../ui/pickRow.ts';
import type { ConnectDeps } from './connect.ts';
import { editConsoleUrl } from './editConnection.ts';

const icons = { keys: 'key', wallet: 'credit-card', models: 'library', usage: 'history' };

/**
 * *Open Console in Browser*. Without a page, the person picks one if addresses of pages are known. Asks for the address
 * of the console if none is known.
 */
export async function openConsole(
  deps: ConnectDeps & { readonly accounts: Pick<Accounts, 'facts'> },
  { id }: Connection,
  page?: ConsolePage,
): Promise<void> {
  const addressOf = (shown: ConsolePage | undefined) => {
    const known = deps.connections.find(id);
    return known && consoleAddress(known, shown, deps.accounts.facts(known)?.consoleKind);
  };
  const pages = consolePages.filter((each) => addressOf(each) !== addressOf(undefined));
  let address = addressOf(page);
  if (page === undefined && pages.length > 0) {
    const rows = [undefined, ...pages].flatMap((shown) => {
      const value = addressOf(shown);
      const iconPath = new vscode.ThemeIcon(shown ? icons[shown] : 'globe');
      return value === undefined ? [] : [{ value, label: openPageText(shown), description: value, iconPath }];
    });
    const outcome = await pickRow({ title: l10n.t('Console'), placeholder: l10n.t('Select a page'), rows });
    address = outcome.status === 'picked' ? outcome.value : undefined;
  } else if (address === undefined) {
    const known = deps.connections.find(id);
    await (known && editConsoleUrl(deps, known));
    address = addressOf(page);
  }
  await (address && openLink(address, () => false));
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { showWarningMessage } from './messages.ts';

/**
 * Opens `http:`, `https:` and `mailto:` links and ignores all others. The panel also checks, but is not trusted.
 *
 * @param hasSecret whether an address has a masked value or a key in it.
 */
export async function openLink(href: string, hasSecret: (address: string) => boolean): Promise<void> {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return;
  }
  if (['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    if (hasSecret(href)) {
      void showWarningMessage(l10n.t("This link wasn't opened, because its address contains a masked value or a key."));
      return;
    }
    await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
  }
}

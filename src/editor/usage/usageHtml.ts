import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { escaped, webviewPage } from '../ui/webviewPage.ts';

/** The HTML of the usage view. Its policy allows only the script with the nonce and styles from the extension's folder. */
export function usageHtml(webview: vscode.Webview, dist: vscode.Uri): string {
  const nonce = crypto.randomUUID();
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  return webviewPage(
    [
      `script-src 'nonce-${nonce}'`,
      `style-src ${webview.cspSource}`,
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ],
    `<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(l10n.t('Usage'))}</title>
<link rel="stylesheet" href="${file('usage.css')}">`,
    `<main id="app"></main>
<script nonce="${nonce}" src="${file('usage.js')}"></script>`,
  );
}

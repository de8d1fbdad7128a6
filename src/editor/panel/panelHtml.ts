import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { localization } from '../../core/base/localization.ts';
import { escaped, webviewPage } from '../ui/webviewPage.ts';

/**
 * The HTML of the panel. Its content security policy allows only the script with the nonce, styles from the extension's
 * folder, one worker, whose code is part of the script (`blob:`), and that worker's trusted type. Images, requests,
 * forms, frames and markup from strings are forbidden. The page contains the translations of all texts, so that its
 * first frame is in VS Code's language.
 */
export function panelHtml(webview: vscode.Webview, dist: vscode.Uri, conversationId: string): string {
  const nonce = crypto.randomUUID();
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = [
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    'worker-src blob:',
    "require-trusted-types-for 'script'",
    'trusted-types highlighter',
  ];
  const translations = localization().texts;
  const texts = translations === undefined ? '' : ` data-texts="${escaped(JSON.stringify(translations))}"`;
  return webviewPage(
    policy,
    `<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ask Model</title>
<link rel="stylesheet" href="${file('webview.css')}">`,
    `<main id="app" data-conversation="${escaped(conversationId)}"${texts}></main>
<script nonce="${nonce}" src="${file('webview.js')}"></script>`,
  );
}

/** The HTML of a restored panel whose conversation no longer exists. It runs and loads nothing. */
export function notStoredHtml(): string {
  const nonce = crypto.randomUUID();
  return webviewPage(
    [`style-src 'nonce-${nonce}'`],
    `<title>${escaped(l10n.t('Conversation Not Found'))}</title>
<style nonce="${nonce}">
body { padding: 16px; color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
h1 { font-size: 1.2em; font-weight: 600; }
</style>`,
    `<main>
<h1>${escaped(l10n.t('This conversation is no longer available'))}</h1>
<p>${escaped(l10n.t('It was deleted, or it wasn\'t saved because the setting "Ask Model › Conversations: Keep" is off. You can close this panel.'))}</p>
</main>`,
  );
}

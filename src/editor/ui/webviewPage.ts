import * as vscode from 'vscode';
import { localization } from '../../core/base/localization.ts';

/** A page of the build. */
type Page = {
  /** That its script and its styles have in the folder of the build. */
  readonly name: 'webview' | 'usage';
  readonly title: string;
  /** What the element that the page is drawn in has as data. */
  readonly data?: Readonly<Record<string, string>>;
  /** Directives of its content security policy. */
  readonly allowed: readonly string[];
};

/** Loads a page of the build into a panel, which gets the icon of the extension. @param dist the folder of the build. */
export function loadPage(surface: vscode.WebviewPanel, dist: vscode.Uri, page: Page): void {
  const icon = (theme: string) => vscode.Uri.joinPath(dist, '..', 'media', `panel-${theme}.svg`);
  surface.iconPath = { light: icon('light'), dark: icon('dark') };
  surface.webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [dist] };
  surface.webview.html = pageHtml(surface.webview, dist, page);
}

/**
 * The HTML of a page. Beside the directives of the page itself, its content security policy allows only the script with
 * the nonce, and styles from the extension's folder. Requests, forms, frames and markup from strings are forbidden.
 */
export function pageHtml(webview: vscode.Webview, dist: vscode.Uri, { name, title, data = {}, allowed }: Page): string {
  const nonce = crypto.randomUUID();
  const file = (ending: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, `${name}.${ending}`)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    "require-trusted-types-for 'script'",
    ...allowed,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const attributes = Object.entries(data).map(([key, value]) => ` data-${key}="${escaped(value)}"`);
  return `<!doctype html>
<html lang="${localization().language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<link rel="stylesheet" href="${file('css')}">
</head>
<body>
<main id="app"${attributes.join('')}></main>
<script nonce="${nonce}" src="${file('js')}"></script>
</body>
</html>`;
}

/** Escapes a text for an element or for the value of an attribute. */
function escaped(text: string): string {
  return text.replaceAll(/[&"<>\0]/g, (letter) => `&#${letter.charCodeAt(0) || 0xfffd};`);
}

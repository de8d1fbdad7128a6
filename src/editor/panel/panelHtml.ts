import * as vscode from 'vscode';

/**
 * The frame the panel's code runs in. Nothing is allowed that is not named: scripts by nonce alone, styles from the
 * extension's own folder, one program beside the page, which the page carries with it; no markup from text, no image, no
 * request, no form, no frame.
 */
export function panelHtml(webview: vscode.Webview, dist: vscode.Uri, conversationId: string): string {
  const nonce = crypto.randomUUID();
  const file = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(dist, name)).toString();
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    'worker-src blob:',
    "require-trusted-types-for 'script'",
    'trusted-types highlighter',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Ask Model</title>
<link rel="stylesheet" href="${file('webview.css')}">
</head>
<body>
<main id="app" data-conversation="${attribute(conversationId)}"></main>
<script nonce="${nonce}" src="${file('webview.js')}"></script>
</body>
</html>`;
}

/** A text as the value of an attribute. */
function attribute(text: string): string {
  return text.replaceAll(/[&"<>\0]/g, (letter) => `&#${letter.charCodeAt(0) || 0xfffd};`);
}

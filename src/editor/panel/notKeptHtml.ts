/** What a restored panel shows when its conversation is not there any more. Nothing in it runs or is loaded. */
export function notKeptHtml(): string {
  const nonce = crypto.randomUUID();
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'">
<title>Not kept</title>
<style nonce="${nonce}">
body { padding: 16px; color: var(--vscode-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
h1 { font-size: 1.2em; font-weight: 600; }
</style>
</head>
<body>
<main>
<h1>This conversation was not kept</h1>
<p>It was deleted, or it was held for its window alone because the setting “Ask Model › Conversations: Keep” is off. This panel can be closed.</p>
</main>
</body>
</html>`;
}

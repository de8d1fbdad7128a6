import { localization } from '../../core/base/localization.ts';

/**
 * The HTML of a page in a webview.
 *
 * @param allowed the directives of the content security policy; everything else is forbidden.
 */
export function webviewPage(allowed: readonly string[], head: string, body: string): string {
  const policy = ["default-src 'none'", ...allowed, "base-uri 'none'", "form-action 'none'"].join('; ');
  return `<!doctype html>
<html lang="${localization().language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off">
${head}
</head>
<body>
${body}
</body>
</html>`;
}

/** Escapes a text for an element or for the value of an attribute. */
export function escaped(text: string): string {
  return text.replaceAll(/[&"<>\0]/g, (letter) => `&#${letter.charCodeAt(0) || 0xfffd};`);
}

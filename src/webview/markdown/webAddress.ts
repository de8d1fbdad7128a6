const openable = new Set(['http:', 'https:', 'mailto:']);

/**
 * The address as it may be opened, or undefined: only http, https and mailto, never `command:`, `vscode:`, `data:`,
 * `javascript:`, `file:` or an address relative to the panel.
 */
export function webAddress(href: string): string | undefined {
  const url = href.length > 8_192 ? null : URL.parse(href);
  return url !== null && openable.has(url.protocol) ? url.href : undefined;
}

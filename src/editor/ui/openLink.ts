import * as vscode from 'vscode';

/** Opens `http:`, `https:` and `mailto:` links and ignores all others. The panel also checks, but is not trusted. */
export async function openLink(href: string): Promise<void> {
  let url: URL;
  try {
    url = new URL(href);
  } catch {
    return;
  }
  if (['http:', 'https:', 'mailto:'].includes(url.protocol)) {
    await vscode.env.openExternal(vscode.Uri.parse(url.href, true));
  }
}

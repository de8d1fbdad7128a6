import * as vscode from 'vscode';

/** Opens what a browser or a mail program opens, and nothing else; the panel checks too, and is not trusted. */
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

import * as vscode from 'vscode';

/** Opens a new, unsaved Markdown document. */
export async function showMarkdown(content: string): Promise<void> {
  const document = await vscode.workspace.openTextDocument({ language: 'markdown', content });
  await vscode.window.showTextDocument(document, { preview: false });
}

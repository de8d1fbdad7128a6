import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../core/base/localization.ts';
import { showInformationMessage } from './messages.ts';

/** The folder where dialogs start: the first workspace folder, or `home` when no folder is open. */
export function startFolder(home: vscode.Uri): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? home;
}

/** Asks where to save an export. @returns undefined when the person cancelled. */
export function askExportFile(
  home: vscode.Uri,
  name: string,
  title: string,
  filters: Record<string, string[]>,
): Thenable<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    title,
    saveLabel: l10n.t('Export'),
    filters,
    defaultUri: vscode.Uri.joinPath(startFolder(home), name),
  });
}

/**
 * Writes an export, shows where it is and offers to open it. Checks its size: VS Code's `writeFile` succeeds even when a
 * full disk took only a part of it.
 */
export async function writeExport(target: vscode.Uri, content: string | Uint8Array): Promise<void> {
  const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
  await vscode.workspace.fs.writeFile(target, bytes);
  const { size } = await vscode.workspace.fs.stat(target);
  if (size !== bytes.length) {
    const counts = [numberText(size), numberText(bytes.length)];
    throw new Error(l10n.t('Only {0} of {1} bytes could be written to {2}.', ...counts, target.fsPath));
  }
  const open = l10n.t('Open');
  void showInformationMessage(l10n.t('Exported to {0}', target.fsPath), open).then(
    (answer) => answer === open && vscode.commands.executeCommand('vscode.open', target),
  );
}

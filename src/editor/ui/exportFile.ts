import * as vscode from 'vscode';
import { showInformationMessage } from './messages.ts';

/** @param home where dialogs begin when no folder is open. */
export function startFolder(home: vscode.Uri): vscode.Uri {
  return vscode.workspace.workspaceFolders?.[0]?.uri ?? home;
}

/** Asks where to put an export. @returns undefined when the person left. */
export async function askExportFile(
  home: vscode.Uri,
  name: string,
  title: string,
  filters: Record<string, string[]>,
): Promise<vscode.Uri | undefined> {
  return vscode.window.showSaveDialog({
    title,
    saveLabel: 'Export',
    filters,
    defaultUri: vscode.Uri.joinPath(startFolder(home), name),
  });
}

/** Writes an export, says where it is and offers to open it. */
export async function writeExport(target: vscode.Uri, text: string): Promise<void> {
  await writeWhole(target, text);
  const open = 'Open';
  void showInformationMessage(`Exported to ${target.fsPath}`, open).then(
    (answer) => answer === open && vscode.commands.executeCommand('vscode.open', target),
  );
}

/** VS Code's own writing succeeds too when the disk took only a part. */
export async function writeWhole(target: vscode.Uri, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  await vscode.workspace.fs.writeFile(target, bytes);
  const { size } = await vscode.workspace.fs.stat(target);
  if (size !== bytes.length) {
    throw new Error(`Only ${size} of ${bytes.length} bytes could be written to ${target.fsPath}.`);
  }
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CodeContext, isCode } from '../../core/chat/context/prompt.ts';
import { findCode } from '../../core/chat/edits/locateCode.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { contextFile, contextUris } from './contextFile.ts';
import { showCell } from './notebookCells.ts';
import { isFolder } from './workspaceFiles.ts';

/**
 * Shows the Source Control view for changes, a folder in the Explorer, a cell in its notebook, otherwise the file of a
 * context. Selects its code where that is now, or goes to its line if the code has changed.
 */
export async function showContext(context: CodeContext, viewColumn: vscode.ViewColumn): Promise<void> {
  if (context.kind === 'changes') {
    await vscode.commands.executeCommand('workbench.view.scm');
    return;
  }
  if (context.kind === 'folder' && (await revealFolder(context.path))) {
    return;
  }
  if (context.cell !== undefined && (await showCell(context, viewColumn))) {
    return;
  }
  const document = context.kind === 'folder' || context.kind === 'cell' ? undefined : await contextFile(context);
  if (document === undefined) {
    void showWarningMessage(l10n.t('{0} was not found. It may have been moved or deleted.', context.path));
    return;
  }
  const code = isCode(context) ? findCode(document.getText(), context) : undefined;
  const line = Math.min(context.startLine, document.lineCount) - 1;
  const selection =
    code === undefined || context.kind === 'file'
      ? new vscode.Range(line, 0, line, 0)
      : new vscode.Range(code.startLine, code.startCharacter, code.endLine, code.endCharacter);
  await vscode.window.showTextDocument(document, { viewColumn, preview: true, selection });
}

/** @returns whether the folder still exists. */
async function revealFolder(path: string): Promise<boolean> {
  for (const uri of contextUris(path)) {
    if (await isFolder(uri)) {
      await vscode.commands.executeCommand('revealInExplorer', uri);
      return true;
    }
  }
  return false;
}

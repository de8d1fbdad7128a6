import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type CodeContext, isCode } from '../../core/chat/context/prompt.ts';
import { findCode } from '../../core/chat/edits/findCode.ts';
import { showWarningMessage } from '../ui/messages.ts';
import { contextFile } from './contextFile.ts';

/**
 * Shows the Source Control view for changes, otherwise the file of a context. Selects its code where that is now, or
 * goes to its line if the code has changed.
 */
export async function showContext(context: CodeContext, viewColumn: vscode.ViewColumn): Promise<void> {
  if (context.kind === 'changes') {
    await vscode.commands.executeCommand('workbench.view.scm');
    return;
  }
  const document = await contextFile(context);
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

import * as vscode from 'vscode';
import { until } from '../until.ts';

/**
 * Types into the active editor, which VS Code takes for the keyboard: after that, commands may ask again. Nothing is typed
 * before the editor has the focus, and the extensions hear of it last.
 */
export async function typeLetter(): Promise<void> {
  let isHeard = false;
  const listening = vscode.window.onDidChangeTextEditorSelection(({ kind }) => {
    isHeard ||= kind === vscode.TextEditorSelectionChangeKind.Keyboard;
  });
  await until(async () => {
    await vscode.commands.executeCommand('type', { text: 'x' });
    return isHeard;
  });
  listening.dispose();
}

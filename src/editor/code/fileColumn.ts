import * as vscode from 'vscode';
import type { LastEditor } from '../ui/lastEditor.ts';

/** Where files are: the last editor's column, else one that is not the conversation's. */
export function fileColumn(lastEditor: LastEditor, panelColumn: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const beside = panelColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  return lastEditor.current?.viewColumn ?? beside;
}

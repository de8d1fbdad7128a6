import * as vscode from 'vscode';
import type { LastEditor } from '../ui/lastEditor.ts';

/** The column to show files in: that of the last editor, otherwise one beside the panel. */
export function fileColumn(lastEditor: LastEditor, panelColumn: vscode.ViewColumn | undefined): vscode.ViewColumn {
  const beside = panelColumn === vscode.ViewColumn.One ? vscode.ViewColumn.Two : vscode.ViewColumn.One;
  return lastEditor.current?.viewColumn ?? beside;
}

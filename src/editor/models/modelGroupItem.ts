import * as vscode from 'vscode';
import { visibleName } from '../../core/base/visibleText.ts';
import type { ModelGroupRow } from '../../core/models/catalogue/modelRows.ts';

/**
 * The row of a group of models: its name and how many there are.
 *
 * @param idPrefix tells the row from that of the same group in a list narrowed otherwise: VS Code remembers by its id
 * whether a row is folded.
 */
export function modelGroupItem({ group, isFolded }: ModelGroupRow, idPrefix: string): vscode.TreeItem {
  const { key, name, models } = group;
  const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
  const shown = visibleName(name);
  const item = new vscode.TreeItem(shown, isFolded ? Collapsed : Expanded);
  item.id = `${idPrefix}group ${key}`;
  item.description = models.length.toLocaleString('en-US');
  item.contextValue = 'group';
  item.tooltip = shown;
  item.accessibilityInformation = { label: `${shown}, ${models.length} ${models.length === 1 ? 'model' : 'models'}` };
  return item;
}

import * as vscode from 'vscode';
import { plainLabel } from './plainText.ts';

declare const isPlain: unique symbol;
/** A quick pick item with escaped texts. An icon must be set as `iconPath`. */
export type PlainItem<T extends vscode.QuickPickItem = vscode.QuickPickItem> = T & { readonly [isPlain]: true };

/** Escapes the texts of a quick pick item, where VS Code turns `$(name)` into an icon. */
export function plainItem<T extends vscode.QuickPickItem>(item: T): PlainItem<T> {
  const { label, description, detail } = item;
  return {
    ...item,
    label: plainLabel(label),
    ...(description !== undefined && { description: plainLabel(description) }),
    ...(detail !== undefined && { detail: plainLabel(detail) }),
  } as PlainItem<T>;
}

/** VS Code's `createQuickPick`, restricted to items from `plainItem`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<PlainItem<T>> {
  return vscode.window.createQuickPick<PlainItem<T>>();
}

/** VS Code's `showQuickPick` for items and a title whose texts may come from outside: they are shown without icons. */
export function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  title: string,
): Thenable<T | undefined> {
  return vscode.window.showQuickPick(items.map(plainItem), { title: plainLabel(title) });
}

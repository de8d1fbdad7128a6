import * as vscode from 'vscode';
import { plainLabel } from './plainText.ts';

declare const isPlain: unique symbol;
/** An item whose words are shown as they are. An icon of our own is its `iconPath`. */
export type PlainItem<T extends vscode.QuickPickItem = vscode.QuickPickItem> = T & { readonly [isPlain]: true };

/** The item for a list of VS Code's quick pick, where `$(name)` in anyone's words would become an icon. */
export function plainItem<T extends vscode.QuickPickItem>(item: T): PlainItem<T> {
  const { label, description, detail } = item;
  return {
    ...item,
    label: plainLabel(label),
    ...(description !== undefined && { description: plainLabel(description) }),
    ...(detail !== undefined && { detail: plainLabel(detail) }),
  } as PlainItem<T>;
}

/** `createQuickPick` of VS Code, which takes nothing but items of `plainItem`. */
export function createQuickPick<T extends vscode.QuickPickItem>(): vscode.QuickPick<PlainItem<T>> {
  return vscode.window.createQuickPick<PlainItem<T>>();
}

/** `showQuickPick` of VS Code for words of anyone. */
export function showQuickPick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  title: string,
): Thenable<T | undefined> {
  return vscode.window.showQuickPick(items.map(plainItem), { title: plainLabel(title) });
}

import * as vscode from 'vscode';

/** The files in tabs, each once, without the current one. */
export function openFiles(current: vscode.Uri | undefined): vscode.Uri[] {
  const inTabs = vscode.window.tabGroups.all.flatMap(({ tabs }) =>
    tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri] : [])),
  );
  const files = new Map(inTabs.map((uri) => [uri.toString(), uri]));
  files.delete(current?.toString() ?? '');
  return [...files.values()].filter(({ scheme }) => !/^(?:output|ask-model-)/.test(scheme));
}

import * as vscode from 'vscode';

/** The open diffs with a change that an answer proposes. */
export function proposals(): vscode.TabInputTextDiff[] {
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .flatMap(({ input }) =>
      input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'ask-model-change' ? [input] : [],
    );
}

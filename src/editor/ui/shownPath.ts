import * as vscode from 'vscode';

/** Relative to the workspace; outside of one only the name, because a path can tell more than its owner wants told. */
export function shownPath(uri: vscode.Uri): string {
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  }
  return uri.path.split('/').at(-1) || uri.path;
}

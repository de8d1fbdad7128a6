import * as vscode from 'vscode';

/** The path relative to the workspace. Outside of it only the file name, since a full path may reveal private names. */
export function shownPath(uri: vscode.Uri): string {
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  }
  return uri.path.split('/').at(-1) || uri.path;
}

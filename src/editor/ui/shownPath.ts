import * as vscode from 'vscode';

/** The path relative to the workspace. Outside of it only the file name, since a full path may reveal private names. */
export function shownPath(uri: vscode.Uri): string {
  if (vscode.workspace.getWorkspaceFolder(uri)) {
    return vscode.workspace.asRelativePath(uri).replaceAll('\\', '/');
  }
  return uri.path.split('/').at(-1) || uri.path;
}

/** Where a context is, for `CodeContext`. */
export function placeOf(uri: vscode.Uri): { path: string; uri: string } {
  return { path: shownPath(uri), uri: uri.toString() };
}

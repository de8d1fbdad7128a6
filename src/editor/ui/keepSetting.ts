import * as vscode from 'vscode';

export const keepSetting = 'askModel.conversations.keep';

/** Whether new conversations are stored on disk. */
export function isKeepingConversations(): boolean {
  return vscode.workspace.getConfiguration().get<unknown>(keepSetting) !== false;
}

import * as vscode from 'vscode';

export const keepSetting = 'askModel.conversations.keep';

/** Whether conversations that begin now go to the disk. */
export function isKeepingConversations(): boolean {
  return vscode.workspace.getConfiguration().get<unknown>(keepSetting) !== false;
}

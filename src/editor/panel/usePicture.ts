import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { type Conversation, titleOf } from '../../core/chat/conversation/conversation.ts';
import { fileNameOf } from '../../core/chat/store/conversationMarkdown.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { PanelMessage } from '../../protocol/protocol.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import { showWarningMessage } from '../ui/messages.ts';

/** Opens a picture of an answer in VS Code's own editor for images, or saves it. One that has no file is saved. */
export async function usePicture(
  { name, isSaved }: Extract<PanelMessage, { type: 'usePicture' }>,
  conversation: Conversation,
  store: Pick<ConversationStore, 'readPicture' | 'pictureFile'>,
  home: vscode.Uri,
  { column }: { readonly column: vscode.ViewColumn },
): Promise<void> {
  const base64 = await store.readPicture(conversation.id, name);
  if (base64 === undefined) {
    void showWarningMessage(l10n.t('This picture is no longer available.'));
    return;
  }
  const path = store.pictureFile(conversation.id, name);
  if (path !== undefined && !isSaved) {
    await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), column);
    return;
  }
  const ending = name.split('.').at(-1) ?? '';
  const target = await askExportFile(
    home,
    `${fileNameOf(titleOf(conversation))}.${ending}`,
    l10n.t('Save Picture As'),
    { [ending.toUpperCase()]: [ending] },
  );
  await (target && writeExport(target, Buffer.from(base64, 'base64')));
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText, sentences } from '../../core/base/localization.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { MaskedDraft } from '../../core/chat/masking/maskedDraft.ts';
import {
  type ImportedConversation,
  importConversations,
  maxImportSize,
} from '../../core/chat/store/conversationJson.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { LoadedConversations } from '../panel/loadedConversations.ts';
import { startFolder } from '../ui/exportFile.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { isKeepingConversations, runCommand } from '../ui/registrations.ts';

/** Exports conversations to one file. @param title of the dialog. */
export async function exportConversations(
  loaded: LoadedConversations,
  ids: readonly string[],
  format: 'Markdown' | 'JSON',
  title: string,
): Promise<void> {
  const conversations: Conversation[] = [];
  for (const id of ids) {
    const found = await loaded.find(id);
    conversations.push(...(found ? [found] : []));
  }
  if (conversations.length > 0) {
    const filters = format === 'JSON' ? { JSON: ['json'] } : { Markdown: ['md'] };
    await loaded.unsaved.save(title, filters, () => conversations);
  }
}

/**
 * Imports conversations from files that were exported as JSON.
 *
 * @param home where the dialog starts when no folder is open.
 */
export async function importJson(store: ConversationStore, home: vscode.Uri): Promise<void> {
  const files = await vscode.window.showOpenDialog({
    title: l10n.t('Import Conversations'),
    openLabel: l10n.t('Import'),
    canSelectMany: true,
    filters: { JSON: ['json'] },
    defaultUri: startFolder(home),
  });
  let count = 0;
  let last: string | undefined;
  for (const file of files ?? []) {
    const name = file.path.split('/').at(-1) ?? '';
    const conversations = await readFile(file, name);
    if (conversations === undefined) {
      continue;
    }
    if (typeof conversations === 'string') {
      void showErrorMessage(sentences(l10n.t('Nothing was imported from {0}.', name), conversations));
      continue;
    }
    if (conversations.length === 0) {
      void showInformationMessage(l10n.t('{0} contains no conversations.', name));
    }
    for (const { text, changedAt, pictures } of conversations) {
      // A new id, because its own may be in use, or belong to a deleted conversation that can still be restored.
      last = crypto.randomUUID();
      await store.append(last, text);
      for (const picture of pictures) {
        await store.keepPicture(last, picture);
      }
      await store.setChangedAt(last, changedAt);
      count++;
    }
  }
  if (last !== undefined) {
    const open = l10n.t('Open');
    const id = last;
    void showInformationMessage(
      sentences(
        l10n.t('Imported conversations: {0}.', numberText(count)),
        !isKeepingConversations() && l10n.t("New conversations aren't saved. They're lost when this window closes."),
      ),
      ...(count === 1 ? [open] : []),
    ).then((answer) => answer === open && runCommand('askModel.openConversation', id));
  }
}

/**
 * Reads a file, and asks about secrets in it: what is stored is sent again without another search.
 *
 * @returns the conversations, or why the file can't be imported; undefined if the person cancelled.
 */
async function readFile(file: vscode.Uri, name: string): Promise<readonly ImportedConversation[] | string | undefined> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > maxImportSize) {
    return l10n.t('The file is larger than {0} MB.', numberText(maxImportSize / 1_048_576));
  }
  const text = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
  const draft = new MaskedDraft(crypto.randomUUID().slice(-12));
  const masked = importConversations(text, draft);
  const { size: found } = draft.masks;
  if (typeof masked === 'string' || found === 0) {
    return masked;
  }
  const [mask, asIs] = [l10n.t('Mask and Import'), l10n.t('Import As Is')];
  const answer = await showWarningMessage(
    l10n.t('Possible secrets in {0}: {1}.', name, numberText(found)),
    {
      modal: true,
      detail: l10n.t(
        'The next question in a conversation sends what was imported. Masked secrets are replaced with placeholders for good.',
      ),
    },
    mask,
    asIs,
  );
  if (answer === asIs) {
    return importConversations(text);
  }
  return answer === undefined ? undefined : masked;
}

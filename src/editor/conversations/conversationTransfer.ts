import * as vscode from 'vscode';
import { type Conversation, titleOf } from '../../core/chat/conversation/conversation.ts';
import { endRunning, readConversation } from '../../core/chat/conversation/conversationRecord.ts';
import {
  conversationsJson,
  type ImportedConversation,
  importConversations,
  maxImportSize,
} from '../../core/chat/store/conversationJson.ts';
import { conversationMarkdown, fileNameOf } from '../../core/chat/store/conversationMarkdown.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { keepImported } from '../../core/chat/store/keepImported.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import { askExportFile, startFolder, writeExport, writeWhole } from '../ui/exportFile.ts';
import { isKeepingConversations } from '../ui/keepSetting.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/runCommand.ts';

export type TransferDeps = {
  readonly store: ConversationStore;
  readonly panels: () => Promise<ChatPanels>;
  /** Where dialogs begin when no folder is open. */
  readonly home: vscode.Uri;
};

export type ConversationTransfer = {
  exportMarkdown(ids: readonly string[]): Promise<void>;
  exportJson(ids: readonly string[]): Promise<void>;
  importJson(): Promise<void>;
};

/** Conversations out of the store into files of the person's own, and back in. */
export function conversationTransfer(deps: TransferDeps): ConversationTransfer {
  return {
    async exportMarkdown(ids) {
      if (ids.length > 1) {
        await exportEach(deps, ids);
        return;
      }
      const [conversation] = await read(deps, ids);
      if (conversation) {
        const name = `${fileNameOf(titleOf(conversation))}.md`;
        const target = await askExportFile(deps.home, name, 'Export as Markdown', { Markdown: ['md'] });
        await (target && writeExport(target, conversationMarkdown(conversation)));
      }
    },
    async exportJson(ids) {
      const conversations = await read(deps, ids);
      const [first] = conversations;
      if (first) {
        const name = conversations.length === 1 ? fileNameOf(titleOf(first)) : `${conversations.length}-conversations`;
        const target = await askExportFile(deps.home, `${name}.json`, 'Export as JSON', { JSON: ['json'] });
        await (target && writeExport(target, conversationsJson(conversations)));
      }
    },
    importJson: () => importFiles(deps),
  };
}

/** As they are kept, with what this window has not written yet or can't. */
async function read({ store, panels }: TransferDeps, ids: readonly string[]): Promise<Conversation[]> {
  const { conversations } = await panels();
  const found: Conversation[] = [];
  for (const id of ids) {
    await conversations.settled(id);
    const unsaved = conversations.unsaved(id);
    const text = unsaved === undefined ? await store.read(id) : undefined;
    if (unsaved) {
      found.push(endRunning(unsaved));
    } else if (text !== undefined) {
      found.push(readConversation(id, text, await store.isClaimedElsewhere(id)).conversation);
    }
  }
  if (found.length < ids.length) {
    const gone = ids.length - found.length;
    void showWarningMessage(`${gone === 1 ? 'One conversation is' : `${gone} conversations are`} not there any more.`);
  }
  return found;
}

/** One file each, into a folder; what is there already is not touched. */
async function exportEach(deps: TransferDeps, ids: readonly string[]): Promise<void> {
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: `Export ${ids.length} Conversations as Markdown`,
      openLabel: 'Export Here',
      canSelectFiles: false,
      canSelectFolders: true,
      defaultUri: startFolder(deps.home),
    })) ?? [];
  if (folder === undefined) {
    return;
  }
  const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name.toLowerCase()));
  let written = 0;
  // One at a time in memory.
  for (const id of ids) {
    const [conversation] = await read(deps, [id]);
    if (conversation) {
      const stem = fileNameOf(titleOf(conversation));
      let name = `${stem}.md`;
      for (let count = 2; taken.has(name.toLowerCase()); count++) {
        name = `${stem}-${count}.md`;
      }
      taken.add(name.toLowerCase());
      await writeWhole(vscode.Uri.joinPath(folder, name), conversationMarkdown(conversation));
      written++;
    }
  }
  void showInformationMessage(`${written} conversations exported to ${folder.fsPath}`);
}

async function importFiles(deps: TransferDeps): Promise<void> {
  const files = await vscode.window.showOpenDialog({
    title: 'Import Conversations',
    openLabel: 'Import',
    canSelectMany: true,
    filters: { JSON: ['json'] },
    defaultUri: startFolder(deps.home),
  });
  let count = 0;
  let last: string | undefined;
  for (const file of files ?? []) {
    const name = file.path.split('/').at(-1);
    const conversations = await readFile(file);
    if (typeof conversations === 'string') {
      void showErrorMessage(`Nothing was imported from ${name}. ${conversations}`);
      continue;
    }
    if (conversations.length === 0) {
      void showInformationMessage(`There is no conversation in ${name}.`);
    }
    for (const each of conversations) {
      last = await keepImported(deps.store, each, () => crypto.randomUUID());
      count++;
    }
  }
  if (last !== undefined) {
    const open = 'Open';
    const id = last;
    const fate = isKeepingConversations() ? '' : ' Conversations are not kept: gone when this window closes.';
    void showInformationMessage(
      `${count === 1 ? 'One conversation' : `${count} conversations`} imported.${fate}`,
      ...(count === 1 ? [open] : []),
    ).then((answer) => answer === open && runCommand('askModel.openConversation', id));
  }
}

/** @returns the conversations, or why there are none. */
async function readFile(file: vscode.Uri): Promise<readonly ImportedConversation[] | string> {
  const { size } = await vscode.workspace.fs.stat(file);
  if (size > 3 * maxImportSize) {
    return `The file is larger than ${(3 * maxImportSize) / 1_048_576} MB.`;
  }
  const bytes = await vscode.workspace.fs.readFile(file);
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return 'The file is no text in UTF-8.';
  }
  const imported = importConversations(text);
  return imported.ok ? imported.conversations : imported.reason;
}

import * as vscode from 'vscode';
import { once } from '../../core/base/once.ts';
import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import { chosenStore } from '../../core/chat/store/chosenStore.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { GitChanges } from '../code/gitChanges.ts';
import { ProposedChanges } from '../code/proposedChanges.ts';
import { TerminalCommands } from '../code/terminalCommands.ts';
import type { WorkspaceFiles } from '../code/workspaceFiles.ts';
import type { Gateways } from '../sending/paidCalls.ts';
import { openUnscannedFiles } from '../sending/questionSecrets.ts';
import { QuestionSettings } from '../settingFiles/questionSettings.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { isKeepingConversations } from '../ui/registrations.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';
import { ChatPanels } from './chatPanels.ts';
import { LoadedConversations } from './loadedConversations.ts';
import { UnreadAnswers } from './unreadAnswers.ts';
import { openUnsavedConversations } from './unsavedConversations.ts';

/** The conversations on disk, with what closed windows left there. */
type ConversationFiles = ConversationStore & {
  /** Permanently removes conversations that closed windows deleted, or that were deleted long before `now`. */
  clearDeleted(now: number): Promise<void>;
};

/** The parts of the extension that show conversations. */
export type OpenedPanels = ReturnType<typeof openPanels>;

/**
 * Creates the panels of conversations and the store of the conversations.
 *
 * @param home the folder where dialogs start when no folder is open.
 */
export function openPanels(
  shared: SharedPorts,
  { workspaceState, extension, extensionUri }: vscode.ExtensionContext,
  gateways: Gateways,
  files: ConversationFiles,
  workspaceFiles: WorkspaceFiles,
  git: GitChanges,
  lastEditor: LastEditor,
  paid: PaidActions,
  documents: ShownTexts,
  home: vscode.Uri,
) {
  const { store, log, clock } = shared;
  const { connections } = gateways;
  const changes = store.add(new ProposedChanges());
  const conversationStore = chosenStore(files, clock, isKeepingConversations);
  // Created now, because VS Code tells only of commands that start from now on.
  const terminals = store.add(new TerminalCommands());
  const sources = { lastEditor, files: workspaceFiles, terminals, changes: git, home };
  const unread = store.add(new UnreadAnswers());
  const unscanned = openUnscannedFiles(workspaceState);
  const unsaved = openUnsavedConversations(log, conversationStore, home);
  const conversations = store.add(
    new LoadedConversations(shared, conversationStore, gateways, unscanned, unread, unsaved),
  );
  const questionSettings = new QuestionSettings(store, log, connections, conversations, conversationStore);
  const panels = once(async () => {
    files.clearDeleted(clock.now()).catch((error) => log.defect('Deleted conversations stayed behind', error));
    // The first draft must not be stored before they are known.
    await connections.readKeys();
    const { version } = extension.packageJSON as { version: string };
    const parts = {
      shared,
      gateways,
      store: conversationStore,
      sources,
      documents,
      changes,
      unscanned,
      questionSettings,
      paid,
      version,
    };
    return new ChatPanels(conversations, unread, parts, vscode.Uri.joinPath(extensionUri, 'dist'));
  });
  return {
    /** Loaded when the first one is needed. */
    panels,
    /** The conversations in memory. */
    conversations,
    /** The changes to files that replies propose. */
    changes,
    sources,
    questionSettings,
    conversationStore,
    unread,
  };
}

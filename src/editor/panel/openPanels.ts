import * as vscode from 'vscode';
import { Emitter } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import { chosenStore } from '../../core/chat/store/chosenStore.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { GitChanges } from '../code/gitChanges.ts';
import { ProposedChanges } from '../code/proposedChanges.ts';
import { TerminalCommands } from '../code/terminalCommands.ts';
import type { WorkspaceFiles } from '../code/workspaceFiles.ts';
import { openUnscannedFiles } from '../sending/questionSecrets.ts';
import type { Gateways } from '../sending/sendReview.ts';
import { QuestionSettings } from '../settingFiles/questionSettings.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import type { Log } from '../ui/log.ts';
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

/** The parts of the extension that show conversations; each is loaded when it is first needed. */
export type OpenedPanels = ReturnType<typeof openPanels>;

/**
 * Creates the panels of conversations and the store of the conversations.
 *
 * @param callsSettled resolves when the ends of all paid calls so far are in the ledger.
 * @param home the folder where dialogs start when no folder is open.
 */
export function openPanels(
  shared: SharedPorts,
  { workspaceState, extension, extensionUri }: vscode.ExtensionContext,
  gateways: Gateways,
  files: ConversationFiles,
  callsSettled: () => Promise<void>,
  workspaceFiles: WorkspaceFiles,
  git: GitChanges,
  lastEditor: LastEditor,
  paid: PaidActions,
  documents: ShownTexts,
  home: vscode.Uri,
) {
  const { store, log, clock } = shared;
  const changes = store.add(new ProposedChanges());
  const conversationStore = once(async () => openStore(files, callsSettled, clock, log));
  const didChange = store.add(new Emitter<string>());
  // Created now, because VS Code tells only of commands that start from now on.
  const terminals = store.add(new TerminalCommands());
  const sources = { lastEditor, files: workspaceFiles, terminals, changes: git, home };
  const unread = store.add(new UnreadAnswers());
  const unscanned = openUnscannedFiles(workspaceState);
  let opened: LoadedConversations | undefined;
  const loaded = once(async () => {
    // The first draft must not be stored before they are known.
    await gateways.connections.readKeys();
    const conversations = await conversationStore();
    const unsaved = openUnsavedConversations(log, conversations, home);
    opened = store.add(new LoadedConversations(shared, conversations, gateways, unscanned, unread, unsaved));
    opened.onDidChange((id) => didChange.fire(id));
    return opened;
  });
  const questionSettings = new QuestionSettings(store, log, clock, gateways.connections, {
    find: async (id) => (await loaded()).find(id),
    change: async (id, change) => (await loaded()).change(id, change),
    begin: async (id) => (await loaded()).begin(id),
    isOnDisk: async (id) => (await conversationStore()).isOnDisk(id),
  });
  const panels = once(async () => {
    const { version } = extension.packageJSON as { version: string };
    const parts = {
      shared,
      gateways,
      store: await conversationStore(),
      sources,
      documents,
      changes,
      unscanned,
      questionSettings,
      paid,
      version,
    };
    return new ChatPanels(await loaded(), unread, parts, vscode.Uri.joinPath(extensionUri, 'dist'));
  });
  return {
    panels,
    /** The changes to files that replies propose. */
    changes,
    sources,
    questionSettings,
    conversationStore,
    /** A conversation that this window has in memory. */
    live: (id: string) => opened?.get(id),
    /** Fires with the id of a conversation that this window has changed. */
    onDidChangeConversation: didChange.event,
    unread,
    /** Resolves when everything that was shown is saved. */
    settled: async () => (await loaded.ifCalled())?.settled(),
  };
}

/** Opens the store: on disk or in memory, as the setting says. */
function openStore(
  files: ConversationFiles,
  callsSettled: () => Promise<void>,
  clock: SharedPorts['clock'],
  log: Log,
): ConversationStore {
  files.clearDeleted(clock.now()).catch((error) => log.defect('Deleted conversations stayed behind', error));
  const store = chosenStore(files, clock, isKeepingConversations);
  return {
    ...store,
    async lock(id) {
      const release = await store.lock(id);
      // A deletion of all data must not come between the end of a call and its line in the ledger.
      return typeof release === 'string' ? release : () => void callsSettled().finally(release);
    },
  };
}

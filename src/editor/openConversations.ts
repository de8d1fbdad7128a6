import * as vscode from 'vscode';
import type { FindSender } from '../core/chat/chatPorts.ts';
import { chosenStore } from '../core/chat/chosenStore.ts';
import type { ConversationStore } from '../core/chat/conversationStore.ts';
import { memoryConversations } from '../core/chat/memoryConversations.ts';
import type { PaidActions } from '../core/chat/paidActions.ts';
import type { Connections } from '../core/gateway/connections.ts';
import { Emitter } from '../core/lifetime.ts';
import type { Catalogue } from '../core/models/catalogue.ts';
import { once } from '../core/once.ts';
import type { ChatPanels } from './chatPanels.ts';
import type { ConversationCommands } from './conversationCommands.ts';
import { isKeepingConversations } from './keepSetting.ts';
import type { LastEditor } from './lastEditor.ts';
import type { LazyTree, TreeRows } from './lazyTree.ts';
import type { ProposedChanges } from './proposedChanges.ts';
import type { SharedPorts } from './sharedPorts.ts';
import type { ShowRequestDeps } from './showRequest.ts';

/** Conversations on the disk, and what windows that are gone left there. */
export type ConversationFiles = ConversationStore & {
  /** Removes for good what was deleted by windows that are gone, or long before `now`. */
  clearDeleted(now: number): Promise<void>;
  /** Ids of those that windows which are gone marked as unsaved, each told to one window only. */
  takeUnsaved(): Promise<readonly string[]>;
};

export type ConversationsPorts = SharedPorts & {
  readonly connections: Pick<Connections, 'active'>;
  readonly ensureConnected: () => Promise<boolean>;
  readonly host: () => string | undefined;
  readonly findSender: FindSender;
  readonly seeCall: ShowRequestDeps['seeCall'];
  readonly catalogue: Catalogue;
  readonly pickModel: (title?: string, than?: string) => Promise<string | undefined>;
  readonly paid: PaidActions;
  readonly lastEditor: LastEditor;
  readonly tree: LazyTree;
  /** Loaded with the first conversation. */
  readonly files: () => Promise<ConversationFiles>;
  /** Where dialogs begin when no folder is open. */
  readonly home: () => string;
  /** Folder of what is built, with the page of the panel. */
  readonly dist: vscode.Uri;
  /** The extension's. */
  readonly version: string;
};

/** Conversations on screen and in the side bar; each part is loaded when it is first needed. */
export type OpenedConversations = {
  readonly panels: () => Promise<ChatPanels>;
  /** Changes to files that a reply proposes. */
  readonly changes: () => Promise<ProposedChanges>;
  /** The rows of the list of conversations. */
  readonly rows: () => Promise<TreeRows>;
  /** What a person can do with conversations besides going on with them. */
  readonly conversations: () => Promise<ConversationCommands>;
  /** Resolves when everything that was shown is kept. */
  readonly settled: () => Promise<void>;
};

/** Builds the panels of conversations and their list in the side bar. */
export function openConversations(ports: ConversationsPorts): OpenedConversations {
  const { store, log, clock, remembered, connections, lastEditor, version, dist } = ports;
  const home = () => vscode.Uri.file(ports.home());
  const changes = once(async () => {
    const { ProposedChanges } = await import('./proposedChanges.ts');
    return store.add(new ProposedChanges());
  });
  const conversationStore = once(() => openStore(ports));
  const didChange = store.add(new Emitter<string>());
  let opened: ChatPanels | undefined;
  const panels = once(async () => {
    const { ChatPanels } = await import('./chatPanels.ts');
    opened = store.add(
      new ChatPanels({
        catalogue: ports.catalogue,
        changes,
        lastEditor,
        log,
        clock,
        version,
        findSender: ports.findSender,
        seeCall: ports.seeCall,
        forgoUsage: async () => {
          await (connections.active && remembered.forgoUsage(connections.active.id));
        },
        ensureConnected: ports.ensureConnected,
        paid: ports.paid,
        pickModel: ports.pickModel,
        host: ports.host,
        dist,
        store: await conversationStore(),
        onConversationChanged: (id) => didChange.fire(id),
        home: home(),
      }),
    );
    return opened;
  });
  const kept = once(async () => {
    const { keptConversations } = await import('./keptConversations.ts');
    return store.add(
      keptConversations({
        store: await conversationStore(),
        tree: ports.tree,
        panels,
        live: (id) => opened?.conversations.get(id),
        onDidChange: didChange.event,
        home: home(),
        clock,
        log,
      }),
    );
  });
  return {
    panels,
    changes,
    rows: async () => (await kept()).view,
    conversations: async () => (await kept()).commands,
    settled: async () => (await panels.ifCalled())?.conversations.settled(),
  };
}

/** On the disk or in memory, as the person chose; says first what earlier windows could not save. */
async function openStore({ files: openFiles, clock, log }: ConversationsPorts): Promise<ConversationStore> {
  const files = await openFiles();
  files.clearDeleted(clock.now()).catch((error) => log.defect('Deleted conversations stayed behind', error));
  try {
    const unsaved = await files.takeUnsaved();
    if (unsaved.length > 0) {
      const { ChatPanels } = await import('./chatPanels.ts');
      await ChatPanels.tellUnsaved(files, unsaved, log);
    }
  } catch (error) {
    log.defect('What could not be saved before is not known', error);
  }
  return chosenStore(files, memoryConversations(clock), isKeepingConversations);
}

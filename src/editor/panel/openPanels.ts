import type * as vscode from 'vscode';
import { Emitter, type Event } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import type { FindSender } from '../../core/chat/sending/chatPorts.ts';
import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import { chosenStore } from '../../core/chat/store/chosenStore.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { memoryConversations } from '../../core/chat/store/memoryConversations.ts';
import type { Connections } from '../../core/connections/connections.ts';
import type { Catalogue } from '../../core/models/catalogue/catalogue.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import { isKeepingConversations } from '../ui/keepSetting.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import type { SharedPorts } from '../ui/sharedPorts.ts';
import type { ChatPanels } from './chatPanels.ts';
import type { ShowRequestDeps } from './showRequest.ts';

/** Conversations on the disk, and what windows that are gone left there. */
type ConversationFiles = ConversationStore & {
  /** Removes for good what was deleted by windows that are gone, or long before `now`. */
  clearDeleted(now: number): Promise<void>;
  /** Ids of those that windows which are gone marked as unsaved, each told to one window only. */
  takeUnsaved(): Promise<readonly string[]>;
};

export type PanelsPorts = SharedPorts & {
  readonly connections: Pick<Connections, 'active'>;
  readonly ensureConnected: () => Promise<boolean>;
  readonly host: () => string | undefined;
  readonly findSender: FindSender;
  readonly seeCall: ShowRequestDeps['seeCall'];
  readonly catalogue: Catalogue;
  readonly pickModel: (title?: string, than?: string) => Promise<string | undefined>;
  readonly paid: PaidActions;
  readonly lastEditor: LastEditor;
  /** Loaded with the first conversation. */
  readonly files: () => Promise<ConversationFiles>;
  /** Where dialogs begin when no folder is open. */
  readonly home: vscode.Uri;
  /** Folder of what is built, with the page of the panel. */
  readonly dist: vscode.Uri;
  /** The extension's. */
  readonly version: string;
};

/** Conversations on screen; each part is loaded when it is first needed. */
export type OpenedPanels = {
  readonly panels: () => Promise<ChatPanels>;
  /** Changes to files that a reply proposes. */
  readonly changes: () => Promise<ProposedChanges>;
  /** Where conversations are. */
  readonly conversationStore: () => Promise<ConversationStore>;
  /** A conversation as this window has it open; undefined when it has not. */
  readonly live: (id: string) => Conversation | undefined;
  /** Fires with the id of a conversation in which this window did something. */
  readonly onDidChangeConversation: Event<string>;
  /** Resolves when everything that was shown is kept. */
  readonly settled: () => Promise<void>;
};

/** Builds the panels of conversations, with where their conversations are. */
export function openPanels(ports: PanelsPorts): OpenedPanels {
  const { store, remembered, connections } = ports;
  const changes = once(async () => {
    const { ProposedChanges } = await import('../code/proposedChanges.ts');
    return store.add(new ProposedChanges(ports.log));
  });
  const conversationStore = once(() => openStore(ports));
  const didChange = store.add(new Emitter<string>());
  let opened: ChatPanels | undefined;
  const panels = once(async () => {
    const { ChatPanels } = await import('./chatPanels.ts');
    opened = store.add(
      new ChatPanels({
        ...ports,
        changes,
        forgoUsage: async () => {
          await (connections.active && remembered.forgoUsage(connections.active.id));
        },
        store: await conversationStore(),
        onConversationChanged: (id) => didChange.fire(id),
      }),
    );
    return opened;
  });
  return {
    panels,
    changes,
    conversationStore,
    live: (id) => opened?.conversations.get(id),
    onDidChangeConversation: didChange.event,
    settled: async () => (await panels.ifCalled())?.conversations.settled(),
  };
}

/** On the disk or in memory, as the person chose; says first what earlier windows could not save. */
async function openStore({ files: openFiles, clock, log }: PanelsPorts): Promise<ConversationStore> {
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

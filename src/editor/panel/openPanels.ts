import { Emitter, type Event } from '../../core/base/lifetime.ts';
import { once } from '../../core/base/once.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { chosenStore } from '../../core/chat/store/chosenStore.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { memoryConversations } from '../../core/chat/store/memoryConversations.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { changeAfterRejection } from '../../core/connections/questionDefaults.ts';
import type { ProposedChanges } from '../code/proposedChanges.ts';
import { TerminalCommands } from '../code/terminalCommands.ts';
import { isKeepingConversations } from '../ui/registrations.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { ChatPanels, ChatPanelsDeps } from './chatPanels.ts';
import { UnreadAnswers } from './unreadAnswers.ts';
import { reportUnsaved } from './unsavedConversations.ts';

/** The conversations on disk, with what closed windows left there. */
type ConversationFiles = ConversationStore & {
  /** Permanently removes conversations that closed windows deleted, or that were deleted long before `now`. */
  clearDeleted(now: number): Promise<void>;
  /** Ids of conversations that closed windows marked as unsaved. Each id is returned to one window only. */
  takeUnsaved(): Promise<readonly string[]>;
};

export type PanelsPorts = SharedPorts &
  Omit<
    ChatPanelsDeps,
    'store' | 'changes' | 'setWithoutUsage' | 'omitRejected' | 'onConversationChanged' | 'unread' | 'terminals'
  > & {
    readonly connections: Pick<Connections, 'readKeys' | 'setParameters'>;
    readonly conversationFiles: ConversationFiles;
    /** Resolves when the ends of all paid calls so far are in the ledger. */
    readonly callsSettled: () => Promise<void>;
  };

/** The parts of the extension that show conversations; each is loaded when it is first needed. */
export type OpenedPanels = {
  readonly panels: () => Promise<ChatPanels>;
  /** The changes to files that replies propose. */
  readonly changes: () => Promise<ProposedChanges>;
  readonly conversationStore: () => Promise<ConversationStore>;
  /** A conversation that this window has in memory. */
  readonly live: (id: string) => Conversation | undefined;
  /** Fires with the id of a conversation that this window has changed. */
  readonly onDidChangeConversation: Event<string>;
  readonly unread: UnreadAnswers;
  /** Resolves when everything that was shown is saved. */
  readonly settled: () => Promise<void>;
};

/** Creates the panels of conversations and the store of the conversations. */
export function openPanels(ports: PanelsPorts): OpenedPanels {
  const { store, remembered, connections } = ports;
  const changes = once(async () => {
    const { ProposedChanges } = await import('../code/proposedChanges.ts');
    return store.add(new ProposedChanges(ports.log));
  });
  const conversationStore = once(() => openStore(ports));
  const didChange = store.add(new Emitter<string>());
  // Created now, because VS Code tells only of commands that start from now on.
  const terminals = store.add(new TerminalCommands());
  let opened: ChatPanels | undefined;
  const unread: UnreadAnswers = store.add(new UnreadAnswers(async (id) => (await panels()).show(id)));
  const panels = once(async () => {
    const [{ ChatPanels }] = await Promise.all([
      import('./chatPanels.ts'),
      // The first draft must not be stored before they are known.
      connections.readKeys(),
    ]);
    opened = store.add(
      new ChatPanels({
        ...ports,
        changes,
        setWithoutUsage: async () => {
          const { active } = connections;
          await (active && remembered.ofConnections('withoutUsage').write(active.id, true));
        },
        omitRejected: async (reply) => {
          const { active } = connections;
          if (active && reply?.problem?.kind === 'parameterRejected') {
            const change = changeAfterRejection(active.modelParameters?.get(reply.model), reply.problem);
            await connections.setParameters(active, reply.model, change);
          }
        },
        store: await conversationStore(),
        onConversationChanged: (id) => didChange.fire(id),
        unread,
        terminals,
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
    unread,
    settled: async () => (await panels.ifCalled())?.conversations.settled(),
  };
}

/** Opens the store: on disk or in memory, as the setting says. First reports what closed windows could not save. */
async function openStore({
  conversationFiles: files,
  callsSettled,
  clock,
  log,
}: PanelsPorts): Promise<ConversationStore> {
  files.clearDeleted(clock.now()).catch((error) => log.defect('Deleted conversations stayed behind', error));
  try {
    const unsaved = await files.takeUnsaved();
    if (unsaved.length > 0) {
      await reportUnsaved(files, unsaved, log);
    }
  } catch (error) {
    log.defect('What could not be saved before is not known', error);
  }
  const store = chosenStore(files, memoryConversations(clock), isKeepingConversations);
  return {
    ...store,
    async lock(id) {
      const release = await store.lock(id);
      // A deletion of all data must not come between the end of a call and its line in the ledger.
      return typeof release === 'string' ? release : () => void callsSettled().finally(release);
    },
  };
}

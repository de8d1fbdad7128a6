import type * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore, type Event } from '../../core/base/lifetime.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import { ConversationIndex } from '../../core/chat/store/conversationIndex.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { ChatPanels } from '../panel/chatPanels.ts';
import type { LazyTree } from '../ui/lazyTree.ts';
import type { Log } from '../ui/log.ts';
import { type ConversationCommands, conversationCommands } from './conversationCommands.ts';
import { ConversationsView } from './conversationsView.ts';
import { conversationTransfer } from './conversationTransfer.ts';

export type KeptConversationsDeps = {
  readonly store: ConversationStore;
  readonly tree: LazyTree;
  readonly panels: () => Promise<ChatPanels>;
  /** As this window has it open; undefined when it has not. */
  readonly live: (id: string) => Conversation | undefined;
  /** Fires with the id of a conversation in which this window did something. */
  readonly onDidChange: Event<string>;
  readonly home: vscode.Uri;
  readonly clock: Clock;
  readonly log: Log;
};

export type KeptConversations = vscode.Disposable & {
  readonly view: ConversationsView;
  readonly commands: ConversationCommands;
};

/** The list of conversations and all that is done with it; loaded when somebody looks at it first. */
export function keptConversations(deps: KeptConversationsDeps): KeptConversations {
  const { store, tree, panels, live, clock, log } = deps;
  const own = new DisposableStore();
  const index = own.add(new ConversationIndex({ store, clock, live }));
  own.add(deps.onDidChange((id) => index.changed(id)));
  const view = own.add(new ConversationsView({ index, tree, clock, log }));
  const transfer = conversationTransfer({ store, panels, home: deps.home });
  const selection = () => tree.view.selection;
  const commands = conversationCommands({ index, store, view, transfer, selection, panels, clock, log });
  return { view, commands, dispose: () => own.dispose() };
}

import type * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import {
  type ConversationEvent,
  emptyConversation,
  readConversation,
  withUnsentDraft,
} from '../../core/chat/conversation/conversationRecord.ts';
import type { FindSender } from '../../core/chat/sending/action.ts';
import { Chat } from '../../core/chat/sending/chat.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { markedAppend } from '../../core/chat/store/unsavedText.ts';
import type { KeyRemover } from '../../core/secrets/keyRemover.ts';
import type { Log } from '../ui/log.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { UnscannedFiles } from './secretRequests.ts';
import type { UnreadAnswers } from './unreadAnswers.ts';
import { UnsavedConversations } from './unsavedConversations.ts';

export type LoadedConversationsDeps = {
  readonly store: ConversationStore;
  readonly findSender: FindSender;
  readonly keys: KeyRemover;
  readonly clock: Clock;
  readonly log: Log;
  /** The folder where dialogs start when no folder is open. */
  readonly home: vscode.Uri;
  /** Called with the id of a conversation after each of its events, except deltas. */
  readonly onConversationChanged: (id: string) => void;
  readonly unread: UnreadAnswers;
  readonly unscanned: Pick<UnscannedFiles, 'has'>;
  /** Shows the conversation with this id. @returns false when it no longer exists. */
  readonly show: (id: string) => Promise<boolean>;
};

/** A conversation in memory. */
export type Loaded = {
  readonly chat: Chat;
  /** Only while the conversation has a panel. */
  panel?: ChatPanel;
  isRemoving?: boolean;
};

/**
 * The conversations in memory: those that have a panel, a running reply or changes that could not be written. All
 * others are read from the store when they are needed.
 */
export class LoadedConversations implements vscode.Disposable {
  readonly #deps: LoadedConversationsDeps;
  /** By id. */
  readonly #loaded = new Map<string, Loaded>();
  readonly #unsaved: UnsavedConversations;

  constructor(deps: LoadedConversationsDeps) {
    this.#deps = deps;
    this.#unsaved = new UnsavedConversations(deps);
  }

  /** The conversation with this id; undefined when it is not in memory. */
  get(id: string): Conversation | undefined {
    return this.#loaded.get(id)?.chat.conversation;
  }

  /** The conversation if it has changes that could not be written. */
  unsaved(id: string): Conversation | undefined {
    const chat = this.#loaded.get(id)?.chat;
    return chat?.unsavedChanges && chat.conversation;
  }

  /** The open panels. */
  get panels(): readonly ChatPanel[] {
    return [...this.#loaded.values()].flatMap(({ panel }) => panel ?? []);
  }

  /** Creates an empty conversation. */
  create(): Loaded {
    return this.#add(emptyConversation(crypto.randomUUID(), this.#deps.clock.now()), false);
  }

  /** Loads a conversation. @returns undefined when it no longer exists. */
  async load(id: string): Promise<Loaded | undefined> {
    const loaded = this.#loaded.get(id);
    if (loaded) {
      return loaded;
    }
    const stored = await this.#read(id);
    // Another call may have loaded it in the meantime.
    return this.#loaded.get(id) ?? (stored && this.#add(stored, true));
  }

  /** A conversation, also when it isn't in memory. @returns undefined when it no longer exists. */
  async find(id: string): Promise<Conversation | undefined> {
    return this.get(id) ?? (await this.#read(id));
  }

  /** Stores a conversation of this window, also when nothing was asked in it yet. */
  begin(id: string): void {
    this.#loaded.get(id)?.chat.begin();
  }

  /** Changes what is set in a conversation; see `Chat`. @returns false when it no longer exists. */
  async change(id: string, change: (chat: Chat) => void): Promise<boolean> {
    const loaded = await this.load(id);
    if (loaded === undefined) {
      return false;
    }
    change(loaded.chat);
    await this.unloadIfUnused(loaded);
    return true;
  }

  /** Renames a conversation. @returns false when it is not in memory. */
  async rename(id: string, title: string): Promise<boolean> {
    const chat = this.#loaded.get(id)?.chat;
    chat?.rename(title);
    await chat?.settled();
    return chat !== undefined;
  }

  /**
   * Removes a conversation: saves its changes, closes its panel and deletes it.
   *
   * @param remove deletes it from the store. Changes that could not be written are lost.
   * @returns false when a reply is running; then nothing is removed.
   */
  async remove(id: string, remove: () => Promise<void>): Promise<boolean> {
    await this.settled(id);
    const loaded = this.#loaded.get(id);
    if (loaded === undefined) {
      await remove();
      this.#deps.unread.remove(id);
      return true;
    }
    const { chat, panel } = loaded;
    if (chat.isRunning) {
      return false;
    }
    loaded.isRemoving = true;
    try {
      panel?.surface.dispose();
      // Closing the panel writes what was just typed.
      await chat.settled();
      await remove();
      // A panel that was opened in the meantime shows the deleted conversation.
      loaded.panel?.surface.dispose();
      this.#loaded.delete(id);
      this.#deps.unread.remove(id);
      chat.discard();
      chat.dispose();
    } finally {
      loaded.isRemoving = false;
      void this.unloadIfUnused(loaded);
    }
    return true;
  }

  /** Called when the panel of a conversation was closed. */
  async closed(loaded: Loaded): Promise<void> {
    loaded.panel = undefined;
    await this.unloadIfUnused(loaded);
    const { chat, isRemoving } = loaded;
    if (this.#isLoaded(loaded) && chat.unsavedChanges && !isRemoving) {
      this.#unsaved.notify(chat, false);
    }
  }

  /** Unloads a conversation that has no panel and no running reply, once its changes are written or it is deleted. */
  async unloadIfUnused(loaded: Loaded): Promise<void> {
    const { chat } = loaded;
    await chat.settled();
    const isNeeded =
      loaded.panel || loaded.isRemoving || chat.isRunning || (chat.unsavedChanges && !chat.unsavedChanges.isDeleted);
    if (!isNeeded && this.#isLoaded(loaded)) {
      this.#loaded.delete(chat.conversation.id);
      chat.dispose();
    }
  }

  /** Resolves when all changes are written. @param id waits only for this conversation. */
  async settled(id?: string): Promise<void> {
    const all = id === undefined ? [...this.#loaded.values()] : [this.#loaded.get(id)];
    await Promise.all(all.map((loaded) => loaded?.chat.settled()));
  }

  dispose(): void {
    for (const { panel, chat } of this.#loaded.values()) {
      panel?.dispose();
      chat.dispose();
    }
  }

  #isLoaded(loaded: Loaded): boolean {
    return this.#loaded.get(loaded.chat.conversation.id) === loaded;
  }

  async #read(id: string): Promise<Conversation | undefined> {
    const { store, log } = this.#deps;
    const file = await store.read(id);
    if (file === undefined) {
      return undefined;
    }
    const isArriving = await store.isLockedElsewhere(id);
    const { conversation, unreadLines } = readConversation(id, file, isArriving);
    if (unreadLines > 0) {
      log.warn(`Conversation ${id}: ${unreadLines} lines could not be read and were left as they are.`);
    }
    return isArriving ? conversation : withUnsentDraft(conversation);
  }

  #add(conversation: Conversation, isStored: boolean): Loaded {
    const { id } = conversation;
    const { clock, store, log, findSender, keys, unscanned } = this.#deps;
    const chat: Chat = new Chat(conversation, isStored, {
      findSender,
      keys,
      clock,
      keep: markedAppend(store, id),
      reread: () => this.#read(id),
      isOnDisk: () => store.isOnDisk(id),
      lock: () => store.lock(id),
      onKeepFailed: (error) => this.#saveFailed(loaded, error),
      onStoredAgain: () => {
        this.#unsaved.saved(chat);
        void this.unloadIfUnused(loaded);
      },
      maskSuffix: () => crypto.randomUUID().slice(-12),
      isScanned: (uri) => !unscanned.has(uri),
      onDefect: (error) => log.defect('Reply', error),
    });
    const loaded: Loaded = { chat };
    this.#loaded.set(id, loaded);
    chat.onDidChange((event) => {
      if (event.type === 'end' && !loaded.panel?.surface.visible) {
        this.#deps.unread.ended(chat.conversation, event.state);
      }
      if (event.type !== 'delta') {
        this.#deps.onConversationChanged(id);
      }
      if (event.type === 'end') {
        log.info(endLine(chat.conversation, event));
        void this.unloadIfUnused(loaded);
      }
    });
    return loaded;
  }

  #saveFailed(loaded: Loaded, error: unknown): void {
    const { log } = this.#deps;
    const { id } = loaded.chat.conversation;
    const { unsavedChanges } = loaded.chat;
    if (unsavedChanges?.isDeleted) {
      log.warn(`Conversation ${id} was deleted in another window while it was open here.`);
    } else {
      log.defect(`Conversation ${id} could not be kept`, error);
    }
    // Without unsaved changes, only the changes of other windows could not be read, which loses nothing.
    if (unsavedChanges) {
      this.#unsaved.failed(loaded.chat, error, loaded.panel !== undefined);
      void this.unloadIfUnused(loaded);
    }
  }
}

/** The log line of a reply that has ended, for comparison with the gateway's log. It has no text of the reply. */
function endLine({ turns }: Conversation, end: Extract<ConversationEvent, { type: 'end' }>): string {
  const reply = turns.flatMap(({ replies }) => replies).find(({ id }) => id === end.replyId);
  const { problem, requestId } = end;
  return [
    `${reply?.host} ${reply?.model}: ${end.state} after ${end.totalMs} ms`,
    problem && `${problem.kind} ${problem.status ?? ''} ${problem.code ?? ''}`.trim(),
    requestId && `request ${requestId}`,
  ]
    .filter(Boolean)
    .join(', ');
}

import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, Emitter } from '../../core/base/lifetime.ts';
import type { Conversation } from '../../core/chat/conversation/conversation.ts';
import {
  emptyConversation,
  readConversation,
  withUnsentDraft,
} from '../../core/chat/conversation/conversationRecord.ts';
import { Chat } from '../../core/chat/sending/chat.ts';
import type { LiveConversation } from '../../core/chat/sending/liveConversation.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import type { Gateways } from '../sending/paidCalls.ts';
import type { UnscannedFiles } from '../sending/questionSecrets.ts';
import type { Log } from '../ui/log.ts';
import type { SharedPorts } from '../ui/remembered.ts';
import type { ChatPanel } from './chatPanel.ts';
import type { UnreadAnswers } from './unreadAnswers.ts';
import type { UnsavedConversations } from './unsavedConversations.ts';

/** A conversation in memory. */
export type Loaded = {
  readonly chat: Chat;
  /** Only while the conversation has a panel. */
  panel?: ChatPanel;
  /** Its answer is used where it was asked for, so that it doesn't become unread. */
  isUsedElsewhere?: boolean;
};

/**
 * The conversations in memory: those that have a panel, a running reply or changes that could not be written. All
 * others are read from the store when they are needed.
 */
export class LoadedConversations implements Disposable {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #store: ConversationStore;
  readonly #gateways: Gateways;
  readonly #unscanned: UnscannedFiles;
  readonly #unread: UnreadAnswers;
  readonly unsaved: UnsavedConversations;
  readonly #didChange = new Emitter<string>();
  /** Fires with the id of a conversation after each of its events, except deltas. */
  readonly onDidChange = this.#didChange.event;
  /** By id. */
  readonly #loaded = new Map<string, Loaded>();

  constructor(
    { clock, log }: SharedPorts,
    store: ConversationStore,
    gateways: Gateways,
    unscanned: UnscannedFiles,
    unread: UnreadAnswers,
    unsaved: UnsavedConversations,
  ) {
    this.#clock = clock;
    this.#log = log;
    this.#store = store;
    this.#gateways = gateways;
    this.#unscanned = unscanned;
    this.#unread = unread;
    this.unsaved = unsaved;
  }

  /** The conversation with this id; undefined when it is not in memory. */
  get(id: string): Conversation | undefined {
    return this.#loaded.get(id)?.chat.live.conversation;
  }

  /** The open panels. */
  get panels(): readonly ChatPanel[] {
    return [...this.#loaded.values()].flatMap(({ panel }) => panel ?? []);
  }

  /** Creates an empty conversation. */
  create(): Loaded {
    return this.#add(emptyConversation(crypto.randomUUID(), this.#clock.now()), false);
  }

  /** Loads a conversation. @returns undefined when it no longer exists. */
  async load(id: string): Promise<Loaded | undefined> {
    const loaded = this.#loaded.get(id);
    if (loaded) {
      return loaded;
    }
    // Otherwise a draft could be stored with a key in it.
    await this.#gateways.connections.readKeys();
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
    this.#loaded.get(id)?.chat.live.begin();
  }

  /** Changes what is set in a conversation; see `LiveConversation`. @returns false when it no longer exists. */
  async change(id: string, change: (live: LiveConversation) => void): Promise<boolean> {
    const loaded = await this.load(id);
    if (loaded === undefined) {
      return false;
    }
    change(loaded.chat.live);
    await this.unloadIfUnused(loaded);
    return true;
  }

  /**
   * Removes a conversation: saves its changes, closes its panel and deletes it. Changes that could not be written are
   * lost.
   *
   * @returns false when a reply is running, here or in another window; then nothing is removed.
   */
  async remove(id: string): Promise<boolean> {
    const loaded = this.#loaded.get(id);
    if (loaded?.chat.isBusy || (await this.#store.isLockedElsewhere(id))) {
      return false;
    }
    if (loaded) {
      const { chat, panel } = loaded;
      await chat.live.settled();
      chat.live.discard();
      panel?.surface.dispose();
      await this.unloadIfUnused(loaded);
    }
    await this.#store.remove(id);
    this.#unread.remove(id);
    return true;
  }

  /** Called when the panel of a conversation was closed. */
  async closed(loaded: Loaded): Promise<void> {
    loaded.panel = undefined;
    await this.unloadIfUnused(loaded);
    const { live } = loaded.chat;
    if (this.#isLoaded(loaded) && live.failure !== undefined) {
      this.unsaved.notify(live);
    }
  }

  /** Unloads a conversation that has no panel and no running reply, once its changes are written. */
  async unloadIfUnused(loaded: Loaded): Promise<void> {
    const { chat } = loaded;
    await chat.live.settled();
    const isNeeded = loaded.panel || chat.isBusy || chat.live.failure !== undefined;
    if (!isNeeded && this.#isLoaded(loaded)) {
      this.#loaded.delete(chat.live.conversation.id);
      chat.dispose();
    }
  }

  /** Resolves when all changes are written. */
  async settled(): Promise<void> {
    await Promise.all([...this.#loaded.values()].map(({ chat }) => chat.live.settled()));
  }

  dispose(): void {
    for (const { panel, chat } of this.#loaded.values()) {
      panel?.dispose();
      chat.dispose();
    }
    this.#didChange.dispose();
  }

  #isLoaded(loaded: Loaded): boolean {
    return this.#loaded.get(loaded.chat.live.conversation.id) === loaded;
  }

  async #read(id: string): Promise<Conversation | undefined> {
    const file = await this.#store.read(id);
    if (file === undefined) {
      return undefined;
    }
    const isArriving = await this.#store.isLockedElsewhere(id);
    const { conversation, unreadLines } = readConversation(id, file, isArriving);
    if (unreadLines > 0) {
      this.#log.warn(`Conversation ${id}: ${unreadLines} lines could not be read and were left as they are.`);
    }
    return isArriving ? conversation : withUnsentDraft(conversation);
  }

  #add(conversation: Conversation, isStored: boolean): Loaded {
    const { id } = conversation;
    const { senders, keys } = this.#gateways;
    const chat: Chat = new Chat(conversation, isStored, {
      findSender: senders.find,
      keys,
      clock: this.#clock,
      store: this.#store,
      reread: () => this.#read(id),
      onKeepFailed: (error) => this.#saveFailed(loaded, error),
      onStoredAgain: () => {
        this.unsaved.saved(chat.live);
        void this.unloadIfUnused(loaded);
      },
      maskSuffix: () => crypto.randomUUID().slice(-12),
      isScanned: (uri) => !this.#unscanned.has(uri),
      onDefect: (error) => this.#log.defect('Reply', error),
    });
    const loaded: Loaded = { chat };
    this.#loaded.set(id, loaded);
    chat.live.onDidChange((event) => {
      if (event.type === 'end' && !loaded.panel?.surface.visible && !loaded.isUsedElsewhere) {
        this.#unread.ended(chat.live.conversation, event.state);
      }
      if (event.type !== 'delta') {
        this.#didChange.fire(id);
      }
      if (event.type === 'end') {
        void this.unloadIfUnused(loaded);
      }
    });
    return loaded;
  }

  #saveFailed({ chat: { live } }: Loaded, error: unknown): void {
    this.#log.defect(`Conversation ${live.conversation.id} could not be kept`, error);
    // Otherwise only the changes of other windows could not be read, which loses nothing.
    if (live.failure !== undefined) {
      this.unsaved.notify(live);
    }
  }
}

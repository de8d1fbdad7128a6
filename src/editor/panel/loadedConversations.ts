import type * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Conversation, runningReply } from '../../core/chat/conversation/conversation.ts';
import {
  type ConversationEvent,
  emptyConversation,
  readConversation,
  withUnsentDraft,
} from '../../core/chat/conversation/conversationRecord.ts';
import { Chat } from '../../core/chat/sending/chat.ts';
import type { FindSender } from '../../core/chat/sending/chatPorts.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { markedAppend } from '../../core/chat/store/unsavedText.ts';
import type { Log } from '../ui/log.ts';
import { UnsavedConversations } from './unsavedConversations.ts';

export type LoadedConversationsDeps = {
  readonly store: ConversationStore;
  readonly findSender: FindSender;
  readonly clock: Clock;
  readonly log: Log;
  /** Where dialogs begin when no folder is open. */
  readonly home: vscode.Uri;
  /** Told the id of a conversation in which something happened, but not of each piece of an answer. */
  readonly onConversationChanged: (id: string) => void;
  /** Whether a panel shows the conversation of this id. */
  readonly isShown: (id: string) => boolean;
  /** Shows a conversation of that id. @returns false when there is none any more. */
  readonly show: (id: string) => Promise<boolean>;
};

/**
 * The conversations in the memory of this window: those on screen, still receiving a reply or not wholly written. All
 * others are read from the store when they are wanted.
 */
export class LoadedConversations implements vscode.Disposable {
  readonly #deps: LoadedConversationsDeps;
  readonly #chats = new Map<string, Chat>();
  readonly #unsaved: UnsavedConversations;
  /** Ids of those that are just being removed. */
  readonly #removing = new Set<string>();

  constructor(deps: LoadedConversationsDeps) {
    this.#deps = deps;
    const { home, log, show } = deps;
    this.#unsaved = new UnsavedConversations({ home, log, show });
  }

  /** The conversation as it is on screen, arriving or not wholly written in this window. */
  get(id: string): Conversation | undefined {
    return this.#chats.get(id)?.conversation;
  }

  /** The conversation if this window has more of it than could be written until now. */
  unsaved(id: string): Conversation | undefined {
    const chat = this.#chats.get(id);
    return chat?.unkept && chat.conversation;
  }

  /** A new conversation of this id. */
  create(id: string): Chat {
    return this.#chat(id, undefined);
  }

  /** @returns undefined when there is no such conversation any more. */
  async load(id: string): Promise<Chat | undefined> {
    const loaded = this.#chats.get(id);
    if (loaded) {
      return loaded;
    }
    const kept = await this.#read(id);
    return kept && this.#chat(id, kept);
  }

  /** Gives a loaded conversation another title. @returns false when it is not loaded here. */
  async rename(id: string, title: string): Promise<boolean> {
    const chat = this.#chats.get(id);
    chat?.rename(title);
    await chat?.settled();
    return chat !== undefined;
  }

  /**
   * Takes it off the screen, with everything kept, and then away.
   *
   * @param close closes its panel.
   * @param remove takes away what is written of it; what could not be written goes with that.
   * @returns false when a reply is arriving: that goes on.
   */
  async remove(id: string, close: () => void, remove: () => Promise<void>): Promise<boolean> {
    await this.#chats.get(id)?.settled();
    const chat = this.#chats.get(id);
    if (chat && (chat.isRunning || runningReply(chat.conversation))) {
      return false;
    }
    this.#removing.add(id);
    try {
      close();
      // What was typed a moment ago is written when the panel goes.
      await chat?.settled();
      await remove();
      this.#chats.delete(id);
      chat?.discard();
      chat?.dispose();
    } finally {
      this.#removing.delete(id);
      this.letGo(id);
    }
    return true;
  }

  /** Its panel was closed. */
  closed(id: string): void {
    this.letGo(id);
    const chat = this.#chats.get(id);
    void chat?.settled().then(() => {
      if (chat.unkept && this.#chats.get(id) === chat && !this.#removing.has(id)) {
        this.#unsaved.closed(chat);
      }
    });
  }

  /** A conversation that is neither shown nor running needs no memory once its file has all of it, or is deleted. */
  letGo(id: string): void {
    const chat = this.#chats.get(id);
    if (chat === undefined || !this.#isOver(chat)) {
      return;
    }
    void chat.settled().then(() => {
      if (this.#chats.get(id) === chat && this.#isOver(chat) && (!chat.unkept || chat.unkept.isDeleted)) {
        this.#chats.delete(id);
        chat.dispose();
      }
    });
  }

  /** Resolves when everything that happened here is kept. @param id without it, in all of them. */
  async settled(id?: string): Promise<void> {
    const chats = id === undefined ? [...this.#chats.values()] : [this.#chats.get(id)];
    await Promise.all(chats.map((chat) => chat?.settled()));
  }

  dispose(): void {
    for (const chat of this.#chats.values()) {
      chat.dispose();
    }
  }

  #isOver(chat: Chat): boolean {
    const { conversation } = chat;
    const { id } = conversation;
    return !this.#deps.isShown(id) && !chat.isRunning && !runningReply(conversation) && !this.#removing.has(id);
  }

  async #read(id: string): Promise<Conversation | undefined> {
    const { store, log } = this.#deps;
    const file = await store.read(id);
    if (file === undefined) {
      return undefined;
    }
    const isArriving = await store.isClaimedElsewhere(id);
    const { conversation, unreadLines } = readConversation(id, file, isArriving);
    if (unreadLines > 0) {
      log.warn(`Conversation ${id}: ${unreadLines} lines could not be read and were left as they are.`);
    }
    return isArriving ? conversation : withUnsentDraft(conversation);
  }

  #chat(id: string, kept: Conversation | undefined): Chat {
    const loaded = this.#chats.get(id);
    if (loaded) {
      return loaded;
    }
    const { clock, store, log, findSender } = this.#deps;
    const chat = new Chat(kept ?? emptyConversation(id, clock.now()), kept !== undefined, {
      findSender,
      clock,
      keep: markedAppend(store, id),
      reread: () => this.#read(id),
      claim: () => store.claim(id),
      onKeepFailed: (error) => this.#keepFailed(id, error),
      onKeptAgain: () => {
        this.#unsaved.saved(chat);
        this.letGo(id);
      },
      onDefect: (error) => log.defect('Reply', error),
    });
    this.#chats.set(id, chat);
    chat.onDidChange((event) => {
      if (event.type !== 'delta') {
        this.#deps.onConversationChanged(id);
      }
      if (event.type === 'end') {
        log.info(endLine(chat.conversation, event));
        this.letGo(id);
      }
    });
    return chat;
  }

  #keepFailed(id: string, error: unknown): void {
    const { log, isShown } = this.#deps;
    const chat = this.#chats.get(id);
    const isDeleted = chat?.unkept?.isDeleted === true;
    if (isDeleted) {
      log.warn(`Conversation ${id} was deleted in another window while it was open here.`);
    } else {
      log.defect(`Conversation ${id} could not be kept`, error);
    }
    // Not being able to see what other windows do loses nothing.
    if (chat?.unkept) {
      this.#unsaved.failed(chat, error, isShown(id));
    }
    if (isDeleted) {
      this.letGo(id);
    }
  }
}

/** One line of the log for a person who compares with the gateway's own: no content. */
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

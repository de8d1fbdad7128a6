import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { Chat } from '../core/chat/chat.ts';
import type { FindSender, Sent } from '../core/chat/chatPorts.ts';
import { type Conversation, runningReply } from '../core/chat/conversation.ts';
import { emptyConversation, readConversation, withUnsentDraft } from '../core/chat/conversationRecord.ts';
import type { ConversationStore } from '../core/chat/conversationStore.ts';
import { contentsOf, type PaidActions } from '../core/chat/paidActions.ts';
import type { CodeContext } from '../core/chat/prompt.ts';
import { markedAppend } from '../core/chat/unsavedText.ts';
import { ChatPanel, type PanelDeps } from './chatPanel.ts';
import { conversationViewType as viewType } from './conversationViewType.ts';
import { notKeptHtml } from './notKeptHtml.ts';
import type { PaidCalls } from './paidCalls.ts';
import { keepFilesLeft, settlePanelGroup } from './panelGroup.ts';
import { RequestDocuments } from './requestDocuments.ts';
import { tellUnsaved } from './tellUnsaved.ts';
import { UnsavedConversations } from './unsavedConversations.ts';

export type ChatPanelsDeps = Omit<PanelDeps, 'requests' | 'isOnDisk'> & {
  readonly findSender: FindSender;
  readonly store: ConversationStore;
  readonly paid: PaidActions;
  /** Told the id of a conversation in which something happened, but not of each piece of an answer. */
  readonly onConversationChanged: (id: string) => void;
  /** Where dialogs begin when no folder is open. */
  readonly home: vscode.Uri;
};

type Open = { readonly chat: Chat; readonly panel?: ChatPanel; readonly surface?: vscode.WebviewPanel };

/** What the panel's page keeps for the day the window is restored. */
const panelState = z.object({ conversation: z.string().check(z.regex(/^[\w-]{1,64}$/)) });

/**
 * Every conversation that is on screen, still receiving its reply or not wholly written. A panel that is closed while a
 * reply arrives does not end it: the reply is paid for, and is kept.
 */
export class ChatPanels implements vscode.Disposable {
  static readonly tellUnsaved = tellUnsaved;
  readonly #deps: ChatPanelsDeps;
  readonly #open = new Map<string, Open>();
  readonly #requests = new RequestDocuments();
  readonly #unsaved: UnsavedConversations;
  /** Ids of those that are just being removed. */
  readonly #removing = new Set<string>();
  readonly #filesLeft = keepFilesLeft();

  constructor(deps: ChatPanelsDeps) {
    this.#deps = deps;
    const { home, log } = deps;
    this.#unsaved = new UnsavedConversations({ home, log, show: (id) => this.show(id) });
  }

  /**
   * A new conversation beside the editor, with its first question on the way. Asked again at once, it stays the one.
   *
   * @param asked the host is the one the person means it for; the focus says where the person goes on. What no person
   * has typed may have to be confirmed; declined, it waits in the box.
   */
  async ask(asked: {
    readonly question: string;
    readonly contexts: readonly CodeContext[];
    readonly model: string;
    readonly host: string | undefined;
    readonly focus: 'panel' | 'editor';
    readonly isTyped: boolean;
  }): Promise<void> {
    const { question, contexts, model, host, focus, isTyped } = asked;
    await this.#once(question, contexts, [model], host, async () => {
      const admission = isTyped ? 'admitted' : await this.#deps.paid.admit(host ?? 'the gateway');
      if (admission === 'admitted') {
        return this.#begin(focus, (calls) => calls.ask(question, contexts, model, host));
      }
      if (admission === 'declined') {
        await this.#begin('panel', (calls) => calls.keep(question, contexts, model));
      }
      return undefined;
    });
  }

  /** A new conversation whose first question is on the way to several models: a paid call each. */
  async compare(asked: {
    readonly question: string;
    readonly contexts: readonly CodeContext[];
    readonly models: readonly string[];
    readonly host: string | undefined;
  }): Promise<void> {
    const { question, contexts, models, host } = asked;
    await this.#once(question, contexts, models, host, () =>
      this.#begin('panel', (calls) => calls.compare(question, contexts, models, host)),
    );
  }

  /** One that was stopped before it was sent is over: the next one is no repeat of it. */
  async #once(
    question: string,
    contexts: readonly CodeContext[],
    models: readonly string[],
    host: string | undefined,
    begin: () => Promise<Sent | undefined>,
  ): Promise<void> {
    const isSettled = (sent: Sent | undefined) => sent === undefined || sent.ok || sent.isStopped !== true;
    await this.#deps.paid.once([question, contentsOf(contexts), models, host], begin, isSettled);
  }

  async #begin(focus: 'panel' | 'editor', send: (calls: PaidCalls) => Promise<Sent>): Promise<Sent> {
    const editor = vscode.window.activeTextEditor;
    const id = randomUUID();
    const chat = this.#chat(id, undefined);
    const panel = this.#panel(chat, this.#create());
    const [sent] = await Promise.all([panel.begin(send), settlePanelGroup(focus === 'editor' ? editor : undefined)]);
    this.#letGo(id);
    return sent;
  }

  /** The conversation as it is on screen, arriving or not wholly written in this window. */
  conversation(id: string): Conversation | undefined {
    return this.#open.get(id)?.chat.conversation;
  }

  /** The conversation if this window has more of it than could be written until now. */
  unsaved(id: string): Conversation | undefined {
    const chat = this.#open.get(id)?.chat;
    return chat?.unkept && chat.conversation;
  }

  /** Gives an open conversation another title. @returns false when it is not open here. */
  async rename(id: string, title: string): Promise<boolean> {
    const chat = this.#open.get(id)?.chat;
    chat?.rename(title);
    await chat?.settled();
    return chat !== undefined;
  }

  /**
   * Takes it off the screen, with everything kept, and then away.
   *
   * @param remove takes away what is written of it; what could not be written goes with that.
   * @returns false when a reply is arriving: that goes on.
   */
  async remove(id: string, remove: () => Promise<void>): Promise<boolean> {
    await this.#open.get(id)?.chat.settled();
    const open = this.#open.get(id);
    if (open && (open.chat.isRunning || runningReply(open.chat.conversation))) {
      return false;
    }
    this.#removing.add(id);
    try {
      open?.surface?.dispose();
      // What was typed a moment ago is written when the panel goes.
      await open?.chat.settled();
      await remove();
      this.#open.delete(id);
      open?.chat.discard();
      open?.chat.dispose();
    } finally {
      this.#removing.delete(id);
      this.#letGo(id);
    }
    return true;
  }

  /** Resolves when everything that happened in it here is kept. */
  async kept(id: string): Promise<void> {
    await this.#open.get(id)?.chat.settled();
  }

  /** VS Code restores a panel after a reload. */
  async restore(webviewPanel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = z.safeParse(panelState, state);
    const id = parsed.success ? parsed.data.conversation : randomUUID();
    const chat = parsed.success ? await this.#load(id) : this.#chat(id, undefined);
    if (chat === undefined) {
      webviewPanel.title = 'Not kept';
      webviewPanel.iconPath = this.#icon;
      webviewPanel.webview.html = notKeptHtml();
      return;
    }
    const shown = this.#open.get(id)?.panel;
    if (shown) {
      webviewPanel.dispose();
      shown.reveal();
      return;
    }
    this.#panel(chat, webviewPanel);
  }

  /** Shows what the panel in front would send. */
  async showRequest(): Promise<void> {
    await [...this.#open.values()].find(({ surface }) => surface?.active)?.panel?.showRequest();
  }

  dispose(): void {
    this.#requests.dispose();
    this.#filesLeft.dispose();
    for (const { chat, panel } of this.#open.values()) {
      panel?.dispose();
      chat.dispose();
    }
  }

  /** Resolves when everything that was shown is kept. */
  async settled(): Promise<void> {
    await Promise.all([...this.#open.values()].map(({ chat }) => chat.settled()));
  }

  /**
   * @param place id of a turn or of a reply to lead to.
   * @param keepsFocus leaves the focus in the list of conversations.
   * @returns false when there is no such conversation any more.
   */
  async show(id: string, place?: string, keepsFocus = false): Promise<boolean> {
    const chat = await this.#load(id);
    if (chat === undefined) {
      return false;
    }
    const shown = this.#open.get(id)?.panel;
    const isFirst = vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);
    const surface = shown ? undefined : this.#create(keepsFocus);
    const panel = shown ?? (surface && this.#panel(chat, surface));
    if (place !== undefined) {
      panel?.leadTo(place);
    }
    shown?.reveal(keepsFocus);
    if (surface && keepsFocus && !isFirst) {
      this.#settleGroupLater(surface);
    } else if (surface) {
      await settlePanelGroup(undefined);
    }
    return true;
  }

  /** Only the active group can be locked, which that of a panel without the focus is when the person goes there. */
  #settleGroupLater(surface: vscode.WebviewPanel): void {
    const waiting = surface.onDidChangeViewState(() => {
      if (surface.active) {
        waiting.dispose();
        settlePanelGroup(undefined).catch((error) => this.#deps.log.defect('Groups of editors', error));
      }
    });
  }

  async #load(id: string): Promise<Chat | undefined> {
    const open = this.#open.get(id)?.chat;
    if (open) {
      return open;
    }
    const kept = await this.#read(id);
    return kept && this.#chat(id, kept);
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
    const open = this.#open.get(id);
    if (open) {
      return open.chat;
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
        this.#letGo(id);
      },
      onDefect: (error) => log.defect('Reply', error),
    });
    this.#open.set(id, { chat });
    chat.onDidChange((event) => {
      if (event.type !== 'delta') {
        this.#deps.onConversationChanged(id);
      }
      if (event.type === 'end') {
        const reply = chat.conversation.turns
          .flatMap(({ replies }) => replies)
          .find((each) => each.id === event.replyId);
        log.info(
          [
            `${reply?.host} ${reply?.model}: ${event.state} after ${event.totalMs} ms`,
            event.problem && `${event.problem.kind} ${event.problem.status ?? ''} ${event.problem.code ?? ''}`.trim(),
            event.requestId && `request ${event.requestId}`,
          ]
            .filter(Boolean)
            .join(', '),
        );
        this.#letGo(id);
      }
    });
    return chat;
  }

  /** Where the panels are already, else beside the editor. */
  #create(preserveFocus = false): vscode.WebviewPanel {
    const viewColumn = [...this.#open.values()].find(({ panel }) => panel)?.panel?.column ?? vscode.ViewColumn.Beside;
    return vscode.window.createWebviewPanel(
      viewType,
      'Ask Model',
      { viewColumn, preserveFocus },
      { enableFindWidget: true },
    );
  }

  get #icon(): { light: vscode.Uri; dark: vscode.Uri } {
    const icon = (theme: string) => vscode.Uri.joinPath(this.#deps.dist, '..', 'media', `panel-${theme}.svg`);
    return { light: icon('light'), dark: icon('dark') };
  }

  #panel(chat: Chat, webviewPanel: vscode.WebviewPanel): ChatPanel {
    const { id } = chat.conversation;
    const panel = new ChatPanel(webviewPanel, chat, {
      ...this.#deps,
      requests: this.#requests,
      isOnDisk: (id) => this.#deps.store.isOnDisk(id),
    });
    webviewPanel.iconPath = this.#icon;
    this.#open.set(id, { chat, panel, surface: webviewPanel });
    webviewPanel.onDidDispose(() => {
      panel.dispose();
      if (this.#open.get(id)?.panel === panel) {
        this.#open.set(id, { chat });
        this.#letGo(id);
        void chat.settled().then(() => {
          if (chat.unkept && this.#open.get(id)?.chat === chat && !this.#removing.has(id)) {
            this.#unsaved.closed(chat);
          }
        });
      }
    });
    return panel;
  }

  /** A conversation that is neither shown nor running needs no memory once its file has all of it, or is deleted. */
  #letGo(id: string): void {
    const open = this.#open.get(id);
    if (open === undefined || !this.#isOver(open)) {
      return;
    }
    const { chat } = open;
    void chat.settled().then(() => {
      const now = this.#open.get(id);
      if (now?.chat === chat && this.#isOver(now) && (!chat.unkept || chat.unkept.isDeleted)) {
        this.#open.delete(id);
        chat.dispose();
      }
    });
  }

  #isOver({ chat, panel }: Open): boolean {
    const { conversation } = chat;
    return (
      panel === undefined && !chat.isRunning && !runningReply(conversation) && !this.#removing.has(conversation.id)
    );
  }

  #keepFailed(id: string, error: unknown): void {
    const open = this.#open.get(id);
    const isDeleted = open?.chat.unkept?.isDeleted === true;
    if (isDeleted) {
      this.#deps.log.warn(`Conversation ${id} was deleted in another window while it was open here.`);
    } else {
      this.#deps.log.defect(`Conversation ${id} could not be kept`, error);
    }
    // Not being able to see what other windows do loses nothing.
    if (open?.chat.unkept) {
      this.#unsaved.failed(open.chat, error, open.panel !== undefined);
    }
    if (isDeleted) {
      this.#letGo(id);
    }
  }
}

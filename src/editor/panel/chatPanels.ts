import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { FindSender, Sent } from '../../core/chat/sending/chatPorts.ts';
import { contentsOf, type PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { ConversationStore } from '../../core/chat/store/conversationStore.ts';
import { conversationViewType as viewType } from '../ui/conversationViewType.ts';
import { ChatPanel } from './chatPanel.ts';
import { LoadedConversations } from './loadedConversations.ts';
import { notKeptHtml } from './notKeptHtml.ts';
import type { PaidCalls } from './paidCalls.ts';
import { keepFilesLeft, settlePanelGroup } from './panelGroup.ts';
import type { PanelPorts } from './panelPorts.ts';
import { RequestDocuments } from './requestDocuments.ts';
import { tellUnsaved } from './tellUnsaved.ts';

export type ChatPanelsDeps = PanelPorts & {
  readonly findSender: FindSender;
  readonly store: ConversationStore;
  readonly paid: PaidActions;
  /** Told the id of a conversation in which something happened, but not of each piece of an answer. */
  readonly onConversationChanged: (id: string) => void;
  /** Where dialogs begin when no folder is open. */
  readonly home: vscode.Uri;
};

type Shown = { readonly panel: ChatPanel; readonly surface: vscode.WebviewPanel };

/** What the panel's page keeps for the day the window is restored. */
const panelState = z.object({ conversation: z.string().check(z.regex(/^[\w-]{1,64}$/)) });

/**
 * The panels of conversations: opens, restores and shows them. A panel that is closed while a reply arrives does not end
 * it: the reply is paid for, and is kept.
 */
export class ChatPanels implements vscode.Disposable {
  static readonly tellUnsaved = tellUnsaved;
  /** Those that are shown, and those that are needed without a panel. */
  readonly conversations: LoadedConversations;
  readonly #deps: ChatPanelsDeps;
  /** By the id of the conversation. */
  readonly #shown = new Map<string, Shown>();
  readonly #requests: RequestDocuments;
  readonly #filesLeft: vscode.Disposable;

  constructor(deps: ChatPanelsDeps) {
    this.#deps = deps;
    this.#requests = new RequestDocuments(deps.log);
    this.#filesLeft = keepFilesLeft(deps.log);
    this.conversations = new LoadedConversations({
      ...deps,
      isShown: (id) => this.#shown.has(id),
      show: (id) => this.show(id),
    });
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
        return this.#begin(focus, (calls) => calls.ask(question, contexts, [model], host));
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
      this.#begin('panel', (calls) => calls.ask(question, contexts, models, host)),
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
    const id = crypto.randomUUID();
    const chat = this.conversations.create(id);
    const { surface, settled } = this.#create(focus === 'editor' && vscode.window.activeTextEditor !== undefined);
    const panel = this.#panel(chat, surface);
    const [sent] = await Promise.all([panel.begin(send), settled]);
    this.conversations.letGo(id);
    return sent;
  }

  /**
   * Takes it off the screen, with everything kept, and then away.
   *
   * @param remove takes away what is written of it; what could not be written goes with that.
   * @returns false when a reply is arriving: that goes on.
   */
  remove(id: string, remove: () => Promise<void>): Promise<boolean> {
    return this.conversations.remove(
      id,
      () => this.#shown.get(id)?.surface.dispose(),
      async () => {
        await remove();
        // A panel that was opened meanwhile shows what is gone.
        this.#shown.delete(id);
      },
    );
  }

  /** VS Code restores a panel after a reload. */
  async restore(webviewPanel: vscode.WebviewPanel, state: unknown): Promise<void> {
    const parsed = z.safeParse(panelState, state);
    const id = parsed.success ? parsed.data.conversation : crypto.randomUUID();
    const chat = parsed.success ? await this.conversations.load(id) : this.conversations.create(id);
    if (chat === undefined) {
      webviewPanel.title = 'Not kept';
      webviewPanel.iconPath = this.#icon;
      webviewPanel.webview.html = notKeptHtml();
      return;
    }
    const shown = this.#shown.get(id)?.panel;
    if (shown) {
      webviewPanel.dispose();
      shown.reveal();
      return;
    }
    this.#panel(chat, webviewPanel);
  }

  /** Shows what the panel in front would send. */
  async showRequest(): Promise<void> {
    await [...this.#shown.values()].find(({ surface }) => surface.active)?.panel.showRequest();
  }

  dispose(): void {
    this.#requests.dispose();
    this.#filesLeft.dispose();
    for (const { panel } of this.#shown.values()) {
      panel.dispose();
    }
    this.conversations.dispose();
  }

  /**
   * @param place id of a turn or of a reply to lead to.
   * @param keepsFocus leaves the focus in the list of conversations.
   * @returns false when there is no such conversation any more.
   */
  async show(id: string, place?: string, keepsFocus = false): Promise<boolean> {
    const chat = await this.conversations.load(id);
    if (chat === undefined) {
      return false;
    }
    const shown = this.#shown.get(id)?.panel;
    const created = shown ? undefined : this.#create(keepsFocus);
    const panel = shown ?? (created && this.#panel(chat, created.surface));
    if (place !== undefined) {
      panel?.leadTo(place);
    }
    shown?.reveal(keepsFocus);
    await created?.settled;
    return true;
  }

  /** Only the active group can be locked, which that of a panel without the focus is when the person goes there. */
  #settleGroupLater(surface: vscode.WebviewPanel): void {
    const waiting = surface.onDidChangeViewState(() => {
      if (surface.active) {
        waiting.dispose();
        settlePanelGroup().catch((error) => this.#deps.log.defect('Groups of editors', error));
      }
    });
  }

  /**
   * Where the panels are already, else beside the editor.
   *
   * @param keepsFocus never takes the focus, which VS Code could give to the page of a new panel at any later moment.
   * @returns `settled` when its group is locked; what keeps the focus elsewhere is not waited for.
   */
  #create(keepsFocus: boolean): { surface: vscode.WebviewPanel; settled: Promise<void> } {
    const [first] = this.#shown.values();
    const viewColumn = first?.panel.column ?? vscode.ViewColumn.Beside;
    // The very first editor is the active one in any case.
    const isFirst = vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);
    const surface = vscode.window.createWebviewPanel(
      viewType,
      'Ask Model',
      { viewColumn, preserveFocus: keepsFocus },
      { enableFindWidget: true },
    );
    if (keepsFocus && !isFirst) {
      this.#settleGroupLater(surface);
      return { surface, settled: Promise.resolve() };
    }
    return { surface, settled: settlePanelGroup() };
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
    this.#shown.set(id, { panel, surface: webviewPanel });
    webviewPanel.onDidDispose(() => {
      panel.dispose();
      if (this.#shown.get(id)?.panel === panel) {
        this.#shown.delete(id);
        this.conversations.closed(id);
      }
    });
    return panel;
  }
}

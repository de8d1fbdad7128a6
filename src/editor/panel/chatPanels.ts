import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import type { Sent } from '../../core/chat/sending/chatPorts.ts';
import { ChatPanel, type ChatPanelDeps } from './chatPanel.ts';
import { type Loaded, LoadedConversations, type LoadedConversationsDeps } from './loadedConversations.ts';
import { keepFilesLeft, openSurface } from './panelGroup.ts';
import { notStoredHtml } from './panelHtml.ts';
import { RequestDocuments } from './requestDocuments.ts';

export type ChatPanelsDeps = Omit<ChatPanelDeps, 'documents'> & Omit<LoadedConversationsDeps, 'show'>;

/** The state that the panel's page saves for when the window is restored. */
const panelState = z.object({ conversation: z.string().check(z.regex(/^[\w-]{1,64}$/)) });

/**
 * Opens, restores and shows the panels of conversations. Closing a panel does not stop a running reply, because it is
 * paid for: it is received to its end and stored.
 */
export class ChatPanels implements vscode.Disposable {
  /** The conversations in memory, with or without a panel. */
  readonly conversations: LoadedConversations;
  readonly #deps: ChatPanelsDeps;
  readonly #documents: RequestDocuments;
  readonly #filesLeft: vscode.Disposable;

  constructor(deps: ChatPanelsDeps) {
    this.#deps = deps;
    this.#documents = new RequestDocuments(deps.log);
    this.#filesLeft = keepFilesLeft(deps.log);
    this.conversations = new LoadedConversations({ ...deps, show: (id) => this.show(id) });
  }

  /**
   * Opens a new conversation beside the editor and sends its first question. Each model is a paid call.
   *
   * @param request `host` is the gateway that was shown to the person; `focus` is what has the focus afterwards.
   */
  async ask(request: {
    readonly question: string;
    readonly contexts: readonly CodeContext[];
    readonly models: readonly string[];
    readonly host: string | undefined;
    readonly focus: 'panel' | 'editor';
  }): Promise<Sent> {
    const { question, contexts, models, host, focus } = request;
    const loaded = this.conversations.create();
    const panel = this.#open(loaded, focus === 'editor' && vscode.window.activeTextEditor !== undefined);
    const sent = await panel.calls.ask(question, contexts, models, host);
    void this.conversations.unloadIfUnused(loaded);
    return sent;
  }

  /**
   * Shows the last conversation in which nothing was asked yet, or a new one, with the cursor in its question box. Sends
   * nothing.
   */
  prepare(contexts: readonly CodeContext[], model: string): void {
    const panel = this.conversations.panels.findLast(({ isUnasked }) => isUnasked) ?? this.#openNew();
    panel.calls.prepare(contexts, model);
    panel.focusQuestionBox();
  }

  /** Opens a new conversation, or shows one that is still unused. */
  startNew(): void {
    const panel = this.conversations.panels.findLast(({ isUnused }) => isUnused) ?? this.#openNew();
    panel.focusQuestionBox();
  }

  /** Shows the panel that is active or visible, or else any, with the cursor in its question box. */
  focusQuestionBox(): void {
    const { panels } = this.conversations;
    const shown = panels.find(({ surface }) => surface.active) ?? panels.findLast(({ surface }) => surface.visible);
    (shown ?? panels.at(-1) ?? this.#openNew()).focusQuestionBox();
  }

  /** Opens a new conversation with a question in its composer, for the person to send. */
  offer(question: string, contexts: readonly CodeContext[], model: string): void {
    this.#openNew().calls.offer(question, contexts, model);
  }

  /** Restores a panel after the window was reloaded. */
  async restore(surface: vscode.WebviewPanel, state: unknown): Promise<void> {
    const { data } = z.safeParse(panelState, state);
    const loaded = data ? await this.conversations.load(data.conversation) : this.conversations.create();
    if (loaded === undefined) {
      surface.title = l10n.t('Conversation Not Found');
      surface.iconPath = this.#icon;
      surface.webview.html = notStoredHtml();
    } else if (loaded.panel) {
      surface.dispose();
      loaded.panel.surface.reveal();
    } else {
      this.#panel(loaded, surface);
    }
  }

  /**
   * Shows a conversation, in its panel if it has one.
   *
   * @param place id of a turn or of a reply to scroll to.
   * @param preserveFocus leaves the focus in the conversations view.
   * @returns false when the conversation no longer exists.
   */
  async show(id: string, place?: string, preserveFocus = false): Promise<boolean> {
    const loaded = await this.conversations.load(id);
    if (loaded === undefined) {
      return false;
    }
    loaded.panel?.surface.reveal(undefined, preserveFocus);
    const panel = loaded.panel ?? this.#open(loaded, preserveFocus);
    if (place !== undefined) {
      panel.leadTo(place);
    }
    return true;
  }

  /** Shows the request that the active panel would send. */
  async showRequest(): Promise<void> {
    await this.conversations.panels.find(({ surface }) => surface.active)?.showRequest();
  }

  dispose(): void {
    this.#documents.dispose();
    this.#filesLeft.dispose();
    this.conversations.dispose();
  }

  #openNew(): ChatPanel {
    return this.#open(this.conversations.create(), false);
  }

  /** Opens a panel in the group of the other panels, otherwise beside the editor; see `openSurface`. */
  #open(loaded: Loaded, preserveFocus: boolean): ChatPanel {
    const column = this.conversations.panels[0]?.surface.viewColumn ?? vscode.ViewColumn.Beside;
    return this.#panel(loaded, openSurface(column, preserveFocus, this.#deps.log));
  }

  #panel(loaded: Loaded, surface: vscode.WebviewPanel): ChatPanel {
    const panel = new ChatPanel(surface, loaded.chat, { ...this.#deps, documents: this.#documents });
    surface.iconPath = this.#icon;
    loaded.panel = panel;
    surface.onDidDispose(() => {
      panel.dispose();
      void this.conversations.closed(loaded);
    });
    return panel;
  }

  get #icon(): { light: vscode.Uri; dark: vscode.Uri } {
    const icon = (theme: string) => vscode.Uri.joinPath(this.#deps.dist, '..', 'media', `panel-${theme}.svg`);
    return { light: icon('light'), dark: icon('dark') };
  }
}

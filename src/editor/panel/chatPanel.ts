import type * as vscode from 'vscode';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import { titleOf } from '../../core/chat/conversation/conversation.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { Sent } from '../../core/chat/sending/chatPorts.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { ComparedLook } from './comparedLook.ts';
import { ComparedTurns } from './comparedTurns.ts';
import { PaidCalls } from './paidCalls.ts';
import { panelHtml } from './panelHtml.ts';
import { PanelNews } from './panelNews.ts';
import type { PanelDeps } from './panelPorts.ts';
import { PanelRequests } from './panelRequests.ts';

/** The same for all, since it says nothing of what is in them. */
const notKeptTitle = 'Conversation (not kept)';

/** One conversation on screen. It holds no state of the conversation itself: hidden or closed, nothing is lost. */
export class ChatPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #chat: Chat;
  readonly #deps: PanelDeps;
  readonly #store = new DisposableStore();
  readonly #news: PanelNews;
  readonly #calls: PaidCalls;
  readonly #compared: ComparedTurns;
  readonly #requests: PanelRequests;
  #isDisposed = false;

  constructor(panel: vscode.WebviewPanel, chat: Chat, deps: PanelDeps) {
    this.#panel = panel;
    this.#chat = chat;
    this.#deps = deps;
    this.#calls = new PaidCalls(chat, deps);
    const { webview } = panel;
    const { clock, host, log } = deps;
    const look = new ComparedLook();
    const { model, starting } = { model: () => this.#calls.model, starting: () => this.#calls.starting };
    this.#news = this.#store.add(new PanelNews(webview, chat, { clock, host, look, model, starting, log }));
    this.#compared = new ComparedTurns(chat, look, this.#calls, this.#news);
    const { calls, news, compared } = { calls: this.#calls, news: this.#news, compared: this.#compared };
    this.#requests = this.#store.add(new PanelRequests(panel, { ...deps, chat, calls, news, compared }));
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [deps.dist] };
    this.#store.add(webview.onDidReceiveMessage((message: unknown) => this.#requests.receive(message)));
    this.#store.add(
      panel.onDidChangeViewState(() => {
        // A hidden page is thrown away, and a new one says ready when it is shown again.
        if (!panel.visible) {
          this.#news.end();
        }
      }),
    );
    this.#store.add(
      chat.onDidChange((event) => {
        if (event.type === 'title') {
          void this.#retitle();
        }
        this.#news.show(event);
      }),
    );
    this.#store.add(deps.catalogue.onDidChange(() => this.#news.composer()));
    void this.#retitle();
    webview.html = panelHtml(webview, deps.dist, chat.conversation.id);
  }

  get column(): vscode.ViewColumn | undefined {
    return this.#panel.viewColumn;
  }

  reveal(keepsFocus = false): void {
    this.#panel.reveal(undefined, keepsFocus);
  }

  /** Shows the turn or the reply of this id, on whichever branch it is. */
  leadTo(id: string): void {
    const turn = this.#chat.showTurn(id);
    if (turn) {
      if (turn.id !== id) {
        this.#compared.choose(id);
      }
      this.#news.leadTo(turn.id);
    }
  }

  /** Asks the first question; see `PaidCalls.ask`. */
  async begin(send: (calls: PaidCalls) => Promise<Sent>): Promise<Sent> {
    const sent = await send(this.#calls);
    if (!sent.ok) {
      this.#news.snapshot();
    }
    if (!sent.ok && !sent.isStopped) {
      void showErrorMessage(`Not sent: ${sent.reason}`);
    }
    return sent;
  }

  /** Shows what the question in the box would send. */
  showRequest(): Promise<void> {
    return this.#requests.showRequest();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
  }

  /** VS Code writes the title of a tab to disk, and a question that is not kept must not get there. */
  async #retitle(): Promise<void> {
    const isOnDisk = await this.#deps.isOnDisk(this.#chat.conversation.id).catch(() => false);
    if (!this.#isDisposed) {
      this.#panel.title = isOnDisk ? visibleName(titleOf(this.#chat.conversation)) : notKeptTitle;
    }
  }
}

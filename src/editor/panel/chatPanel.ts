import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import { shownReply } from '../../core/chat/conversation/branches.ts';
import { titleOf } from '../../core/chat/conversation/conversation.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { Sent } from '../../core/chat/sending/chatPorts.ts';
import type { PanelMessage, TroubleAction } from '../../protocol.ts';
import { pickContext } from '../code/addContext.ts';
import { fileColumn } from '../code/fileColumn.ts';
import { type UseCodeDeps, useCode } from '../code/useCode.ts';
import type { Log } from '../ui/log.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { openLink } from '../ui/openLink.ts';
import { ComparedLook } from './comparedLook.ts';
import { ComparedTurns } from './comparedTurns.ts';
import { ComposerDraft } from './composerDraft.ts';
import { openFor } from './openFor.ts';
import { PaidCalls, type PaidCallsDeps } from './paidCalls.ts';
import { panelHtml } from './panelHtml.ts';
import { PanelNews } from './panelNews.ts';
import { readPanelMessage, sendIdOf } from './readPanelMessage.ts';
import type { RequestDocuments } from './requestDocuments.ts';
import { type ShowRequestDeps, showNextRequest, showSentRequest } from './showRequest.ts';

export type PanelDeps = PaidCallsDeps &
  ShowRequestDeps &
  Omit<UseCodeDeps, 'panelColumn'> & {
    readonly log: Log;
    readonly dist: vscode.Uri;
    readonly version: string;
    readonly clock: Clock;
    readonly requests: RequestDocuments;
    /** Host that a question would go to now. */
    readonly host: () => string | undefined;
    /** See `ConversationStore`. */
    readonly isOnDisk: (id: string) => Promise<boolean>;
    /** Remembers that the gateway in use rejects the option that asks for token counts. */
    readonly forgoUsage: () => Promise<void>;
  };

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
  readonly #draft: ComposerDraft;
  #isDisposed = false;

  constructor(panel: vscode.WebviewPanel, chat: Chat, deps: PanelDeps) {
    this.#panel = panel;
    this.#chat = chat;
    this.#deps = deps;
    this.#calls = new PaidCalls(chat, deps);
    this.#draft = new ComposerDraft(chat);
    const { webview } = panel;
    const { clock, host } = deps;
    const look = new ComparedLook();
    const { model, starting } = { model: () => this.#calls.model, starting: () => this.#calls.starting };
    this.#news = this.#store.add(new PanelNews(webview, chat, { clock, host, look, model, starting }));
    this.#compared = new ComparedTurns(chat, look, this.#calls, this.#news);
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [deps.dist] };
    this.#store.add(webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    this.#store.add(
      panel.onDidChangeViewState(() => {
        // A hidden page is thrown away and says ready anew when it is shown again.
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

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
  }

  #receive(received: unknown): void {
    const message = readPanelMessage(received, this.#deps.log);
    if (message === undefined) {
      return;
    }
    this.#obey(message).catch((error: unknown) => {
      this.#deps.log.defect(`Panel message ${message.type}`, error);
      const reason = error instanceof Error ? error.message : String(error);
      const sendId = sendIdOf(message);
      if (sendId !== undefined) {
        this.#answer(sendId, { ok: false, reason });
      } else {
        void showErrorMessage(`Ask Model could not do that: ${reason}`);
      }
    });
  }

  async #obey(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#news.begin();
        return;
      case 'ping':
        this.#news.post({ type: 'alive' });
        return;
      case 'send':
        return this.#send(message.sendId, message.text, message.editing);
      case 'stop':
        this.#calls.stop(message.replyId);
        return;
      case 'stopAll':
        this.#calls.stop();
        return;
      case 'act':
        return this.#act(message.action, message.sendId, message.turnId, message.replyId);
      case 'chooseReply':
        this.#compared.choose(message.replyId);
        return;
      case 'keep':
        this.#compared.keep(message.replyId);
        this.#news.post({ type: 'focus' });
        return;
      case 'compareAgain':
        this.#compared.compareAgain(message.turnId);
        return;
      case 'chooseTurn':
        this.#chat.chooseTurn(message.turnId);
        return;
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'useCode':
        return useCode(message, this.#chat.conversation, { ...this.#deps, panelColumn: this.column });
      case 'openLink':
        return openLink(message.href);
      case 'chooseModel':
        await this.#chooseModel();
        return;
      case 'addContext':
        return this.#addContext();
      case 'showRequest':
        return this.#showRequest(message.text, message.editing);
      case 'showSent':
        return showSentRequest(this.#chat, message.replyId, this.#deps, this.#documents);
      case 'removeChip':
        this.#draft.setContexts(this.#draft.current.contexts.filter(({ id }) => id !== message.id));
        this.#news.composer();
        return;
      case 'draft':
        this.#draft.setText(message.text, message.editing);
        return;
      case 'edit':
        this.#chat.startEdit(message.turnId);
        return;
      case 'cancelEdit':
        this.#chat.cancelEdit();
        return;
      case 'broken':
        this.#deps.log.warn(`The panel reports: ${message.message}`);
        return;
      default:
        return message satisfies never;
    }
  }

  async #send(sendId: string, text: string, editing: string | undefined): Promise<void> {
    if (editing !== this.#draft.editing) {
      // Sent in the moment between a click on Edit or Cancel and its answer.
      this.#answer(sendId, { ok: false, reason: 'The text in the box has just changed. Look at it, then send it.' });
      return;
    }
    // Kept before anything else is asked: the page may be gone when the answer is there.
    this.#draft.setText(text, editing);
    void this.#chat.settled();
    this.#answer(sendId, await this.#calls.askDraft(sendId));
  }

  /** The panel waits for this after each wish to send. */
  #answer(sendId: string, sent: Sent): void {
    this.#news.post(sent.ok ? { type: 'sent', sendId } : { type: 'notSent', sendId, reason: sent.reason });
    this.#news.composer();
  }

  async #act(action: TroubleAction, sendId: string, turnId: string, replyId: string | undefined): Promise<void> {
    const turn = this.#chat.conversation.turns.find(({ id }) => id === turnId);
    const reply = turn?.replies.find(({ id }) => id === replyId) ?? (turn && shownReply(turn));
    switch (action) {
      case 'sendWithoutUsage':
        this.#answer(sendId, await this.#calls.askAgain(sendId, turnId, replyId, this.#deps.forgoUsage));
        return;
      case 'sendAgain':
        this.#answer(sendId, await this.#calls.askAgain(sendId, turnId, replyId));
        return;
      case 'askOther':
        this.#answer(sendId, await this.#calls.askOther(sendId, turnId, replyId));
        return;
      case 'continue':
        if (replyId !== undefined) {
          // Of those side by side it is the one to go on from.
          this.#compared.keep(replyId);
        }
        this.#answer(sendId, await this.#calls.goOn(sendId, turnId));
        return;
      case 'chooseModel':
        await this.#chooseModel();
        return;
      default:
        await openFor(action, reply, this.#deps.version);
    }
  }

  async #chooseModel(): Promise<void> {
    await this.#calls.pickModel();
    this.#focus();
  }

  /** Back to the box, after something was picked elsewhere. */
  #focus(): void {
    if (this.#isDisposed) {
      return;
    }
    this.#news.composer();
    this.#panel.reveal();
    this.#news.post({ type: 'focus' });
  }

  async #addContext(): Promise<void> {
    const { editing } = this.#draft;
    const added = await pickContext(this.#deps.lastEditor.current, this.#draft.current.contexts);
    // Meant for the question that stood in the box; another one may stand there now.
    if (added.length > 0 && editing === this.#draft.editing) {
      this.#draft.setContexts([...this.#draft.current.contexts, ...added]);
    }
    this.#focus();
  }

  async #showRequest(text: string, editing: string | undefined): Promise<void> {
    this.#draft.setText(text, editing);
    await this.showRequest();
  }

  /** Shows what the question in the box would send. */
  showRequest(): Promise<void> {
    return showNextRequest(
      this.#chat.conversation,
      this.#draft.current,
      this.#calls.model,
      this.#deps,
      this.#documents,
    );
  }

  get #documents(): { documents: RequestDocuments; column: vscode.ViewColumn } {
    return { documents: this.#deps.requests, column: fileColumn(this.#deps.lastEditor, this.column) };
  }

  /** VS Code writes the title of a tab to disk, and a question that is not kept must not get there. */
  async #retitle(): Promise<void> {
    const isOnDisk = await this.#deps.isOnDisk(this.#chat.conversation.id).catch(() => false);
    if (!this.#isDisposed) {
      this.#panel.title = isOnDisk ? visibleName(titleOf(this.#chat.conversation)) : notKeptTitle;
    }
  }
}

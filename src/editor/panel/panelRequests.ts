import * as vscode from 'vscode';
import { shownReply } from '../../core/chat/conversation/branches.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { Sent } from '../../core/chat/sending/chatPorts.ts';
import type { PanelMessage, TroubleAction } from '../../protocol.ts';
import { pickContext } from '../code/addContext.ts';
import { fileColumn } from '../code/fileColumn.ts';
import { useCode } from '../code/useCode.ts';
import { showErrorMessage } from '../ui/messages.ts';
import { openLink } from '../ui/openLink.ts';
import type { ComparedTurns } from './comparedTurns.ts';
import { ComposerDraft } from './composerDraft.ts';
import { openFor } from './openFor.ts';
import type { PaidCalls } from './paidCalls.ts';
import type { PanelNews } from './panelNews.ts';
import type { PanelDeps } from './panelPorts.ts';
import { readPanelMessage, sendIdOf } from './readPanelMessage.ts';
import type { RequestDocuments } from './requestDocuments.ts';
import { showNextRequest, showSentRequest } from './showRequest.ts';

export type PanelRequestsDeps = PanelDeps & {
  readonly chat: Chat;
  readonly calls: PaidCalls;
  readonly news: PanelNews;
  readonly compared: ComparedTurns;
};

/** Does what the page of a panel asks for, and answers it. */
export class PanelRequests implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #deps: PanelRequestsDeps;
  readonly #chat: Chat;
  readonly #calls: PaidCalls;
  readonly #news: PanelNews;
  readonly #compared: ComparedTurns;
  readonly #draft: ComposerDraft;
  #isDisposed = false;

  constructor(panel: vscode.WebviewPanel, deps: PanelRequestsDeps) {
    this.#panel = panel;
    this.#deps = deps;
    this.#chat = deps.chat;
    this.#calls = deps.calls;
    this.#news = deps.news;
    this.#compared = deps.compared;
    this.#draft = new ComposerDraft(deps.chat);
  }

  /** Takes a message of the page, whatever it is. */
  receive(received: unknown): void {
    const message = readPanelMessage(received, this.#deps.log);
    if (message === undefined) {
      return;
    }
    this.#handle(message).catch((error: unknown) => {
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

  async #handle(message: PanelMessage): Promise<void> {
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
        return useCode(message, this.#chat.conversation, { ...this.#deps, panelColumn: this.#panel.viewColumn });
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
    return { documents: this.#deps.requests, column: fileColumn(this.#deps.lastEditor, this.#panel.viewColumn) };
  }

  dispose(): void {
    this.#isDisposed = true;
  }
}

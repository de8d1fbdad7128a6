import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { shownReply, turnsBeside } from '../core/chat/branches.ts';
import type { Chat, Sent } from '../core/chat/chat.ts';
import { type Draft, titleOf } from '../core/chat/conversation.ts';
import type { ConversationEvent } from '../core/chat/conversationRecord.ts';
import { DeltaJoiner } from '../core/chat/deltaJoiner.ts';
import type { CodeContext } from '../core/chat/prompt.ts';
import { troubleReport } from '../core/chat/trouble.ts';
import type { Clock } from '../core/clock.ts';
import { DisposableStore } from '../core/lifetime.ts';
import {
  type ComposerView,
  type HostMessage,
  type PanelMessage,
  panelMessage,
  payingActions,
  type TroubleAction,
} from '../protocol.ts';
import type { Log } from './log.ts';
import { openLink } from './openLink.ts';
import { PaidCalls, type PaidCallsDeps } from './paidCalls.ts';
import { panelHtml } from './panelHtml.ts';
import { composerView, replyNews, turnView, turnViews } from './panelView.ts';
import { selectedCode } from './selection.ts';
import { type UseCodeDeps, useCode } from './useCode.ts';

export type PanelDeps = PaidCallsDeps &
  Omit<UseCodeDeps, 'panelColumn'> & {
    readonly log: Log;
    readonly dist: vscode.Uri;
    readonly version: string;
    readonly clock: Clock;
    /** Host that a question would go to now. */
    readonly host: () => string | undefined;
    /** Remembers that the gateway in use rejects the option that asks for token counts. */
    readonly forgoUsage: () => Promise<void>;
  };

/** One conversation on screen. It holds no state of the conversation itself: hidden or closed, nothing is lost. */
export class ChatPanel implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #chat: Chat;
  readonly #deps: PanelDeps;
  readonly #store = new DisposableStore();
  readonly #deltas: DeltaJoiner;
  readonly #calls: PaidCalls;
  /** The panel's page has asked for its snapshot and is there to hear news. */
  #isListening = false;
  #isDisposed = false;

  constructor(panel: vscode.WebviewPanel, chat: Chat, deps: PanelDeps) {
    this.#panel = panel;
    this.#chat = chat;
    this.#deps = deps;
    this.#calls = new PaidCalls(chat, deps);
    this.#deltas = this.#store.add(
      new DeltaJoiner(deps.clock, (replyId, { text, reasoning }) =>
        this.#post({ type: 'delta', replyId, text, reasoning }),
      ),
    );
    const { webview } = panel;
    webview.options = { enableScripts: true, enableForms: false, localResourceRoots: [deps.dist] };
    this.#store.add(webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    this.#store.add(
      panel.onDidChangeViewState(() => {
        // A hidden page is thrown away and says ready anew when it is shown again.
        this.#isListening &&= panel.visible;
      }),
    );
    this.#store.add(chat.onDidChange((event) => this.#show(event)));
    this.#store.add(deps.catalogue.onDidChange(() => this.#postComposer()));
    this.#retitle();
    webview.html = panelHtml(webview, deps.dist, chat.conversation.id);
  }

  get column(): vscode.ViewColumn | undefined {
    return this.#panel.viewColumn;
  }

  reveal(): void {
    this.#panel.reveal();
  }

  /** Asks the first question; see `PaidCalls.ask`. */
  async ask(
    question: string,
    contexts: readonly CodeContext[],
    model: string,
    host: string | undefined,
  ): Promise<void> {
    const sent = await this.#calls.ask(question, contexts, model, host);
    if (!sent.ok) {
      this.#postSnapshot();
      void vscode.window.showErrorMessage(`Not sent: ${sent.reason}`);
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#store.dispose();
  }

  #receive(received: unknown): void {
    const parsed = z.safeParse(panelMessage, received);
    if (!parsed.success) {
      this.#deps.log.warn(
        `The panel sent what is no message: ${parsed.error.issues.map((issue) => issue.path.join('.')).join(', ')}`,
      );
      return;
    }
    const message = parsed.data;
    this.#obey(message).catch((error: unknown) => {
      this.#deps.log.defect(`Panel message ${message.type}`, error);
      const reason = error instanceof Error ? error.message : String(error);
      if (
        message.type === 'send' ||
        (message.type === 'act' && payingActions.some((each) => each === message.action))
      ) {
        this.#answer(message.sendId, { ok: false, reason });
      } else {
        void vscode.window.showErrorMessage(`Ask Model could not do that: ${reason}`);
      }
    });
  }

  async #obey(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#isListening = true;
        this.#postSnapshot();
        return;
      case 'send':
        return this.#send(message.sendId, message.text, message.editing);
      case 'stop':
        this.#chat.stop(message.replyId);
        return;
      case 'act':
        return this.#act(message.action, message.sendId, message.turnId);
      case 'chooseReply':
        this.#chat.chooseReply(message.replyId);
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
      case 'addSelection':
        this.#addSelection();
        return;
      case 'removeChip':
        this.#setContexts(this.#draft.contexts.filter(({ id }) => id !== message.id));
        return;
      case 'draft':
        if (message.editing === this.#chat.conversation.edit?.turnId) {
          this.#chat.setDraft({ ...this.#draft, text: message.text });
        }
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
    if (editing !== this.#chat.conversation.edit?.turnId) {
      // Sent in the moment between a click on Edit or Cancel and its answer.
      this.#answer(sendId, { ok: false, reason: 'The text in the box has just changed. Look at it, then send it.' });
      return;
    }
    // Kept before anything else is asked: the page may be gone when the answer is there.
    this.#chat.setDraft({ ...this.#draft, text });
    this.#answer(sendId, await this.#calls.askDraft(sendId));
  }

  /** The panel waits for this after each wish to send. */
  #answer(sendId: string, sent: Sent): void {
    this.#post(sent.ok ? { type: 'sent', sendId } : { type: 'notSent', sendId, reason: sent.reason });
    this.#postComposer();
  }

  async #act(action: TroubleAction, sendId: string, turnId: string): Promise<void> {
    const turn = this.#chat.conversation.turns.find(({ id }) => id === turnId);
    const reply = turn && shownReply(turn);
    switch (action) {
      case 'sendWithoutUsage':
        await this.#deps.forgoUsage();
        this.#answer(sendId, await this.#calls.askAgain(sendId, turnId));
        return;
      case 'sendAgain':
        this.#answer(sendId, await this.#calls.askAgain(sendId, turnId));
        return;
      case 'askOther':
        this.#answer(sendId, await this.#calls.askOther(sendId, turnId));
        return;
      case 'continue':
        this.#answer(sendId, await this.#calls.goOn(sendId, turnId));
        return;
      case 'chooseModel':
        await this.#chooseModel();
        return;
      case 'copyReport':
        if (reply) {
          await vscode.env.clipboard.writeText(troubleReport(reply, this.#deps.version));
          void vscode.window.setStatusBarMessage('Report copied. It holds no question, answer or key.', 4_000);
        }
        return;
      case 'editAddress':
      case 'replaceKey':
      case 'showLog':
      case 'checkConnection':
        await vscode.commands.executeCommand(`askModel.${action}`);
        return;
      case 'newConversation':
        await vscode.commands.executeCommand('askModel.ask');
        return;
      default:
        return action satisfies never;
    }
  }

  async #chooseModel(): Promise<void> {
    await this.#calls.pickModel();
    if (this.#isDisposed) {
      return;
    }
    this.#postComposer();
    this.#panel.reveal();
    this.#post({ type: 'focus' });
  }

  #addSelection(): void {
    const added = selectedCode(this.#deps.lastEditor.current);
    if (added.length === 0) {
      void vscode.window.showInformationMessage('Select code in an editor first, then add it here.');
      return;
    }
    const { contexts } = this.#draft;
    const isThere = ({ path, startLine, text }: CodeContext) =>
      contexts.some((each) => each.path === path && each.startLine === startLine && each.text === text);
    this.#setContexts([...contexts, ...added.filter((context) => !isThere(context))]);
  }

  get #draft(): Draft {
    const { draft, edit } = this.#chat.conversation;
    return edit ? { text: edit.text, contexts: edit.contexts } : draft;
  }

  #setContexts(contexts: readonly CodeContext[]): void {
    this.#chat.setDraft({ ...this.#draft, contexts });
    this.#postComposer();
  }

  #show(event: ConversationEvent): void {
    const { turns } = this.#chat.conversation;
    switch (event.type) {
      case 'delta':
        this.#deltas.push(event.replyId, event);
        return;
      case 'reply': {
        const turn = turns.find(({ id }) => id === event.turnId);
        const view = turn && turnView(turn, turnsBeside(this.#chat.conversation));
        if (view) {
          this.#post({ type: 'turn', turn: view });
          if (view.questions) {
            // It is on a branch of its own: what stood below its fork is not shown any more.
            this.#postSnapshot();
          } else {
            this.#postComposer();
          }
        }
        return;
      }
      case 'end': {
        const reply = turns.flatMap(({ replies }) => replies).find(({ id }) => id === event.replyId);
        if (reply) {
          this.#post({ type: 'reply', reply: replyNews(reply) });
          this.#postComposer();
        }
        return;
      }
      case 'choose':
      case 'chooseTurn':
      case 'conversation':
        // New, or read anew because another window has gone on with it.
        this.#postSnapshot();
        return;
      case 'title':
        this.#retitle();
        return;
      case 'edit':
      case 'cancelEdit':
        this.#postComposer();
        this.#post({ type: 'focus' });
        return;
      case 'draft':
      case 'turn':
        return;
      default:
        event satisfies never;
    }
  }

  #retitle(): void {
    this.#panel.title = titleOf(this.#chat.conversation);
  }

  #postSnapshot(): void {
    this.#post({
      type: 'snapshot',
      title: titleOf(this.#chat.conversation),
      turns: turnViews(this.#chat.conversation),
      composer: this.#composer(),
    });
  }

  #postComposer(): void {
    this.#post({ type: 'composer', composer: this.#composer() });
  }

  #composer(): ComposerView {
    return composerView(this.#chat.conversation, this.#calls.model, this.#deps.host());
  }

  /** News in the order it happened: joined text goes out before anything that is said after it. */
  #post(message: HostMessage): void {
    if (message.type === 'snapshot') {
      // It has all the text there is.
      this.#deltas.drop();
    } else if (message.type !== 'delta') {
      this.#deltas.flush();
    }
    if (this.#isListening) {
      void this.#panel.webview.postMessage(message);
    }
  }
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Reply } from '../../core/chat/conversation/conversation.ts';
import { troubleReport } from '../../core/chat/conversation/trouble.ts';
import { withSecrets } from '../../core/chat/conversation/withSecrets.ts';
import type { Sent } from '../../core/chat/sending/action.ts';
import type { Chat } from '../../core/chat/sending/chat.ts';
import type { PaidActions } from '../../core/chat/sending/paidActions.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { consolePageOf } from '../../core/errors/consolePage.ts';
import { type PanelMessage, type PayingAction, panelMessage, type TroubleAction } from '../../protocol/protocol.ts';
import { fileColumn } from '../code/fileColumn.ts';
import { type CodePorts, useCode } from '../code/useCode.ts';
import type { QuestionSettings } from '../settingFiles/questionSettings.ts';
import { openLink, showErrorMessage } from '../ui/messages.ts';
import { runCommand } from '../ui/registrations.ts';
import type { ComparedTurns } from './comparedTurns.ts';
import { ContextRequests, type ContextRequestsDeps } from './contextRequests.ts';
import type { PaidCalls } from './paidCalls.ts';
import type { PanelUpdates } from './panelUpdates.ts';
import { lastConnection } from './panelView.ts';
import type { RequestDocuments } from './requestDocuments.ts';
import { SecretRequests, type SecretRequestsDeps } from './secretRequests.ts';
import { type Place, type ShowRequestDeps, showNextRequest, showSentRequest } from './showRequest.ts';

export type PanelRequestsDeps = ShowRequestDeps &
  CodePorts &
  ContextRequestsDeps &
  SecretRequestsDeps & {
    /** The version of the extension. */
    readonly version: string;
    /** Remembers that the gateway in use rejects the option to send token counts. */
    readonly setWithoutUsage: () => Promise<void>;
    readonly connections: Pick<Connections, 'all' | 'use'>;
    readonly documents: RequestDocuments;
    readonly calls: PaidCalls;
    readonly paid: Pick<PaidActions, 'noteGesture'>;
    readonly compared: ComparedTurns;
    /** Remembers for the model of a reply that its gateway rejects a parameter. */
    readonly omitRejected: (reply: Reply | undefined) => Promise<void>;
    readonly questionSettings: Pick<QuestionSettings, 'editSystemPrompt' | 'editParameters'>;
  };

/** Handles the messages of a panel's page. */
export class PanelRequests implements vscode.Disposable {
  readonly #panel: vscode.WebviewPanel;
  readonly #deps: PanelRequestsDeps;
  readonly #chat: Chat;
  readonly #calls: PaidCalls;
  readonly #updates: PanelUpdates;
  readonly #compared: ComparedTurns;
  readonly #context: ContextRequests;
  readonly #secrets: SecretRequests;
  #isDisposed = false;

  constructor(panel: vscode.WebviewPanel, deps: PanelRequestsDeps) {
    this.#panel = panel;
    this.#deps = deps;
    this.#chat = deps.chat;
    this.#calls = deps.calls;
    this.#updates = deps.updates;
    this.#compared = deps.compared;
    this.#context = new ContextRequests(deps);
    this.#secrets = new SecretRequests(deps);
  }

  /** Handles a message of the page. An invalid message is logged without its values and dropped. */
  receive(received: unknown): void {
    const { log } = this.#deps;
    const { data: message, error } = z.safeParse(panelMessage, received);
    if (message === undefined) {
      log.warn(`The panel sent what is no message: ${error?.issues.map(({ path }) => path.join('.')).join(', ')}`);
      return;
    }
    // The page sends the others by itself.
    if (!['ready', 'ping', 'broken'].includes(message.type)) {
      this.#deps.paid.noteGesture();
    }
    this.#handle(message).catch((error: unknown) => {
      log.defect(`Panel message ${message.type}`, error);
      void showErrorMessage(
        l10n.t('Ask Model ran into an error: {0}', error instanceof Error ? error.message : String(error)),
      );
    });
  }

  async #handle(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        return this.#updates.begin();
      case 'ping':
        return this.#updates.post({ type: 'alive' });
      case 'send':
        return this.#send(message);
      case 'stop':
        return this.#chat.stop(message.replyId);
      case 'stopAll':
        return this.#chat.stop();
      case 'act':
        return this.#act(message);
      case 'chooseReply':
        return this.#compared.choose(message.replyId);
      case 'keep':
        this.#compared.keep(message.replyId);
        return this.#updates.post({ type: 'focus' });
      case 'compareAgain':
        return this.#compared.compareAgain(message.turnId);
      case 'chooseTurn':
        return this.#chat.chooseTurn(message.turnId);
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'useCode':
        return useCode(message, withSecrets(this.#chat.conversation, this.#chat.masks), {
          ...this.#deps,
          masks: this.#chat.masks,
          panelColumn: this.#panel.viewColumn,
        });
      case 'openLink':
        return openLink(message.href, (address) => this.#chat.isSecretIn(address));
      case 'chooseModel':
        return this.#chooseModel();
      case 'addContext':
        return this.#addContext();
      case 'showRequest':
        this.#setText(message);
        return this.showRequest();
      case 'showSent':
        return showSentRequest(this.#chat, message.replyId, this.#deps, this.#place);
      case 'findContext':
        return this.#context.find(message);
      case 'findPrompts':
        return this.#context.findPrompts(message);
      case 'addFound':
        if (await this.#context.include(message.id)) {
          this.focusQuestionBox();
        }
        return;
      case 'addFiles':
        // The files were dragged from another part of VS Code, which still has the focus.
        this.focusQuestionBox();
        return this.#context.addDropped(message.uris);
      case 'addPasted':
        return this.#context.addPasted(message);
      case 'addOffered':
        return this.#context.addOffered(message.id);
      case 'editSystemPrompt':
        return this.editSystemPrompt();
      case 'editParameters':
        return this.editParameters();
      case 'leaveOutSecrets':
        return this.#secrets.leaveOut();
      case 'neverScanFile':
        return this.#secrets.neverScan();
      case 'removeChip':
        this.#chat.setDraft({ contexts: this.#chat.composed.contexts.filter(({ id }) => id !== message.id) });
        this.#updates.composer();
        return;
      case 'openChip':
        return this.#context.open(message.id, this.#place);
      case 'draft':
        return this.#secrets.watch(() => this.#setText(message));
      case 'edit':
        return this.#chat.startEdit(message.turnId);
      case 'cancelEdit':
        return this.#chat.cancelEdit();
      case 'switchBack': {
        const { connections } = this.#deps;
        const before = lastConnection(this.#chat.conversation, connections.all);
        return before && connections.use(before);
      }
      case 'broken':
        return this.#deps.log.warn(`The panel reports: ${message.message}`);
      default:
        return message satisfies never;
    }
  }

  async #send(message: Extract<PanelMessage, { type: 'send' }>): Promise<void> {
    if (!this.#setText(message)) {
      // The page sent this before it got the answer to a click on Edit or Cancel.
      const reason = l10n.t('The text in the box just changed. Review it before you send it.');
      return this.#answer(message.sendId, Promise.resolve({ ok: false, reason }));
    }
    // The text is saved before any dialog: the page may be gone when the person has answered it.
    void this.#chat.settled();
    // The page may have sent this before it could show what was found.
    const reason = this.#secrets.whyNotYet(message);
    if (reason !== undefined) {
      return this.#answer(message.sendId, Promise.resolve({ ok: false, reason }));
    }
    const isAsIs = this.#secrets.isAsIs(message);
    const sent = this.#calls.askDraft(message.sendId, isAsIs, message.host);
    await this.#answer(message.sendId, sent);
    if (isAsIs && (await sent).ok) {
      this.#secrets.noteSentAsIs();
    }
  }

  /** Sets the text of the composer. @returns false when it is the text of another question than the one there now. */
  #setText({ text, editing }: { readonly text: string; readonly editing?: string | undefined }): boolean {
    const isThatOne = editing === this.#chat.conversation.edit?.turnId;
    if (isThatOne) {
      this.#chat.setDraft({ text });
    }
    return isThatOne;
  }

  /** Posts the result of a `send` or an `act`, which the panel waits for. */
  async #answer(sendId: string, sending: Promise<Sent>): Promise<void> {
    const sent = await sending;
    if (sent.ok) {
      this.#updates.post({ type: 'sent', sendId });
    } else {
      const { reason, isStopped } = sent;
      this.#updates.post({ type: 'notSent', sendId, reason, ...(isStopped && { isNote: true }) });
    }
    this.#updates.composer();
  }

  async #act({ action, sendId, turnId, replyId }: Extract<PanelMessage, { type: 'act' }>): Promise<void> {
    switch (action) {
      case 'sendWithoutUsage':
        return this.#answer(sendId, this.#calls.askAgain(sendId, turnId, replyId, this.#deps.setWithoutUsage));
      case 'sendWithoutParameter': {
        const omit = () => this.#deps.omitRejected(this.#calls.answered(turnId, replyId));
        return this.#answer(sendId, this.#calls.askAgain(sendId, turnId, replyId, omit));
      }
      case 'sendAgain':
        return this.#answer(sendId, this.#calls.askAgain(sendId, turnId, replyId));
      case 'chooseParts':
        return this.#answer(sendId, this.#calls.askAgain(sendId, turnId, replyId, undefined, true));
      case 'askOther':
        return this.#answer(sendId, this.#calls.askOther(sendId, turnId, replyId));
      case 'continue':
        if (replyId !== undefined) {
          // Replies are side by side: continuing one of them also chooses it.
          this.#compared.keep(replyId);
        }
        return this.#answer(sendId, this.#calls.continueReply(sendId, turnId));
      case 'chooseModel':
        return this.#chooseModel();
      default:
        return runTroubleAction(action, this.#calls.answered(turnId, replyId), this.#deps.version, this.#place);
    }
  }

  async #chooseModel(): Promise<void> {
    await this.#calls.pickModel();
    this.focusQuestionBox();
  }

  /** Shows the panel, with the state of now, and with the cursor in the question box. */
  focusQuestionBox(): void {
    if (this.#isDisposed) {
      return;
    }
    this.#updates.composer();
    this.#panel.reveal();
    this.#updates.post({ type: 'focus' });
  }

  /** Includes files and folders, and shows the panel with the cursor in the question box. */
  async addFiles(uris: readonly vscode.Uri[]): Promise<void> {
    this.focusQuestionBox();
    await this.#context.addFiles(uris);
  }

  async #addContext(): Promise<void> {
    await this.#context.pick();
    this.focusQuestionBox();
  }

  /** Shows the request that *Send* would make now. */
  showRequest(): Promise<void> {
    return showNextRequest(this.#chat, this.#calls.model, this.#deps, this.#place);
  }

  /** Lets the person edit the system prompt that the next question is sent with. */
  editSystemPrompt(): Promise<void> {
    return this.#deps.questionSettings.editSystemPrompt(this.#chat.conversation, this.#calls.model, this.#place.column);
  }

  /** Lets the person edit the parameters that the next question is sent with. */
  async editParameters(): Promise<void> {
    const { questionSettings } = this.#deps;
    if (!(await questionSettings.editParameters(this.#chat.conversation, this.#calls.model, this.#place.column))) {
      this.focusQuestionBox();
    }
  }

  /** Where the documents of requests are shown. */
  get #place(): { documents: RequestDocuments; column: vscode.ViewColumn } {
    const { documents, lastEditor } = this.#deps;
    return { documents, column: fileColumn(lastEditor, this.#panel.viewColumn) };
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#context.dispose();
  }
}

/** Runs an action of an error card that makes no paid call. */
async function runTroubleAction(
  action: Exclude<TroubleAction, PayingAction | 'chooseModel'>,
  reply: Reply | undefined,
  version: string,
  { documents, column }: Place,
): Promise<void> {
  switch (action) {
    case 'copyReport':
      if (reply) {
        await vscode.env.clipboard.writeText(troubleReport(reply, version));
        void vscode.window.setStatusBarMessage(
          l10n.t('Report copied. It contains no question, answer, or key.'),
          4_000,
        );
      }
      return;
    case 'showUnread':
      await documents.show(`${l10n.t('Raw Data')}.txt`, reply?.id ?? '', reply?.unread ?? '', column);
      return;
    case 'editAddress':
    case 'replaceKey':
    case 'showLog':
    case 'checkConnection':
    case 'editConnection':
      await runCommand(`askModel.${action}`);
      return;
    case 'openConsole':
      // The gateway that answered, which may not be the connection in use.
      await runCommand('askModel.openConsole', reply?.host, reply?.problem && consolePageOf(reply.problem));
      return;
    case 'proxySettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy');
      return;
    case 'limitSettings':
      await vscode.commands.executeCommand('workbench.action.openSettings', '@id:askModel.daily*');
      return;
    case 'newConversation':
      await runCommand('askModel.newConversation');
      return;
    default:
      return action satisfies never;
  }
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { DisposableStore } from '../../core/base/lifetime.ts';
import { localization } from '../../core/base/localization.ts';
import { recordOf } from '../../core/base/loose.ts';
import { visibleName } from '../../core/base/visibleText.ts';
import { quotedLine } from '../../core/chat/context/diffFiles.ts';
import { chosenReply, columnsOf, isUndecided } from '../../core/chat/conversation/comparison.ts';
import { answerWith, partsOf, withJoined } from '../../core/chat/conversation/continued.ts';
import { type Conversation, titleOf } from '../../core/chat/conversation/conversation.ts';
import { troubleReport } from '../../core/chat/conversation/trouble.ts';
import { asShown } from '../../core/chat/conversation/withSecrets.ts';
import type { Chat, Sent } from '../../core/chat/sending/chat.ts';
import { fileNameOf, turnMarkdown } from '../../core/chat/store/conversationMarkdown.ts';
import { type HostMessage, type PageCommand, type PanelMessage, panelMessage } from '../../protocol/protocol.ts';
import { foundPaths, openPlace, openSymbol } from '../code/filePlaces.ts';
import { applyFiles, filesOf, type UseCodeDeps, useCode } from '../code/useCode.ts';
import { PaidCalls } from '../sending/paidCalls.ts';
import { runAdviceAction } from '../sending/tellTrouble.ts';
import type { EditSettings } from '../settingFiles/questionSettings.ts';
import { askExportFile, writeExport } from '../ui/exportFile.ts';
import { openLink, showDefect, showInformationMessage, showWarningMessage } from '../ui/messages.ts';
import { pickOne } from '../ui/quickPick.ts';
import { conversationViewType } from '../ui/registrations.ts';
import type { ShownTexts } from '../ui/shownTexts.ts';
import { loadPage } from '../ui/webviewPage.ts';
import { ContextRequests } from './contextRequests.ts';
import { type PanelParts, PanelUpdates } from './panelUpdates.ts';
import { lastConnection } from './panelView.ts';
import { showNextRequest, showSentRequest } from './showRequest.ts';

/**
 * The panel of one conversation: handles what its page asks. It has no state of the conversation, so hiding or closing it
 * loses nothing.
 */
export class ChatPanel implements vscode.Disposable {
  /** VS Code's panel. Disposing it closes the panel. */
  readonly surface: vscode.WebviewPanel;
  /** Also used by commands that ask in this conversation. */
  readonly calls: PaidCalls;
  readonly #chat: Chat;
  readonly #parts: PanelParts;
  readonly #updates: PanelUpdates;
  readonly #context: ContextRequests;
  readonly #store = new DisposableStore();
  #hasAsked = false;

  /** @param dist the folder of the build, with the panel's script and styles. */
  constructor(surface: vscode.WebviewPanel, chat: Chat, parts: PanelParts, dist: vscode.Uri) {
    this.surface = surface;
    this.#chat = chat;
    this.#parts = parts;
    const { webview } = surface;
    this.calls = new PaidCalls(chat, parts.gateways, parts.shared.log, parts.unscanned, (review) => {
      // A page that is still loading shows the review with its first snapshot.
      const isOpen = !this.#store.isDisposed && surface.visible;
      this.#updates.showReview(isOpen ? review : undefined);
      if (isOpen && review) {
        surface.reveal();
      }
      return isOpen;
    });
    this.#updates = this.#store.add(new PanelUpdates(webview, chat, this.calls, parts));
    this.#context = new ContextRequests(chat.live, this.#updates, parts.sources, parts.shared.log);
    this.#store.add(webview.onDidReceiveMessage((message: unknown) => this.#receive(message)));
    this.#store.add(
      vscode.workspace.onDidChangeConfiguration(
        (change) => change.affectsConfiguration('chat') && this.#updates.post(chatFont()),
      ),
    );
    this.#store.add(
      surface.onDidChangeViewState(() => {
        // VS Code discards a hidden page. The new page sends `ready` when the panel is shown again.
        if (!surface.visible) {
          this.#updates.end();
          this.calls.cancelReview();
        }
      }),
    );
    this.#store.add(
      chat.live.onDidChange(({ type }) => {
        this.#hasAsked ||= type === 'reply';
        if (type === 'title') {
          void this.#retitle();
        }
      }),
    );
    void this.#retitle();
    const { texts } = localization();
    loadPage(surface, dist, {
      name: 'webview',
      title: 'Ask Model',
      // The translations of all texts, so that the first frame is in VS Code's language.
      data: { conversation: chat.live.conversation.id, ...(texts && { texts: JSON.stringify(texts) }) },
      // Pictures that the page makes from their bytes, and one worker, whose code is part of the script.
      allowed: ['img-src blob:', 'worker-src blob:', 'trusted-types highlighter'],
    });
  }

  /** Id of the conversation. */
  get id(): string {
    return this.#chat.live.conversation.id;
  }

  /** Whether something was asked since this panel was opened. */
  get hasAsked(): boolean {
    return this.#hasAsked;
  }

  /** Whether nothing was asked yet; a question may be typed already. */
  get isUnasked(): boolean {
    return this.#chat.live.conversation.turns.length === 0 && this.#chat.starting === undefined;
  }

  /** Whether nothing was asked, typed, added as context or set for the conversation. */
  get isUnused(): boolean {
    const { systemPrompt, parameters } = this.#chat.live.conversation;
    return this.isUnasked && this.#isEmpty && systemPrompt === undefined && parameters === undefined;
  }

  /** Whether another question can be sent now, and nothing typed would be replaced by it. */
  get canAskNext(): boolean {
    const { isBusy, starting } = this.#chat;
    const { conversation } = this.#chat.live;
    const isIdle = !isBusy && starting === undefined && conversation.edit === undefined;
    return isIdle && !isUndecided(conversation) && this.#isEmpty;
  }

  /** Whether the question box has neither text nor context. */
  get #isEmpty(): boolean {
    const { text, contexts } = this.#chat.live.composed;
    return text === '' && contexts.length === 0;
  }

  /** Handles a message of the page. An invalid message is logged without its values and dropped. */
  #receive(received: unknown): void {
    const { log } = this.#parts.shared;
    const { data: message, error } = z.safeParse(panelMessage, received);
    if (message === undefined) {
      log.warn(`The panel sent what is no message: ${error?.issues.map(({ path }) => path.join('.')).join(', ')}`);
      return;
    }
    // The page sends the others by itself.
    if (!['ready', 'ping', 'broken', 'findPlaces', 'checkFinding', 'loadPicture', 'findFiles'].includes(message.type)) {
      this.#parts.paid.noteGesture();
    }
    this.#handle(message).catch((error: unknown) => showDefect(log, `Panel message ${message.type}`, error));
  }

  async #handle(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        // VS Code loads the page of a panel that is moved to another window anew, without hiding it before. The new page
        // would not empty its box when the question of the page before is sent.
        if (this.#updates.isListening) {
          this.calls.cancelReview();
        }
        return this.#updates.begin(chatFont());
      case 'ping':
        return this.#updates.post({ type: 'alive' });
      case 'send':
        return this.#send(message);
      case 'answer':
        return this.calls.answerReview(message.review, message.answer);
      case 'stop':
        return this.#chat.stop(message.replyId);
      case 'stopAll':
        return this.#chat.stop();
      case 'act':
        return this.#act(message);
      case 'chooseReply':
        return this.#choose(message.replyId);
      case 'keep':
        this.#keep(message.replyId);
        return this.#updates.post({ type: 'focus' });
      case 'compareAgain':
        this.#updates.layout.open(message.turnId);
        return this.#updates.snapshot();
      case 'diffAnswers':
        return this.#diffAnswers(message.turnId);
      case 'chooseTurn':
        return this.#chat.live.chooseTurn(message.turnId);
      case 'copy':
        await vscode.env.clipboard.writeText(message.text);
        return;
      case 'useCode':
        return useCode(message, this.#shown, this.#codeDeps);
      case 'findFiles': {
        const blocks = await filesOf(message, this.#shown, this.#parts.sources.files);
        return this.#updates.post({ type: 'files', replyId: message.replyId, blocks });
      }
      case 'applyFiles':
        return applyFiles(message, this.#shown, this.#codeDeps);
      case 'decide': {
        const { replyId, block, accepts } = message;
        const turn = this.#chat.live.turnOf(replyId);
        const answer = turn && answerWith(turn, replyId);
        for (const part of answer ? partsOf(answer) : []) {
          await this.#parts.changes.decide({ replyId: part.id, block }, accepts);
        }
        return;
      }
      case 'openLink':
        return openLink(message.href, (address) => this.#chat.live.isSecretIn(address));
      case 'findPlaces': {
        const { paths } = message;
        return this.#updates.post({ type: 'places', paths, found: await foundPaths(paths, this.#parts.sources.files) });
      }
      case 'checkFinding': {
        const { index, path, line, quote } = message;
        const contexts = this.#chat.live.conversation.turns.flatMap((turn) => turn.contexts);
        const diffs = contexts.filter(({ kind }) => kind === 'changes').map(({ text }) => text);
        // Without changes, it only looks like a finding.
        const quoted = diffs.length === 0 ? line : quotedLine(diffs, path, line, quote);
        return this.#updates.post({ type: 'finding', index, line: quoted });
      }
      case 'openPlace':
        return openPlace(message, this.#parts.sources.files, this.#columnFor(message));
      case 'openSymbol':
        return openSymbol(message.name, this.#columnFor(message));
      case 'loadPicture': {
        const { name } = message;
        const base64 = await this.#parts.store.readPicture(this.#chat.live.conversation.id, name);
        return this.#updates.post({ type: 'picture', name, ...(base64 !== undefined && { base64 }) });
      }
      case 'usePicture':
        return this.#usePicture(message);
      case 'chooseModel':
        return this.#chooseModel();
      case 'cancelComparison':
        this.calls.cancelComparison();
        return this.focusQuestionBox();
      case 'addContext':
        return this.#addContext();
      case 'showRequest':
        this.#setText(message);
        return this.showRequest();
      case 'showSent':
        return showSentRequest(this.#chat.live, message.replyId, this.#parts.gateways, this.#parts.store, this.#place);
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
      case 'editSystemPrompt':
      case 'editParameters':
        return this.editSettings(message.type);
      case 'removeChip':
        this.#chat.live.setDraft({ contexts: this.#chat.live.composed.contexts.filter(({ id }) => id !== message.id) });
        this.#updates.composer();
        return;
      case 'openChip':
        return this.#context.open(message.id, this.#place);
      case 'draft':
        this.#setText(message);
        return;
      case 'edit':
        return this.#chat.live.startEdit(message.turnId);
      case 'cancelEdit':
        return this.#chat.live.cancelEdit();
      case 'switchBack': {
        const { connections } = this.#parts.gateways;
        const before = lastConnection(this.#chat.live.conversation, connections.all);
        return before && connections.use(before);
      }
      case 'broken':
        return this.#parts.shared.log.warn(`The panel reports: ${message.message}`);
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
    // The text may have shown what is secret in the context.
    this.#chat.live.setDraft({ contexts: this.#chat.live.composed.contexts });
    // The text is saved before any review: the page may be gone when the person has answered it.
    void this.#chat.live.settled();
    await this.#answer(message.sendId, this.calls.askDraft(message.sendId, message.host));
  }

  /** Sets the text of the composer. @returns false when it is the text of another question than the one there now. */
  #setText({ text, editing }: { readonly text: string; readonly editing?: string | undefined }): boolean {
    const isThatOne = editing === this.#chat.live.conversation.edit?.turnId;
    if (isThatOne) {
      this.#chat.live.setDraft({ text });
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
    const reply = this.calls.answered(turnId, replyId);
    switch (action) {
      case 'sendWithoutUsage':
      case 'sendWithoutParameter':
      case 'sendAgain':
      case 'chooseParts':
      case 'askOther':
      case 'continue':
        return this.#answer(sendId, this.calls.askAgain(sendId, action, turnId, replyId));
      case 'chooseModel':
        return this.#chooseModel();
      case 'copyReport':
        if (reply) {
          await vscode.env.clipboard.writeText(troubleReport(reply, this.#parts.version));
          const copied = l10n.t('Report copied. It contains no question, answer, or key.');
          void vscode.window.setStatusBarMessage(copied, 4_000);
        }
        return;
      case 'showUnread': {
        const { documents, column } = this.#place;
        return documents.show(`${l10n.t('Raw Data')}.txt`, reply?.id ?? '', reply?.unread ?? '', column);
      }
      default:
        return runAdviceAction(action, reply);
    }
  }

  /** Scrolls to the turn or the reply with this id, and shows its branch. */
  leadTo(id: string): void {
    const turn = this.#chat.live.showTurn(id);
    if (turn) {
      const answer = answerWith(turn, id);
      if (answer) {
        this.#choose(answer.id);
      }
      this.#updates.postWhenReady({ type: 'leadTo', turnId: turn.id });
    }
  }

  /** Shows another reply: in its column where replies are side by side, otherwise instead of the shown one. */
  #choose(replyId: string): void {
    const turn = this.#chat.live.turnOf(replyId);
    if (turn && this.#updates.layout.isSideBySide(turn)) {
      this.#updates.layout.choose(withJoined(turn), replyId);
      this.#updates.snapshot();
    } else if (turn && columnsOf(turn).length > 0) {
      this.#keep(replyId);
    } else {
      this.#chat.live.chooseReply(replyId);
    }
  }

  /** Shows only this reply of a comparison. The conversation continues from it, with its model. */
  #keep(replyId: string): void {
    const turn = this.#chat.live.turnOf(replyId);
    const reply = turn?.replies.find(({ id }) => id === replyId);
    if (turn === undefined || reply === undefined) {
      return;
    }
    this.#updates.layout.close(turn.id);
    this.calls.forgetPicked();
    if (chosenReply(turn) === reply) {
      this.#updates.snapshot();
    } else {
      this.#chat.live.chooseReply(replyId);
    }
  }

  /** Shows two answers in a diff editor: the newest of each model; of more than two, the person chooses. */
  async #diffAnswers(turnId: string): Promise<void> {
    const turn = this.#shown.turns.find(({ id }) => id === turnId);
    const answers = columnsOf(turn ?? { replies: [] })
      .flatMap((column) => column.findLast(({ text }) => text.trim() !== '') ?? [])
      .map(({ id, model, text }) => ({ name: visibleName(model), about: id, text }));
    if (answers.length < 2) {
      void showInformationMessage(l10n.t('Fewer than two models have answered.'));
      return;
    }
    const row = ({ name: label }: { readonly name: string }) => ({ label });
    const first = answers.length === 2 ? answers[0] : await pickOne(answers, row, l10n.t('First Answer'));
    const others = answers.filter((each) => each !== first);
    const second = first && (await pickOne(others, row, l10n.t('Second Answer')));
    if (first && second) {
      const { documents, column } = this.#place;
      await documents.diff([first, second], column);
    }
  }

  /** Opens a picture of an answer in VS Code's own editor for images, or saves it. One that has no file is saved. */
  async #usePicture({ name, isSaved }: Extract<PanelMessage, { type: 'usePicture' }>): Promise<void> {
    const { store, sources } = this.#parts;
    const { conversation } = this.#chat.live;
    const base64 = await store.readPicture(conversation.id, name);
    const path = store.pictureFile(conversation.id, name);
    if (base64 === undefined) {
      void showWarningMessage(l10n.t('This picture is no longer available.'));
    } else if (path !== undefined && !isSaved) {
      await vscode.commands.executeCommand('vscode.open', vscode.Uri.file(path), this.#place.column);
    } else {
      const ending = name.split('.').at(-1) ?? '';
      const file = `${fileNameOf(titleOf(conversation))}.${ending}`;
      const filters = { [ending.toUpperCase()]: [ending] };
      const target = await askExportFile(sources.home, file, l10n.t('Save Picture As'), filters);
      await (target && writeExport(target, Buffer.from(base64, 'base64')));
    }
  }

  get #codeDeps(): UseCodeDeps {
    const { sources, changes } = this.#parts;
    return {
      lastEditor: sources.lastEditor,
      files: sources.files,
      changes,
      masks: this.#chat.live.masks,
      panelColumn: this.surface.viewColumn,
    };
  }

  /** The conversation as its panel shows it. */
  get #shown(): Conversation {
    return asShown(this.#chat.live.conversation, this.#chat.live.masks);
  }

  async #chooseModel(): Promise<void> {
    await this.calls.pickModel();
    this.focusQuestionBox();
  }

  /** Runs a command in the page. */
  run(command: PageCommand): void {
    this.#updates.post({ type: 'command', command });
  }

  /**
   * Copies the question with an answer, all its answers and the facts about them, as in an export.
   *
   * @param context what VS Code passes to a command in the context menu of a page.
   */
  async copyAsMarkdown(context: unknown): Promise<void> {
    const { replyId } = recordOf(context);
    const turn = this.#shown.turns.find(({ replies }) => replies.some(({ id }) => id === replyId));
    await (turn && vscode.env.clipboard.writeText(turnMarkdown(turn)));
  }

  /** Shows the panel, with the state of now, and with the cursor in the question box. */
  focusQuestionBox(): void {
    if (this.#store.isDisposed) {
      return;
    }
    this.#updates.composer();
    this.surface.reveal();
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
    const { live } = this.#chat;
    const draft = this.calls.revealed(live.composed);
    return showNextRequest(live, draft, this.calls.model, this.#parts.gateways, this.#place);
  }

  /** Lets the person edit the system prompt or the parameters that the next question is sent with. */
  async editSettings(edit: EditSettings): Promise<void> {
    const { questionSettings } = this.#parts;
    const isOpened = await questionSettings[edit](this.#chat.live.conversation, this.calls.model, this.#place.column);
    // A command that was run in another editor leaves the focus there.
    if (!isOpened && this.surface.active) {
      this.focusQuestionBox();
    }
  }

  /** Where the documents of requests are shown. */
  get #place(): { documents: ShownTexts; column: vscode.ViewColumn } {
    const { documents, sources } = this.#parts;
    return { documents, column: sources.lastEditor.fileColumn(this.surface.viewColumn) };
  }

  #columnFor({ isBeside }: { readonly isBeside: boolean }): vscode.ViewColumn {
    return isBeside ? vscode.ViewColumn.Beside : this.#place.column;
  }

  /** Sets the title. VS Code writes it to disk, so it must not show a question of a conversation that is not stored. */
  async #retitle(): Promise<void> {
    const isOnDisk = await this.#parts.store.isOnDisk(this.#chat.live.conversation.id).catch(() => false);
    if (!this.#store.isDisposed) {
      // The second one is the same for every conversation.
      this.surface.title = isOnDisk
        ? visibleName(titleOf(this.#chat.live.conversation))
        : l10n.t('Conversation (Not Saved)');
    }
  }

  dispose(): void {
    this.calls.cancelReview();
    this.#store.dispose();
  }
}

/**
 * Creates an empty webview panel.
 *
 * @param column the group of the other panels; undefined for the first one, which opens where the setting says: in the
 * group of the active editor, or beside it.
 * @param preserveFocus leaves the focus where it is, even when VS Code loads the page later.
 */
export function openSurface(column: vscode.ViewColumn | undefined, preserveFocus: boolean): vscode.WebviewPanel {
  const where = vscode.workspace.getConfiguration().get<unknown>('askModel.panel.location');
  const first = where === 'active' ? vscode.ViewColumn.Active : vscode.ViewColumn.Beside;
  return vscode.window.createWebviewPanel(
    conversationViewType,
    'Ask Model',
    { viewColumn: column ?? first, preserveFocus },
    { enableFindWidget: true },
  );
}

/** The font of VS Code's own chat, whose settings other editors may not have. */
function chatFont(): Extract<HostMessage, { type: 'font' }> {
  const chat = vscode.workspace.getConfiguration('chat');
  const [size, family] = [chat.get<unknown>('fontSize'), chat.get<unknown>('fontFamily')];
  return {
    type: 'font',
    size: typeof size === 'number' ? size : undefined,
    family: typeof family === 'string' && family !== 'default' ? family : undefined,
  };
}

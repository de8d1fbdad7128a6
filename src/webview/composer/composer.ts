import * as l10n from '@vscode/l10n';
import type { ComposerView } from '../../protocol/views.ts';
import { element, iconButton } from '../page/dom.ts';
import { BalanceNote } from './balanceNote.ts';
import { BoxNote } from './boxNote.ts';
import { ChipRow, type ChipRowActions } from './chipRow.ts';
import { ContextList, type ContextListActions } from './contextList.ts';
import { DraftSaver } from './draftSaver.ts';
import { takeDroppedFiles } from './droppedFiles.ts';
import { type ModelActions, ModelButton } from './modelButton.ts';
import { describe, Notes } from './notes.ts';
import { type PastedCode, PastedCodes } from './pastedCode.ts';
import { QuestionKeys } from './questionKeys.ts';
import { RunningAction } from './runningAction.ts';
import { SecretsLine } from './secretsLine.ts';
import { SendButton } from './sendButton.ts';
import { TokenEstimate } from './tokenEstimate.ts';

/** Actions of the composer. `send` returns whether the question was sent; `editing` is the turn being edited. */
export type ComposerActions = ChipRowActions &
  ContextListActions &
  ModelActions & {
    send(
      text: string,
      editing: string | undefined,
      secrets: 'mask' | 'asIs' | undefined,
      host: string | undefined,
    ): boolean;
    leaveOutSecrets(): void;
    neverScanFile(): void;
    stop(replyId: string): void;
    stopAll(): void;
    saveDraft(text: string, editing: string | undefined): void;
    editLast(): void;
    cancelEdit(): void;
    /** Makes the connection active again that the conversation was with. */
    switchBack(): void;
    /** Includes files by their URIs. */
    addFiles(uris: readonly string[]): void;
    addPasted(code: PastedCode): void;
    /** Shows the request that the text would send, with its context. Sends nothing. */
    showRequest(text: string, editing: string | undefined): void;
  };

/** The composer: context chips, question box, model button, token estimate, and the Send button. */
export class Composer {
  readonly element = element('form', 'composer');
  /** Opens above the composer. */
  readonly contextList: ContextList;
  readonly #actions: ComposerActions;
  readonly #box = element('textarea');
  readonly #notes = new Notes();
  readonly #editing: BoxNote;
  readonly #switched: BoxNote;
  readonly #chips: ChipRow;
  readonly #model: ModelButton;
  readonly #pasted: PastedCodes;
  readonly #draft: DraftSaver;
  readonly #estimate = new TokenEstimate();
  readonly #balance = new BalanceNote();
  readonly #send: SendButton;
  readonly #secrets: SecretsLine;
  #view: ComposerView = { chips: [], tokens: 0, draft: '' };
  #isSending = false;
  #isFirstUpdate = true;
  /** A text that was sent before the first update; it's sent with that update, or the press of Enter would be lost. */
  #early: string | undefined;
  readonly #running = new RunningAction();
  readonly #keys: QuestionKeys;
  /** The turn whose question is being edited in the box. */
  #editedTurn: string | undefined;

  constructor(actions: ComposerActions) {
    this.#actions = actions;
    this.#box.rows = 1;
    this.#box.dir = 'auto';
    // Otherwise a browser that VS Code runs in would store what is typed for autofill.
    this.#box.autocomplete = 'off';
    this.#box.placeholder = l10n.t('Ask a question. # adds context, / runs a prompt.');
    this.#box.setAttribute('aria-label', l10n.t('Question'));
    this.#chips = new ChipRow(actions);
    const submit = () => this.#submit();
    this.contextList = new ContextList(this.#box, { ...actions, submit });
    this.#send = new SendButton(submit, () => this.stop());
    this.#model = new ModelButton(actions);
    this.#pasted = new PastedCodes(this.#box, (code) => {
      this.#notes.clearRefusal();
      actions.addPasted(code);
    });
    this.#draft = new DraftSaver(
      () => (this.#isSending ? undefined : this.#box.value),
      (text) => actions.saveDraft(text, this.#editedTurn),
    );
    this.#secrets = new SecretsLine({ ...actions, submit: (isAsIs) => this.#submit(isAsIs) });
    this.#keys = new QuestionKeys(this.#box, {
      handleKey: (event) => this.contextList.handleKey(event),
      submit,
      canEditLast: () => this.#box.value === '' && this.#editedTurn === undefined,
      editLast: () => actions.editLast(),
    });
    const showRequest = iconButton('eye', l10n.t('Show Request'), () => this.#showRequest());
    const bar = element(
      'div',
      'bar',
      element('span', 'start', ...this.#model.elements, showRequest),
      element('span', 'end', this.#estimate.element, this.#balance.element, ...this.#send.elements),
    );
    this.#editing = new BoxNote('editing', l10n.t('Cancel'), () => actions.cancelEdit());
    this.#switched = new BoxNote('switched', l10n.t('Switch Back'), () => actions.switchBack());
    const frame = element(
      'div',
      'frame',
      element(
        'div',
        'above',
        this.#editing.element,
        this.#switched.element,
        this.#secrets.element,
        this.#chips.element,
      ),
      this.#box,
      ...this.#notes.elements,
      bar,
    );
    this.element.append(frame);
    this.element.setAttribute('aria-label', l10n.t('Ask a question'));
    this.#listen(frame);
    this.#show();
  }

  /** Shows an update from the host. Typed text is never overwritten; a stored draft only fills an empty box. */
  update(view: ComposerView, restoresDraft = false): void {
    // The reason not to send or the context has changed, so the refusal no longer applies.
    if (view.due !== this.#view.due || view.chips.length !== this.#view.chips.length) {
      this.#notes.clearRefusal();
    }
    this.#pasted.noteAnswer();
    this.#view = view;
    this.#running.setReply(view.runningReply);
    this.#noteIdle();
    this.#syncEditing();
    if (restoresDraft && this.#box.value === '' && !this.#isSending) {
      this.#box.value = view.draft;
      this.#draft.reset(view.draft);
    }
    this.#isFirstUpdate = false;
    this.#show();
    const early = this.#early;
    this.#early = undefined;
    if (early !== undefined && early === this.#box.value) {
      this.#submit();
    }
  }

  /** Replaces the text of the box when editing has started or ended. */
  #syncEditing(): void {
    const { editing, draft } = this.#view;
    if (editing === this.#editedTurn || this.#isSending) {
      return;
    }
    this.#editedTurn = editing;
    this.#box.value = draft;
    this.#draft.reset(draft);
    this.#notes.clearRefusal();
  }

  /** The question was sent: clears the box. */
  sent(): void {
    this.#isSending = false;
    this.#box.value = '';
    this.#draft.reset('');
    this.#keys.noteMoved();
    this.#syncEditing();
    this.#show();
  }

  /** The question was not sent: its text stays, and the reason is shown below it. */
  refused(reason: string, isForRunning = false, isNote = false): void {
    this.#isSending = false;
    this.#syncEditing();
    this.showReason(reason, isForRunning, isNote);
  }

  /** Puts the text of a prompt into the box, for the person to read and send. */
  showPrompt(prompt: Parameters<ContextList['fill']>[0]): void {
    this.contextList.fill(prompt);
    // An Enter that was pressed before the text could be read is not meant to send it.
    this.#keys.noteMoved();
  }

  /** Shows below the text why something was not done, or a note on what was done. */
  showReason(reason: string, isForRunning = false, isNote = false): void {
    this.#notes.refuse(reason, isForRunning, isNote);
    this.#show();
  }

  focus(): void {
    if (document.activeElement === this.#box) {
      return;
    }
    this.#keys.noteMoved();
    this.#box.focus();
  }

  /** Sets the action that the host has not answered yet, which can be stopped by its id; undefined if there is none. */
  setPending(sendId: string | undefined): void {
    this.#running.setPending(sendId);
    this.#noteIdle();
    this.#show();
  }

  /** Stops what is running or about to run, once. */
  stop(): void {
    const id = this.#running.stop();
    if (id === undefined) {
      return;
    }
    if (this.#view.runningReplies === undefined) {
      this.#actions.stop(id);
    } else {
      this.#actions.stopAll();
    }
    this.#show();
  }

  #noteIdle(): void {
    if (this.#running.id === undefined) {
      this.#notes.noteIdle();
    }
  }

  #listen(frame: HTMLElement): void {
    this.element.addEventListener('submit', (event) => event.preventDefault());
    frame.addEventListener('click', (event) => {
      if (event.target === frame) {
        this.focus();
      }
    });
    this.#box.addEventListener('input', () => {
      this.#notes.clearRefusal();
      this.#show();
      this.#draft.saveSoon();
    });
    takeDroppedFiles(frame, (uris) => this.#actions.addFiles(uris));
    this.#box.addEventListener('blur', () => this.saveDraft());
    addEventListener('pagehide', () => this.saveDraft());
  }

  #submit(isAsIs = false): void {
    const text = this.#box.value;
    if (text.trim() === '' || this.#isSending || this.contextList.isFilling) {
      return;
    }
    if (this.#isFirstUpdate) {
      this.#early = text;
      return;
    }
    if (this.#running.id !== undefined) {
      this.refused(l10n.t("An answer is still arriving. Stop it or wait until it's complete."), true);
      return;
    }
    if (this.#view.due !== undefined && !this.#view.mayBeDone) {
      this.refused(this.#view.due);
      return;
    }
    const secrets = this.#view.secrets && (isAsIs ? 'asIs' : 'mask');
    if (!this.#actions.send(text, this.#editedTurn, secrets, this.#view.switched?.host)) {
      return;
    }
    this.#isSending = true;
    this.#notes.clearRefusal();
    this.#show();
  }

  #showRequest(): void {
    this.saveDraft();
    this.#actions.showRequest(this.#box.value, this.#editedTurn);
  }

  /** Saves the draft at once. */
  saveDraft(): void {
    this.#draft.save();
  }

  #show(): void {
    const { runningReplies } = this.#view;
    const isChipGone = this.#chips.show(this.#view);
    this.#model.show(this.#view);
    const dueId = this.#notes.show(this.#view);
    const isEditing = this.#editedTurn !== undefined;
    this.#editing.show(isEditing ? l10n.t('Editing question. Sending creates a new branch.') : undefined);
    const { switched } = this.#view;
    const isSwitchGone = this.#switched.show(switched?.text, switched?.canSwitchBack);
    describe(this.#box, [isEditing && 'editing', switched && 'switched', dueId].filter(Boolean).join(' '));
    const draft = this.#box.value;
    this.#estimate.show(this.#view, draft);
    this.#balance.show(this.#view);
    const isRunning = this.#running.id !== undefined;
    const canSend = !this.#isSending && draft.trim() !== '';
    const isLineGone = this.#secrets.show(isRunning ? undefined : this.#view.secrets, canSend);
    const isButtonGone = this.#send.show({
      isRunning,
      isStopping: this.#running.isStopping,
      canSend,
      isElsewhere: this.#view.secrets !== undefined,
      runningReplies,
    });
    this.#box.readOnly = this.#isSending;
    this.element.setAttribute('aria-busy', String(this.#isSending));
    if (isChipGone || isSwitchGone || isLineGone || isButtonGone) {
      this.focus();
    }
  }
}

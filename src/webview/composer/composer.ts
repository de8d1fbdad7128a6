import * as l10n from '@vscode/l10n';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText } from '../../core/base/localization.ts';
import type { ComposerView } from '../../protocol.ts';
import { element, iconButton, setText, textButton } from '../page/dom.ts';
import { cooldownMs } from '../page/payingButtons.ts';
import { ChipRow, type ChipRowActions } from './chipRow.ts';
import { ContextList, type ContextListActions } from './contextList.ts';
import { DraftSaver } from './draftSaver.ts';
import { takeDroppedFiles } from './droppedFiles.ts';
import { ModelButton } from './modelButton.ts';
import { Notes } from './notes.ts';
import { type PastedCode, PastedCodes } from './pastedCode.ts';
import { SecretsLine } from './secretsLine.ts';
import { SendButton } from './sendButton.ts';

/** Actions of the composer. `send` returns whether the question was sent; `editing` is the turn being edited. */
export type ComposerActions = ChipRowActions &
  ContextListActions & {
    send(text: string, editing: string | undefined, secrets: 'mask' | 'asIs' | undefined): boolean;
    leaveOutSecrets(): void;
    neverScanFile(): void;
    stop(replyId: string): void;
    stopAll(): void;
    saveDraft(text: string, editing: string | undefined): void;
    editLast(): void;
    cancelEdit(): void;
    /** Includes files by their URIs. */
    addFiles(uris: readonly string[]): void;
    addPasted(code: PastedCode): void;
    /** Shows the request that the text would send, with its context. Sends nothing. */
    showRequest(text: string, editing: string | undefined): void;
    chooseModel(): void;
  };

/** The composer: context chips, question box, model button, token estimate, and the Send button. */
export class Composer {
  readonly element = element('form', 'composer');
  /** Opens above the composer. */
  readonly contextList: ContextList;
  readonly #actions: ComposerActions;
  readonly #box = element('textarea');
  readonly #notes = new Notes();
  readonly #editing = element('div', 'editing');
  readonly #chips: ChipRow;
  readonly #model: ModelButton;
  readonly #pasted: PastedCodes;
  readonly #draft: DraftSaver;
  readonly #estimate = element('span', 'estimate');
  readonly #send: SendButton;
  readonly #secrets: SecretsLine;
  #view: ComposerView = { chips: [], tokens: 0, draft: '' };
  #isSending = false;
  #isFirstUpdate = true;
  /** A text that was sent before the first update; it's sent with that update, or the press of Enter would be lost. */
  #early: string | undefined;
  /** Id of the action that the host has not answered yet, from the composer or from another button. */
  #pending: string | undefined;
  #stopping: string | undefined;
  /** When the focus moved to the box or its text was replaced; reset when the person types. */
  #focusMovedAt = Number.NEGATIVE_INFINITY;
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
    this.contextList = new ContextList(this.#box, { ...actions, submit: () => this.#submit() });
    this.#send = new SendButton(
      () => this.#submit(),
      () => this.stop(),
    );
    this.#model = new ModelButton(() => actions.chooseModel());
    this.#pasted = new PastedCodes(this.#box, (code) => {
      this.#notes.clearRefusal();
      actions.addPasted(code);
    });
    this.#draft = new DraftSaver(
      () => (this.#isSending ? undefined : this.#box.value),
      (text) => actions.saveDraft(text, this.#editedTurn),
    );
    this.#secrets = new SecretsLine({
      ...actions,
      submit: (isAsIs) => this.#submit(isAsIs),
    });
    const showRequest = iconButton('eye', l10n.t('Show Request'), () => this.#showRequest());
    const bar = element(
      'div',
      'bar',
      element('span', 'start', this.#model.element, showRequest),
      element('span', 'end', this.#estimate, ...this.#send.elements),
    );
    const note = element('p', 'note', l10n.t('Editing question. Sending creates a new branch.'));
    note.id = 'editing';
    this.#editing.append(
      note,
      textButton('secondary', l10n.t('Cancel'), () => actions.cancelEdit()),
    );
    const frame = element(
      'div',
      'frame',
      this.#editing,
      this.#secrets.element,
      this.#chips.element,
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
    this.#settle();
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
    this.#focusMovedAt = performance.now();
    this.#syncEditing();
    this.#show();
  }

  /** The question was not sent: its text stays, and the reason is shown below it. */
  refused(reason: string, isForRunning = false): void {
    this.#isSending = false;
    this.#syncEditing();
    this.showReason(reason, isForRunning);
  }

  /** Puts the text of a prompt into the box, for the person to read and send. */
  showPrompt(prompt: Parameters<ContextList['fill']>[0]): void {
    this.contextList.fill(prompt);
    // An Enter that was pressed before the text could be read is not meant to send it.
    this.#focusMovedAt = performance.now();
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
    this.#focusMovedAt = performance.now();
    this.#box.focus();
  }

  /** Sets the action that the host has not answered yet, which can be stopped by its id; undefined if there is none. */
  setPending(sendId: string | undefined): void {
    this.#pending = sendId;
    this.#settle();
    this.#show();
  }

  /** Stops what is running or about to run, once. */
  stop(): void {
    const running = this.#running;
    if (running === undefined || this.#stopping === running) {
      return;
    }
    this.#stopping = running;
    if (this.#view.runningReplies === undefined) {
      this.#actions.stop(running);
    } else {
      this.#actions.stopAll();
    }
    this.#show();
  }

  /** Id of what Stop would end. A reply has the id of the action that started it. */
  get #running(): string | undefined {
    return this.#view.runningReply ?? this.#pending;
  }

  #settle(): void {
    if (this.#running !== this.#stopping) {
      this.#stopping = undefined;
    }
    if (this.#running === undefined) {
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
    this.#box.addEventListener('keydown', (event) => {
      if (this.contextList.handleKey(event)) {
        return;
      }
      const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
      if (event.key === 'ArrowUp' && isPlain && this.#box.value === '' && this.#editedTurn === undefined) {
        event.preventDefault();
        if (!event.repeat) {
          this.#actions.editLast();
        }
        return;
      }
      // 229: an input method is still composing; some report this only in the key code.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) {
        return;
      }
      event.preventDefault();
      // A second Enter, right after the first one moved the focus here, is not meant to send this text.
      const isIntended = performance.now() - this.#focusMovedAt > cooldownMs;
      if (!event.repeat && isIntended) {
        this.#submit();
      }
    });
    this.#box.addEventListener('input', () => {
      this.#focusMovedAt = Number.NEGATIVE_INFINITY;
      this.#notes.clearRefusal();
      this.contextList.update();
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
    if (this.#running !== undefined) {
      this.refused(l10n.t("An answer is still arriving. Stop it or wait until it's complete."), true);
      return;
    }
    if (this.#view.due !== undefined) {
      this.refused(this.#view.due);
      return;
    }
    const secrets = this.#view.secrets && (isAsIs ? 'asIs' : 'mask');
    if (!this.#actions.send(text, this.#editedTurn, secrets)) {
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
    const { tokens, tokenFactor = 1, runningReplies, due } = this.#view;
    const isChipGone = this.#chips.show(this.#view);
    this.#model.show(this.#view);
    this.#editing.hidden = this.#editedTurn === undefined;
    const dueId = this.#notes.show(due);
    const note = this.#editedTurn === undefined ? dueId : 'editing';
    if (note === undefined) {
      this.#box.removeAttribute('aria-describedby');
    } else {
      this.#box.setAttribute('aria-describedby', note);
    }
    const draft = this.#box.value;
    const estimate = Math.round((tokens + estimateTokens(draft)) * tokenFactor);
    setText(this.#estimate, estimate === 0 ? '' : estimatedTokensText(estimate));
    const running = this.#running;
    const canSend = !this.#isSending && draft.trim() !== '';
    const isLineGone = this.#secrets.show(running === undefined ? this.#view.secrets : undefined, canSend);
    const isButtonGone = this.#send.show({
      isRunning: running !== undefined,
      isStopping: running !== undefined && this.#stopping === running,
      canSend,
      isElsewhere: this.#view.secrets !== undefined,
      runningReplies,
    });
    this.#box.readOnly = this.#isSending;
    this.element.setAttribute('aria-busy', String(this.#isSending));
    if (isChipGone || isLineGone || isButtonGone) {
      this.focus();
    }
  }
}

import { visibleName } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol.ts';
import { element, iconButton, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { restMs } from '../page/payingButtons.ts';
import { ChipRow, type ChipRowActions } from './chipRow.ts';
import { SendButton } from './sendButton.ts';

/** What the composer asks for. `send` returns whether the question went out; `editing` is the turn the text is of. */
export type ComposerActions = ChipRowActions & {
  send(text: string, editing: string | undefined): boolean;
  stop(replyId: string): void;
  stopAll(): void;
  saveDraft(text: string, editing: string | undefined): void;
  editLast(): void;
  cancelEdit(): void;
  /** Shows what the text would send with all that goes along. Nothing is sent. */
  showRequest(text: string, editing: string | undefined): void;
  chooseModel(): void;
};

/**
 * A page is thrown away the moment its panel is hidden, with what it says then: what is typed is said at once, but for
 * texts so long that saying all of it at every key would be felt.
 */
const draftDelayMs = (text: string) => (text.length < 20_000 ? 0 : 200);

const stillRunning = 'An answer is still arriving. Stop it, or wait for it to end.';

/** Where a question is written: what goes along, the text, the model, an estimate, and one button. */
export class Composer {
  readonly element = element('form', 'composer');
  readonly #actions: ComposerActions;
  readonly #box = element('textarea');
  readonly #due = element('p', 'due');
  readonly #refusal = element('p', 'refusal');
  readonly #editing = element('div', 'editing');
  readonly #chips: ChipRow;
  readonly #model = element('span', 'label');
  readonly #modelButton: HTMLButtonElement;
  readonly #estimate = element('span', 'estimate');
  readonly #send: SendButton;
  #view: ComposerView = { chips: [], tokens: 0, draft: '' };
  #isSending = false;
  /** The action that the host has not answered yet, of the box or of a button. */
  #pending: string | undefined;
  #stopping: string | undefined;
  #savedDraft = '';
  /** When the person was brought to the box, or another text into it, and has typed nothing since. */
  #broughtAt = Number.NEGATIVE_INFINITY;
  /** The turn whose question stands in the box. */
  #inBox: string | undefined;
  #draftTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(actions: ComposerActions) {
    this.#actions = actions;
    this.#box.rows = 1;
    this.#box.dir = 'auto';
    // Else a browser that VS Code runs in writes down what is typed, to fill it in again.
    this.#box.autocomplete = 'off';
    this.#box.placeholder = 'Ask a question';
    this.#box.setAttribute('aria-label', 'Question');
    this.#refusal.setAttribute('role', 'alert');
    this.#refusal.hidden = true;
    this.#chips = new ChipRow(actions);
    this.#send = new SendButton(
      () => this.#submit(),
      () => this.stop(),
    );
    this.#due.id = 'due';
    const model = textButton('modelButton', '', () => actions.chooseModel(), 'hubot');
    this.#modelButton = model;
    model.append(this.#model, icon('chevronDown'));
    model.title = 'Choose Model';
    const showRequest = iconButton('eye', 'Show Request', () => this.#showRequest());
    const bar = element(
      'div',
      'bar',
      element('span', 'start', model, showRequest),
      element('span', 'end', this.#estimate, ...this.#send.elements),
    );
    const note = element('p', 'note', 'Editing an earlier question — sending makes a new branch');
    note.id = 'editing';
    this.#editing.append(
      note,
      textButton('secondary', 'Cancel', () => actions.cancelEdit()),
    );
    const frame = element('div', 'frame', this.#editing, this.#chips.element, this.#box, this.#due, this.#refusal, bar);
    this.element.append(frame);
    this.element.setAttribute('aria-label', 'Ask');
    this.#listen(frame);
    this.#show();
  }

  /** Shows news of the host. What is typed is never overwritten; a kept draft goes into an empty box only. */
  update(view: ComposerView, restoresDraft = false): void {
    // What was due is done, and so is the reason not to send.
    if (view.due !== this.#view.due) {
      this.#refusal.hidden = true;
    }
    this.#view = view;
    this.#settle();
    this.#adopt();
    if (restoresDraft && this.#box.value === '' && !this.#isSending) {
      this.#box.value = view.draft;
      this.#savedDraft = view.draft;
    }
    this.#show();
  }

  /** Where editing began or ended, the box has another text now. */
  #adopt(): void {
    const { editing, draft } = this.#view;
    if (editing === this.#inBox || this.#isSending) {
      return;
    }
    this.#inBox = editing;
    this.#box.value = draft;
    this.#savedDraft = draft;
    this.#refusal.hidden = true;
    clearTimeout(this.#draftTimer);
  }

  /** The question went out. */
  sent(): void {
    this.#isSending = false;
    this.#box.value = '';
    this.#savedDraft = '';
    this.#broughtAt = performance.now();
    clearTimeout(this.#draftTimer);
    this.#adopt();
    this.#show();
  }

  /** The question did not go out: its text stays, and the reason is shown below it. */
  refused(reason: string): void {
    this.#isSending = false;
    this.#adopt();
    this.#refusal.hidden = false;
    setText(this.#refusal, reason);
    this.#show();
  }

  focus(): void {
    if (document.activeElement === this.#box) {
      return;
    }
    this.#broughtAt = performance.now();
    this.#box.focus();
  }

  /** An action is on its way to the host, or was answered: until then it can be stopped by its id. */
  await(sendId: string | undefined): void {
    this.#pending = sendId;
    this.#settle();
    this.#show();
  }

  /** Stops what is running or about to, once. */
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

  /** What Stop would end: a reply has the id of the action that it comes from. */
  get #running(): string | undefined {
    return this.#view.runningReply ?? this.#pending;
  }

  #settle(): void {
    if (this.#running !== this.#stopping) {
      this.#stopping = undefined;
    }
    if (this.#running === undefined && this.#refusal.textContent === stillRunning) {
      this.#refusal.hidden = true;
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
      const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey && !event.isComposing;
      if (event.key === 'ArrowUp' && isPlain && this.#box.value === '' && this.#inBox === undefined) {
        event.preventDefault();
        if (!event.repeat) {
          this.#actions.editLast();
        }
        return;
      }
      // 229: an input method is still composing, although some say so only in the key code.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) {
        return;
      }
      event.preventDefault();
      // The second press on a button or a row that leads here is not meant for the text that waits here.
      const wasMeantForIt = performance.now() - this.#broughtAt > restMs;
      if (!event.repeat && wasMeantForIt) {
        this.#submit();
      }
    });
    this.#box.addEventListener('input', () => {
      this.#broughtAt = Number.NEGATIVE_INFINITY;
      this.#refusal.hidden = true;
      this.#show();
      clearTimeout(this.#draftTimer);
      this.#draftTimer = setTimeout(() => this.saveDraft(), draftDelayMs(this.#box.value));
    });
    this.#box.addEventListener('blur', () => this.saveDraft());
    addEventListener('pagehide', () => this.saveDraft());
  }

  #submit(): void {
    const text = this.#box.value;
    if (text.trim() === '' || this.#isSending) {
      return;
    }
    if (this.#running !== undefined) {
      this.refused(stillRunning);
      return;
    }
    if (this.#view.due !== undefined) {
      this.refused(this.#view.due);
      return;
    }
    if (!this.#actions.send(text, this.#inBox)) {
      return;
    }
    this.#isSending = true;
    this.#refusal.hidden = true;
    this.#show();
  }

  #showRequest(): void {
    this.saveDraft();
    this.#actions.showRequest(this.#box.value, this.#inBox);
  }

  /** Keeps what is typed, at once. */
  saveDraft(): void {
    clearTimeout(this.#draftTimer);
    const draft = this.#box.value;
    if (this.#isSending || draft === this.#savedDraft) {
      return;
    }
    this.#savedDraft = draft;
    this.#actions.saveDraft(draft, this.#inBox);
  }

  #show(): void {
    const { model, host, chips, tokens, runningReplies, due } = this.#view;
    const isChipGone = this.#chips.show(chips);
    setText(this.#model, visibleName(model ?? 'Choose a model'));
    this.#modelButton.title = host === undefined ? 'No connection' : `Questions go to ${host}`;
    this.#editing.hidden = this.#inBox === undefined;
    setText(this.#due, due ?? '');
    this.#due.hidden = due === undefined || !this.#refusal.hidden;
    const note = this.#inBox !== undefined ? 'editing' : this.#due.hidden ? undefined : 'due';
    if (note === undefined) {
      this.#box.removeAttribute('aria-describedby');
    } else {
      this.#box.setAttribute('aria-describedby', note);
    }
    const draft = this.#box.value;
    const estimate = tokens + Math.ceil(draft.length / 4);
    setText(this.#estimate, estimate === 0 ? '' : `≈ ${grouped(estimate)} tokens`);
    const running = this.#running;
    const isButtonGone = this.#send.show({
      isRunning: running !== undefined,
      isStopping: running !== undefined && this.#stopping === running,
      canSend: !this.#isSending && draft.trim() !== '',
      runningReplies,
    });
    this.#box.readOnly = this.#isSending;
    this.element.setAttribute('aria-busy', String(this.#isSending));
    if (isChipGone || isButtonGone) {
      this.focus();
    }
  }
}

/** `1,204`. The first number that the browser's own formatting writes takes a frame and more. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

import * as l10n from '@vscode/l10n';
import { costRange, rangeText, totalText } from '../../core/base/costRange.ts';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText, listText, numberText } from '../../core/base/localization.ts';
import { exactMoneyText } from '../../core/base/money.ts';
import { requestSizeTexts } from '../../core/base/requestSize.ts';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/protocol.ts';
import { element, iconButton, isForInputMethod, type Post, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { cooldownMs, markPaying, type PaidAction } from '../page/paying.ts';
import { ContextList } from './contextList.ts';
import { copiedCode, takeDroppedFiles } from './input.ts';
import { BoxNote, ChipRow, Review } from './lines.ts';

/** The composer: context chips, question box, model button, token estimate, and the Send button. */
export class Composer {
  readonly element = element('form', 'composer');
  /** Opens above the composer. */
  readonly contextList: ContextList;
  readonly #post: Post;
  readonly #editLast: () => void;
  readonly #paid: PaidAction;
  readonly #box = element('textarea');
  /** What has to be done before a question can be sent. */
  readonly #due = element('p', 'due');
  /** Why something was not done, or a note on what was done. */
  readonly #refusal = element('p', 'refusal');
  readonly #editing: BoxNote;
  readonly #switched: BoxNote;
  readonly #compared: BoxNote;
  readonly #chips: ChipRow;
  readonly #review: Review;
  readonly #bar: ComposerBar;
  #view: ComposerView = { chips: [], tokens: 0, draft: '' };
  /** The draft that the host has. */
  #saved = '';
  #saving: ReturnType<typeof setTimeout> | undefined;
  #refused: { readonly reason: string; readonly isNote: boolean; readonly isForRunning: boolean } | undefined;
  /** The turn whose question is being edited in the box. */
  #editedTurn: string | undefined;
  /** When the focus moved to the box or its text was replaced; reset when the person types. */
  #movedAt = Number.NEGATIVE_INFINITY;

  /** @param editLast puts the last question into the box. */
  constructor(post: Post, editLast: () => void, paid: PaidAction) {
    this.#post = post;
    this.#editLast = editLast;
    this.#paid = paid;
    this.#due.id = 'due';
    this.#refusal.setAttribute('role', 'alert');
    this.#box.rows = 1;
    this.#box.dir = 'auto';
    // Otherwise a browser that VS Code runs in would store what is typed for autofill.
    this.#box.autocomplete = 'off';
    this.#box.placeholder = l10n.t('Ask a question. # adds context, / runs a prompt.');
    this.#box.setAttribute('aria-label', l10n.t('Question'));
    // Those that are hidden have no text.
    this.#box.setAttribute('aria-describedby', 'editing switched compared due');
    this.contextList = new ContextList(this.#box, post, () => this.#submit());
    this.#editing = new BoxNote('editing', l10n.t('Cancel'), () => post({ type: 'cancelEdit' }));
    this.#switched = new BoxNote('switched', l10n.t('Switch Back'), () => post({ type: 'switchBack' }));
    this.#compared = new BoxNote('compared', l10n.t('Cancel'), () => post({ type: 'cancelComparison' }));
    this.#review = new Review(post, () => this.stop());
    this.#chips = new ChipRow(post);
    const showRequest = () => {
      this.saveDraft();
      post({ type: 'showRequest', text: this.#box.value, editing: this.#editedTurn });
    };
    this.#bar = new ComposerBar(
      post,
      () => this.#submit(),
      () => this.stop(),
      showRequest,
    );
    const above = [this.#editing, this.#switched, this.#compared, this.#chips].map((line) => line.element);
    const frame = element(
      'div',
      'frame',
      this.#review.element,
      element('div', 'above', ...above),
      this.#box,
      this.#due,
      this.#refusal,
      this.#bar.element,
    );
    this.element.append(frame);
    this.element.setAttribute('aria-label', l10n.t('Ask a question'));
    this.#listen(frame);
    this.show();
  }

  /** Takes an update from the host. Typed text is never overwritten; a stored draft only fills an empty box. */
  update(view: ComposerView, restoresDraft = false): void {
    // The reason not to send or the context has changed, so the refusal no longer applies.
    if (view.due !== this.#view.due || view.chips.length !== this.#view.chips.length) {
      this.#refused = undefined;
    }
    this.#view = view;
    this.#paid.setReply(view.runningReply);
    this.#syncEditing();
    if (restoresDraft && this.#box.value === '' && !this.#paid.isSending) {
      this.#setText(view.draft);
    }
  }

  /** Replaces the text of the box when editing has started or ended. */
  #syncEditing(): void {
    const { editing, draft } = this.#view;
    if (editing === this.#editedTurn || this.#paid.isSending) {
      return;
    }
    this.#editedTurn = editing;
    this.#setText(draft);
    this.#refused = undefined;
  }

  /** The question was sent: clears the box. */
  sent(): void {
    this.#setText('');
    this.#noteMoved();
    this.#syncEditing();
  }

  /** Puts the text of a prompt into the box, for the person to read and send. */
  showPrompt(prompt: Parameters<ContextList['fill']>[0]): void {
    this.contextList.fill(prompt);
    // An Enter that was pressed before the text could be read is not meant to send it.
    this.#noteMoved();
  }

  /**
   * Shows below the text, which stays, why it was not sent or something else was not done.
   *
   * @param isNote whether it says what was done instead, and must not look like an error.
   * @param isForRunning whether the reason is an answer that is running, and goes with its end.
   */
  refuse(reason: string, isNote = false, isForRunning = false): void {
    this.#syncEditing();
    this.#refused = { reason, isNote, isForRunning };
    this.show();
  }

  focus(): void {
    if (document.activeElement !== this.#box) {
      this.#noteMoved();
      this.#box.focus();
    }
  }

  /** Saves the draft at once, but not while it is being sent. */
  saveDraft(): void {
    clearTimeout(this.#saving);
    const text = this.#box.value;
    if (!this.#paid.isSending && text !== this.#saved) {
      this.#saved = text;
      this.#post({ type: 'draft', text, editing: this.#editedTurn });
    }
  }

  /** Replaces the text of the box with one that the host has. */
  #setText(text: string): void {
    clearTimeout(this.#saving);
    this.#box.value = text;
    this.#saved = text;
  }

  /** Stops what is running or about to run, once. */
  stop(): void {
    const replyId = this.#paid.stop();
    if (replyId !== undefined) {
      this.#post(this.#view.runningReplies === undefined ? { type: 'stop', replyId } : { type: 'stopAll' });
      this.show();
    }
  }

  /** An Enter right after the focus moved to the box, or its text was replaced, isn't meant for it. */
  #noteMoved(): void {
    this.#movedAt = performance.now();
  }

  #listen(frame: HTMLElement): void {
    this.element.addEventListener('submit', (event) => event.preventDefault());
    frame.addEventListener('click', (event) => event.target === frame && this.focus());
    this.#box.addEventListener('keydown', (event) => this.#onKey(event));
    this.#box.addEventListener('input', () => {
      this.#movedAt = Number.NEGATIVE_INFINITY;
      this.#refused = undefined;
      this.show();
      clearTimeout(this.#saving);
      // A page is discarded as soon as its panel is hidden. Saving a very long text at each key press is noticeable.
      this.#saving = setTimeout(() => this.saveDraft(), this.#box.value.length < 20_000 ? 0 : 200);
    });
    this.#box.addEventListener('paste', (event) => {
      const code = this.#box.readOnly ? undefined : copiedCode(event);
      if (code !== undefined) {
        event.preventDefault();
        this.#refused = undefined;
        this.show();
        this.#post(code);
      } else if (event.clipboardData?.types.includes('Files') && !event.clipboardData.types.includes('text/plain')) {
        this.refuse(l10n.t('Only text can be pasted. Type # and a name to include a file.'));
      }
    });
    takeDroppedFiles(frame, this.#post);
    this.#box.addEventListener('blur', () => this.saveDraft());
    addEventListener('pagehide', () => this.saveDraft());
  }

  /** The keys that don't type: Enter sends, and Arrow Up in an empty box edits the last question. */
  #onKey(event: KeyboardEvent): void {
    if (this.contextList.handleKey(event)) {
      return;
    }
    const isComposing = isForInputMethod(event);
    const isPlain = !event.shiftKey && !event.ctrlKey && !event.altKey && !event.metaKey && !isComposing;
    if (event.key === 'ArrowUp' && isPlain && this.#box.value === '' && this.#editedTurn === undefined) {
      event.preventDefault();
      if (!event.repeat) {
        this.#editLast();
      }
    } else if (event.key === 'Enter' && !event.shiftKey && !isComposing) {
      event.preventDefault();
      // A second Enter, right after the first one moved the focus here, is not meant to send this text.
      if (!event.repeat && performance.now() - this.#movedAt > cooldownMs) {
        this.#submit();
      }
    }
  }

  #submit(): void {
    const text = this.#box.value;
    if (text.trim() === '' || this.#paid.isSending || this.contextList.isFilling) {
      return;
    }
    const { due, mayBeDone, switched } = this.#view;
    if (this.#paid.id === undefined && due !== undefined && !mayBeDone) {
      this.refuse(due);
      return;
    }
    const sendId = this.#paid.begin('composer');
    if (sendId === undefined) {
      const reason = l10n.t("An answer is still arriving. Stop it or wait until it's complete.");
      this.refuse(reason, false, true);
    } else {
      this.#refused = undefined;
      this.#post({ type: 'send', sendId, text, editing: this.#editedTurn, host: switched?.host });
    }
  }

  /**
   * Shows what has changed; called after each message of the host. If the button that has the focus is gone by that, the
   * box gets it.
   */
  show(): void {
    const { activeElement: focused } = document;
    const isButton = focused !== this.#box && this.element.contains(focused);
    const { review } = this.#view;
    // The review says it too.
    const switched = review ? undefined : this.#view.switched;
    // Then *Cancel* is there instead of *Stop*.
    this.#bar.element.hidden = review !== undefined;
    const isRunning = this.#paid.id !== undefined;
    if (!isRunning && this.#refused?.isForRunning) {
      this.#refused = undefined;
    }
    const draft = this.#box.value;
    const isEditing = this.#editedTurn !== undefined;
    const { isSending } = this.#paid;
    const canSend = !isSending && draft.trim() !== '';
    document.body.classList.toggle('isReviewed', review !== undefined);
    document.body.classList.toggle('canSend', canSend && !isRunning);
    this.#editing.show(isEditing ? l10n.t('Editing question. Sending creates a new branch.') : undefined);
    // A refusal says more.
    const due = this.#refused === undefined ? this.#view.due : undefined;
    setText(this.#due, due ?? '');
    this.#due.hidden = due === undefined;
    setText(this.#refusal, visibleText(this.#refused?.reason ?? ''));
    this.#refusal.hidden = this.#refused === undefined;
    this.#refusal.classList.toggle('isNote', this.#refused?.isNote === true);
    const compared = review ? undefined : this.#view.compared;
    this.#chips.show(this.#view);
    this.#switched.show(switched?.text, switched?.canSwitchBack);
    this.#compared.show(compared && comparisonText(compared.models));
    this.#review.show(review);
    this.#bar.show(this.#view, draft, this.#paid, canSend);
    this.#box.readOnly = isSending;
    this.element.setAttribute('aria-busy', String(isSending));
    // A review that is shown has the focus, and so may a list of VS Code.
    const isFree = review === undefined && document.hasFocus();
    if (isButton && isFree && (!focused?.checkVisibility() || focused.matches(':disabled'))) {
      this.focus();
    }
  }
}

/** What Send does with several models: each is a paid call. */
function comparisonText(models: readonly string[]): string {
  return l10n.t('Makes {0} paid calls: {1}.', numberText(models.length), listText(models.map(visibleName)));
}

/**
 * The bar below the question box: model, *Add Context…*, parameters, size and price of the next question, what the
 * conversation cost and what is left, *Send* or *Stop*.
 */
class ComposerBar {
  readonly element: HTMLElement;
  readonly #model: HTMLButtonElement;
  readonly #modelName = element('span', 'label');
  readonly #parameters: HTMLButtonElement;
  readonly #parametersText = element('span', 'label');
  readonly #estimate = element('span', 'estimate');
  readonly #totals = element('span', 'totals');
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;
  #estimated = '';

  constructor(post: Post, send: () => void, stop: () => void, showRequest: () => void) {
    this.#model = textButton('modelButton', '', () => post({ type: 'chooseModel' }), 'hubot');
    this.#model.append(this.#modelName, icon('chevronDown'));
    this.#parameters = textButton('parametersButton', '', () => post({ type: 'editParameters' }), 'settings');
    this.#parameters.append(this.#parametersText);
    this.#send = textButton('primary send', l10n.t('Send'), send, 'send');
    this.#send.title = l10n.t('Send (Enter)');
    markPaying(this.#send);
    this.#stop = textButton('secondary send', l10n.t('Stop'), stop, 'stop');
    const add = iconButton('add', l10n.t('Add Context…'), () => post({ type: 'addContext' }));
    const show = iconButton('eye', l10n.t('Show Request'), showRequest);
    this.element = element(
      'div',
      'bar',
      element('span', 'start', this.#model, add, show, this.#parameters),
      element('span', 'end', this.#estimate, this.#totals, this.#send, this.#stop),
    );
  }

  show(view: ComposerView, draft: string, action: PaidAction, canSend: boolean): void {
    this.#showModel(view);
    this.#showEstimate(view, draft);
    const { balance, calls, runningReplies } = view;
    const joined = (texts: readonly (string | undefined)[], by: string) => texts.filter(Boolean).join(by);
    setText(this.#totals, visibleText(joined([calls?.text, balance?.text], '\u00a0· ')));
    this.#totals.title = visibleText(joined([calls?.hint, balance?.title], '\n'));
    this.#totals.hidden = this.#totals.textContent === '';
    this.#totals.classList.toggle('isLow', balance?.isLow === true);
    const isRunning = action.id !== undefined;
    this.#send.hidden = isRunning;
    this.#send.disabled = !canSend;
    this.#stop.hidden = !isRunning;
    this.#stop.disabled = action.isStopping;
    const label = runningReplies === undefined ? l10n.t('Stop') : l10n.t('Stop All');
    setText(this.#stop.lastElementChild ?? this.#stop, label);
    this.#stop.title =
      runningReplies === undefined
        ? l10n.t('Stop (Escape)')
        : l10n.t('Stop All {0} Answers (Escape)', numberText(runningReplies));
  }

  #showModel({ model, host, parameters, compared }: ComposerView): void {
    const more = compared ? ` +${compared.models.length - 1}` : '';
    setText(this.#modelName, model === undefined ? l10n.t('Choose Model…') : `${visibleName(model)}${more}`);
    this.#modelName.classList.toggle('none', model === undefined);
    const destination = host === undefined ? l10n.t('No connection') : l10n.t('Questions are sent to {0}', host);
    // The button may cut off a long model ID.
    this.#model.title = model === undefined ? destination : `${visibleName(model)}\n${destination}`;
    const name = l10n.t('Parameters');
    const label = visibleName(parameters?.label ?? '');
    setText(this.#parametersText, label);
    this.#parametersText.hidden = label === '';
    this.#parameters.setAttribute('aria-label', label === '' ? name : l10n.t('Parameters: {0}', label));
    this.#parameters.title = parameters === undefined ? name : `${name}\n${visibleText(parameters.hint)}`;
  }

  /** The estimated tokens of the next request, how much of the context window that is, and what it may cost. */
  #showEstimate({ tokens, tokenFactor = 1, window, price, compared }: ComposerView, draft: string): void {
    const all = tokens + estimateTokens(draft);
    const estimate = Math.round(all * tokenFactor);
    // Each model has its own window; one that is too small is a reason to ask before sending.
    const known = window && !compared ? requestSizeTexts(estimate, window) : [estimatedTokensText(estimate)];
    const range = price && costRange(price, all);
    const costs = compared?.prices.map((each) => (each ? costRange(each, all) : undefined)) ?? [];
    const cost = range ? rangeText(range) : totalText(costs);
    const texts = estimate === 0 ? [] : [...known, ...(cost === '' ? [] : [cost])];
    if (texts.join() !== this.#estimated) {
      this.#estimated = texts.join();
      this.#estimate.replaceChildren(...texts.map((text) => element('span', '', text)));
    }
    const last = this.#estimate.lastElementChild;
    if (price && range && last instanceof HTMLElement) {
      last.title = `${rangeText(range, exactMoneyText)}\n${price.hint}`;
    }
    const isOver = window !== undefined && !compared && estimate > window.prompt;
    this.#estimate.classList.toggle('isOver', isOver);
    this.#estimate.title = isOver
      ? l10n.t(
          '{0} tokens of the context window are reserved for the answer. When you send, you choose what to leave out.',
          numberText(window.size - window.prompt),
        )
      : '';
  }
}

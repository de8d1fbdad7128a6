import * as l10n from '@vscode/l10n';
import { visibleName, visibleText } from '../../core/base/visibleText.ts';
import type { ComposerView } from '../../protocol/protocol.ts';
import { chipList } from '../conversation/chips.ts';
import { element, type Post, setText, textButton } from '../page/dom.ts';
import { icon } from '../page/icons.ts';
import { markPaying } from '../page/paying.ts';

/** The lines above and below the question box. Where `show` returns true, the focus was on a button that is gone now. */

/** A line above the question box: what is unusual about the next question, and one button. */
export class BoxNote {
  readonly element = element('div', 'boxNote');
  readonly #note = element('p', 'note');
  readonly #button: HTMLButtonElement;

  constructor(id: string, label: string, act: () => void) {
    this.#note.id = id;
    this.#button = textButton('secondary', label, act);
    this.element.append(this.#note, this.#button);
  }

  /** @param text undefined hides the line. */
  show(text: string | undefined, canAct = true): boolean {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = text === undefined;
    this.#button.hidden = !canAct;
    setText(this.#note, visibleText(text ?? ''));
    return hadFocus && (text === undefined || !canAct);
  }
}

/**
 * What is sent with the question: the system prompt, and the context chips, each with a button that removes it. Then what
 * else can be included: files that are offered, and a button that adds more.
 */
export class ChipRow {
  readonly element = element('div', 'chipRow');
  readonly #post: Post;
  #shown = '';

  constructor(post: Post) {
    this.#post = post;
  }

  show({ chips, offers = [], systemPrompt }: ComposerView): boolean {
    const key = JSON.stringify([chips, offers, systemPrompt]);
    if (this.#shown === key) {
      return false;
    }
    this.#shown = key;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.replaceChildren(
      ...(systemPrompt ? [this.#systemPrompt(systemPrompt)] : []),
      chipList(
        chips,
        (id) => this.#post({ type: 'openChip', id }),
        (id) => this.#post({ type: 'removeChip', id }),
      ),
      ...offers.map((offer) => this.#offer(offer)),
      textButton('chip add', l10n.t('Add Context…'), () => this.#post({ type: 'addContext' }), 'add'),
    );
    return hadFocus;
  }

  #systemPrompt({ label, detail, hint }: NonNullable<ComposerView['systemPrompt']>): HTMLElement {
    const button = element('button', 'source', icon('comment'), element('span', 'label', label), ' ');
    button.type = 'button';
    button.append(element('span', 'detail', visibleName(detail)));
    button.addEventListener('click', () => this.#post({ type: 'editSystemPrompt' }));
    const chip = element('div', 'chip systemPrompt', button);
    chip.title = [`${label} ${visibleName(detail)}`, ...(hint === '' ? [] : [visibleText(hint)])].join('\n\n');
    return chip;
  }

  #offer({ id, label, hint }: NonNullable<ComposerView['offers']>[number]): HTMLElement {
    const name = visibleName(label);
    const button = element('button', 'chip add', icon('add'), element('span', 'label', name));
    button.type = 'button';
    button.addEventListener('click', () => this.#post({ type: 'addOffered', id }));
    button.title = `${name} · ${hint}`;
    button.setAttribute('aria-label', l10n.t('Include {0}', name));
    return button;
  }
}

/** Says that what would be sent has secrets, and asks what to do with them. The safe choice comes first. */
export class SecretsLine {
  readonly element = element('div', 'secrets');
  readonly #text = element('span', 'text');
  readonly #mask: HTMLButtonElement;
  readonly #leaveOut: HTMLButtonElement;
  readonly #asIs: HTMLButtonElement;
  readonly #never: HTMLButtonElement;

  /** @param submit sends the question: with the secrets if `isAsIs`, otherwise masked. */
  constructor(submit: (isAsIs: boolean) => void, post: Post) {
    this.#mask = textButton('primary', l10n.t('Mask and Send'), () => submit(false));
    this.#leaveOut = textButton('secondary', l10n.t('Leave Out'), () => post({ type: 'leaveOutSecrets' }));
    this.#asIs = textButton('secondary', l10n.t('Send As Is'), () => submit(true));
    this.#never = textButton('secondary', l10n.t('Never for This File'), () => post({ type: 'neverScanFile' }));
    this.#never.title = l10n.t('Include the file as it is, and never look for secrets in it in this workspace.');
    this.#mask.title = l10n.t(
      'Masked, the model gets placeholders, and the values are put back into its answer on this screen.',
    );
    this.#asIs.title = l10n.t('Sent as they are, the values are also stored in the conversation.');
    markPaying(this.#mask);
    markPaying(this.#asIs);
    this.#text.setAttribute('role', 'alert');
    this.element.append(
      element('span', 'words', icon('warning'), this.#text),
      element('span', 'buttons', this.#mask, this.#leaveOut, this.#asIs, this.#never),
    );
  }

  show(secrets: ComposerView['secrets'], canSend: boolean): boolean {
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = secrets === undefined;
    setText(this.#text, visibleText(secrets?.text ?? ''));
    this.#leaveOut.hidden = secrets?.canLeaveOut !== true;
    this.#asIs.hidden = secrets?.canSendAsIs !== true;
    this.#never.hidden = secrets?.isOneFile !== true;
    this.#mask.disabled = !canSend;
    this.#asIs.disabled = !canSend;
    return hadFocus && secrets === undefined;
  }
}

/**
 * The lines below the question box: what has to be done before a question can be sent, what is unusual about its model,
 * or why something was not done.
 */
export class Notes {
  readonly #due = element('p', 'due');
  readonly #notForChat = element('p', 'due');
  readonly #refusal = element('p', 'refusal');
  readonly elements = [this.#due, this.#notForChat, this.#refusal];
  /** Whether the refusal no longer applies when the running answer has ended. */
  #isForRunning = false;

  constructor() {
    this.#due.id = 'due';
    this.#refusal.setAttribute('role', 'alert');
    this.clearRefusal();
  }

  /**
   * @param isForRunning whether the reason is an answer that is running.
   * @param isNote whether nothing was refused, so that the text doesn't look like an error.
   */
  refuse(reason: string, isForRunning = false, isNote = false): void {
    this.#isForRunning = isForRunning;
    this.#refusal.hidden = false;
    this.#refusal.classList.toggle('isNote', isNote);
    setText(this.#refusal, visibleText(reason));
  }

  clearRefusal(): void {
    this.#refusal.hidden = true;
  }

  /** Call this when no answer is running. */
  noteIdle(): void {
    if (this.#isForRunning) {
      this.clearRefusal();
    }
  }

  /**
   * Shows what has to be done first, unless a refusal says more, and whether the model doesn't seem to be for chat.
   *
   * @returns the id of the element with what is to be done; undefined when none is shown.
   */
  show({ due, notForChat }: ComposerView): string | undefined {
    setText(this.#notForChat, visibleText(notForChat ?? ''));
    this.#notForChat.hidden = notForChat === undefined;
    setText(this.#due, due ?? '');
    this.#due.hidden = due === undefined || !this.#refusal.hidden;
    return this.#due.hidden ? undefined : this.#due.id;
  }
}

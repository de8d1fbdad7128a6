import * as l10n from '@vscode/l10n';
import { numberText } from '../../core/base/localization.ts';
import { setText, textButton } from '../page/dom.ts';
import { markPaying } from '../page/payingButtons.ts';

export type SendState = {
  readonly isRunning: boolean;
  /** Whether Stop was pressed and not answered yet. */
  readonly isStopping: boolean;
  readonly canSend: boolean;
  /** Whether other buttons send. */
  readonly isElsewhere: boolean;
  /** How many answers Stop would end, if more than one. */
  readonly runningReplies: number | undefined;
};

/** The main button of the composer: *Send*, or *Stop* while something can be stopped. */
export class SendButton {
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;

  constructor(send: () => void, stop: () => void) {
    this.#send = textButton('primary send', l10n.t('Send'), send, 'send');
    this.#send.title = l10n.t('Send (Enter)');
    markPaying(this.#send);
    this.#stop = textButton('secondary send', l10n.t('Stop'), stop, 'stop');
  }

  get elements(): readonly HTMLElement[] {
    return [this.#send, this.#stop];
  }

  /** @returns whether the focused button was hidden or disabled. */
  show({ isRunning, isStopping, canSend, isElsewhere, runningReplies }: SendState): boolean {
    const hadFocus = this.#hasFocus;
    this.#send.hidden = isRunning || isElsewhere;
    this.#stop.hidden = !isRunning;
    setText(
      this.#stop.lastElementChild ?? this.#stop,
      runningReplies === undefined ? l10n.t('Stop') : l10n.t('Stop All'),
    );
    this.#stop.title =
      runningReplies === undefined
        ? l10n.t('Stop (Escape)')
        : l10n.t('Stop All {0} Answers (Escape)', numberText(runningReplies));
    this.#send.disabled = !canSend;
    this.#stop.disabled = isStopping;
    return hadFocus && !this.#hasFocus;
  }

  get #hasFocus(): boolean {
    return document.activeElement === this.#send || document.activeElement === this.#stop;
  }
}

import { setText, textButton } from '../page/dom.ts';
import { markPaying } from '../page/payingButtons.ts';

export type SendState = {
  readonly isRunning: boolean;
  /** Stop was pressed and is not answered yet. */
  readonly isStopping: boolean;
  readonly canSend: boolean;
  /** How many answers Stop would end, where it is more than one. */
  readonly runningReplies: number | undefined;
};

/** The one button of the composer: *Send*, or *Stop* while there is something to be stopped. */
export class SendButton {
  readonly #send: HTMLButtonElement;
  readonly #stop: HTMLButtonElement;

  constructor(send: () => void, stop: () => void) {
    this.#send = textButton('primary send', 'Send', send, 'send');
    this.#send.title = 'Send (Enter)';
    markPaying(this.#send);
    this.#stop = textButton('secondary send', 'Stop', stop, 'stop');
  }

  get elements(): readonly HTMLElement[] {
    return [this.#send, this.#stop];
  }

  /** @returns whether the focus was on the one that is hidden or disabled now. */
  show({ isRunning, isStopping, canSend, runningReplies }: SendState): boolean {
    const hadFocus = this.#hasFocus;
    this.#send.hidden = isRunning;
    this.#stop.hidden = !isRunning;
    setText(this.#stop.lastElementChild ?? this.#stop, runningReplies === undefined ? 'Stop' : 'Stop all');
    this.#stop.title = runningReplies === undefined ? 'Stop (Escape)' : `Stop all ${runningReplies} answers (Escape)`;
    this.#send.disabled = !canSend;
    this.#stop.disabled = isStopping;
    return hadFocus && !this.#hasFocus;
  }

  get #hasFocus(): boolean {
    return document.activeElement === this.#send || document.activeElement === this.#stop;
  }
}

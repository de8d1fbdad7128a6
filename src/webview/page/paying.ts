import type { PayingAction, TroubleAction } from '../../protocol/protocol.ts';

/**
 * The page's guard of paid calls: one click or one key press makes one call, and none starts until the host has answered
 * the last one, and while an answer arrives. A button starts none for a moment after its end either.
 */

/**
 * Milliseconds after the end of a reply in which no button makes a paid call. A click in this time can be the second one
 * of a double click, or be meant for Stop.
 */
export const cooldownMs = 600;

/** All paying actions; `satisfies` makes a missing one a compile error. */
const paying = Object.keys({
  sendAgain: true,
  sendWithoutUsage: true,
  sendWithoutParameter: true,
  askOther: true,
  chooseParts: true,
  continue: true,
} satisfies Record<PayingAction, true>);

/** Whether an action makes a paid call. */
export function isPaying(action: TroubleAction): boolean {
  return paying.includes(action);
}

/** Returns a new random id. `randomUUID` is missing where VS Code is served over plain HTTP. */
export function newSendId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Where a send came from: the composer, or a button of a turn. */
export type PaidFrom = 'composer' | { readonly turnId: string; readonly replyId: string | undefined };

/** The paid action of the page that is running: sent and not answered yet by the host, or a reply that arrives. */
export class PaidAction {
  #sent: { readonly sendId: string; readonly from: PaidFrom } | undefined;
  #reply: string | undefined;
  #stopping: string | undefined;

  /** What *Stop* would end. A reply has the id of the action that started it. */
  get id(): string | undefined {
    return this.#reply ?? this.#sent?.sendId;
  }

  /** Whether the host has not answered yet what the composer sent. */
  get isSending(): boolean {
    return this.#sent?.from === 'composer';
  }

  /** Whether the host has not answered yet what was sent. */
  get isPending(): boolean {
    return this.#sent !== undefined;
  }

  /** Whether it was stopped and the host has not answered yet. */
  get isStopping(): boolean {
    return this.id !== undefined && this.#stopping === this.id;
  }

  /** @returns the id of a new action, or undefined while another one is running. */
  begin(from: PaidFrom): string | undefined {
    if (this.id !== undefined) {
      return undefined;
    }
    const sendId = newSendId();
    this.#sent = { sendId, from };
    return sendId;
  }

  /** The host has answered an action. @returns where it came from; undefined if it is not the one that was sent. */
  settle(sendId: string): PaidFrom | undefined {
    const sent = this.#sent?.sendId === sendId ? this.#sent : undefined;
    this.#sent = sent ? undefined : this.#sent;
    return sent?.from;
  }

  /** @param id of the running reply, as the host says. */
  setReply(id: string | undefined): void {
    this.#reply = id;
  }

  /** Stops it once. @returns its id; undefined when there is nothing to stop, or it is stopping already. */
  stop(): string | undefined {
    const id = this.isStopping ? undefined : this.id;
    this.#stopping = this.id;
    return id;
  }
}

/** Buttons that are disabled independently of the others. */
const held = new WeakSet<HTMLButtonElement>();
let isEnabled = false;
let wasBusy = false;
let cooldown: ReturnType<typeof setTimeout> | undefined;

/** Makes a button a paying button: `aria-disabled`, never `disabled`, by which it would lose the keyboard focus. */
export function markPaying(button: HTMLButtonElement): void {
  button.dataset.pays = '';
  show(button);
}

/** Guards a button against repeats that stays enabled while a call runs, such as an answer that the call waits for. */
export function guardDoubleClicks(button: HTMLButtonElement): void {
  button.dataset.pays = 'answer';
}

/** Disables one paying button independently of the others, until it is called with `isHeld` false. */
export function holdPaying(button: HTMLButtonElement, isHeld: boolean): void {
  held[isHeld ? 'add' : 'delete'](button);
  show(button);
}

/**
 * Sets whether something is being sent or answered. The buttons are disabled during that time and for `cooldownMs`
 * after it.
 *
 * @param wasRefused nothing was sent after all, so the buttons are enabled at once.
 */
export function updatePaying(isBusy: boolean, wasRefused: boolean): void {
  if (isBusy) {
    clearTimeout(cooldown);
    cooldown = undefined;
    setEnabled(false);
  } else if (wasBusy && !wasRefused) {
    cooldown = setTimeout(() => {
      cooldown = undefined;
      setEnabled(true);
    }, cooldownMs);
  } else if (cooldown === undefined) {
    setEnabled(true);
  }
  wasBusy = isBusy;
}

/** Blocks accidental presses: a click on a disabled button, the second click of a double click, a held key. */
export function guardPaying(): void {
  let beganOnPaying = false;
  const block = (type: 'click' | 'keydown', isBlocked: (event: Event, button: HTMLButtonElement | null) => boolean) =>
    document.addEventListener(
      type,
      (event) => {
        const { target } = event;
        const button = target instanceof Element ? target.closest<HTMLButtonElement>('button[data-pays]') : null;
        if (isBlocked(event, button)) {
          event.preventDefault();
          event.stopImmediatePropagation();
        }
      },
      { capture: true },
    );
  block('click', (event, button) => {
    const clicks = event instanceof MouseEvent ? event.detail : 0;
    if (clicks <= 1) {
      beganOnPaying = button !== null;
    }
    // The second click of a double click can hit what has replaced the button, such as Stop.
    return button ? clicks > 1 || button.ariaDisabled === 'true' : clicks === 2 && beganOnPaying;
  });
  block('keydown', (event, button) => {
    return event instanceof KeyboardEvent && event.repeat && button !== null && /^(?:Enter| )$/.test(event.key);
  });
}

function setEnabled(isEnabledNow: boolean): void {
  if (isEnabled !== isEnabledNow) {
    isEnabled = isEnabledNow;
    document.querySelectorAll<HTMLButtonElement>('button[data-pays=""]').forEach(show);
  }
}

function show(button: HTMLButtonElement): void {
  if (isEnabled && !held.has(button)) {
    button.removeAttribute('aria-disabled');
  } else {
    button.setAttribute('aria-disabled', 'true');
  }
}

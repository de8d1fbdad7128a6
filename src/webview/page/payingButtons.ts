/**
 * The buttons that are a paid call each, wherever they are: one click, or one press of a key, is one call. They are
 * `aria-disabled` and never `disabled`, because a disabled button loses the focus of who works with the keyboard.
 */

/** For so long after a reply has ended nothing is paid: the second click on a quick reply, or one meant for Stop. */
export const restMs = 600;

/** Those with a reason of their own to wait. */
const held = new WeakSet<HTMLButtonElement>();
let isOpen = false;
let wasBusy = false;
let rest: ReturnType<typeof setTimeout> | undefined;

/** Makes a button one of them. */
export function markPaying(button: HTMLButtonElement): void {
  button.dataset.pays = '';
  show(button);
}

/** Keeps one of them disabled, whatever the others are, until it is let go. */
export function holdPaying(button: HTMLButtonElement, isHeld: boolean): void {
  if (isHeld) {
    held.add(button);
  } else {
    held.delete(button);
  }
  show(button);
}

/**
 * Says whether something is being sent or answered. The buttons are disabled while it is, and a moment longer.
 *
 * @param wasRefused nothing was sent in the end, so that there is nothing to be paid twice.
 */
export function updatePaying(isBusy: boolean, wasRefused: boolean): void {
  if (isBusy) {
    clearTimeout(rest);
    rest = undefined;
    open(false);
  } else if (wasBusy && !wasRefused) {
    rest = setTimeout(() => {
      rest = undefined;
      open(true);
    }, restMs);
  } else if (rest === undefined) {
    open(true);
  }
  wasBusy = isBusy;
}

/** Keeps from the page what is no decision of its own: a click on a disabled button, a double click, a held key. */
export function guardPaying(): void {
  let beganOnPaying = false;
  document.addEventListener(
    'click',
    (event) => {
      const button = payingButton(event);
      if (event.detail <= 1) {
        beganOnPaying = button !== undefined;
      }
      const isRefused = button !== undefined && (event.detail > 1 || button.ariaDisabled === 'true');
      // The button is gone, and the second click of a double click meets what is in its place, such as Stop.
      if (isRefused || (event.detail === 2 && beganOnPaying)) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    },
    { capture: true },
  );
  document.addEventListener(
    'keydown',
    (event) => {
      const presses = event.key === 'Enter' || event.key === ' ';
      if (presses && event.repeat && payingButton(event) !== undefined) {
        event.preventDefault();
      }
    },
    { capture: true },
  );
}

function payingButton({ target }: Event): HTMLButtonElement | undefined {
  return target instanceof Element ? (target.closest<HTMLButtonElement>('button[data-pays]') ?? undefined) : undefined;
}

function open(isOpenNow: boolean): void {
  if (isOpen === isOpenNow) {
    return;
  }
  isOpen = isOpenNow;
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-pays]')) {
    show(button);
  }
}

function show(button: HTMLButtonElement): void {
  if (isOpen && !held.has(button)) {
    button.removeAttribute('aria-disabled');
  } else {
    button.setAttribute('aria-disabled', 'true');
  }
}

/**
 * All buttons that make a paid call: one click or one key press makes one call. They are `aria-disabled` and never
 * `disabled`, because a disabled button loses the keyboard focus.
 */

/**
 * Milliseconds after the end of a reply in which no paid call starts. A click in this time can be the second one of a
 * double click, or be meant for Stop.
 */
export const cooldownMs = 600;

/** Buttons that are disabled independently of the others. */
const held = new WeakSet<HTMLButtonElement>();
let isOpen = false;
let wasBusy = false;
let cooldown: ReturnType<typeof setTimeout> | undefined;

/** Makes a button a paying button. */
export function markPaying(button: HTMLButtonElement): void {
  button.dataset.pays = '';
  show(button);
}

/** Disables one paying button independently of the others, until it is called with `isHeld` false. */
export function holdPaying(button: HTMLButtonElement, isHeld: boolean): void {
  if (isHeld) {
    held.add(button);
  } else {
    held.delete(button);
  }
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
    setOpen(false);
  } else if (wasBusy && !wasRefused) {
    cooldown = setTimeout(() => {
      cooldown = undefined;
      setOpen(true);
    }, cooldownMs);
  } else if (cooldown === undefined) {
    setOpen(true);
  }
  wasBusy = isBusy;
}

/** Blocks accidental presses: a click on a disabled button, the second click of a double click, a held key. */
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
      // The second click of a double click can hit what has replaced the button, such as Stop.
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

function setOpen(isOpenNow: boolean): void {
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

import { element } from './dom.ts';

/** Buttons in a row that are one stop of Tab; the arrow keys, Home and End go from one to the next. */
export function toolbar(label: string, buttons: readonly HTMLButtonElement[]): HTMLElement {
  const bar = element('div', 'actions', ...buttons);
  bar.setAttribute('role', 'toolbar');
  bar.setAttribute('aria-label', label);
  const stopAt = (stop: HTMLButtonElement | undefined) => {
    for (const button of buttons) button.tabIndex = button === stop ? 0 : -1;
  };
  stopAt(buttons[0]);
  bar.addEventListener('focusin', ({ target }) => stopAt(buttons.find((button) => button === target) ?? buttons[0]));
  bar.addEventListener('keydown', (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const { activeElement } = document;
    const at = activeElement instanceof HTMLButtonElement ? buttons.indexOf(activeElement) : -1;
    const last = buttons.length - 1;
    const next = { ArrowLeft: at === 0 ? last : at - 1, ArrowRight: at === last ? 0 : at + 1, Home: 0, End: last };
    const to = Object.hasOwn(next, event.key) ? next[event.key as keyof typeof next] : undefined;
    if (at === -1 || to === undefined) return;
    event.preventDefault();
    buttons[to]?.focus();
  });
  return bar;
}

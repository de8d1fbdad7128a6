import { type IconName, icon } from './icons.ts';

/** An element with a class and children. Text goes in as text; nothing in the panel is ever parsed as markup. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  className = '',
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (className !== '') {
    made.className = className;
  }
  if (children.length > 0) {
    made.append(...children);
  }
  return made;
}

/** A button with words. */
export function textButton(
  className: string,
  label: string,
  onClick: (event: MouseEvent) => void,
  picture?: IconName,
): HTMLButtonElement {
  const button = element('button', className);
  button.type = 'button';
  if (picture !== undefined) {
    button.append(icon(picture));
  }
  button.append(element('span', '', label));
  button.addEventListener('click', onClick);
  return button;
}

/** A button with a picture alone; its label is read aloud and shown as a hint. */
export function iconButton(picture: IconName, label: string, onClick?: () => void): HTMLButtonElement {
  const button = element('button', 'iconButton', icon(picture));
  button.type = 'button';
  button.title = label;
  button.setAttribute('aria-label', label);
  if (onClick !== undefined) {
    button.addEventListener('click', onClick);
  }
  return button;
}

/** Shows a check mark and "Copied" on a button for a moment. */
export function confirmCopied(button: HTMLButtonElement): void {
  const label = button.title;
  if (label === 'Copied') {
    return;
  }
  button.title = 'Copied';
  button.setAttribute('aria-label', 'Copied');
  button.replaceChildren(icon('check'));
  setTimeout(() => {
    button.title = label;
    button.setAttribute('aria-label', label);
    button.replaceChildren(icon('copy'));
  }, 1_500);
}

/** Replaces text only when it differs, so that an unchanged line costs no layout. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

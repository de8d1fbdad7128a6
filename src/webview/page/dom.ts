import * as l10n from '@vscode/l10n';
import type { PanelMessage } from '../../protocol/protocol.ts';
import { type IconName, icon } from './icons.ts';

/** Posts a message to the host. */
export type Post = (message: PanelMessage) => void;

/** Creates an element with a class and children. Strings become text nodes; the panel never parses markup. */
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

/** Whether a key is for an input method that is composing. Some report this only in the key code. */
export function isForInputMethod({ isComposing, keyCode }: KeyboardEvent): boolean {
  return isComposing || keyCode === 229;
}

/** Creates a button with a label and an optional icon. */
export function textButton(
  className: string,
  label: string,
  onClick: () => void,
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

/** Creates a button that shows only an icon; the label is its tooltip and its accessible name. */
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

/** Shows a check mark for the icon of a button, and "Copied" as its name, for 1.5 seconds. */
export function confirmCopied(button: HTMLButtonElement): void {
  const label = button.title;
  const copied = l10n.t('Copied');
  const show = (name: string, picture: IconName) => {
    button.title = name;
    button.setAttribute('aria-label', name);
    button.firstElementChild?.replaceWith(icon(picture));
  };
  if (label !== copied) {
    show(copied, 'check');
    setTimeout(show, 1_500, label, 'copy');
  }
}

/** Sets text only when it differs, so that an unchanged line causes no layout. */
export function setText(target: Element, text: string): void {
  if (target.textContent !== text) {
    target.textContent = text;
  }
}

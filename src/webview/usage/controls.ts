import check from '@vscode/codicons/src/icons/check.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import type { UsageAction, UsageButton, UsageOption } from '../../core/usage/view/usageDocument.ts';
import { element } from '../page/dom.ts';
import { drawIcon } from '../page/drawIcon.ts';

export type Post = (action: UsageAction) => void;

const icons = { check, close, warning };

export function usageIcon(name: keyof typeof icons): Node {
  return drawIcon(name, icons[name]);
}

/** Names the action of a control, by which its focus is restored when it is drawn again. */
function mark<T extends HTMLElement>(control: T, action: UsageAction): T {
  control.dataset.key = JSON.stringify(action);
  return control;
}

export function button(className: string, { text, action }: UsageButton, post: Post): HTMLButtonElement {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', () => post(action));
  return mark(made, action);
}

/** Buttons of which one is pressed: radio buttons, so that the arrow keys choose. */
export function segments(label: string, options: readonly UsageOption[], post: Post): HTMLElement {
  const group = element('div', 'segments');
  group.role = 'radiogroup';
  group.ariaLabel = label;
  for (const { text, action, isChosen } of options) {
    const input = mark(element('input', 'unseen'), action);
    input.type = 'radio';
    input.name = label;
    input.checked = isChosen;
    input.addEventListener('change', () => post(action));
    group.append(element('label', '', input, text));
  }
  return group;
}

export function picker(label: string, options: readonly UsageOption[], post: Post): HTMLElement {
  const select = element('select');
  select.ariaLabel = label;
  select.dataset.key = label;
  for (const { text, isChosen } of options) {
    select.append(new Option(text, undefined, isChosen, isChosen));
  }
  select.addEventListener('change', () => {
    const chosen = options[select.selectedIndex];
    if (chosen) {
      post(chosen.action);
    }
  });
  return select;
}

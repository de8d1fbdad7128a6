import * as l10n from '@vscode/l10n';
import { visibleName } from '../../core/base/visibleText.ts';
import type { ChipView, FoundView } from '../../protocol/protocol.ts';
import { element, iconButton } from '../page/dom.ts';
import { type IconName, icon } from '../page/icons.ts';

/** The icon of each kind of context, and of prompts. */
export const pictures = {
  selection: 'selection',
  file: 'file',
  folder: 'folder',
  symbol: 'symbol',
  problems: 'warning',
  changes: 'diff',
  pasted: 'copy',
  terminal: 'terminal',
  cell: 'notebook',
  instructions: 'book',
  other: 'file',
  prompt: 'comment',
} as const satisfies Record<ChipView['kind'] | FoundView['kind'], IconName>;

/** The label of a chip. A path that doesn't fit loses its beginning, because its end says more. */
function labelElement(label: string): HTMLElement {
  if (!label.includes('/')) {
    return element('span', 'label', label);
  }
  const path = element('bdi', '', label);
  path.dir = 'ltr';
  return element('span', 'label path', path);
}

/** A list of a question's context chips, which open their source. With `remove`, each has a button that removes it. */
export function chipList(
  chips: readonly ChipView[],
  open: (id: string) => void,
  remove?: (id: string) => void,
): HTMLElement {
  const list = element('ul', 'chips');
  list.setAttribute('aria-label', l10n.t('Context'));
  list.hidden = chips.length === 0;
  for (const chip of chips) {
    const label = visibleName(chip.label);
    const source = element(
      'button',
      'source',
      icon(chip.warning ? 'warning' : pictures[chip.kind]),
      labelElement(label),
    );
    source.type = 'button';
    source.addEventListener('click', () => open(chip.id));
    const item = element('li', 'chip', source);
    item.title = visibleName(chip.hint ?? [chip.label, chip.detail].filter((part) => part !== '').join(' '));
    if (chip.warning) {
      item.classList.add('warned');
      item.title = `${item.title}\n${chip.warning}`;
      source.setAttribute('aria-description', chip.warning);
    }
    if (chip.detail !== '') {
      source.append(' ', element('span', 'detail', chip.detail));
    }
    if (remove !== undefined) {
      item.append(iconButton('close', l10n.t('Remove {0}', label), () => remove(chip.id)));
    }
    list.append(item);
  }
  return list;
}

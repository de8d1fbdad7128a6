import type { UsageCell, UsageTable } from '../../core/usage/view/usageDocument.ts';
import { element } from '../page/dom.ts';
import { button, type Post, usageIcon } from './controls.ts';

/** A table with its heading, in a box of its own that scrolls sideways when the view is narrow. */
export function drawTable(table: UsageTable, post: Post): HTMLElement {
  const { title, columns, rows, isRowClickable, notes = [] } = table;
  const head = element('tr');
  for (const { text, isNumber } of columns) {
    const cell = element('th', isNumber ? 'number' : '', text);
    cell.scope = 'col';
    head.append(cell);
  }
  const body = element('tbody');
  for (const cells of rows) {
    const row = element('tr', isRowClickable ? 'clickable' : '');
    cells.forEach((cell, index) => {
      const made = element(index === 0 ? 'th' : 'td', columns[index]?.isNumber ? 'number' : '', ...content(cell, post));
      if (index === 0) {
        made.scope = 'row';
      }
      made.title = cell.title ?? '';
      row.append(made);
    });
    const action = isRowClickable && cells[0]?.action;
    if (action) {
      row.addEventListener('click', ({ target }) => {
        if (target instanceof Element && target.closest('button') === null && getSelection()?.isCollapsed !== false) {
          post(action);
        }
      });
    }
    body.append(row);
  }
  const made = element('table', '', element('caption', 'unseen', title), element('thead', '', head), body);
  const box = element('div', 'box', made);
  // Without a button in it, a box can be scrolled with the keyboard only if it can have the focus.
  box.tabIndex = rows.some((cells) => cells.some(({ action }) => action)) ? -1 : 0;
  const parts = [element('h2', '', title), box, ...notes.map((note) => element('p', 'muted', ...content(note, post)))];
  return element('section', '', ...parts, ...(table.button ? [button('secondary', table.button, post)] : []));
}

/** A text with what is around it. */
function content({ text, tone, icon, action, button: more }: UsageCell, post: Post): (Node | string)[] {
  const shown = action ? button('name', { text, action }, post) : text;
  const toned = tone || icon ? element('span', tone, ...(icon ? [usageIcon(icon)] : []), shown) : shown;
  return more ? [toned, ' · ', button('link', more, post)] : [toned];
}

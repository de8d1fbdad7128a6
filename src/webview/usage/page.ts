import check from '@vscode/codicons/src/icons/check.svg';
import close from '@vscode/codicons/src/icons/close.svg';
import warning from '@vscode/codicons/src/icons/warning.svg';
import type {
  UsageAction,
  UsageButton,
  UsageCell,
  UsageChart,
  UsageDocument,
  UsageFigure,
  UsageNotice,
  UsageOption,
  UsageTable,
} from '../../core/usage/view/usageDocument.ts';
import { element } from '../page/dom.ts';
import { drawIcon } from '../page/drawIcon.ts';

type Post = (action: UsageAction) => void;

const icons = { check, close, warning };

/** Draws documents. A part that has not changed stays as it is, with its focus and its scroll position. */
export class UsagePage {
  readonly #app: HTMLElement;
  readonly #post: Post;
  readonly #parts: { readonly slot: HTMLElement; json: string | undefined }[] = [];
  readonly #status = element('div', 'unseen');
  #isAwaited = false;

  constructor(app: HTMLElement, post: Post) {
    this.#app = app;
    this.#post = (action) => {
      this.#isAwaited = true;
      post(action);
    };
    this.#status.role = 'status';
    app.append(this.#status);
  }

  show(shown: UsageDocument): void {
    const post = this.#post;
    const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.key : undefined;
    const { title, connections, periods, buttons, filters, figures, notices, chart, tables, empty } = shown;
    const parts: [unknown, () => Node[]][] = [
      [
        [title, connections, periods, buttons],
        () => [
          element(
            'header',
            '',
            element('h1', '', title),
            ...(connections.options.length > 0 ? [picker(connections.label, connections.options, post)] : []),
            segments(periods.label, periods.options, post),
            element('div', 'buttons', ...buttons.map((each) => button('secondary', each, post))),
          ),
        ],
      ],
      [filters, () => filters.map((filter) => this.#chip(filter))],
      [figures, () => (figures.length === 0 ? [] : [element('div', 'figures', ...figures.map(drawFigure))])],
      [notices, () => notices.map((notice) => drawNotice(notice, post))],
      [empty, () => (empty ? [element('h2', '', empty.title), element('p', '', empty.text)] : [])],
      [chart, () => (chart ? [drawChart(chart)] : [])],
      ...tables.map((table): [unknown, () => Node[]] => [table, () => [drawTable(table, post)]]),
    ];
    for (let index = 0; index < Math.max(parts.length, this.#parts.length); index++) {
      const [data, draw] = parts[index] ?? [undefined, () => []];
      this.#draw(index, data, draw);
    }
    document.title = title;
    if (this.#isAwaited) {
      this.#isAwaited = false;
      this.#status.textContent = shown.status;
    }
    if (focused !== undefined && document.activeElement === document.body) {
      const controls = [...this.#app.querySelectorAll<HTMLElement>('[data-key]')];
      const same = controls.find(({ dataset }) => dataset.key === focused);
      (same ?? this.#app.querySelector<HTMLElement>('.chip') ?? controls[0])?.focus();
    }
  }

  #draw(index: number, data: unknown, draw: () => Node[]): void {
    let part = this.#parts[index];
    if (part === undefined) {
      part = { slot: element('div'), json: undefined };
      this.#parts.push(part);
      this.#app.append(part.slot);
    }
    const { slot } = part;
    const json = JSON.stringify(data);
    if (json !== part.json) {
      part.json = json;
      const left = slot.querySelector('.box')?.scrollLeft ?? 0;
      slot.replaceChildren(...draw());
      slot.querySelector('.box')?.scrollTo({ left });
    }
  }

  #chip(filter: UsageDocument['filters'][number]): HTMLElement {
    const chip = button('chip', filter, this.#post);
    chip.title = filter.title;
    chip.ariaLabel = filter.title;
    chip.append(usageIcon('close'));
    return chip;
  }
}

function drawFigure({ value, title = '', text, bar }: UsageFigure): HTMLElement {
  const sum = element('strong', '', value);
  sum.title = title;
  const figure = element('div', '', sum, element('span', 'muted', text));
  if (bar) {
    const full = element('div', 'full');
    full.style.width = `${bar.share * 100}%`;
    const drawn = element('div', 'limit', full);
    drawn.role = 'img';
    drawn.ariaLabel = bar.label;
    figure.append(drawn);
  }
  return figure;
}

function drawNotice({ text, icon, button: more }: UsageNotice, post: Post): HTMLElement {
  const words = element('span', '', text, ...(more ? [' ', button('link', more, post)] : []));
  return element('p', 'notice', ...(icon ? [usageIcon(icon)] : []), words);
}

/** Bars of stacked parts. */
function drawChart({ title, note, label, ticks, bars, legend }: UsageChart) {
  const explained = note === undefined ? [] : [element('p', 'muted', note)];
  const plot = element('div', 'plot');
  plot.role = 'img';
  plot.ariaLabel = label;
  for (const { text, at } of ticks) {
    const tick = element('div', 'tick', element('span', '', text));
    tick.style.bottom = `${at * 100}%`;
    plot.append(tick);
  }
  const row = element('div', 'bars');
  for (const { text, title, parts } of bars) {
    const column = element('div', 'bar');
    column.title = title;
    parts.forEach((share, index) => {
      if (share > 0) {
        const part = element('div', `part series${index}`);
        part.style.height = `${share * 100}%`;
        column.prepend(part);
      }
    });
    column.append(element('span', '', text));
    row.append(column);
  }
  // As wide as the longest text of a tick, so that no text is cut.
  const widest = Math.max(...ticks.map(({ text }) => text.length));
  plot.style.marginInlineStart = `${widest + 1}ch`;
  plot.append(row);
  const names = legend.map((name, index) => element('li', '', element('span', `swatch series${index}`), name));
  const foot = element('div', 'legend', element('ul', '', ...names));
  return element('section', 'chart', element('h2', '', title), plot, foot, ...explained);
}

/** A table with its heading, in a box of its own that scrolls sideways when the view is narrow. */
function drawTable(table: UsageTable, post: Post): HTMLElement {
  const { title, columns, rows, isRowClickable, notes = [] } = table;
  const head = element('tr');
  for (const { text, look = '' } of columns) {
    const cell = element('th', look, text);
    cell.scope = 'col';
    head.append(cell);
  }
  const body = element('tbody');
  for (const cells of rows) {
    const row = element('tr', isRowClickable ? 'clickable' : '');
    cells.forEach((cell, index) => {
      const made = element(index === 0 ? 'th' : 'td', columns[index]?.look ?? '', ...content(cell, post));
      if (index === 0) {
        made.scope = 'row';
      }
      if (cell.title) {
        made.title = cell.title;
      }
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
function content({ text, tone, action, button: more }: UsageCell, post: Post): (Node | string)[] {
  const shown = action ? button(action.type === 'filter' ? 'name' : 'link', { text, action }, post) : text;
  const toned = tone ? element('span', tone, shown) : shown;
  return more ? [toned, ' · ', button('link', more, post)] : [toned];
}

function usageIcon(name: keyof typeof icons): Node {
  return drawIcon(name, icons[name]);
}

/** Names the action of a control, by which its focus is restored when it is drawn again. */
function mark<T extends HTMLElement>(control: T, action: UsageAction): T {
  control.dataset.key = JSON.stringify(action);
  return control;
}

function button(className: string, { text, action }: UsageButton, post: Post): HTMLButtonElement {
  const made = element('button', className, text);
  made.type = 'button';
  made.addEventListener('click', () => post(action));
  return mark(made, action);
}

/** Buttons of which one is pressed: radio buttons, so that the arrow keys choose. */
function segments(label: string, options: readonly UsageOption[], post: Post): HTMLElement {
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

function picker(label: string, options: readonly UsageOption[], post: Post): HTMLElement {
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

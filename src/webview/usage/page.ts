import type { UsageDocument, UsageFigure, UsageNotice } from '../../core/usage/view/usageDocument.ts';
import { element } from '../page/dom.ts';
import { drawChart } from './chart.ts';
import { button, type Post, picker, segments, usageIcon } from './controls.ts';
import { drawTable } from './table.ts';

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
      [chart, () => (chart ? [drawChart(chart, post)] : [])],
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

function drawFigure({ value, text, bar }: UsageFigure): HTMLElement {
  const figure = element('div', '', element('strong', '', value), element('span', 'muted', text));
  if (bar) {
    const full = element('div', 'full');
    full.style.width = `${bar.share * 100}%`;
    const drawn = element('div', 'limit', full);
    drawn.role = 'img';
    drawn.ariaLabel = bar.label;
    if (bar.mark !== undefined) {
      const mark = element('div', 'mark');
      mark.style.insetInlineStart = `${bar.mark * 100}%`;
      drawn.append(mark);
    }
    figure.append(drawn);
  }
  return figure;
}

function drawNotice({ text, icon, button: more }: UsageNotice, post: Post): HTMLElement {
  const parts = [...(icon ? [usageIcon(icon)] : []), element('span', '', text)];
  return element('p', 'notice', ...parts, ...(more ? [button('link', more, post)] : []));
}

import type { UsageChart } from '../../core/usage/view/usageDocument.ts';
import { element } from '../page/dom.ts';
import { button, type Post } from './controls.ts';
import { drawTable } from './table.ts';

function percent(share: number): string {
  return `${share * 100}%`;
}

/** Bars of stacked parts, or the table of their values. */
export function drawChart({ title, note, label, ticks, bars, legend, table, button: toggle }: UsageChart, post: Post) {
  const explained = note === undefined ? [] : [element('p', 'muted', note)];
  if (table) {
    const drawn = drawTable(table, post);
    drawn.append(...explained, button('link', toggle, post));
    return drawn;
  }
  const plot = element('div', 'plot');
  plot.role = 'img';
  plot.ariaLabel = label;
  for (const { text, at } of ticks) {
    const tick = element('div', 'tick', element('span', '', text));
    tick.style.bottom = percent(at);
    plot.append(tick);
  }
  const row = element('div', 'bars');
  for (const { text, title, parts } of bars) {
    const column = element('div', 'bar');
    column.title = title;
    parts.forEach((share, index) => {
      const part = element('div', `part series${index}`);
      part.style.height = percent(share);
      column.prepend(part);
    });
    column.append(element('span', '', text));
    row.append(column);
  }
  // As wide as the longest text of a tick, so that no text is cut.
  const widest = Math.max(...ticks.map(({ text }) => text.length));
  plot.style.marginInlineStart = `${widest + 1}ch`;
  plot.append(row);
  const names = legend.map((name, index) => element('li', '', element('span', `swatch series${index}`), name));
  const foot = element('div', 'legend', element('ul', '', ...names), button('link', toggle, post));
  return element('section', 'chart', element('h2', '', title), plot, foot, ...explained);
}

import { element } from '../page/dom.ts';

/**
 * Copies a selection in answers as it reads: lists with their bullets and numbers, formulas as their source in place of
 * the letters in their drawing, and code without its header.
 */
document.addEventListener('copy', (event) => {
  const selection = document.getSelection();
  const touched = (selector: string) =>
    [...document.querySelectorAll(selector)].filter((each) => selection?.containsNode(each, true));
  const formulas = touched('.formula.drawn');
  const items = touched('.markdown li');
  // Without a selection, what was copied before stays.
  if (selection?.isCollapsed !== false || [...formulas, ...items, ...touched('.markdown .codeHeader')].length === 0) {
    return;
  }
  const range = selection.getRangeAt(0);
  const first = firstItem(range);
  const markers = items.map((item) => {
    const marker = element('span', 'copiedMarker', markerOf(item));
    const inside = item.firstChild instanceof HTMLParagraphElement ? item.firstChild : item;
    inside.prepend(marker);
    return marker;
  });
  document.body.classList.add('copiesSource');
  const text = (first === undefined ? '' : markerOf(first)) + selection.toString();
  document.body.classList.remove('copiesSource');
  for (const marker of markers) {
    marker.remove();
  }
  event.clipboardData?.setData('text/plain', text);
  // Outside of one answer there is also what is hidden.
  if (formulas.length === 0 && answerAround(range) !== null) {
    event.clipboardData?.setData('text/html', htmlOf(range));
  }
  event.preventDefault();
});

/** The item at whose first letter a selection starts that goes on after it; its marker would be before the selection. */
function firstItem({ startContainer, startOffset, endContainer, endOffset }: Range): Element | undefined {
  const item = startContainer.parentElement?.closest('.markdown li');
  if (!item || startOffset > 0) {
    return undefined;
  }
  const [before, after] = [document.createRange(), document.createRange()];
  before.setStart(item, 0);
  before.setEnd(startContainer, 0);
  after.setStartAfter(item);
  after.setEnd(endContainer, endOffset);
  return before.toString().trim() === '' && after.toString().trim() !== '' ? item : undefined;
}

function markerOf(item: Element): string {
  const list = item.parentElement;
  const count = (items: string) => document.evaluate(`count(${items}::li)`, item).numberValue;
  const number = list instanceof HTMLOListElement ? list.start + count('preceding-sibling') : undefined;
  const box = item.querySelector<HTMLInputElement>(':scope > input, :scope > p > input');
  const mark = `${'   '.repeat(count('ancestor'))}${number === undefined ? '-' : `${number}.`} `;
  // The text after a box begins with a blank.
  return box === null ? mark : `${mark}[${box.checked ? 'x' : ' '}]`;
}

function answerAround({ commonAncestorContainer: all }: Range): Element | null {
  return (all instanceof Element ? all : all.parentElement)?.closest('.markdown') ?? null;
}

/** Without the looks of the panel, which other programs would take over, but in the lines that these make. */
function htmlOf(range: Range): string {
  const { commonAncestorContainer: all } = range;
  const ancestor = all instanceof Element ? all : all.parentElement;
  const whole = (ancestor?.closest('pre') ?? (ancestor?.matches('ol, ul') ? ancestor : undefined))?.cloneNode();
  const copy = element('div');
  copy.append(range.cloneContents());
  for (const header of copy.querySelectorAll('.codeHeader, button')) {
    header.remove();
  }
  if (whole instanceof HTMLElement) {
    whole.append(...copy.childNodes);
    copy.append(whole);
  }
  for (const each of [copy, ...copy.querySelectorAll(':not(pre, pre *)')]) {
    for (const text of [...each.childNodes].filter((child) => child instanceof Text)) {
      text.replaceWith(...text.data.split('\n').flatMap((line, at) => (at === 0 ? [line] : [element('br'), line])));
    }
  }
  for (const each of copy.querySelectorAll('*')) {
    for (const name of each.getAttributeNames()) {
      if (!/^(?:href|src|alt|start|type|checked|title)$/.test(name)) {
        each.removeAttribute(name);
      }
    }
  }
  return copy.innerHTML;
}

import type { ScrollPin } from './scrollPin.ts';

/** So long the page moves after a jump into what was not laid out. */
const framesToSettle = 10;

/**
 * VS Code in a browser searches a panel by selecting what it finds, and the browser does not scroll to a selection in a
 * part of the page that is not laid out. This does. A selection made by hand is in sight at its end and stays put.
 */
export function showFound(pin: Pick<ScrollPin, 'element' | 'leave'>): void {
  const scroller = pin.element;
  document.addEventListener('selectionchange', () => {
    const selection = document.getSelection();
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    const text = range?.startContainer;
    if (range === undefined || range.collapsed || text !== range.endContainer || !(text instanceof Text)) return;
    if (!scroller.contains(text) || isInSight(range, scroller)) return;
    pin.leave();
    text.parentElement?.scrollIntoView({ block: 'center' });
    // Its lines have a place only now.
    centre(range, scroller);
    keepInSight(range, scroller, framesToSettle);
  });
}

/** What is around it is laid out in the frames after it came into sight, and may push it out again. */
function keepInSight(range: Range, scroller: HTMLElement, frames: number): void {
  requestAnimationFrame(() => {
    const selection = document.getSelection();
    if (frames === 0 || selection?.rangeCount !== 1 || selection.getRangeAt(0) !== range) return;
    if (!isInSight(range, scroller)) centre(range, scroller);
    keepInSight(range, scroller, frames - 1);
  });
}

function centre(range: Range, scroller: HTMLElement): void {
  const box = scroller.getBoundingClientRect();
  scroller.scrollTop += range.getBoundingClientRect().top - box.top - box.height / 2;
}

function isInSight(range: Range, scroller: HTMLElement): boolean {
  const { top, bottom } = range.getBoundingClientRect();
  const box = scroller.getBoundingClientRect();
  return bottom > box.top && top < box.bottom;
}

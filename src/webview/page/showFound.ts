import type { ScrollPin } from './scrollPin.ts';

/**
 * Scrolls to search results. VS Code in a browser selects what its search finds in a panel, but the browser does not
 * scroll to a selection in a part of the page that is not laid out. A selection made by the person is already visible
 * and does not scroll.
 */
export function showFound(pin: Pick<ScrollPin, 'element' | 'hold'>): void {
  const scroller = pin.element;
  document.addEventListener('selectionchange', () => {
    const selection = document.getSelection();
    const range = selection !== null && selection.rangeCount > 0 ? selection.getRangeAt(0) : undefined;
    const text = range?.startContainer;
    if (range === undefined || range.collapsed || text !== range.endContainer || !(text instanceof Text)) {
      return;
    }
    if (!scroller.contains(text) || isInSight(range, scroller)) {
      return;
    }
    // The lines have a position only once they are near the visible part.
    text.parentElement?.scrollIntoView({ block: 'center' });
    pin.hold(() => {
      const box = scroller.getBoundingClientRect();
      return range.getBoundingClientRect().top - box.top - box.height / 2;
    });
  });
}

function isInSight(range: Range, scroller: HTMLElement): boolean {
  const { top, bottom } = range.getBoundingClientRect();
  const box = scroller.getBoundingClientRect();
  return bottom > box.top && top < box.bottom;
}

import type { Page } from 'playwright-core';
import themes from '../../../fixtures/themes.json' with { type: 'json' };

/** Every visible text of the panel that is not of a model or a question, and every name and tooltip. */
export function shownTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      const isForeign =
        element?.closest(
          '.codeHeader, .change, .callout > .kind, .answerPicture, .files > .head, .files .new, .markdown > .note, .question .more',
        ) === null &&
        element.closest('.markdown, .folded, .question > .text, .words, .found .row, textarea, script') !== null;
      if (element?.checkVisibility() && !isForeign) {
        texts.push(walker.currentNode.textContent ?? '');
      }
    }
    for (const element of document.querySelectorAll('#app, #app *')) {
      for (const name of ['aria-label', 'aria-description', 'title', 'placeholder', 'alt']) {
        const text = element.getAttribute(name);
        if (text !== null && !(name === 'title' && element.matches('a:not([href="#"]), .found .row'))) {
          texts.push(text);
        }
      }
    }
    return texts;
  });
}

/**
 * What a person could not read or press, in any theme: text or controls that are cut off where nothing scrolls and
 * no tooltip has the whole text, that stick out of their element, that overlap, or that make the page scroll sideways.
 */
export function layoutDefects(page: Page): Promise<string[]> {
  return page.evaluate((all) => {
    const defects = new Set<string>();
    const controls = 'button, a[href], textarea, input, summary, [tabindex="0"]';
    /** Pixels: positions are rounded. */
    const tolerance = 1;
    type Box = { readonly left: number; readonly right: number; readonly top: number; readonly bottom: number };
    type Item = { readonly element: Element; readonly boxes: Box[]; readonly isControl: boolean };

    const describe = (element: Element) => {
      const text = element.getAttribute('aria-label') ?? element.textContent ?? '';
      return `${element.localName}.${[...element.classList].join('.')} “${text.slice(0, 50)}”`;
    };
    const isInvisible = (element: Element) => !element.checkVisibility() || element.closest('.unseen') !== null;

    function items(): Item[] {
      const found: Item[] = [];
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      while (walker.nextNode()) {
        const element = walker.currentNode.parentElement;
        if (element === null || isInvisible(element) || walker.currentNode.textContent?.trim() === '') {
          continue;
        }
        const range = document.createRange();
        range.selectNodeContents(walker.currentNode);
        found.push({ element, boxes: [...range.getClientRects()].filter((box) => box.width > 0), isControl: false });
      }
      for (const element of document.querySelectorAll(controls)) {
        if (!isInvisible(element)) {
          found.push({ element, boxes: [...element.getClientRects()], isControl: true });
        }
      }
      return found;
    }

    /** The visible parts of an item within `until`. Reports the parts that no scrolling would make visible. */
    function visibleParts({ element, boxes, isControl }: Item, until: Element): Box[] {
      let visible: Box[] = boxes.map(({ left, right, top, bottom }) => ({ left, right, top, bottom }));
      let [scrollsX, scrollsY] = [false, false];
      for (
        let around: Element | null = isControl ? element.parentElement : element;
        around;
        around = around.parentElement
      ) {
        const { overflowX, overflowY, textOverflow } = getComputedStyle(around);
        if (overflowX === 'visible' && overflowY === 'visible') {
          if (around === until) {
            break;
          }
          continue;
        }
        const box = around.getBoundingClientRect();
        const isBeyondX = visible.some(
          (each) => each.right > box.right + tolerance || each.left < box.left - tolerance,
        );
        const isBeyondY = visible.some(
          (each) => each.bottom > box.bottom + tolerance || each.top < box.top - tolerance,
        );
        scrollsX ||= overflowX === 'auto' || overflowX === 'scroll';
        scrollsY ||= overflowY === 'auto' || overflowY === 'scroll';
        const tip = element.closest('[title]')?.getAttribute('title') ?? '';
        const text = element.textContent ?? '';
        const hasTip = textOverflow === 'ellipsis' && tip !== '' && (tip.includes(text) || text.includes(tip));
        // Facts without room in their line are hidden whole; its tooltip and its details have all.
        const isWhollyHidden =
          around.matches('.figures > .facts') && tip !== '' && visible.every(({ top }) => top >= box.bottom);
        if (isWhollyHidden) {
          return [];
        }
        if ((isBeyondX && !scrollsX && !hasTip) || (isBeyondY && !scrollsY)) {
          defects.add(`cut off by ${around.localName}.${around.className}: ${describe(element)}`);
        }
        visible = visible.map((each) => ({
          left: Math.max(each.left, box.left),
          right: Math.min(each.right, box.right),
          top: Math.max(each.top, box.top),
          bottom: Math.min(each.bottom, box.bottom),
        }));
        if (around === until) {
          break;
        }
      }
      return visible.filter((each) => each.right - each.left > tolerance && each.bottom - each.top > tolerance);
    }

    const overlap = (a: Box, b: Box) =>
      Math.min(a.right, b.right) - Math.max(a.left, b.left) > tolerance &&
      Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > tolerance;

    function checkPart(part: Element, parts: readonly Item[]): void {
      const all = parts.map((item) => ({ ...item, visible: visibleParts(item, part) }));
      for (const [at, one] of all.entries()) {
        for (const two of all.slice(at + 1)) {
          const [a, b] = [one.element, two.element];
          const isAllowed = !(one.isControl || two.isControl) || a.contains(b) || b.contains(a);
          // The head of a column covers what has scrolled under it.
          if (isAllowed || a.closest('.columnHead') !== b.closest('.columnHead')) {
            continue;
          }
          if (one.visible.some((box) => two.visible.some((other) => overlap(box, other)))) {
            defects.add(`overlap: ${describe(a)} and ${describe(b)}`);
          }
        }
      }
    }

    function check(): void {
      const scroller = document.querySelector('.scroller') as HTMLElement;
      const lower = document.querySelector('.lower') as HTMLElement;
      const found = items();
      // What the conversation hides can be scrolled to, so its own box is not considered.
      checkPart(
        scroller.firstElementChild as Element,
        found.filter(({ element }) => scroller.contains(element)),
      );
      checkPart(
        document.body,
        found.filter(({ element }) => !scroller.contains(element)),
      );
      for (const { element, isControl } of found) {
        const { overflowX } = getComputedStyle(element);
        if (
          !isControl &&
          element.clientWidth > 0 &&
          overflowX === 'visible' &&
          element.scrollWidth > element.clientWidth + tolerance
        ) {
          defects.add(`sticks out: ${describe(element)}`);
        }
      }
      const app = document.getElementById('app') as HTMLElement;
      // Compared answers have a row that scrolls.
      const isCompared = scroller.querySelector('.columns') !== null;
      for (const one of [document.documentElement, app, ...(isCompared ? [] : [scroller])]) {
        if (one.scrollWidth > one.clientWidth + tolerance) {
          defects.add(`scrolls sideways: ${one.localName}.${one.className}`);
        }
      }
      if (overlap(scroller.getBoundingClientRect(), lower.getBoundingClientRect())) {
        defects.add('the composer covers the conversation');
      }
      const jump = document.querySelector('.jump:not([hidden])');
      if (jump !== null) {
        const { left, top, width, height } = jump.getBoundingClientRect();
        if (!jump.contains(document.elementFromPoint(left + width / 2, top + height / 2))) {
          defects.add(`covered: ${describe(jump)}`);
        }
      }
      if (scroller.clientHeight < 80) {
        defects.add(`${scroller.clientHeight} px are left for the conversation`);
      }
    }

    // Otherwise parts far off screen would not be laid out.
    for (const part of document.querySelectorAll<HTMLElement>('.turn, .part, .stretch')) {
      part.style.contentVisibility = 'visible';
    }
    // The others differ from these two only in colours.
    for (const theme of ['dark', 'highContrast'] as const) {
      const { classes, variables } = all[theme];
      document.body.className = [...document.body.classList]
        .filter((each) => !each.startsWith('vscode-'))
        .concat(classes)
        .join(' ');
      document.documentElement.removeAttribute('style');
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(name, value);
      }
      check();
      // Nearly every defect is one of all themes.
      if (defects.size > 0) {
        return [...defects].map((each) => `${theme}: ${each}`);
      }
    }
    return [];
  }, themes);
}

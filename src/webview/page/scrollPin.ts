import * as l10n from '@vscode/l10n';
import { element } from './dom.ts';
import { icon } from './icons.ts';
import { whenBuilt } from './painter.ts';

/** Pixels from the end that still count as the end. */
const nearEnd = 4;
/** Milliseconds after the last follow until the content counts as no longer growing. */
const settleMs = 120;
/** Milliseconds between checks whether that time has passed. */
const checkMs = 400;
/** Pixels of text that may be hidden below before the jump button is shown: one line. */
const hiddenTextLimit = 20;
/** Milliseconds in which a busy browser begins to scroll after a notch of the wheel. */
const wheelMs = 1_000;
/** Milliseconds for which a position is held after content was last built, which moves what is below it. */
const holdMs = 1_500;

/** A scroll box that follows its end while the person is at the end, and does not move when they are not. */
export class ScrollPin {
  readonly element = element('div', 'scroller pinned');
  readonly #newText = element('span', '', l10n.t('New text'));
  readonly jump = element('button', 'jump', icon('arrowDown'), this.#newText);
  readonly #belowText: () => number;
  #isPinned = true;
  #lastTop = 0;
  /** The end when text was last built. In the next frame, content off screen can turn out to be smaller. */
  #builtTop = 0;
  #followedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Distance of the held part below its wanted place, in pixels; undefined while nothing is held. */
  #held: (() => number) | undefined;
  #isBuilding = false;
  #holdTimer: ReturnType<typeof setTimeout> | undefined;

  /** @param belowText height of the content below the last text, in pixels. */
  constructor(content: HTMLElement, belowText: () => number) {
    this.#belowText = belowText;
    this.element.append(content);
    this.element.tabIndex = -1;
    this.jump.type = 'button';
    this.jump.hidden = true;
    this.#showNewText(false);
    this.jump.addEventListener('click', () => {
      const hadFocus = document.activeElement === this.jump;
      this.pin();
      // The button is hidden now; with the focus here, the arrow keys still scroll.
      if (hadFocus) {
        this.element.focus({ preventScroll: true });
      }
    });
    this.element.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    for (const act of ['wheel', 'pointerdown', 'keydown'] as const) {
      this.element.addEventListener(act, () => this.#release(), { passive: true });
    }
    this.element.addEventListener(
      'wheel',
      ({ deltaY }) => {
        // Following the end while the browser is still scrolling up would cancel that scrolling.
        if (this.#isPinned && deltaY < 0) {
          this.unpinBriefly(wheelMs);
        }
      },
      { passive: true },
    );
    // Text must not move from under the pointer that selects it.
    this.element.addEventListener(
      'pointermove',
      ({ buttons }) => {
        const selection = document.getSelection();
        const isHere = selection?.type === 'Range' && this.element.contains(selection.anchorNode);
        if (this.#isPinned && buttons === 1 && isHere) {
          this.unpin();
        }
      },
      { passive: true },
    );
    // If nothing has arrived meanwhile, the end is followed again.
    addEventListener('pointerup', () => !this.#isPinned && this.#check());
    const sizes = new ResizeObserver(() => this.#follow());
    sizes.observe(content);
    sizes.observe(this.element);
    whenBuilt(() => this.#followBuilt());
  }

  /** Whether the end is followed. */
  get isPinned(): boolean {
    return this.#isPinned;
  }

  /** Scrolls to the end and follows it. */
  pin(): void {
    this.#held = undefined;
    // It may be an earlier position, further down: to be above it would count as scrolling up, and end the pin at once.
    this.#lastTop = 0;
    this.#setPinned(true);
    this.#follow();
  }

  /** Stops following the end. */
  unpin(): void {
    this.#setPinned(false);
    this.#showJump();
  }

  /** Stops following the end while content is replaced, and follows again if the position is then at the end. */
  unpinBriefly(forMs = 3 * settleMs): void {
    this.unpin();
    setTimeout(() => this.#check(), forMs);
  }

  /**
   * Scrolls to a part of the content, and stays there while the content above it is being built.
   *
   * @param offset returns the current distance of that part below its wanted place, in pixels.
   * @param isBuilding whether that content is still to be built; an answer that arrives doesn't prolong the hold otherwise.
   */
  hold(offset: () => number, isBuilding = true): void {
    this.unpin();
    this.#held = offset;
    this.#isBuilding = isBuilding;
    this.#keepHolding();
    this.#follow();
  }

  #keepHolding(): void {
    clearTimeout(this.#holdTimer);
    this.#holdTimer = setTimeout(() => this.#release(), holdMs);
  }

  #release(): void {
    this.#held = undefined;
    // From here on, only the person moves the position.
    this.#lastTop = Math.max(this.#lastTop, this.#builtTop);
  }

  /** Call this when text arrives at the end. A person who reads further up is shown "New text" and stays there. */
  noteNewText(): void {
    if (!this.#isPinned && this.#newText.hidden) {
      this.#showNewText(true);
    }
  }

  /**
   * Reading a position while the page is changing makes the browser lay it out twice. While the page grows, `#follow`
   * reads the position right after layout, and the check here is postponed.
   */
  #onScroll(): void {
    if (this.#isPinned && performance.now() - this.#followedAt < settleMs) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#onScroll();
      }, checkMs);
    } else {
      this.#check();
    }
  }

  #check(): void {
    const { scrollTop } = this.element;
    const end = this.#end();
    if (this.#held === undefined && end - scrollTop <= nearEnd) {
      this.#setPinned(true);
    }
    // A page that became shorter moves up by itself; only a move within the current content is the person's.
    else if (scrollTop < this.#lastTop - 1 && end >= this.#lastTop - 1) {
      this.#setPinned(false);
    }
    this.#lastTop = scrollTop;
    this.#showJump();
  }

  /** Scrolls to the end before the frame that shows it: scrolling in that frame would need another one. */
  #followBuilt(): void {
    if (this.#held !== undefined) {
      if (this.#isBuilding) {
        this.#keepHolding();
      }
      return;
    }
    const end = this.#end();
    const { scrollTop } = this.element;
    // `#follow` handles scrolling by the person.
    if (!this.#isPinned || scrollTop < this.#lastTop - 1 || end <= scrollTop) {
      return;
    }
    this.#followedAt = performance.now();
    this.element.scrollTop = end;
    this.#builtTop = end;
  }

  #follow(): void {
    this.#followedAt = performance.now();
    if (this.#held !== undefined) {
      this.element.scrollTop += this.#held();
      this.#lastTop = this.element.scrollTop;
    }
    if (this.#isPinned && this.element.scrollTop < this.#lastTop - 1) {
      this.#check();
    }
    const end = this.#end();
    if (this.#isPinned) {
      if (end > this.element.scrollTop) {
        this.element.scrollTop = end;
      }
      this.#lastTop = end;
      this.#builtTop = end;
    }
    this.#showJump();
  }

  #setPinned(isPinned: boolean): void {
    this.#isPinned = isPinned;
    this.element.classList.toggle('pinned', isPinned);
    if (isPinned && !this.#newText.hidden) {
      this.#showNewText(false);
    }
  }

  #showNewText(isThere: boolean): void {
    this.#newText.hidden = !isThere;
    this.jump.classList.toggle('hasNewText', isThere);
    const name = isThere ? l10n.t('New Text: Scroll to End') : l10n.t('Scroll to End');
    this.jump.title = name;
    this.jump.setAttribute('aria-label', name);
  }

  /** The maximum scroll position. */
  #end(): number {
    return this.element.scrollHeight - this.element.clientHeight;
  }

  /** When all text is visible, the jump button is not needed and would cover the buttons under the text. */
  #showJump(): void {
    const isHidden = this.#isPinned || this.#end() - this.element.scrollTop - this.#belowText() <= hiddenTextLimit;
    if (isHidden && !this.#newText.hidden) {
      this.#showNewText(false);
    }
    if (this.jump.hidden !== isHidden) {
      this.jump.hidden = isHidden;
    }
  }
}

import { element } from './dom.ts';
import { icon } from './icons.ts';
import { whenBuilt } from './painter.ts';

/** Pixels from the end that still count as the end. */
const nearEnd = 4;
const settleMs = 120;
/** How often it is looked whether that has passed. */
const lookMs = 400;
/** Pixels of text that may be out of sight before the way to them is offered: a line. */
const unseenText = 20;
/** A page that is being made moves what is in it for so long. */
const holdMs = 1_500;

/** A box that stays at its end while it grows, as long as the person is there, and never moves when they are not. */
export class ScrollPin {
  readonly element = element('div', 'scroller pinned');
  readonly #news = element('span', '', 'New text');
  readonly jump = element('button', 'jump', icon('arrowDown'), this.#news);
  readonly #belowText: () => number;
  #isPinned = true;
  #lastTop = 0;
  /** Where the end was when text was built last; what is out of sight may turn out to be smaller in the next frame. */
  #builtTop = 0;
  #followedAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Where what stays in its place for a moment is, below that place. */
  #held: (() => number) | undefined;
  #holdTimer: ReturnType<typeof setTimeout> | undefined;

  /** `belowText`: how much of the content stands below the last of its text, in pixels. */
  constructor(content: HTMLElement, belowText: () => number) {
    this.#belowText = belowText;
    this.element.append(content);
    this.element.tabIndex = -1;
    this.jump.type = 'button';
    this.jump.hidden = true;
    this.#showNews(false);
    this.jump.addEventListener('click', () => {
      const hadFocus = document.activeElement === this.jump;
      this.pin();
      // The button is gone now; the arrow keys go on scrolling from here.
      if (hadFocus) {
        this.element.focus({ preventScroll: true });
      }
    });
    this.element.addEventListener('scroll', () => this.#onScroll(), { passive: true });
    for (const act of ['wheel', 'pointerdown', 'keydown'] as const) {
      this.element.addEventListener(act, () => this.#letGo(), { passive: true });
    }
    const sizes = new ResizeObserver(() => this.#follow());
    sizes.observe(content);
    sizes.observe(this.element);
    whenBuilt(() => this.#goAlong());
  }

  /** Goes to the end and stays there. */
  pin(): void {
    this.#setPinned(true);
    this.#follow();
  }

  /** Stays where it is taken next, whatever comes at the end. */
  leave(): void {
    this.#setPinned(false);
    this.#showJump();
  }

  /** Stays while something else is shown in this place, and follows again when that turns out to be the end. */
  leaveForAMoment(): void {
    this.leave();
    setTimeout(() => this.#look(), 3 * settleMs);
  }

  /**
   * Goes to a part of the content, and stays there while what is above it is being made.
   *
   * @param offset where that part is now, in pixels below the place it is wanted at.
   */
  hold(offset: () => number): void {
    this.leave();
    this.#held = offset;
    clearTimeout(this.#holdTimer);
    this.#holdTimer = setTimeout(() => this.#letGo(), holdMs);
    this.#follow();
  }

  #letGo(): void {
    this.#held = undefined;
    // From here on the person moves, and not the page.
    this.#lastTop = Math.max(this.#lastTop, this.#builtTop);
  }

  /** Text came at the end: who reads further up is told, once, and stays where they are. */
  arrived(): void {
    if (!this.#isPinned && this.#news.hidden) {
      this.#showNews(true);
    }
  }

  /**
   * Reading a position while the page is being changed makes the browser lay it out twice. While it grows the position
   * is read in `#follow`, which comes right after layout; a moment later is soon enough for the rest.
   */
  #onScroll(): void {
    if (this.#isPinned && performance.now() - this.#followedAt < settleMs) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#onScroll();
      }, lookMs);
    } else {
      this.#look();
    }
  }

  #look(): void {
    const { scrollTop } = this.element;
    const end = this.#end();
    if (this.#held === undefined && end - scrollTop <= nearEnd) {
      this.#setPinned(true);
    }
    // A page that became shorter moves up by itself; only a move within what there is was the person's.
    else if (scrollTop < this.#lastTop - 1 && end >= this.#lastTop - 1) {
      this.#setPinned(false);
    }
    this.#lastTop = scrollTop;
    this.#showJump();
  }

  /** Goes to the end before the frame that shows it: moving in that frame would take another one. */
  #goAlong(): void {
    const end = this.#end();
    const { scrollTop } = this.element;
    // Who has moved is noticed in `#follow`.
    if (!this.#isPinned || this.#held !== undefined || scrollTop < this.#lastTop - 1 || end <= scrollTop) {
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
      this.#look();
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
    if (isPinned && !this.#news.hidden) {
      this.#showNews(false);
    }
  }

  #showNews(isThere: boolean): void {
    this.#news.hidden = !isThere;
    this.jump.classList.toggle('hasNews', isThere);
    this.jump.title = isThere ? 'New Text Below: Jump to the Newest Text' : 'Jump to the Newest Text';
    this.jump.setAttribute('aria-label', isThere ? 'New text: jump to the newest text' : 'Jump to the newest text');
  }

  /** The furthest position there is. */
  #end(): number {
    return this.element.scrollHeight - this.element.clientHeight;
  }

  /** Where all text is in sight nothing is left to go to, and the button would lie over the buttons under the text. */
  #showJump(): void {
    const isHidden = this.#isPinned || this.#end() - this.element.scrollTop - this.#belowText() <= unseenText;
    if (isHidden && !this.#news.hidden) {
      this.#showNews(false);
    }
    if (this.jump.hidden !== isHidden) {
      this.jump.hidden = isHidden;
    }
  }
}

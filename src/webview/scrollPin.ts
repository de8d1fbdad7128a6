import { element } from './dom.ts';
import { icon } from './icons.ts';

/** Pixels from the end that still count as the end. */
const nearEnd = 4;

/** A box that stays at its end while it grows, as long as the person is there, and never moves when they are not. */
export class ScrollPin {
  readonly element = element('div', 'scroller');
  readonly jump = element('button', 'jump', icon('arrowDown'));
  #isPinned = true;
  #lastTop = 0;

  constructor(content: HTMLElement) {
    this.element.append(content);
    this.element.tabIndex = -1;
    this.jump.type = 'button';
    this.jump.title = 'Jump to Latest';
    this.jump.setAttribute('aria-label', 'Jump to latest');
    this.jump.hidden = true;
    this.jump.addEventListener('click', () => this.pin());
    this.element.addEventListener('scroll', () => this.#look(), { passive: true });
    const sizes = new ResizeObserver(() => this.#follow());
    sizes.observe(content);
    sizes.observe(this.element);
  }

  /** Goes to the end and stays there. */
  pin(): void {
    this.#isPinned = true;
    this.#follow();
  }

  #look(): void {
    const { scrollTop } = this.element;
    if (this.#distance() <= nearEnd) this.#isPinned = true;
    else if (scrollTop < this.#lastTop - 1) this.#isPinned = false;
    this.#lastTop = scrollTop;
    this.#showJump();
  }

  #follow(): void {
    if (this.#isPinned && this.#distance() > 0) {
      this.element.scrollTop = this.element.scrollHeight;
      this.#lastTop = this.element.scrollTop;
    }
    this.#showJump();
  }

  #distance(): number {
    return this.element.scrollHeight - this.element.clientHeight - this.element.scrollTop;
  }

  #showJump(): void {
    const isHidden = this.#isPinned || this.#distance() <= nearEnd;
    if (this.jump.hidden !== isHidden) this.jump.hidden = isHidden;
  }
}

import { recordOf } from '../../core/base/loose.ts';
import type { ScrollPin } from './scrollPin.ts';

/** What keeps its height, or changes it as a whole, when the panel becomes wider or more of an answer is drawn. */
const blocks = '.question .text, .markdown :is(p, li, .codeBlock, tr, h1, h2, h3, h4, h5, h6)';
/** Milliseconds between two looks at a position that changes. */
const noteMs = 200;

/** The first visible block of a turn, and which part of its height is above the visible part. */
type Place = { readonly turn: string; readonly block: number; readonly share: number };

/**
 * Keeps the place where the person reads who isn't at the end. The browser loses it when the width of the panel changes
 * (continuedev/continue#1055), and VS Code discards the page of a hidden tab (ChatGPTNextWeb/NextChat#3017).
 */
export class ReadingPlace {
  readonly #pin: ScrollPin;
  readonly #turn: (id: string) => HTMLElement | undefined;
  readonly #save: (place: Place | undefined) => void;
  #place: Place | undefined;
  /** The block itself: its number changes when another column of a comparison grows. */
  #part: Element | undefined;
  #width: number;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param turn finds the element of a turn, which has its id as `data-turn`. */
  constructor(pin: ScrollPin, turn: (id: string) => HTMLElement | undefined, save: (place: Place | undefined) => void) {
    this.#pin = pin;
    this.#turn = turn;
    this.#save = save;
    this.#width = pin.element.clientWidth;
    const note = () => {
      if (this.#place !== undefined || !pin.isPinned) {
        this.#timer ??= setTimeout(() => this.#note(), noteMs);
      }
    };
    pin.element.addEventListener('scroll', note, { passive: true });
    new ResizeObserver(() => this.#resized()).observe(pin.element);
  }

  /** Scrolls to a place that was saved, if its turn is still shown. */
  restore(saved: unknown): void {
    const { turn, block, share } = recordOf(saved);
    if (typeof turn === 'string' && typeof block === 'number' && typeof share === 'number') {
      this.#place = { turn, block, share };
      this.#hold(true);
    }
  }

  #note(): void {
    this.#timer = undefined;
    // With another width, what is visible is no longer what the person reads.
    if (this.#width === this.#pin.element.clientWidth) {
      [this.#place, this.#part] = this.#pin.isPinned ? [] : placeIn(this.#pin.element);
      this.#save(this.#place);
    }
  }

  #resized(): void {
    const { clientWidth } = this.#pin.element;
    if (clientWidth !== this.#width) {
      this.#width = clientWidth;
      this.#hold(false);
    }
  }

  #hold(isBuilding: boolean): void {
    const turn = this.#place && this.#turn(this.#place.turn);
    if (turn === undefined || this.#place === undefined) {
      return;
    }
    const { block, share } = this.#place;
    const known = this.#part;
    this.#pin.hold(() => {
      // In a page that is loaded anew, more of the blocks are drawn each time.
      const part = known?.isConnected ? known : blocksOf(turn)[block];
      const { top, height } = (part ?? turn).getBoundingClientRect();
      return top + share * height - this.#pin.element.getBoundingClientRect().top;
    }, isBuilding);
  }
}

/** Without those of the reasoning, which is folded in a new page. */
function blocksOf(turn: Element): Element[] {
  return [...turn.querySelectorAll(blocks)].filter((block) => block.closest('details') === null);
}

function placeIn(scroller: Element): [Place?, Element?] {
  const { left, top, width } = scroller.getBoundingClientRect();
  // There may be a gap between two blocks at the very top, one between two columns in the middle, and their heads above.
  const hits = [1, 13, 25].flatMap((below) => document.elementsFromPoint(left + width * 0.45, top + below));
  const part = hits.find((each) => each.matches(blocks));
  const turn = (part ?? hits.find((each) => each.closest('.turn')))?.closest<HTMLElement>('.turn');
  const id = turn?.dataset.turn;
  if (!turn || id === undefined) {
    return [];
  }
  const { top: from, height } = (part ?? turn).getBoundingClientRect();
  const block = part ? blocksOf(turn).indexOf(part) : -1;
  return [{ turn: id, block, share: (top - from) / height }, part];
}

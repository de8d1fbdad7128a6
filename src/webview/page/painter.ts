/** A view that the painter draws. `paint` returns whether there is more to draw. */
export type Paintable = { paint(mayContinue: () => boolean): boolean };

/** Milliseconds for building text at a time; layout needs as long again, out of a frame's 16 ms. */
const budgetMs = 3;
/** Milliseconds until more is built: about a frame. */
const waitMs = 12;

const waiting = new Set<Paintable>();
const listeners: (() => void)[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/** Draws a view when the message that is being handled was handled, or soon. */
export function requestPaint(view: Paintable): void {
  waiting.add(view);
  timer ??= setTimeout(paintNow, waitMs);
}

/**
 * Draws waiting views now, as far as the time budget allows. The host joins deltas that come too fast to be visible one
 * by one, so each message from it is drawn at once, in its own task and not in the frame that shows it.
 */
export function paintNow(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.size === 0) {
    return;
  }
  try {
    build();
  } finally {
    // An error in one view must not prevent the others from being drawn.
    for (const listener of listeners) {
      listener();
    }
    if (waiting.size > 0) {
      timer = setTimeout(paintNow, waitMs);
    }
  }
}

/** Calls `listener` after views were built and before layout. Reading a size in it forces layout. */
export function whenBuilt(listener: () => void): void {
  listeners.push(listener);
}

function build(): void {
  const until = performance.now() + budgetMs;
  const mayContinue = () => performance.now() < until;
  // Newest first: that is the one being read.
  for (const view of [...waiting].reverse()) {
    waiting.delete(view);
    if (view.paint(mayContinue)) {
      waiting.add(view);
    }
    if (!mayContinue()) {
      return;
    }
  }
}

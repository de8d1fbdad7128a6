/** A view that the painter draws. `paint` returns whether there is more to draw. */
export type Paintable = { paint(mayContinue: () => boolean): boolean };

/** Milliseconds for building text at a time; layout needs as long again, out of a frame's 16 ms. */
const budgetMs = 3;

const waiting = new Set<Paintable>();
const listeners: (() => void)[] = [];
let isScheduled = false;

/**
 * Text is built and laid out in a separate task, so that the next frame only paints it: a single task would take too
 * long on a slow machine.
 */
const paintTask = new MessageChannel();
paintTask.port1.onmessage = () => {
  isScheduled = false;
  paintNow();
};

/**
 * Draws a view in the next task, together with all changes until then. The host controls how often text arrives: it
 * joins deltas that come too fast to be visible one by one.
 */
export function requestPaint(view: Paintable): void {
  waiting.add(view);
  schedule();
}

function schedule(): void {
  if (!isScheduled) {
    isScheduled = true;
    paintTask.port2.postMessage(undefined);
  }
}

/** Draws waiting views now, as far as the time budget allows, so that replaced content leaves no gap. */
export function paintNow(): void {
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
      requestAnimationFrame(schedule);
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

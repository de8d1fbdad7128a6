/** A view that the painter draws. `paint` returns whether there is more to draw. */
export type Paintable = { paint(mayContinue: () => boolean): boolean };

/** Milliseconds for building text at a time; layout needs as long again, out of a frame's 16 ms. */
const budgetMs = 3;

/**
 * Milliseconds between two drawings of what arrives (gradio-app/gradio#7084, cloudflare/agents#2058): much of what a
 * frame costs is the same however little text is new.
 */
const paceMs = 50;

const waiting = new Set<Paintable>();
const listeners: (() => void)[] = [];
let paintedAt = Number.NEGATIVE_INFINITY;
/**
 * Text is built and laid out in a separate task, so that the next frame only paints it: a single task would take too
 * long on a slow machine.
 */
let task: ReturnType<typeof setTimeout> | undefined;
let awaitsFrame = false;

/** Draws a view in the next task, or when it is time again, together with all changes until then. */
export function requestPaint(view: Paintable): void {
  waiting.add(view);
  task ??= setTimeout(paintNow, paintedAt + paceMs - performance.now());
}

/** Draws waiting views now, as far as the time budget allows, so that replaced content leaves no gap. */
export function paintNow(): void {
  clearTimeout(task);
  task = undefined;
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
    if (waiting.size > 0 && !awaitsFrame) {
      awaitsFrame = true;
      requestAnimationFrame(() => {
        awaitsFrame = false;
        clearTimeout(task);
        task = setTimeout(paintNow);
      });
    }
  }
}

/** Calls `listener` after views were built and before layout. Reading a size in it forces layout. */
export function whenBuilt(listener: () => void): void {
  listeners.push(listener);
}

function build(): void {
  paintedAt = performance.now();
  const mayContinue = () => performance.now() < paintedAt + budgetMs;
  const painted = new Set<Paintable>();
  // Newest first: that is the one being read. The formulas of a text come right after it, in the same frame.
  const next = () => [...waiting].findLast((view) => !painted.has(view));
  for (let view = next(); view !== undefined && mayContinue(); view = next()) {
    painted.add(view);
    waiting.delete(view);
    if (view.paint(mayContinue)) {
      waiting.add(view);
    }
  }
}

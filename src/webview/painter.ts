/** Something that is drawn at most once a frame. Returns whether it has more to draw. */
export type Paintable = { paint(mayGoOn: () => boolean): boolean };

/** Milliseconds of a frame that may go into building text; layout and drawing need the rest of its 16. */
const budgetMs = 5;

const waiting = new Set<Paintable>();
let isScheduled = false;

/** Draws in the next frame. Everything that arrives before it goes into the same drawing. */
export function requestPaint(view: Paintable): void {
  waiting.add(view);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(run);
}

function run(): void {
  isScheduled = false;
  const latest = performance.now() + budgetMs;
  const mayGoOn = () => performance.now() < latest;
  // The newest first: it is the one being read.
  for (const view of [...waiting].reverse()) {
    waiting.delete(view);
    if (view.paint(mayGoOn)) requestPaint(view);
    if (!mayGoOn()) break;
  }
  const [next] = waiting;
  if (next !== undefined) requestPaint(next);
}

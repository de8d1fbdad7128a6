/** Something that is drawn at most once a frame. Returns whether it has more to draw. */
export type Paintable = { paint(mayGoOn: () => boolean): boolean };

/** Milliseconds of a frame that may go into building text; layout and drawing need the rest of its 16. */
const budgetMs = 3;
/** After a frame the page rests for so many times what the frame took: streaming uses a fifth of one core at most. */
const restFactor = 4;
/** Thirty frames a second are as smooth as text can be read; the first one after a pause comes at once. */
const shortestRestMs = 20;
const longestRestMs = 200;

/** To measure a frame is work too: one of so many is. */
const measuredEvery = 4;

const waiting = new Set<Paintable>();
let isScheduled = false;
let frames = 0;
let frameBegan = 0;
/** From the beginning of a frame to the next one. */
let paceMs = shortestRestMs;
let restsUntil = 0;

/** Hears a message right after the frame that sent it was laid out and drawn. */
const afterFrame = new MessageChannel();
afterFrame.port1.onmessage = () => {
  const tookMs = performance.now() - frameBegan;
  paceMs = tookMs + Math.min(longestRestMs, Math.max(shortestRestMs, restFactor * tookMs));
  restsUntil = frameBegan + paceMs;
};

/**
 * Draws in the next frame; everything that arrives before it goes into the same drawing. When drawing is slow, because
 * the machine is or the page has become long, frames are left out.
 */
export function requestPaint(view: Paintable): void {
  waiting.add(view);
  if (isScheduled) return;
  isScheduled = true;
  const restMs = restsUntil - performance.now();
  if (restMs > 0) setTimeout(() => requestAnimationFrame(run), restMs);
  else requestAnimationFrame(run);
}

function run(): void {
  frameBegan = performance.now();
  const mayGoOn = () => performance.now() < frameBegan + budgetMs;
  let hasMore = false;
  isScheduled = false;
  // The newest first: it is the one being read.
  for (const view of [...waiting].reverse()) {
    waiting.delete(view);
    if (view.paint(mayGoOn)) {
      waiting.add(view);
      hasMore = true;
    }
    if (!mayGoOn()) break;
  }
  if (waiting.size === 0) {
    restsUntil = frameBegan + paceMs;
    if (frames++ % measuredEvery === 0) afterFrame.port2.postMessage(undefined);
    return;
  }
  // Text that waits is not streamed but was there at once: it goes on in the next frame.
  restsUntil = hasMore ? 0 : restsUntil;
  const [next] = waiting;
  if (next !== undefined) requestPaint(next);
}

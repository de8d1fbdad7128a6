/** Something that is drawn at most once a frame. Returns whether it has more to draw. */
export type Paintable = { paint(mayGoOn: () => boolean): boolean };

/** Milliseconds that may go into building text, or colours, at a time; layout needs as much again, of a frame's 16. */
const budgetMs = 3;
/** After a drawing the page rests for so many times what it took: streaming uses a fifth of one core at most. */
const restFactor = 4;
/** Thirty drawings a second are as smooth as text can be read; the first one after a pause comes at once. */
const shortestRestMs = 20;
const longestRestMs = 200;

/** Longer than from one piece of fast text to the next. */
const pauseMs = 200;

/** To measure a drawing is work too: one of so many is. */
const measuredEvery = 4;

const waiting = new Set<Paintable>();
/** What is drawn together with what waits. */
const along = new Set<Paintable>();
const listeners: (() => void)[] = [];
let isScheduled = false;
/** Which of the drawings that were planned is still meant. */
let plan = 0;
let drawings = 0;
let lastMeasuredMs = 0;
let began = 0;
/** From the beginning of a drawing to the next one. */
let paceMs = shortestRestMs;
let restsUntil = 0;
let askedAt = Number.NEGATIVE_INFINITY;
let isPausing = false;

/**
 * Text is built and laid out in a task of its own, and the browser's next frame only paints it: together they would be
 * too long a task for a slow machine.
 */
const ownTask = new MessageChannel();
ownTask.port1.onmessage = ({ data }: MessageEvent<number>) => runPlanned(data);

/** Hears a message right after the frame that sent it was drawn. */
const afterFrame = new MessageChannel();
afterFrame.port1.onmessage = ({ data: [builtMs, frameBegan] }: MessageEvent<readonly [number, number]>) => {
  const measuredMs = builtMs + performance.now() - frameBegan;
  // Twice in a row is slow. Once is another program's doing, and to rest for it would make the next drawings large.
  const tookMs = Math.min(measuredMs, lastMeasuredMs);
  lastMeasuredMs = measuredMs;
  paceMs = tookMs + Math.min(longestRestMs, Math.max(shortestRestMs, restFactor * tookMs));
  restsUntil = began + paceMs;
};

/**
 * Draws soon; everything that arrives before that goes into the same drawing. When drawing is slow, because the machine
 * is or the page has become long, frames are left out.
 */
export function requestPaint(view: Paintable): void {
  askedAt = performance.now();
  waiting.add(view);
  schedule();
}

function schedule(): void {
  if (isScheduled) {
    return;
  }
  const planned = newPlan();
  const restMs = restsUntil - performance.now();
  if (restMs > 0) {
    setTimeout(runPlanned, restMs, planned);
  } else {
    ownTask.port2.postMessage(planned);
  }
}

/** Draws what waits into the frame that comes next, as far as there is time: what replaces something shows no gap. */
export function paintNow(): void {
  if (waiting.size > 0) {
    run();
  }
}

/**
 * Draws together with what is drawn next, while there is more to come: a frame costs more than most of what is drawn in
 * it. As soon as nothing came for a while it draws alone.
 */
export function paintAlong(view: Paintable): void {
  along.add(view);
  drawAlong();
}

/** What went along with the last drawing may not have been all, and nothing may come to go along with. */
function drawAlong(): void {
  const leftMs = askedAt + pauseMs - performance.now();
  if (leftMs <= 0) {
    schedule();
  } else if (!isPausing) {
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      if (along.size > 0) {
        drawAlong();
      }
    }, leftMs);
  }
}

/** Calls `listener` when something was built and is not laid out yet; to ask for a size is to have it laid out there. */
export function whenBuilt(listener: () => void): void {
  listeners.push(listener);
}

function newPlan(): number {
  isScheduled = true;
  plan += 1;
  return plan;
}

/** Does nothing when all was drawn meanwhile, or another drawing was planned since. */
function runPlanned(planned: number): void {
  if (planned === plan && isScheduled) {
    run();
  }
}

function run(): void {
  began = performance.now();
  let hasMore = false;
  try {
    hasMore = build();
  } finally {
    // A bug in one text keeps no other from being drawn.
    for (const listener of listeners) {
      listener();
    }
    // What was asked for meanwhile waits like the rest.
    isScheduled = false;
    goOn(hasMore);
  }
}

function goOn(hasMore: boolean): void {
  if (hasMore) {
    // Text that waits is not streamed but was there at once: it goes on right after the next frame.
    restsUntil = 0;
    const planned = newPlan();
    requestAnimationFrame(() => ownTask.port2.postMessage(planned));
  } else if (waiting.size > 0) {
    schedule();
  } else {
    restsUntil = began + paceMs;
    if (drawings++ % measuredEvery === 0) {
      measureFrame(performance.now() - began);
    }
    if (along.size > 0) {
      drawAlong();
    }
  }
}

/** Returns whether there is more to build than goes along with what comes next. */
function build(): boolean {
  const hasMore = buildAll(waiting);
  const isPause = askedAt + pauseMs <= began;
  return (buildAll(along) && isPause) || hasMore;
}

/** Each set has time of its own, and at least one of it is built: however much text comes, its colours follow. */
function buildAll(views: Set<Paintable>): boolean {
  const until = performance.now() + budgetMs;
  const mayGoOn = () => performance.now() < until;
  let hasMore = false;
  // The newest first: it is the one being read.
  for (const view of [...views].reverse()) {
    views.delete(view);
    if (view.paint(mayGoOn)) {
      views.add(view);
      hasMore = true;
    }
    if (!mayGoOn()) {
      break;
    }
  }
  return hasMore;
}

function measureFrame(builtMs: number): void {
  requestAnimationFrame(() => afterFrame.port2.postMessage([builtMs, performance.now()]));
}

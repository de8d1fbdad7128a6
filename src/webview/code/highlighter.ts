import type { Highlighted, HighlightRequest } from './highlight.ts';
import workerSource from './highlightWorker.ts?program';

type Waiting = HighlightRequest & { readonly resolve: (response: Highlighted | undefined) => void };

/** Milliseconds until highlighting is given up; some grammars never finish on some texts. */
const timeoutMs = 3_000;

declare const trustedTypes: {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
};

/** The only script address that the page may create: that of the worker, whose source is part of the page's script. */
let address: string | undefined;
const waiting: Waiting[] = [];
let worker: Worker | undefined;
let current: Waiting | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Highlights code in a worker, one request at a time, in the order of the calls.
 *
 * @returns undefined when it took too long or failed; the code is then shown without colours.
 */
export function colourCode(request: HighlightRequest): Promise<Highlighted | undefined> {
  return new Promise((resolve) => {
    waiting.push({ ...request, resolve });
    sendNext();
  });
}

function sendNext(): void {
  if (current !== undefined) {
    return;
  }
  current = waiting.shift();
  if (current === undefined) {
    return;
  }
  timer = setTimeout(giveUp, timeoutMs);
  const { code, language } = current;
  try {
    worker ??= startWorker();
    worker.postMessage({ code, language } satisfies HighlightRequest);
  } catch {
    // The host does not allow the page to start a worker.
    giveUp();
  }
}

function startWorker(): Worker {
  address ??= trustedTypes
    .createPolicy('highlighter', { createScriptURL: (url) => url })
    .createScriptURL(URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' })));
  const made = new Worker(address);
  made.addEventListener('message', ({ data }: MessageEvent<Highlighted>) => settle(data));
  made.addEventListener('error', giveUp);
  return made;
}

/** Ends a worker that hangs or has failed; the next request starts a new one. */
function giveUp(): void {
  worker?.terminate();
  worker = undefined;
  settle(undefined);
}

function settle(response: Highlighted | undefined): void {
  clearTimeout(timer);
  const settled = current;
  current = undefined;
  settled?.resolve(response);
  sendNext();
}

import type { Highlighted, HighlightRequest } from './highlight.ts';

/** Milliseconds until highlighting is given up; some grammars never finish on some texts. */
const timeoutMs = 3_000;

/** The bundled text of `highlightWorker.ts`, which the build puts here. */
declare const workerSource: string;
declare const trustedTypes: {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
};

/** The only script address that the page may create: that of the worker, whose source is part of the page's script. */
let address: string | undefined;
let worker: Worker | undefined;
let last: Promise<unknown> = Promise.resolve();

/**
 * Highlights code in a worker, one request at a time, in the order of the calls.
 *
 * @returns undefined when it took too long or failed; the code is then shown without colors.
 */
export function colourCode(request: HighlightRequest): Promise<Highlighted | undefined> {
  const response = last.then(() => highlighted(request));
  last = response;
  return response;
}

function highlighted(request: HighlightRequest): Promise<Highlighted | undefined> {
  return new Promise((resolve) => {
    const settle = (response?: Highlighted) => {
      clearTimeout(timer);
      resolve(response);
    };
    /** Ends a worker that hangs or has failed; the next request starts a new one. */
    const giveUp = () => {
      worker?.terminate();
      worker = undefined;
      settle();
    };
    const timer = setTimeout(giveUp, timeoutMs);
    try {
      worker ??= startWorker();
      worker.onmessage = ({ data }: MessageEvent<Highlighted>) => settle(data);
      worker.onerror = giveUp;
      worker.postMessage(request);
    } catch {
      // The host does not allow the page to start a worker.
      giveUp();
    }
  });
}

function startWorker(): Worker {
  address ??= trustedTypes
    .createPolicy('highlighter', { createScriptURL: (url) => url })
    .createScriptURL(URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' })));
  return new Worker(address);
}

const works = new Set<() => void>();

/**
 * Runs `work`, which can not wait for anything, when this process ends: by itself, by an error nobody caught or by a
 * signal. The newest goes first. Returns how to take it back.
 */
export function atEnd(work: () => void): () => void {
  setHooks();
  works.add(work);
  return () => works.delete(work);
}

let farewell: (() => Promise<void>) | undefined;

/** Runs `work` before a signal ends this process, and waits for it up to five seconds. A second signal does not wait. */
export function beforeSignalEnds(work: () => Promise<void>): void {
  setHooks();
  farewell = work;
}

let areHooksSet = false;

function setHooks(): void {
  if (areHooksSet) {
    return;
  }
  areHooksSet = true;
  process.on('exit', () => {
    for (const work of [...works].reverse()) {
      work();
    }
  });
  const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 };
  for (const [signal, code] of Object.entries(signals)) {
    process.on(signal, () => {
      const work = farewell;
      farewell = undefined;
      if (work === undefined) {
        process.exit(code);
      }
      setTimeout(() => process.exit(code), 5_000).unref();
      work().finally(() => process.exit(code));
    });
  }
}

const works = new Set<() => void>();

/**
 * Runs `work`, which must be synchronous, when this process ends: normally, by an uncaught error or by a signal. The
 * work that was added last runs first.
 *
 * @returns a function that removes `work` again.
 */
export function atEnd(work: () => void): () => void {
  setHooks();
  works.add(work);
  return () => works.delete(work);
}

let signalWork: (() => Promise<void>) | undefined;

/** Runs `work` before a signal ends this process, and waits up to five seconds for it. A second signal doesn't wait. */
export function beforeSignalEnds(work: () => Promise<void>): void {
  setHooks();
  signalWork = work;
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
      const work = signalWork;
      signalWork = undefined;
      if (work === undefined) {
        process.exit(code);
      }
      setTimeout(() => process.exit(code), 5_000).unref();
      work().finally(() => process.exit(code));
    });
  }
}

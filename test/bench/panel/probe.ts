import type { BrowserContext, FrameLocator } from 'playwright-core';

/** The times of events in a panel, in milliseconds since its page was loaded; undefined before the event. */
export type PanelMoments = {
  /** The page reported that it is ready. */
  ready?: number;
  /** The snapshot of the conversation was received. */
  snapshot?: number;
  /** The first text of a running reply was received. */
  firstDelta?: number;
  /** That text was drawn, this many frames after it was received. */
  firstText?: number;
  framesToFirstText?: number;
  /** The message that the reply is complete was received. */
  ended?: number;
  /** The end of the conversation was drawn and visible. */
  atEnd?: number;
  /** The whole conversation was drawn. */
  allDrawn?: number;
};

/** Observes every panel that is opened from now on, from inside its page. */
export async function watchPanels(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    type HostMessage = { type?: string; text?: string; turns?: readonly unknown[]; reply?: { state: string } };
    type Api = { postMessage(message: { type?: string }): void };
    let real: (() => Api) | undefined;
    const moments: PanelMoments = {};
    const drawn = new MessageChannel();
    const afterFrame: (() => void)[] = [];
    drawn.port1.onmessage = () => {
      for (const act of afterFrame.splice(0)) {
        act();
      }
    };
    /** Calls `check` after each frame, when layout is already done, until it returns true. */
    const eachFrame = (check: (frame: number) => boolean) => {
      let frame = 0;
      const run = () => {
        frame += 1;
        afterFrame.push(() => {
          if (!check(frame)) {
            requestAnimationFrame(run);
          }
        });
        drawn.port2.postMessage(undefined);
      };
      requestAnimationFrame(run);
    };
    const replies = () => document.querySelectorAll('.reply .markdown');
    const watchOpening = (turns: number) => {
      eachFrame(() => {
        const scroller = document.querySelector('.scroller');
        const last = [...replies()].at(-1);
        const isShown = last?.textContent?.includes('The last words.') === true;
        if (scroller === null || !isShown) {
          return false;
        }
        if (scroller.scrollTop + scroller.clientHeight < scroller.scrollHeight - 4) {
          return false;
        }
        moments.atEnd = performance.now();
        return true;
      });
      eachFrame(() => {
        const all = replies();
        if (all.length < turns || [...all].some((each) => each.firstElementChild === null)) {
          return false;
        }
        moments.allDrawn = performance.now();
        return true;
      });
    };
    const onMessage = ({ data }: MessageEvent<HostMessage>) => {
      if (data.type === 'reply' && data.reply?.state === 'complete') {
        moments.ended = performance.now();
      }
      if (data.type === 'snapshot' && moments.snapshot === undefined) {
        moments.snapshot = performance.now();
        // A new conversation has no end to wait for, and checking would add work to each of its frames.
        if ((data.turns?.length ?? 0) > 1) {
          watchOpening(data.turns?.length ?? 0);
        }
      }
      if (data.type !== 'delta' || data.text === '' || moments.firstDelta !== undefined) {
        return;
      }
      moments.firstDelta = performance.now();
      eachFrame((frame) => {
        const last = [...replies()].at(-1);
        if ((last?.textContent ?? '') === '') {
          return false;
        }
        moments.firstText = performance.now();
        moments.framesToFirstText = frame;
        return true;
      });
    };
    // VS Code sets this function once. Wrap it to observe messages.
    Object.defineProperty(globalThis, 'acquireVsCodeApi', {
      configurable: true,
      get: () =>
        real &&
        (() => {
          const api = (real as () => Api)();
          Object.assign(globalThis, { panelMoments: moments });
          addEventListener('message', onMessage);
          return {
            ...api,
            postMessage: (message: { type?: string }) => {
              if (message.type === 'ready') {
                moments.ready ??= performance.now();
              }
              api.postMessage(message);
            },
          };
        }),
      set: (given: () => Api) => {
        real = given;
      },
    });
  });
}

/** Makes Playwright inject its own script before the measurement, because that is a task of 10 ms. */
export async function prepareToWait(panel: FrameLocator): Promise<void> {
  await panel.locator('body').evaluate(() => undefined);
}

/**
 * Resolves when nothing in the panel has changed for a second, after its reply has ended or its conversation was drawn.
 * The page itself detects this, because polling from outside would be work for the measured thread.
 */
export function whenDone(panel: FrameLocator, moment: 'ended' | 'allDrawn'): Promise<void> {
  return panel.locator('body').evaluate(
    (body, awaited) =>
      new Promise<void>((resolve) => {
        const page = globalThis as unknown as { panelMoments?: PanelMoments };
        let changedAt: number | undefined;
        const timer = setInterval(() => {
          if (page.panelMoments?.[awaited] === undefined) {
            return;
          }
          if (changedAt === undefined) {
            // Observe changes only from here on, because the observer is work for the measured thread.
            changedAt = performance.now();
            new MutationObserver(() => {
              changedAt = performance.now();
            }).observe(body, { childList: true, subtree: true });
          } else if (performance.now() - changedAt >= 1_000) {
            clearInterval(timer);
            resolve();
          }
        }, 500);
      }),
    moment,
  );
}

/** Returns the times that the panel has recorded so far. */
export function momentsOf(panel: FrameLocator): Promise<PanelMoments> {
  return panel
    .locator('body')
    .evaluate(() => (globalThis as unknown as { panelMoments?: PanelMoments }).panelMoments ?? {});
}

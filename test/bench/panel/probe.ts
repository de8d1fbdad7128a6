import type { BrowserContext, FrameLocator } from 'playwright-core';

/** Moments of a panel, milliseconds since its page began; absent until they come. */
export type PanelMoments = {
  /** The panel's page said that it is ready. */
  ready?: number;
  /** Everything there is had come. */
  snapshot?: number;
  /** The first text of a running reply had come. */
  firstDelta?: number;
  /** That text was drawn, and how many frames had begun since it came. */
  firstText?: number;
  framesToFirstText?: number;
  /** The news that the reply is complete had come. */
  ended?: number;
  /** The end of the conversation was drawn and in sight. */
  atEnd?: number;
  /** Nothing was left to draw. */
  allDrawn?: number;
};

/** Watches every panel that is opened from now on, from inside its page. */
export async function watchPanels(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    type Told = { type?: string; text?: string; turns?: readonly unknown[]; reply?: { state: string } };
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
    /** Looks right after each frame, when layout is done anyway, until `look` says that it has seen enough. */
    const eachFrame = (look: (frame: number) => boolean) => {
      let frame = 0;
      const run = () => {
        frame += 1;
        afterFrame.push(() => {
          if (!look(frame)) {
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
    const onMessage = ({ data }: MessageEvent<Told>) => {
      if (data.type === 'reply' && data.reply?.state === 'complete') {
        moments.ended = performance.now();
      }
      if (data.type === 'snapshot' && moments.snapshot === undefined) {
        moments.snapshot = performance.now();
        // A conversation that is only beginning has no end to wait for; looking would be work in each of its frames.
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
    // VS Code puts its side of the panel here, once.
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

/** Lets Playwright put its own program into the page before it is measured: 10 ms, as one task. */
export async function prepareToWait(panel: FrameLocator): Promise<void> {
  await panel.locator('body').evaluate(() => undefined);
}

/**
 * Resolves when nothing in the panel changed for a second, after its reply has ended or its conversation was drawn. It
 * is told by the page: asking again and again would be work of the thread that is measured.
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
            // Watched from here on: to be told of each change before would be work of the thread that is measured.
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

export function momentsOf(panel: FrameLocator): Promise<PanelMoments> {
  return panel
    .locator('body')
    .evaluate(() => (globalThis as unknown as { panelMoments?: PanelMoments }).panelMoments ?? {});
}

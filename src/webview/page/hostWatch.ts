/** Milliseconds between pings while an answer is expected. */
const pingIntervalMs = 3_000;
/** The host is gone when more pings than this stay unanswered; a busy extension host answers late. */
const maxUnanswered = 4;

/**
 * Notices that the extension host is gone. When the extension host restarts, an open panel stays open without a host
 * behind it: without this check it would wait for its reply forever.
 */
export class HostWatch {
  readonly #ask: () => void;
  readonly #onChange: (isGone: boolean) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;

  /** @param ask sends a ping; any message from the host answers it. */
  constructor(ask: () => void, onChange: (isGone: boolean) => void) {
    this.#ask = ask;
    this.#onChange = onChange;
  }

  /** Call this for every message from the host. */
  noteActivity(): void {
    const wasGone = this.#isGone;
    this.#unanswered = 0;
    if (wasGone) {
      this.#onChange(false);
    }
  }

  /** Sets whether an answer from the host is expected. The host is pinged only while one is. */
  expect(isExpecting: boolean): void {
    if (!isExpecting) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      this.#unanswered = 0;
      this.#timer = setInterval(() => this.#tick(), pingIntervalMs);
    }
  }

  get #isGone(): boolean {
    return this.#unanswered > maxUnanswered;
  }

  #tick(): void {
    if (this.#isGone) {
      return;
    }
    this.#unanswered++;
    if (this.#isGone) {
      this.#onChange(true);
    } else {
      this.#ask();
    }
  }
}

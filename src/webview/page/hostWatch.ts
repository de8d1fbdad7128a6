/** How often a sign of life is asked for, while something is awaited. */
const everyMs = 3_000;
/** Questions without an answer after which nobody is there: a busy extension host is late, too. */
const silentTimes = 4;

/**
 * Notices that there is nobody behind the panel any more. When VS Code's extensions end and are started anew, a panel
 * that is open stays as it is, and belongs to nobody: without this it would wait for its reply for ever.
 */
export class HostWatch {
  readonly #ask: () => void;
  readonly #onChange: (isGone: boolean) => void;
  #timer: ReturnType<typeof setInterval> | undefined;
  #unanswered = 0;

  /** @param ask asks the host for any message at all. */
  constructor(ask: () => void, onChange: (isGone: boolean) => void) {
    this.#ask = ask;
    this.#onChange = onChange;
  }

  /** Something came from the host. */
  heard(): void {
    const wasGone = this.#isGone;
    this.#unanswered = 0;
    if (wasGone) {
      this.#onChange(false);
    }
  }

  /** Says whether something is awaited from the host. Only then is it asked. */
  expect(isExpecting: boolean): void {
    if (!isExpecting) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    } else if (this.#timer === undefined) {
      this.#unanswered = 0;
      this.#timer = setInterval(() => this.#tick(), everyMs);
    }
  }

  get #isGone(): boolean {
    return this.#unanswered > silentTimes;
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

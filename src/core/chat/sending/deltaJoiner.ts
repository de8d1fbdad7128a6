import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifetime.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';

/** The panel draws 30 times a second. More frequent messages have a cost and show nothing sooner. */
const pauseMs = 33;
/**
 * When more UTF-16 units than this arrive in a pause, that pause is extended in proportion. This rate is fifty times
 * reading speed: single letters can't be followed, and a message and a frame cost more than the text in them.
 */
const normalLength = 66;
const maxPauseMs = 150;

/**
 * Joins the deltas of each reply into at most 30 a second, and into as few as 7 when the text comes much faster than
 * anyone reads. The first delta after a pause is passed on at once, so that it is on screen in the next frame.
 */
export class DeltaJoiner implements Disposable {
  readonly #clock: Clock;
  readonly #pass: (replyId: string, delta: ReplyDelta) => void;
  /** Text that waits for the end of the pause, by reply id, in the order of arrival. */
  readonly #held = new Map<string, { text: string; reasoning: string }>();
  #pause: Disposable | undefined;

  constructor(clock: Clock, pass: (replyId: string, delta: ReplyDelta) => void) {
    this.#clock = clock;
    this.#pass = pass;
  }

  push(replyId: string, { text, reasoning }: ReplyDelta): void {
    const held = this.#held.get(replyId);
    if (held) {
      held.text += text;
      held.reasoning += reasoning;
    } else if (this.#pause) {
      this.#held.set(replyId, { text, reasoning });
    } else {
      this.#pass(replyId, { text, reasoning });
      this.#wait();
    }
  }

  /** Passes on the held text now, before a message that must come after it. */
  flush(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    this.#passHeld();
  }

  /** Discards the held text, because another message already contains it. */
  drop(): void {
    this.#held.clear();
    this.flush();
  }

  dispose(): void {
    this.drop();
  }

  #wait(): void {
    this.#pause = this.#clock.after(pauseMs, () => {
      const wholeMs = Math.min(maxPauseMs, pauseMs * (this.#heldLength / normalLength));
      if (wholeMs > pauseMs) {
        this.#pause = this.#clock.after(wholeMs - pauseMs, () => this.#endPause());
      } else {
        this.#endPause();
      }
    });
  }

  #endPause(): void {
    this.#pause = undefined;
    if (this.#held.size > 0) {
      this.#passHeld();
      this.#wait();
    }
  }

  get #heldLength(): number {
    return [...this.#held.values()].reduce((length, { text, reasoning }) => length + text.length + reasoning.length, 0);
  }

  #passHeld(): void {
    const held = [...this.#held];
    this.#held.clear();
    for (const [replyId, delta] of held) {
      this.#pass(replyId, delta);
    }
  }
}

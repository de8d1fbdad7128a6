import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/lifetime.ts';
import type { ReplyDelta } from '../../reply/replyContent.ts';

/** The panel draws thirty times a second; what it is told more often costs its messages and shows nothing sooner. */
const pauseMs = 33;
/**
 * So many characters in a pause are fifty times what anybody reads. The pause becomes longer as they become more: a
 * message and a frame cost more than the text in them, and of such text nobody sees the letters come.
 */
const calmLength = 66;
const longestPauseMs = 150;

/**
 * Joins the text of each fast reply to thirty pieces a second, and to as few as seven when it is faster than anybody
 * reads. The first piece after a pause goes out at once, so that the first text is on screen in the frame after it
 * arrived.
 */
export class DeltaJoiner implements Disposable {
  readonly #clock: Clock;
  readonly #pass: (replyId: string, delta: ReplyDelta) => void;
  /** By the id of their reply, in the order of their first pieces. */
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

  /** What is held goes out now: something is about to be said that must come after it. */
  flush(): void {
    this.#pause?.dispose();
    this.#pause = undefined;
    this.#passHeld();
  }

  /** Forgets what is held: it has been said in another way. */
  drop(): void {
    this.#held.clear();
    this.flush();
  }

  dispose(): void {
    this.drop();
  }

  #wait(): void {
    this.#pause = this.#clock.after(pauseMs, () => {
      const wholeMs = Math.min(longestPauseMs, pauseMs * (this.#heldLength / calmLength));
      if (wholeMs > pauseMs) {
        this.#pause = this.#clock.after(wholeMs - pauseMs, () => this.#goOn());
      } else {
        this.#goOn();
      }
    });
  }

  #goOn(): void {
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

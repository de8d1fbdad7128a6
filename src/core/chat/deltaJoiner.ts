import type { Clock } from '../clock.ts';
import type { ReplyDelta } from '../gateway/replyReader.ts';
import type { Disposable } from '../lifetime.ts';

/** The panel draws thirty times a second; what it is told more often costs its messages and shows nothing sooner. */
const pauseMs = 33;

/**
 * Joins the text of a fast reply to thirty pieces a second: a message to a panel costs more than the text in it. The
 * first piece after a pause goes out at once, so that the first text is on screen in the frame after it arrived.
 */
export class DeltaJoiner implements Disposable {
  readonly #clock: Clock;
  readonly #pass: (replyId: string, delta: ReplyDelta) => void;
  #held: { readonly replyId: string; text: string; reasoning: string } | undefined;
  #pause: Disposable | undefined;

  constructor(clock: Clock, pass: (replyId: string, delta: ReplyDelta) => void) {
    this.#clock = clock;
    this.#pass = pass;
  }

  push(replyId: string, { text, reasoning }: ReplyDelta): void {
    if (this.#held?.replyId === replyId) {
      this.#held.text += text;
      this.#held.reasoning += reasoning;
      return;
    }
    this.#passHeld();
    if (this.#pause === undefined) {
      this.#pass(replyId, { text, reasoning });
      this.#wait();
    } else {
      this.#held = { replyId, text, reasoning };
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
    this.#held = undefined;
    this.flush();
  }

  dispose(): void {
    this.drop();
  }

  #wait(): void {
    this.#pause = this.#clock.after(pauseMs, () => {
      this.#pause = undefined;
      if (this.#held) {
        this.#passHeld();
        this.#wait();
      }
    });
  }

  #passHeld(): void {
    const held = this.#held;
    this.#held = undefined;
    if (held) {
      this.#pass(held.replyId, held);
    }
  }
}

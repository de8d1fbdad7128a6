/** Deltas in a row, each beginning with the whole one before it, after which they are held to be cumulative. */
const proof = 3;
/** UTF-16 units that the last of them repeats; `-`, `--`, `----` and their like are ordinary deltas. */
const minRepeated = 16;
/** More is not held back: so much repetition without proof is a pattern. */
const maxHeld = 4_096;

/**
 * Turns deltas that each repeat all of the text so far into what they add (wire Q36). Only looked for at the start of a
 * reply; pieces that could be of this kind are held until they are or are not.
 */
export class CumulativeText {
  #state: 'looking' | 'ordinary' | 'cumulative' = 'looking';
  #shown = '';
  #held: string[] = [];

  /** @returns the text that is new. */
  push(delta: string): string {
    if (this.#state === 'ordinary' || delta === '') {
      return delta;
    }
    const before = this.#held.at(-1) ?? this.#shown;
    if (this.#state === 'cumulative') {
      return this.#show(delta.startsWith(this.#shown) ? delta.slice(this.#shown.length) : delta);
    }
    if (before === '') {
      return this.#show(delta);
    }
    if (delta === before && this.#isNested()) {
      return this.#take();
    }
    if (delta.length <= before.length || !delta.startsWith(before) || before.length > maxHeld) {
      this.#state = 'ordinary';
      return this.#release() + delta;
    }
    this.#held.push(delta);
    if (this.#held.length < proof || !isProof(before)) {
      return '';
    }
    return this.#take();
  }

  /** The reply is over: of deltas that only ever grew the last is all of the text, however short it is. */
  end(): string {
    return this.#isNested() ? this.#take() : this.#release();
  }

  /** Whether what is held is proof where nothing but the same again can follow. */
  #isNested(): boolean {
    return this.#held.length >= proof && this.#held.slice(-2).every((delta) => !isPeriodic(delta));
  }

  /** They are cumulative. */
  #take(): string {
    const text = this.#held.at(-1) ?? '';
    this.#state = 'cumulative';
    this.#held = [];
    return this.#show(text.slice(this.#shown.length));
  }

  /** They are ordinary. */
  #release(): string {
    const held = this.#held.join('');
    this.#held = [];
    return held;
  }

  #show(text: string): string {
    this.#shown += text;
    return text;
  }
}

/** This much is not repeated by chance, unless it is one piece over and over, as in a line or a table's border. */
function isProof(repeated: string): boolean {
  return repeated.length >= minRepeated && !isPeriodic(repeated);
}

/** By the start of it, as whole replies are not worth the time. */
function isPeriodic(whole: string): boolean {
  const text = whole.slice(0, maxHeld);
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) {
      return true;
    }
  }
  return false;
}

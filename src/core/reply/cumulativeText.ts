/** Number of consecutive deltas, each starting with the whole previous one, that prove deltas to be cumulative. */
const minNested = 3;
/** UTF-16 units that the last of them must repeat: `-`, `--`, `----` and similar are ordinary deltas. */
const minRepeated = 16;
/** UTF-16 units; text that repeats longer than this without proof is taken for a pattern and no longer held back. */
const maxHeld = 4_096;
/** UTF-16 units of a whole text of several deltas that a last delta may repeat; a shorter one may be meant twice. */
const minWhole = 8;

/**
 * Converts deltas that repeat text to the text they add (wire Q36). Cumulative deltas repeat all of the text so far;
 * they are detected at the start of a reply only, and deltas that could be cumulative are held back until this is
 * decided. A last delta or message may also repeat the whole text of ordinary deltas.
 */
export class CumulativeText {
  #state: 'undecided' | 'ordinary' | 'cumulative' = 'undecided';
  #shown = '';
  /** Deltas that may be cumulative; in an ordinary text, one that repeats all of it. */
  #held: string[] = [];
  #deltas = 0;

  /** Length of the text that was received, without repetitions; UTF-16 units. */
  get units(): number {
    return this.#shown.length + (this.#state === 'undecided' && this.#held.length > 0 ? this.#held.join('').length : 0);
  }

  /** All text so far, without repetitions. */
  get text(): string {
    return this.#held.at(-1) ?? this.#shown;
  }

  /** @param isMessage it came as `message`, which has the whole text once deltas came. @returns the new text. */
  push(delta: string, isMessage = false): string {
    if (delta === '') {
      return '';
    }
    if (isMessage && this.#deltas > 0) {
      return this.#rest(delta);
    }
    this.#deltas += isMessage ? 0 : 1;
    if (this.#state === 'ordinary') {
      return this.#ordinary(delta);
    }
    const before = this.#held.at(-1) ?? this.#shown;
    if (this.#state === 'cumulative') {
      return this.#show(delta.startsWith(this.#shown) ? delta.slice(this.#shown.length) : delta);
    }
    if (before === '') {
      return this.#show(delta);
    }
    if (delta === before && this.#isNested()) {
      return this.#acceptHeld();
    }
    if (delta.length <= before.length || !delta.startsWith(before) || before.length > maxHeld) {
      return this.#release() + this.#ordinary(delta);
    }
    this.#held.push(delta);
    if (this.#held.length < minNested || !isProof(before)) {
      return '';
    }
    return this.#acceptHeld();
  }

  /** Ends the reply. If all deltas were nested, even short ones, the last one is the whole text. */
  end(): string {
    // What an ordinary text holds at its end is a repetition of it.
    return this.#state === 'ordinary' ? '' : this.#isNested() ? this.#acceptHeld() : this.#release();
  }

  /** Whether the held deltas are proof, provided that no more text or only a repetition follows. */
  #isNested(): boolean {
    return this.#held.length >= minNested && this.#held.slice(-2).every((delta) => !isPeriodic(delta));
  }

  /** Decides that the deltas are cumulative. */
  #acceptHeld(): string {
    const text = this.#held.at(-1) ?? '';
    this.#state = 'cumulative';
    this.#held = [];
    return this.#show(text.slice(this.#shown.length));
  }

  /** Releases the held deltas as ordinary text. */
  #release(): string {
    const held = this.#held.join('');
    this.#held = [];
    this.#state = 'ordinary';
    return this.#show(held);
  }

  #ordinary(delta: string): string {
    if (this.#held.length === 0 && this.#isRepetition(delta)) {
      this.#held = this.#deltas > minNested + 1 && delta.length >= minRepeated ? [] : [delta];
      return '';
    }
    // More text follows a repetition of few deltas or few words, so it was meant.
    return this.#release() + this.#show(delta);
  }

  #isRepetition(delta: string): boolean {
    const whole = this.#shown;
    return (
      // The first two cost nothing; white space at the ends may differ.
      delta.length >= (this.#deltas > 2 ? minWhole : minRepeated) &&
      Math.abs(delta.length - whole.length) < minWhole &&
      delta.trim() === whole.trim() &&
      !isPeriodic(delta)
    );
  }

  /** @returns what a whole message adds to the deltas before it. It may lack the reasoning that they began with. */
  #rest(message: string): string {
    const held = this.end();
    const whole = this.#shown;
    if (whole.trimEnd().endsWith(message.trim())) {
      return held;
    }
    return held + this.#show(message.startsWith(whole) ? message.slice(whole.length) : message);
  }

  #show(text: string): string {
    this.#shown += text;
    return text;
  }
}

/** Long text is not repeated by chance, unless it is periodic, as in a rule or the border of a table. */
function isProof(repeated: string): boolean {
  return repeated.length >= minRepeated && !isPeriodic(repeated);
}

/** Whether the text repeats one sequence. Checks only the first `maxHeld` units, to save time. */
function isPeriodic(whole: string): boolean {
  const text = whole.slice(0, maxHeld);
  for (let period = 1; period <= text.length / 2; period++) {
    if (text.startsWith(text.slice(period))) {
      return true;
    }
  }
  return false;
}

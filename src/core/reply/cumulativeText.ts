/** Number of consecutive deltas, each starting with the whole previous one, that prove deltas to be cumulative. */
const minNested = 3;
/** UTF-16 units that the last of them must repeat: `-`, `--`, `----` and similar are ordinary deltas. */
const minRepeated = 16;
/** UTF-16 units; text that repeats longer than this without proof is taken for a pattern and no longer held back. */
const maxHeld = 4_096;

/**
 * Converts cumulative deltas, which repeat all of the text so far, to the text they add (wire Q36). Detects them at the
 * start of a reply only; deltas that could be cumulative are held back until this is decided.
 */
export class CumulativeText {
  #state: 'undecided' | 'ordinary' | 'cumulative' = 'undecided';
  #shown = '';
  #held: string[] = [];

  /** @returns the new text. */
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
      return this.#acceptHeld();
    }
    if (delta.length <= before.length || !delta.startsWith(before) || before.length > maxHeld) {
      this.#state = 'ordinary';
      return this.#release() + delta;
    }
    this.#held.push(delta);
    if (this.#held.length < minNested || !isProof(before)) {
      return '';
    }
    return this.#acceptHeld();
  }

  /** Ends the reply. If all deltas were nested, even short ones, the last one is the whole text. */
  end(): string {
    return this.#isNested() ? this.#acceptHeld() : this.#release();
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
    return held;
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

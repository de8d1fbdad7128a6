/**
 * Milliseconds until a draft is saved. A page is discarded as soon as its panel is hidden, so a draft is saved at once,
 * except for a text so long that saving it at every key press would be noticeable.
 */
const delayMs = (text: string) => (text.length < 20_000 ? 0 : 200);

/** Saves the text of the question box while the person types, each text once. */
export class DraftSaver {
  readonly #read: () => string | undefined;
  readonly #save: (text: string) => void;
  #saved = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param read returns the text; undefined while it is being sent, when nothing is saved. */
  constructor(read: () => string | undefined, save: (text: string) => void) {
    this.#read = read;
    this.#save = save;
  }

  /** Call this when the box gets a text that the host has. */
  reset(text: string): void {
    clearTimeout(this.#timer);
    this.#saved = text;
  }

  /** Call this at each key press. */
  saveSoon(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.save(), delayMs(this.#read() ?? ''));
  }

  save(): void {
    clearTimeout(this.#timer);
    const text = this.#read();
    if (text !== undefined && text !== this.#saved) {
      this.#saved = text;
      this.#save(text);
    }
  }
}

/** Whether long lines of code are wrapped: one choice for all of the panel, kept with it. */
export class LineWrap {
  readonly #keep: (isOn: boolean) => void;
  #isOn: boolean;

  constructor(isOn: boolean, keep: (isOn: boolean) => void) {
    this.#keep = keep;
    this.#isOn = isOn;
    this.#show();
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  toggle(): void {
    this.#isOn = !this.#isOn;
    this.#show();
    for (const button of document.querySelectorAll('button.wrap')) {
      button.setAttribute('aria-pressed', String(this.#isOn));
    }
    this.#keep(this.#isOn);
  }

  #show(): void {
    document.body.classList.toggle('wrapsCode', this.#isOn);
  }
}

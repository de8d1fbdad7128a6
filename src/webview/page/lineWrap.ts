/** Whether long code lines wrap: one setting for all code blocks, saved with the panel. */
export class LineWrap {
  readonly #save: (isOn: boolean) => void;
  #isOn: boolean;

  constructor(isOn: boolean, save: (isOn: boolean) => void) {
    this.#save = save;
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
    this.#save(this.#isOn);
  }

  #show(): void {
    document.body.classList.toggle('wrapsCode', this.#isOn);
  }
}

type State = 'text' | 'escape' | 'parameters' | 'string';

/** The most columns that one control sequence moves; a hostile number would need as many spaces. */
const maxColumns = 1_000;
const maxParameters = 64;

/**
 * The text that a program wrote to a terminal, without colors, titles and other control sequences (ECMA-48, and those of
 * xterm and of VS Code's shell integration). It can arrive in pieces that end anywhere. What overwrites its own line,
 * such as a progress bar, is as the terminal shows it in the end; what moves to other lines comes in the order it was
 * written. Screens of full-screen programs are left out. Of a long text, only the end is stored, in memory.
 */
export class TerminalText {
  readonly #limit: number;
  /** The lines that are complete; the first may have lost its beginning. */
  #lines = '';
  /** UTF-16 units dropped before `#lines`. */
  #dropped = 0;
  #line = '';
  #column = 0;
  #state: State = 'text';
  #parameters = '';
  #isOtherScreen = false;

  /** @param limit the maximum length of the text, in UTF-16 units. Up to a quarter more is in memory meanwhile. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Adds what was written next. */
  add(piece: string): void {
    const run = /[^\p{Cc}]+/uy;
    for (let at = 0; at < piece.length; ) {
      run.lastIndex = at;
      const text = this.#state === 'text' ? run.exec(piece)?.[0] : undefined;
      if (text === undefined) {
        const character = String.fromCodePoint(piece.codePointAt(at) ?? 0);
        this.#state = this.#next(character);
        at += character.length;
      } else {
        this.#write(text);
        at += text.length;
      }
    }
  }

  /** The text, without blanks at its end, and how many UTF-16 units of its beginning are missing. */
  read(): { readonly text: string; readonly cut: number } {
    const all = (this.#lines + this.#line).trimEnd();
    if (this.#dropped === 0 && all.length <= this.#limit) {
      return { text: all, cut: 0 };
    }
    const text = all.slice(-this.#limit).replace(/^[\udc00-\udfff]/, '');
    return { text, cut: this.#dropped + all.length - text.length };
  }

  #next(character: string): State {
    const state = this.#state;
    if (character === '\x18' || character === '\x1a') {
      return 'text';
    }
    if (character === '\x1b') {
      return 'escape';
    }
    if (state === 'string') {
      return character === '\x07' || character === '\x9c' ? 'text' : state;
    }
    if (state === 'text' || /\p{Cc}/u.test(character)) {
      return this.#control(character);
    }
    if (state === 'escape') {
      return this.#afterEscape(character);
    }
    if (character >= '@' && character <= '~') {
      this.#run(character);
      return 'text';
    }
    this.#parameters = (this.#parameters + character).slice(0, maxParameters);
    return state;
  }

  #afterEscape(character: string): State {
    if (character === '[') {
      this.#parameters = '';
      return 'parameters';
    }
    if (']PX^_'.includes(character)) {
      return 'string';
    }
    if (character > '~') {
      this.#write(character);
    }
    return character <= '/' ? 'escape' : 'text';
  }

  #control(character: string): State {
    switch (character) {
      case '\n':
      case '\v':
      case '\f':
        this.#endLine();
        return this.#state;
      case '\r':
        this.#column = 0;
        return this.#state;
      case '\b':
        this.#column = Math.max(0, this.#column - 1);
        return this.#state;
      case '\t':
        this.#write('\t');
        return this.#state;
      case '\x9b':
        this.#parameters = '';
        return 'parameters';
      case '\x90':
      case '\x98':
      case '\x9d':
      case '\x9e':
      case '\x9f':
        return 'string';
      default:
        return this.#state;
    }
  }

  /** Runs a control sequence. Windows writes runs of spaces, and lines of its own screen, as movements of the cursor. */
  #run(final: string): void {
    const number = Number.parseInt(this.#parameters, 10);
    const columns = Math.min(number || 1, maxColumns);
    switch (final) {
      case 'C':
        this.#column += columns;
        break;
      case 'D':
        this.#column = Math.max(0, this.#column - columns);
        break;
      case 'G':
        this.#column = columns - 1;
        break;
      case 'K':
        this.#eraseInLine(number || 0);
        break;
      case 'B':
      case 'E':
      case 'H':
      case 'd':
      case 'f':
        if (this.#line !== '') {
          this.#endLine();
        }
        break;
      case 'h':
      case 'l':
        if (/^\?(?:47|1047|1049)$/.test(this.#parameters)) {
          this.#isOtherScreen = final === 'h';
        }
        break;
      default:
    }
  }

  #eraseInLine(part: number): void {
    const before = part === 0 ? this.#line.slice(0, this.#column) : '';
    const after = part === 1 ? this.#line.slice(this.#column) : '';
    this.#line = after === '' ? before : after.padStart(this.#column + after.length);
  }

  #write(text: string): void {
    if (this.#isOtherScreen) {
      return;
    }
    const before = this.#line.slice(0, this.#column).padEnd(this.#column);
    this.#line = before + text + this.#line.slice(this.#column + text.length);
    this.#column += text.length;
    if (this.#line.length > this.#limit) {
      this.#keep(this.#line);
    }
  }

  #endLine(): void {
    if (!this.#isOtherScreen) {
      this.#keep(`${this.#line}\n`);
    }
  }

  #keep(text: string): void {
    this.#lines += text;
    this.#line = '';
    this.#column = 0;
    if (this.#lines.length > this.#limit * 1.25) {
      this.#dropped += this.#lines.length - this.#limit;
      this.#lines = this.#lines.slice(-this.#limit);
    }
  }
}

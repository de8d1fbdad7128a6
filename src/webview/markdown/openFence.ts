import type { Block } from './markdownParse.ts';

/** Whether a line ends a fenced code block that starts with `marker`. */
function endsFence(line: string, marker: string): boolean {
  const match = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
  return match !== undefined && match[0] === marker[0] && match.length >= marker.length;
}

const mayEndFence = /^ {0,3}(?:`*|~*)[ \t]*$/;

/**
 * A fenced code block whose end has not arrived. Its lines need no parsing, so a long block is never parsed twice: each
 * new text is returned as code, until a line ends the block.
 */
export class OpenFence {
  readonly #marker: string;
  readonly #indent: number;
  #line = '';
  /** How much of the unfinished line was already returned. */
  #returned = 0;

  /** @param indent columns by which the opening line is indented, 0 to 3; as many are removed from every line. */
  constructor(marker: string, indent: number) {
    this.#marker = marker;
    this.#indent = indent;
  }

  /** Takes more text. Returns the code in it, and the text after the end of the block once the end was found. */
  take(text: string): { readonly code: string; readonly rest?: string } {
    const code: string[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const line = this.#line + text.slice(from, end);
      from = end + 1;
      if (endsFence(line, this.#marker)) {
        return { code: code.join(''), rest: text.slice(from) };
      }
      code.push(this.#unindent(line).slice(this.#returned), '\n');
      this.#line = '';
      this.#returned = 0;
    }
    this.#line += text.slice(from);
    if (this.#indent === 0 && !mayEndFence.test(this.#line)) {
      code.push(this.#line.slice(this.#returned));
      this.#returned = this.#line.length;
    }
    return { code: code.join('') };
  }

  /** Marks the end of the text. Returns the rest of the code, without a last line that is blank, as in markdown-it. */
  end(): string {
    if (/^[ \t]*$/.test(this.#line) || endsFence(this.#line, this.#marker)) {
      return '';
    }
    return this.#unindent(this.#line).slice(this.#returned);
  }

  /** Removes the indentation of the opening line. Tabs count up to multiples of four, as in Markdown. */
  #unindent(line: string): string {
    let column = 0;
    let at = 0;
    while (at < line.length && column < this.#indent) {
      if (line[at] === '\t') {
        column += 4 - (column % 4);
      } else if (line[at] === ' ') {
        column += 1;
      } else {
        break;
      }
      at += 1;
    }
    return ' '.repeat(Math.max(0, column - this.#indent)) + line.slice(at);
  }
}

/** The open fence of `block` in `text`, unless its end has arrived; `lineAt` holds the start of each line. */
export function openFence(block: Block, text: string, lineAt: readonly number[]): OpenFence | undefined {
  if (block.fence === undefined) {
    return undefined;
  }
  const line = (number: number) => text.slice(lineAt[number], (lineAt[number + 1] ?? text.length + 1) - 1);
  if (block.endLine - 1 > block.firstLine && endsFence(line(block.endLine - 1), block.fence)) {
    return undefined;
  }
  return new OpenFence(block.fence, /^ */.exec(line(block.firstLine))?.[0].length ?? 0);
}

import type { Block } from './markdownParse.ts';

/** Whether a line ends a fenced code block that began with `marker`. */
function endsFence(line: string, marker: string): boolean {
  const match = /^ {0,3}(`+|~+)[ \t]*$/.exec(line)?.[1];
  return match !== undefined && match[0] === marker[0] && match.length >= marker.length;
}

const mayEndFence = /^ {0,3}(?:`*|~*)[ \t]*$/;

/**
 * A fenced code block whose end has not come yet. Its lines are code as they are, so a long one is never parsed twice:
 * text goes in, code comes out, until a line ends it.
 */
export class OpenFence {
  readonly #marker: string;
  readonly #indent: number;
  #line = '';
  /** How much of the unfinished line has gone out already. */
  #given = 0;

  /** `indent`: how many columns the opening line was indented, 0 to 3; every line loses as many. */
  constructor(marker: string, indent: number) {
    this.#marker = marker;
    this.#indent = indent;
  }

  /** Takes more text; gives the code in it, and what follows the end of the block once that was found. */
  take(text: string): { readonly code: string; readonly rest?: string } {
    const code: string[] = [];
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const line = this.#line + text.slice(from, end);
      from = end + 1;
      if (endsFence(line, this.#marker)) {
        return { code: code.join(''), rest: text.slice(from) };
      }
      code.push(this.#unindent(line).slice(this.#given), '\n');
      this.#line = '';
      this.#given = 0;
    }
    this.#line += text.slice(from);
    if (this.#indent === 0 && !mayEndFence.test(this.#line)) {
      code.push(this.#line.slice(this.#given));
      this.#given = this.#line.length;
    }
    return { code: code.join('') };
  }

  /** No more text: the rest of the code. A last line of blanks alone is nothing, as it is for markdown-it. */
  end(): string {
    if (/^[ \t]*$/.test(this.#line) || endsFence(this.#line, this.#marker)) {
      return '';
    }
    return this.#unindent(this.#line).slice(this.#given);
  }

  /** Takes away the indentation of the opening line, tabs counted to multiples of four as Markdown does. */
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

/** The code block `block` of `text`, unless its end has come; `lineAt` says where each line of the text starts. */
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

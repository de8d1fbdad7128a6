/** An open fence; in a block of Markdown, fences may be open inside it. */
type Fence = { readonly marker: string; readonly isMarkdown: boolean };

const isMarkdown = (info: string) => /^\s*(?:markdown|mdx?|mkd|mkdown)(?=[\s:{,]|$)/i.test(info);
/** The words in the info string of a fence, the language first. R Markdown has it in braces, with options. */
export function fenceWords(info: string): string[] {
  return info.replace(/^\{\s*\.?([A-Za-z][^\s,}]*)?[^}]*\}?/, '$1').split(/[\s:{,]+/);
}

const mayBeFence = /^ {0,3}(?:`*|~*)[ \t]*$/;

/**
 * A fenced code block whose end has not arrived. Its lines need no parsing, so a long block is never parsed twice: each
 * new text is returned as code, until a line ends the block.
 *
 * Models put Markdown with code blocks of its own into a fence no longer than the ones inside. So in a block of Markdown,
 * a fence with a language opens another block, and so does one without where a block usually begins: see `#opens`.
 */
export class FencedCode {
  readonly #open: Fence[];
  /** The last whole line that was read. */
  #before = '';
  /** A whole line that ends the block or opens one inside, as the text after it decides. */
  #held = '';
  #line = '';
  /** How much of the unfinished line was already returned. */
  #returned = 0;

  constructor(marker: string, info: string) {
    this.#open = [{ marker, isMarkdown: isMarkdown(info) }];
  }

  /** Reads a line. @returns whether it ends the block. @param next what follows in the same quote or list. */
  endsAt(line: string, next: string): boolean {
    const info = this.#fenceIn(line);
    const opens = info !== undefined && (info !== '' || this.#opens(next));
    this.#before = line;
    if (info === undefined) {
      return false;
    }
    if (!opens) {
      this.#open.pop();
    } else if (this.#open.at(-1)?.isMarkdown) {
      this.#open.push({ marker: /[`~]+/.exec(line)?.[0] ?? '', isMarkdown: isMarkdown(info) });
    }
    return this.#open.length === 0;
  }

  /** The info string of a fence that is as long as that of the innermost open block. */
  #fenceIn(line: string): string | undefined {
    const marker = this.#open.at(-1)?.marker ?? '';
    const [, run = '', info] = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)$/s.exec(line) ?? [];
    return run[0] === marker[0] && run.length >= marker.length ? info?.trim() : undefined;
  }

  /**
   * Whether a fence without a language opens a block inside a block of Markdown. The line after it must have text, which
   * the one after the end of a block of Markdown rarely has. Unless a blank line, a heading or a colon is before the
   * fence, that text must also look like code: it is no list item, and does not begin like a sentence.
   */
  #opens(next: string): boolean {
    return (
      this.#open.at(-1)?.isMarkdown === true &&
      /^[ \t]*\S/.test(next) &&
      (/^\s*(?:##.*)?$|[:：][*_\s]*$/.test(this.#before) || !/^[ \t]*[\p{Lu}\p{Lo}\d*>-]/u.test(next))
    );
  }

  /** Takes more text. Returns the code in it, and the text after the end of the block once the end was found. */
  take(more: string): { readonly code: string; readonly rest?: string } {
    const code: string[] = [];
    const text = this.#held + more;
    this.#held = '';
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const line = this.#line + text.slice(from, end);
      const next = text.slice(end + 1);
      from = end + 1;
      this.#line = '';
      if (this.#open.at(-1)?.isMarkdown && this.#fenceIn(line) === '' && /^[ \t]*$/.test(next)) {
        this.#held = `${line}\n${next}`;
        return { code: code.join('') };
      }
      if (this.endsAt(line, next)) {
        return { code: code.join(''), rest: next };
      }
      code.push(line.slice(this.#returned), '\n');
      this.#returned = 0;
    }
    this.#line += text.slice(from);
    if (!mayBeFence.test(this.#line)) {
      code.push(this.#line.slice(this.#returned));
      this.#returned = this.#line.length;
    }
    return { code: code.join('') };
  }

  /** Marks the end of the text. Returns the rest of the code, without a last line that is blank, as in markdown-it. */
  end(): string {
    const [held] = this.#held.split('\n', 1);
    const line = held || this.#line;
    if (/^[ \t]*$/.test(line) || this.endsAt(line, '')) {
      return '';
    }
    return held ? `${held}\n` : line.slice(this.#returned);
  }
}

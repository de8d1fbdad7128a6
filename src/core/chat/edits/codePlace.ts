/** A stretch of a file, as the editor counts: lines and UTF-16 units from 0, the end not included. */
export type CodePlace = {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
};

/** The lines of a text, as the editor cuts them. A text that ends with a line end has an empty last line. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/);
}

/** Blanks and tabs at the start of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Lines as one place: `end` is the last one, and its line end is not part of it. */
export function wholeLines(lines: readonly string[], start: number, end: number): CodePlace {
  return { startLine: start, startCharacter: 0, endLine: end, endCharacter: lines[end]?.length ?? 0 };
}

/**
 * The same place with its indentation, without blanks and line ends after it: where nothing but blanks is left of it
 * in its lines, it is those whole lines.
 */
export function settlePlace(lines: readonly string[], place: CodePlace): CodePlace {
  let { startLine, startCharacter, endLine, endCharacter } = place;
  while (endLine > startLine && (lines[endLine] ?? '').slice(0, endCharacter).trim() === '') {
    endLine -= 1;
    endCharacter = lines[endLine]?.length ?? 0;
  }
  while (startLine < endLine && (lines[startLine] ?? '').slice(startCharacter).trim() === '') {
    startLine += 1;
    startCharacter = 0;
  }
  if ((lines[startLine] ?? '').slice(0, startCharacter).trim() === '') {
    startCharacter = 0;
  }
  if ((lines[endLine] ?? '').slice(endCharacter).trim() === '') {
    endCharacter = lines[endLine]?.length ?? 0;
  }
  return { startLine, startCharacter, endLine, endCharacter };
}

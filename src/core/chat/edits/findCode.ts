import { type CodePlace, linesOf, normalizePlace, wholeLines } from './codePlace.ts';

/**
 * Finds code that was selected in a file which may have changed since: first by its exact text, then line by line
 * without regard to indentation. Prefers the match nearest to the old place, and of two equally near the upper one.
 *
 * @param startLine the first line of the code when it was selected, from 1.
 * @returns the place, as whole lines where nothing else stands in them; undefined when the code is missing or blank.
 */
export function findCode(
  file: string,
  { text, startLine }: { readonly text: string; readonly startLine: number },
): CodePlace | undefined {
  if (text.trim() === '') {
    return undefined;
  }
  const lines = linesOf(file);
  const wanted = linesOf(text);
  const wantedLine = startLine - 1;
  const found =
    nearest(lines, wantedLine, (line) => exactlyAt(lines, wanted, line)) ?? findTrimmed(lines, wanted, wantedLine);
  return found && normalizePlace(lines, found);
}

/** The place nearest to a line. @param placeIn returns a matching place that begins in the given line. */
function nearest(
  lines: readonly string[],
  wantedLine: number,
  placeIn: (line: number) => CodePlace | undefined,
): CodePlace | undefined {
  let found: CodePlace | undefined;
  for (let line = 0; line < lines.length; line++) {
    if (found === undefined || Math.abs(line - wantedLine) < Math.abs(found.startLine - wantedLine)) {
      found = placeIn(line) ?? found;
    }
  }
  return found;
}

/** The place of an exact text that begins anywhere in the line `startLine`. */
function exactlyAt(lines: readonly string[], wanted: readonly string[], startLine: number): CodePlace | undefined {
  const [first = '', ...rest] = wanted;
  const line = lines[startLine] ?? '';
  const last = rest.pop();
  if (last === undefined) {
    const at = line.indexOf(first);
    return at === -1
      ? undefined
      : { startLine, startCharacter: at, endLine: startLine, endCharacter: at + first.length };
  }
  const endLine = startLine + rest.length + 1;
  const isThere =
    line.endsWith(first) &&
    rest.every((each, index) => lines[startLine + 1 + index] === each) &&
    lines[endLine]?.startsWith(last);
  return isThere
    ? { startLine, startCharacter: line.length - first.length, endLine, endCharacter: last.length }
    : undefined;
}

/** Finds the lines of a text without regard to their indentation, and without blank lines around them. */
function findTrimmed(lines: readonly string[], text: readonly string[], wantedLine: number): CodePlace | undefined {
  const own = lines.map((line) => line.trim());
  const trimmed = text.map((line) => line.trim());
  const first = trimmed.findIndex((line) => line !== '');
  const wanted = trimmed.slice(first, trimmed.findLastIndex((line) => line !== '') + 1);
  return nearest(lines, wantedLine + first, (start) =>
    wanted.every((line, index) => own[start + index] === line)
      ? wholeLines(lines, start, start + wanted.length - 1)
      : undefined,
  );
}

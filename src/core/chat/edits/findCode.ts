import { type CodePlace, linesOf, normalizePlace, placesOf, wholeLines } from './codePlace.ts';

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
  const found = nearest(exactPlaces(lines, wanted), wantedLine) ?? findTrimmed(lines, wanted, wantedLine);
  return found && normalizePlace(lines, found);
}

function nearest(places: readonly CodePlace[], wantedLine: number): CodePlace | undefined {
  const distance = ({ startLine }: CodePlace) => Math.abs(startLine - wantedLine);
  let found: CodePlace | undefined;
  for (const place of places) {
    if (found === undefined || distance(place) < distance(found)) {
      found = place;
    }
  }
  return found;
}

/** The places of an exact text, which can begin and end anywhere in a line. */
function exactPlaces(lines: readonly string[], wanted: readonly string[]): CodePlace[] {
  const [first = '', ...rest] = wanted;
  const last = rest.pop();
  if (last === undefined) {
    return lines.flatMap((line, at) => {
      const start = line.indexOf(first);
      return start < 0
        ? []
        : [{ startLine: at, startCharacter: start, endLine: at, endCharacter: start + first.length }];
    });
  }
  const starts = rest.length === 0 ? lines.keys() : placesOf(lines, rest).map((at) => at - 1);
  return [...starts].flatMap((startLine) => {
    const [line, endLine] = [lines[startLine], startLine + rest.length + 1];
    return line?.endsWith(first) && lines[endLine]?.startsWith(last)
      ? [{ startLine, startCharacter: line.length - first.length, endLine, endCharacter: last.length }]
      : [];
  });
}

/** Finds the lines of a text without regard to their indentation, and without blank lines around them. */
function findTrimmed(lines: readonly string[], text: readonly string[], wantedLine: number): CodePlace | undefined {
  const own = lines.map((line) => line.trim());
  const trimmed = text.map((line) => line.trim());
  const first = trimmed.findIndex((line) => line !== '');
  const wanted = trimmed.slice(first, trimmed.findLastIndex((line) => line !== '') + 1);
  const places = placesOf(own, wanted).map((start) => wholeLines(lines, start, start + wanted.length - 1));
  return nearest(places, wantedLine + first);
}

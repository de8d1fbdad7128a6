import { type CodePlace, indentOf, linesOf, normalizePlace, placesOf, wholeLines } from './codeTarget.ts';

/** Lines that end or continue a block at the indentation of its first line. */
const closer = /^(?:[)\]}]|end\b|fi\b|done\b|esac\b|<\/|-->|\*\/|else\b|elif\b|except\b|finally\b|catch\b|rescue\b)/;

/**
 * Finds the place that a model's code replaces, when the question was about `selected` in a file. Usually that is
 * `selected` itself. But models also answer with the whole file or function around it, or with one of several selected
 * functions. Then that file or function is replaced, so that nothing is duplicated and nothing left out is lost.
 */
export function locateCode(file: string, selected: CodePlace, code: string): CodePlace {
  const lines = linesOf(file);
  const block = linesOf(code).filter((line) => line.trim() !== '');
  const [first] = block;
  if (first === undefined || selected.startCharacter > 0 || isInMidLine(lines, selected)) {
    return selected;
  }
  const { startLine, endLine } = selected;
  if (isWholeFile(lines, selected, block)) {
    return wholeLines(lines, 0, lastLine(lines));
  }
  const start = startOf(lines, first, startLine, endLine);
  if (start === undefined || start < startLine) {
    const top = topOfRepeated(lines, startLine, block);
    const below = lines.findIndex((line, at) => at > endLine && line.trim() !== '');
    if (top !== undefined && isFrame(lines, top, below, block)) {
      return wholeLines(lines, top, below);
    }
    if (start !== undefined && endOfItem(lines, start) >= endLine) {
      return wholeLines(lines, start, endOfItem(lines, start));
    }
    return top === undefined ? selected : locateCode(file, wholeLines(lines, top, endLine), code);
  }
  const end = endOfItems(lines, start, block);
  if (end > endLine && lines[end]?.trim() === block.at(-1)?.trim()) {
    // The code begins in the selection and ends below it.
    return wholeLines(lines, start, end);
  }
  const isWithin = end <= endLine && end - start < endLine - startLine;
  const isPart = start > startLine || 2 * block.length < filled(lines.slice(startLine, endLine + 1));
  return isWithin && isPart ? wholeLines(lines, start, end) : selected;
}

/**
 * Finds what code replaces in a file that it was written for, of which nothing was selected: the file if the code has
 * most of what is at its outermost level, otherwise the functions or the like that begin as the code does.
 *
 * @returns undefined when it isn't certain.
 */
export function locateInFile(file: string, code: string): CodePlace | undefined {
  const lines = linesOf(file);
  const block = linesOf(code).filter((line) => line.trim() !== '');
  const whole = wholeLines(lines, 0, lines.length - 1);
  const nothing = { startLine: 0, startCharacter: 0, endLine: 0, endCharacter: 0 };
  const begins = lines.filter((line) => /^\w.*\w/.test(line) && !closer.test(line));
  const beginnings = new Set(block.map(beginningOf));
  const inBlock = begins.filter((line) => beginnings.has(beginningOf(line)));
  if (
    filled(lines) === 0 ||
    (begins.length > 0 && inBlock.length >= 0.6 * begins.length) ||
    isWholeFile(lines, nothing, block)
  ) {
    return whole;
  }
  const [first = ''] = block;
  const starts = [...lines.keys()].filter((line) => beginningOf(lines[line] ?? '') === beginningOf(first));
  const [start] = starts;
  return start === undefined || starts.length > 1 || !/\w{2}/.test(first)
    ? undefined
    : wholeLines(lines, start, endOfItems(lines, start, block));
}

/** A line up to its first bracket or sign: what stays when a signature or a value changes. */
function beginningOf(line: string): string {
  return /^[^(={:<]*[(={:<]?/.exec(line.trim())?.[0] ?? '';
}

function isInMidLine(lines: readonly string[], { endLine, endCharacter }: CodePlace): boolean {
  return endCharacter < (lines[endLine]?.length ?? 0);
}

function isWholeFile(lines: readonly string[], { startLine, endLine }: CodePlace, block: readonly string[]): boolean {
  const first = lines.findIndex((line) => line.trim() !== '');
  const last = lastLine(lines);
  return (
    (startLine > first || endLine < last) &&
    block.length > filled(lines.slice(startLine, endLine + 1)) &&
    2 * block.length > filled(lines) &&
    lines[first]?.trim() === block[0]?.trim() &&
    lines[last]?.trim() === block.at(-1)?.trim()
  );
}

/** The line equal to `wanted` except for its indentation: first in the selection, then upwards from it. */
function startOf(lines: readonly string[], wanted: string, start: number, end: number): number | undefined {
  const all = [...lines.keys()];
  const others = /\w{2}/.test(wanted) ? [...all.slice(start + 1, end + 1), ...all.slice(0, start).reverse()] : [];
  return [start, ...others].find((line) => lines[line]?.trim() === wanted.trim());
}

/** The first of the lines right above what was selected with which a block begins, such as a comment or a decorator (can1357/oh-my-pi#1090). */
function topOfRepeated(lines: readonly string[], startLine: number, block: readonly string[]): number | undefined {
  const above = [...lines.keys()].filter((at) => at < startLine && lines[at]?.trim() !== '');
  const nearest = lines[above.at(-1) ?? -1]?.trim();
  const rows = above.slice(above.length - 1 - block.findIndex((line) => line.trim() === nearest));
  const isRepeated = rows.every((row, at) => lines[row]?.trim() === block[at]?.trim());
  return isRepeated && rows.some((row) => /\w/.test(lines[row] ?? '')) ? rows[0] : undefined;
}

/**
 * Whether a block repeats the lines right above and below what was selected, such as `<script>` and `</script>`
 * (can1357/oh-my-pi#1664): its first and last line are theirs, indented alike.
 */
function isFrame(lines: readonly string[], above: number, below: number, block: readonly string[]): boolean {
  const [top = '', bottom = '', first = '', last = ''] = [lines[above], lines[below], block[0], block.at(-1)];
  const depth = (line: string, outer: string) => indentOf(line).length - indentOf(outer).length;
  return block.length > 2 && bottom.trim() === last.trim() && depth(bottom, top) === depth(last, first);
}

/** Last line of the last item that the file, from `start` on, has in common with the block at its outermost level. */
function endOfItems(lines: readonly string[], start: number, block: readonly string[]): number {
  const margin = indentOf(block[0] ?? '').length;
  const items = block.filter((line) => indentOf(line).length <= margin && !closer.test(line.trim()));
  const indent = indentOf(lines[start] ?? '');
  const below = [...lines.keys()].filter((line) => line > start && indentOf(lines[line] ?? '') === indent);
  /** The lines with this indentation by their texts, from the last one on. */
  const places = Map.groupBy(below.reverse(), (line) => lines[line]?.trim() ?? '');
  let end = endOfItem(lines, start);
  for (const item of items.slice(1)) {
    const same = places.get(item.trim()) ?? [];
    while ((same.at(-1) ?? end + 1) <= end) {
      same.pop();
    }
    const next = same.at(-1);
    end = next === undefined ? end : endOfItem(lines, next);
  }
  return end;
}

/** Last line of the item that begins at `start`: all lines indented deeper, and the line that closes it. */
export function endOfItem(lines: readonly string[], start: number): number {
  const margin = indentOf(lines[start] ?? '').length;
  let end = start;
  for (let line = start + 1; line < lines.length; line++) {
    const text = lines[line] ?? '';
    if (text.trim() === '') {
      continue;
    }
    const depth = indentOf(text).length;
    if (depth < margin || (depth === margin && !closer.test(text.trim()))) {
      break;
    }
    end = line;
  }
  return end;
}

function lastLine(lines: readonly string[]): number {
  return Math.max(
    0,
    lines.findLastIndex((line) => line.trim() !== ''),
  );
}

function filled(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== '').length;
}

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
  return places.toSorted((a, b) => distance(a) - distance(b))[0];
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

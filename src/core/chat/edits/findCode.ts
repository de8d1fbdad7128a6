import { type CodePlace, linesOf, settlePlace, wholeLines } from './codePlace.ts';

/**
 * Finds code again that was selected in a file which may have changed since: by its exact text first, then line by line
 * whatever the indentation. Of several places the one nearest to the old one is taken, of two equally near the upper.
 *
 * @param startLine first line it had, from 1.
 * @returns its whole lines where nothing else stands in them; undefined when it is not there, or nothing but blanks.
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
  const found = findExactly(lines, wanted.join('\n'), startLine - 1) ?? findTrimmed(lines, wanted, startLine - 1);
  return found && settlePlace(lines, found);
}

function findExactly(lines: readonly string[], wanted: string, oldLine: number): CodePlace | undefined {
  const whole = lines.join('\n');
  const parts = wanted.split('\n');
  const lastLength = parts.at(-1)?.length ?? 0;
  let line = 0;
  let lineStart = 0;
  let nearest: CodePlace | undefined;
  for (let at = whole.indexOf(wanted); at !== -1; at = whole.indexOf(wanted, at + 1)) {
    while (line + 1 < lines.length && lineStart + (lines[line]?.length ?? 0) < at) {
      lineStart += (lines[line]?.length ?? 0) + 1;
      line += 1;
    }
    if (nearest && Math.abs(nearest.startLine - oldLine) <= Math.abs(line - oldLine)) {
      if (line > oldLine) {
        break;
      }
      continue;
    }
    const startCharacter = at - lineStart;
    nearest = {
      startLine: line,
      startCharacter,
      endLine: line + parts.length - 1,
      endCharacter: parts.length === 1 ? startCharacter + lastLength : lastLength,
    };
  }
  return nearest;
}

function findTrimmed(lines: readonly string[], text: readonly string[], oldLine: number): CodePlace | undefined {
  const trimmed = text.map((line) => line.trim());
  const first = trimmed.findIndex((line) => line !== '');
  const wanted = trimmed.slice(first, trimmed.findLastIndex((line) => line !== '') + 1);
  const held = lines.map((line) => line.trim());
  let nearest: number | undefined;
  for (let start = 0; start + wanted.length <= held.length; start++) {
    if (nearest !== undefined && Math.abs(nearest - first - oldLine) <= Math.abs(start - first - oldLine)) {
      continue;
    }
    if (wanted.every((line, index) => held[start + index] === line)) {
      nearest = start;
    }
  }
  return nearest === undefined ? undefined : wholeLines(lines, nearest, nearest + wanted.length - 1);
}

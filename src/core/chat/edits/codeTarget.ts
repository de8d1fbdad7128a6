import { type CodeContext, isCode } from '../context/prompt.ts';
import type { Turn } from '../conversation/conversation.ts';

/** The part of a context that identifies the lines of a file. */
export type SelectedCode = Pick<CodeContext, 'path' | 'languageId' | 'startLine' | 'endLine' | 'text'> &
  Partial<Pick<CodeContext, 'kind' | 'name' | 'cell' | 'isOld'>>;

/** The code of a question that is in the file which an answer names, by the whole path or by the end of it. */
export function codeTargets<Code extends SelectedCode>(contexts: readonly Code[], named: string): readonly Code[] {
  return contexts.filter(({ path }) => path === named || path.endsWith(`/${named}`) || named.endsWith(`/${path}`));
}

/**
 * The code a question is about: its own, or that of the last question before it that has any. Problems don't count,
 * because an answer can't replace them.
 */
export function contextsFor(turns: readonly Turn[], turnId: string): readonly CodeContext[] {
  const upToTurn = turns.slice(0, turns.findIndex(({ id }) => id === turnId) + 1);
  return upToTurn.map(({ contexts }) => contexts.filter(isCode)).findLast((code) => code.length > 0) ?? [];
}

/**
 * Finds a code block in the text of its answer.
 *
 * @param code the block as it is shown, which may lag behind the answer.
 * @param block its index among the code blocks of the answer, to tell it from others with the same code.
 * @returns the line before the block, below the heading above it; undefined unless the block is complete. An incomplete
 * one must not be put into a file.
 */
export function lineBefore(answer: string, code: string, block: number): string | undefined {
  const wanted = linesOf(code.trimEnd()).map(bare);
  const lines = linesOf(answer).map(bare);
  /** For each line, the first one from it on that isn't blank. */
  const filled: (string | undefined)[] = [];
  for (let at = lines.length - 1; at >= 0; at--) {
    filled[at] = lines[at] === '' ? filled[at + 1] : lines[at];
  }
  const found = placesOf(lines, wanted).filter((at) => /^(?:`{3,}|~{3,})$/.test(filled[at + wanted.length] ?? ''));
  let fences = 0;
  const fencesBefore = lines.map((line) => (/^(?:`{3,}|~{3,})/.test(line) ? fences++ : fences));
  const start = found.find((each) => fencesBefore[each] === 2 * block + 1) ?? found[0];
  if (start === undefined) {
    return undefined;
  }
  // The line right before the code is its opening fence.
  const before = lines.slice(0, Math.max(0, start - 1));
  const fence = before.findLastIndex((line) => /^(?:`{3,}|~{3,})/.test(line));
  const own = before.slice(Math.max(0, fence)).filter(Boolean);
  const heading = own.slice(0, -1).findLast((line) => /^#+\s/.test(line));
  return [...(heading === undefined ? [] : [heading]), own.at(-1) ?? ''].join('\n');
}

/** A line without the prefix that lists and quotes add. */
function bare(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}

/** A range in a file, counted as VS Code does: lines and UTF-16 units from 0, end exclusive. */
export type CodePlace = {
  readonly startLine: number;
  readonly startCharacter: number;
  readonly endLine: number;
  readonly endCharacter: number;
};

const lineBreak = /\r\n|\r|\n/;

/** The lines of a text, split as VS Code does. A text that ends with a line break has an empty last line. */
export function linesOf(text: string): string[] {
  return text.split(lineBreak);
}

/** The line break that a text uses first. */
export function lineBreakOf(text: string): string {
  return lineBreak.exec(text)?.[0] ?? '\n';
}

/** The spaces and tabs at the start of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** Where `wanted` begins in `lines`. Takes linear time (Knuth, Morris and Pratt), also with equal lines. */
export function placesOf(lines: readonly string[], wanted: readonly string[]): number[] {
  /** For each line of `wanted`, how many lines before it are also the first ones. */
  const repeated = [0];
  for (let at = 1, length = 0; at < wanted.length; at++) {
    while (length > 0 && wanted[at] !== wanted[length]) {
      length = repeated[length - 1] ?? 0;
    }
    length += wanted[at] === wanted[length] ? 1 : 0;
    repeated.push(length);
  }
  const found: number[] = [];
  for (let at = 0, length = 0; at < lines.length; at++) {
    while (length > 0 && (length === wanted.length || lines[at] !== wanted[length])) {
      length = repeated[length - 1] ?? 0;
    }
    length += lines[at] === wanted[length] ? 1 : 0;
    if (length === wanted.length) {
      found.push(at - length + 1);
    }
  }
  return found;
}

/** The place of whole lines from `start` to `end`, both included, without the last line break. */
export function wholeLines(lines: readonly string[], start: number, end: number): CodePlace {
  return { startLine: start, startCharacter: 0, endLine: end, endCharacter: lines[end]?.length ?? 0 };
}

/** The place with the line break after it or, at the end of the file, the one before it. */
export function withLineBreak(lines: readonly string[], place: CodePlace): CodePlace {
  if (place.endLine + 1 < lines.length) {
    return { ...place, endLine: place.endLine + 1, endCharacter: 0 };
  }
  const startLine = place.startLine - 1;
  return startLine < 0 ? place : { ...place, startLine, startCharacter: lines[startLine]?.length ?? 0 };
}

/**
 * Removes blank lines from both ends of a place, and extends it to whole lines where only spaces and tabs stand beside
 * it.
 */
export function normalizePlace(lines: readonly string[], place: CodePlace): CodePlace {
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

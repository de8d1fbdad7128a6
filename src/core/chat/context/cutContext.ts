import { estimateTokens } from '../../base/estimateTokens.ts';
import { type CodeContext, isOfFile, userMessage } from './prompt.ts';

/** Lines of a context, one-based as in its file, both included. */
export type Lines = Pick<CodeContext, 'startLine' | 'endLine'>;

/** Fewer lines are of no use, so that the context is left out instead. */
const fewestLines = 10;

/** The estimated tokens of a context in a message, with its heading and its fence. */
export function contextTokens(context: CodeContext): number {
  return estimateTokens(userMessage('', [context]));
}

/** Only these lines of a context, which says then that it is a part. */
export function cutTo(context: CodeContext, lines: Lines): CodeContext {
  return partOf(context, linesOf(context), lines);
}

function partOf(context: CodeContext, all: readonly string[], { startLine, endLine }: Lines): CodeContext {
  const text = all.slice(startLine - context.startLine, endLine - context.startLine + 1).join('');
  return { ...context, startLine, endLine, text, whole: { startLine: context.startLine, endLine: context.endLine } };
}

/**
 * The lines of a context that are worth sending if all of it would have too many tokens: those around other lines, or
 * the first ones. They begin and end between declarations or paragraphs if that costs few lines.
 *
 * @param around lines of the same file that the question also includes.
 * @returns undefined if too few lines would remain, or for context that isn't lines of a file.
 */
export function fittingLines(context: CodeContext, maxTokens: number, around?: Lines): Lines | undefined {
  if (!isOfFile(context) && context.kind !== 'pasted') {
    return undefined;
  }
  const lines = linesOf(context);
  const first = around ? around.startLine - context.startLine : 0;
  const last = around ? around.endLine - context.startLine : 0;
  /** So many lines, with those in the middle that they are around. */
  const range = (count: number) => {
    const start = Math.min(Math.max(0, Math.floor((first + last + 1 - count) / 2)), lines.length - count);
    return [start, start + count] as const;
  };
  const linesFrom = (start: number, end: number): Lines => ({
    startLine: context.startLine + start,
    endLine: context.startLine + end - 1,
  });
  let [fitting, tooMany] = [0, lines.length];
  while (tooMany - fitting > 1) {
    const count = Math.floor((fitting + tooMany) / 2);
    if (contextTokens(partOf(context, lines, linesFrom(...range(count)))) <= maxTokens) {
      fitting = count;
    } else {
      tooMany = count;
    }
  }
  if (fitting < fewestLines) {
    return undefined;
  }
  const [start, end] = range(fitting);
  const most = Math.floor(fitting / 4);
  const from = start === 0 ? 0 : bestBorder(lines, start, Math.min(start + most, Math.max(start, first)));
  return linesFrom(from, bestBorder(lines, end, Math.max(end - most, Math.min(end, last + 1))));
}

/** The place nearest to `near` where a text is best cut, up to `far`: before the line with the number that is returned. */
function bestBorder(lines: readonly string[], near: number, far: number): number {
  let best = near;
  for (let at = near; at !== far + Math.sign(far - near || 1); at += Math.sign(far - near || 1)) {
    best = borderRank(lines, at) > borderRank(lines, best) ? at : best;
  }
  return best;
}

/** How well a text can be cut before a line: best between a blank line and one without indentation. */
function borderRank(lines: readonly string[], at: number): number {
  const [before = '', after = ''] = [lines[at - 1], lines[at]];
  const isAfterBlank = before.trim() === '';
  const isTopLevel = /^[^\s)\]}]/.test(after);
  return (isAfterBlank ? 2 : 0) + (isTopLevel ? 1 : 0);
}

/** The lines of a context, each with its line break. */
function linesOf({ text }: CodeContext): string[] {
  return text.split(/(?<=\n)/);
}

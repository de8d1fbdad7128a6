import { estimateTokens } from '../../base/estimateTokens.ts';
import { type CodeContext, isOfFile, userMessage } from './prompt.ts';

/** Lines of a context, one-based as in its file, both included. */
export type Lines = Pick<CodeContext, 'startLine' | 'endLine'>;

/** Fewer lines are of no use, so that the context is left out instead. */
const fewestLines = 10;

/**
 * The estimated tokens of a context in a message, with its heading and its fence: the one count that its row, its chip and
 * the list of what to leave out show. Without its language, which is unknown before a file is opened.
 */
export function contextTokens(context: CodeContext): number {
  return estimateTokens(userMessage('', [{ ...context, languageId: '' }]));
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
 * the first ones.
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
  return linesFrom(...range(fitting));
}

/** The lines of a context, each with its line break. */
function linesOf({ text }: CodeContext): string[] {
  return text.split(/(?<=\n)/);
}

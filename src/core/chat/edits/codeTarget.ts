import { type CodeContext, isCode } from '../context/prompt.ts';
import type { Turn } from '../conversation/conversation.ts';
import { linesOf } from './codePlace.ts';

/** The part of a context that identifies the lines of a file. */
export type SelectedCode = Pick<CodeContext, 'path' | 'languageId' | 'startLine' | 'endLine' | 'text'> &
  Partial<Pick<CodeContext, 'kind' | 'name' | 'cell'>>;

/**
 * The code of a question that a code block of its answer may replace: the contexts of the file that the fence names, if
 * there are any, otherwise all. If there are several, the person has to choose.
 *
 * @param fence info string of the code block, such as `ts src/cart/discount.ts`.
 */
export function codeTargets<Code extends SelectedCode>(contexts: readonly Code[], fence: string): readonly Code[] {
  const named = contexts.filter(({ path }) =>
    fence
      .split(/[\s:{},="']+/)
      .slice(1)
      .some((word) => word !== '' && (path === word || path.endsWith(`/${word}`) || word.endsWith(`/${path}`))),
  );
  return named.length > 0 ? named : contexts;
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
 * Whether a code block is complete in the text of its answer so far. An incomplete block must not be put into a file.
 *
 * @param code the block as it is shown, which may lag behind the answer.
 */
export function hasWholeBlock(answer: string, code: string): boolean {
  const wanted = linesOf(code.trimEnd()).map(bare);
  const lines = linesOf(answer).map(bare);
  return lines.some((_, start) => {
    let after = start + wanted.length;
    while (lines[after] === '') {
      after += 1;
    }
    return isFence(lines[after]) && wanted.every((line, index) => lines[start + index] === line);
  });
}

const isFence = (line: string | undefined) => line !== undefined && /^(?:`{3,}|~{3,})$/.test(line);

/** A line without the prefix that lists and quotes add. */
function bare(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}

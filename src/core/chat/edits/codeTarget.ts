import { type CodeContext, isCode } from '../context/prompt.ts';
import type { Turn } from '../conversation/conversation.ts';
import { linesOf } from './codePlace.ts';

/** The part of a context that says which lines of which file it was. */
export type SelectedCode = Pick<CodeContext, 'path' | 'languageId' | 'startLine' | 'endLine' | 'text'> &
  Partial<Pick<CodeContext, 'kind' | 'name'>>;

/**
 * Which code of a question a block of its answer may stand for: those of the file the fence names, if it names
 * one of them, else all. With more than one the person has to say which.
 *
 * @param fence what stands behind the back-ticks, such as `ts src/cart/discount.ts`.
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
 * The code a question was about: its own, or that of the last question before it that had any. Problems are no code: an
 * answer takes nobody's place there.
 */
export function contextsFor(turns: readonly Turn[], turnId: string): readonly CodeContext[] {
  const asked = turns.slice(0, turns.findIndex(({ id }) => id === turnId) + 1);
  return asked.map(({ contexts }) => contexts.filter(isCode)).findLast((code) => code.length > 0) ?? [];
}

/**
 * Whether all of a block has come, by the text of its answer so far. Half a block is not put into a file.
 *
 * @param code the block as it is shown, which may be a moment behind.
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

/** A line without what lists and quotes put before it. */
function bare(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}

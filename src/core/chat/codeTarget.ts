import type { CodeContext } from './prompt.ts';

/** The part of a context that says which lines of which file it was. */
export type SelectedCode = Pick<CodeContext, 'path' | 'languageId' | 'startLine' | 'endLine' | 'text'>;

/**
 * Which of a question's selections a block of its answer may stand for: those of the file the fence names, if it names
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
 * Whether all of a block has come, by the text of its answer so far. Half a block is not put into a file.
 *
 * @param code the block as it is shown, which may be a moment behind.
 */
export function hasWholeBlock(answer: string, code: string): boolean {
  const last = code
    .split('\n')
    .findLast((line) => line.trim() !== '')
    ?.trim();
  if (last === undefined) {
    return false;
  }
  const after = answer.slice(answer.lastIndexOf(last) + last.length);
  return answer.includes(last) && /^[^\n]*(?:\n[\s>]*)*\n[\s>]*(?:`{3,}|~{3,})/.test(after);
}

import { type CodeContext, isCode } from '../context/prompt.ts';
import type { Turn } from '../conversation/conversation.ts';
import { linesOf } from './codePlace.ts';

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
 * @returns the line before the block; undefined unless the block is complete. An incomplete one must not be put into a
 * file.
 */
export function lineBefore(answer: string, code: string, block: number): string | undefined {
  const wanted = linesOf(code.trimEnd()).map(bare);
  const lines = linesOf(answer).map(bare);
  const found = lines.flatMap((_, start) => {
    let after = start + wanted.length;
    while (lines[after] === '') {
      after += 1;
    }
    return isFence(lines[after]) && wanted.every((line, index) => lines[start + index] === line) ? [start] : [];
  });
  const fencesBefore = (start: number) => lines.slice(0, start).filter((line) => /^(?:`{3,}|~{3,})/.test(line)).length;
  const start = found.find((each) => fencesBefore(each) === 2 * block + 1) ?? found[0];
  // The line right before the code is its opening fence.
  return start === undefined ? undefined : (lines.slice(0, Math.max(0, start - 1)).findLast(Boolean) ?? '');
}

const isFence = (line: string | undefined) => line !== undefined && /^(?:`{3,}|~{3,})$/.test(line);

/** A line without the prefix that lists and quotes add. */
function bare(line: string): string {
  return line.replace(/^[\s>]+/, '').trimEnd();
}

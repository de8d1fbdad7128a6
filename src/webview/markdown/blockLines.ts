import type { Block } from './markdownParse.ts';

/** Where each line starts, and the end of the text. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    starts.push(at + 1);
  }
  return starts;
}

/**
 * Whether a block may go on although another one follows it: the title of a definition in a quote goes on over lines
 * that look like blocks of their own until it ends. It can not go over an empty line.
 */
export function mayGoOn({ isContainer, firstLine, endLine }: Block, text: string, lineAt: readonly number[]): boolean {
  const end = lineAt[endLine] ?? text.length;
  return isContainer && text.slice(lineAt[firstLine], end).includes(']:') && !/\n[ \t]*\n/.test(text.slice(end - 1));
}

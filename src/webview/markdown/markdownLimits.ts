import { wholeCharacters } from '../page/wholeCharacters.ts';
import { type Block, lineStarts } from './markdownParse.ts';

/**
 * Limits of one block, in UTF-16 units and in lines. A longer block ends there and the rest becomes the next block,
 * because a block is parsed again with every piece of it that arrives.
 */
const maxBlockLength = 32_000;
const maxBlockLines = 600;

/** Whether unfinished text is too long to be parsed as one block. */
export function isTooLong(text: string): boolean {
  return text.length > maxBlockLength || lineStarts(text).length > maxBlockLines + 1;
}

/**
 * The offset at which a block that is too long ends: before the last of its items, rows or lines that fits. A line that
 * does not fit is cut.
 *
 * @param parse returns the first block of a text.
 */
export function longBlockEnd(text: string, parse: (text: string) => Block | undefined): number {
  const lineAt = lineStarts(text.slice(0, maxBlockLength)).slice(0, maxBlockLines + 1);
  const end = lineAt.at(-1) || wholeCharacters(text.slice(0, maxBlockLength));
  const block = parse(text.slice(0, end));
  return lineAt[block?.partLines?.at(-1) ?? 0] || end;
}

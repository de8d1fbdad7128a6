import type { MarkdownIt, StateBlock } from 'markdown-it';
import { wholeCharacters } from '../page/wholeCharacters.ts';

/**
 * How deep quotes and lists may stand in each other. Deeper ones have no room left in any panel; what is in them is
 * shown as it was written.
 */
const deepest = 24;

/**
 * A paragraph longer than this, or with more marks in it than this, is shown as it was written. The longest a person
 * would read is a tenth of it, and the time it takes to pair emphasis and brackets grows faster than their number.
 */
const longestParagraph = 16_000;
const mostMarks = 2_000;

/**
 * The longest block that is read as one. What comes after that is read as the start of the next block, because a block
 * is read anew with every piece of it that arrives.
 */
const longestBlock = 32_000;
const mostLines = 600;

const pieceLength = 4_000;

/** Makes `parser` keep to the limits of depth and paragraphs. */
export function limitWork(parser: MarkdownIt): void {
  parser.set({ maxNesting: deepest });
  const { block } = parser;
  const tokenize = block.tokenize.bind(block);
  block.tokenize = (state, startLine, endLine) => {
    // Beyond its limit markdown-it itself would leave the rest out.
    if (state.level < deepest) {
      tokenize(state, startLine, endLine);
    } else {
      showAsWritten(state, startLine, endLine);
    }
  };
  parser.core.ruler.at('inline', (state) => {
    for (const token of state.tokens) {
      if (token.type !== 'inline') {
        continue;
      }
      if (isTooMuch(token.content)) {
        token.type = 'text';
      } else {
        parser.inline.parse(token.content, parser, state.env, token.children ?? []);
      }
    }
  });
}

/** Puts the lines that belong to the block `state` is in into paragraphs, without reading what they say. */
function showAsWritten(state: StateBlock, startLine: number, endLine: number): void {
  let line = startLine;
  while (line < endLine && (state.isEmpty(line) || (state.sCount[line] ?? 0) >= state.blkIndent)) {
    line += 1;
  }
  const text = state.getLines(startLine, line, state.blkIndent, false).trim();
  state.line = line;
  for (const piece of piecesToShow(text)) {
    state.push('paragraph_open', 'p', 1).map = [startLine, line];
    const words = state.push('text', '', 0);
    words.content = piece;
    words.map = [startLine, line];
    state.push('paragraph_close', 'p', -1);
  }
}

/** Whether a paragraph is shown as it was written. */
export function isTooMuch(text: string): boolean {
  if (text.length <= mostMarks) {
    return false;
  }
  if (text.length > longestParagraph) {
    return true;
  }
  let marks = 0;
  for (const _ of text.matchAll(/[^\p{L}\p{N}\s.,;]/gu)) {
    marks += 1;
    if (marks > mostMarks) {
      return true;
    }
  }
  return false;
}

/** How much of `text`, which starts with a block, may be looked at while that block has no end: all of it, or less. */
export function blockWindow(text: string): number {
  let end = 0;
  for (let lines = 0; lines < mostLines; lines++) {
    const next = text.indexOf('\n', end) + 1;
    if (next > 0 && next <= longestBlock) {
      end = next;
    } else {
      return text.length > longestBlock ? wholeCharacters(text.slice(0, longestBlock)) : text.length;
    }
  }
  return end;
}

/** Whether `text`, which was cut by `blockWindow`, is as long as that allows. */
export function fillsWindow(text: string): boolean {
  if (text.length >= longestBlock - 1) {
    return true;
  }
  let lines = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lines += 1;
  }
  return lines >= mostLines;
}

/** A long text without a break in pieces that are a paragraph each, because a paragraph is laid out anew while it grows. */
export function piecesToShow(text: string): string[] {
  const pieces: string[] = [];
  let left = text;
  while (left.length > pieceLength) {
    const end = wholeCharacters(left.slice(0, pieceLength));
    pieces.push(left.slice(0, end));
    left = left.slice(end);
  }
  return left === '' ? pieces : [...pieces, left];
}

import type { CodeContext } from '../../core/chat/context/prompt.ts';

/** `src/cart.ts, lines 3–9`: what goes along, in a line of words. */
export function contextLine({ path, startLine, endLine }: CodeContext): string {
  return `${path}, ${startLine === endLine ? `line ${startLine}` : `lines ${startLine}–${endLine}`}`;
}

import * as l10n from '@vscode/l10n';
import type { CodeContext } from '../../core/chat/context/prompt.ts';

/** Describes a context in one line: `src/cart.ts, lines 3–9`. */
export function contextLine({ path, startLine, endLine }: CodeContext): string {
  return startLine === endLine
    ? l10n.t('{0}, line {1}', path, startLine)
    : l10n.t('{0}, lines {1}–{2}', path, startLine, endLine);
}

/** The lines of pieces of code, such as “lines 3–9, 20”. */
export function linesText(pieces: readonly Pick<CodeContext, 'startLine' | 'endLine'>[]): string {
  const lines = pieces.map(({ startLine, endLine }) => (startLine === endLine ? startLine : `${startLine}–${endLine}`));
  const isOneLine = pieces.length === 1 && pieces[0]?.startLine === pieces[0]?.endLine;
  return isOneLine ? l10n.t('line {0}', lines.join(', ')) : l10n.t('lines {0}', lines.join(', '));
}

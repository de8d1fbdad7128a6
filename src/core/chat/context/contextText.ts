import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../base/localization.ts';
import type { CodeContext } from './prompt.ts';

/** Context in words, for a person. */

/** A short name for a context: of its file or folder, or of the command. */
export function contextName({ path, name }: CodeContext): string {
  return path.split('/').at(-1) || name || l10n.t('Context');
}

/** Describes a context in one line: `src/cart.ts, lines 3–9`. */
export function contextLine(context: CodeContext): string {
  const path = context.path || contextName(context);
  return l10n.t({ message: '{0}, {1}', args: [path, linesText([context])], comment: ['A file, and lines of it'] });
}

/** The lines of a piece of code, such as `3–9`. */
export function rangeText({ startLine, endLine }: Pick<CodeContext, 'startLine' | 'endLine'>): string {
  return startLine === endLine ? String(startLine) : `${startLine}–${endLine}`;
}

/** The lines of pieces of code, such as “lines 3–9, 20”. */
export function linesText(pieces: readonly Pick<CodeContext, 'startLine' | 'endLine'>[]): string {
  const lines = pieces.map(rangeText);
  const isOneLine = pieces.length === 1 && pieces[0]?.startLine === pieces[0]?.endLine;
  return isOneLine ? l10n.t('line {0}', lines.join(', ')) : l10n.t('lines {0}', lines.join(', '));
}

/** A number of files, for people. */
export function filesText(count: number): string {
  return plural(count, l10n.t('1 file'), l10n.t('{0} files'));
}

/** How a command of a terminal ended, and how much of its output is missing, for a person: “exit code 1”. */
export function commandState({ exitCode, isRunning, cut = 0, text }: CodeContext): string {
  const state = isRunning
    ? l10n.t('still running')
    : exitCode === undefined
      ? l10n.t('exit code unknown')
      : l10n.t('exit code {0}', exitCode);
  if (text === '') {
    return `${state} · ${l10n.t('no output')}`;
  }
  return cut === 0 ? state : `${state} · ${l10n.t('without the first {0} characters', numberText(cut))}`;
}

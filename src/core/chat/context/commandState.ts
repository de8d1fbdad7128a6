import * as l10n from '@vscode/l10n';
import { numberText } from '../../base/localization.ts';
import type { CodeContext } from './prompt.ts';

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

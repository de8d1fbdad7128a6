import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../base/localization.ts';

/** A number of files, for people. */
export function filesText(count: number): string {
  return plural(count, l10n.t('1 file'), l10n.t('{0} files', numberText(count)));
}

import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../../base/localization.ts';

/** A number of models, such as “12 models”. */
export function modelCount(count: number): string {
  return plural(count, l10n.t('{0} model', numberText(count)), l10n.t('{0} models', numberText(count)));
}

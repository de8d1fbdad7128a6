import * as l10n from '@vscode/l10n';
import { numberText, plural } from '../base/localization.ts';

/** A duration in seconds below two minutes, otherwise in minutes; at least one second. */
export function durationText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  return seconds < 120
    ? plural(seconds, l10n.t('1 second'), l10n.t('{0} seconds', numberText(seconds)))
    : l10n.t('{0} minutes', numberText(Math.round(seconds / 60)));
}

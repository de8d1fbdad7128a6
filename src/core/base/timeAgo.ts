import * as l10n from '@vscode/l10n';
import { ageText, dateText } from './localization.ts';

/** “just now”, “5 minutes ago”, “3 hours ago”, “2 days ago”; the date after more than 30 days. */
export function timeAgo(at: number, now: number): string {
  const minutes = Math.floor((now - at) / 60_000);
  if (minutes < 1) {
    return l10n.t('just now');
  }
  if (minutes < 60) {
    return ageText(minutes, 'minute');
  }
  const hours = Math.floor(minutes / 60);
  if (hours < 24) {
    return ageText(hours, 'hour');
  }
  const days = Math.floor(hours / 24);
  return days <= 30 ? ageText(days, 'day') : dateText(at, { dateStyle: 'medium' });
}

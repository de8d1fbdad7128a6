import * as l10n from '@vscode/l10n';
import { dayStart } from '../../base/dayStart.ts';
import { dateText } from '../../base/localization.ts';
import type { UsagePeriod } from './usageDocument.ts';

/** A part of a period that has a bar of its own in the chart. */
type Bucket = {
  /** Unix milliseconds of its beginning. */
  readonly from: number;
  /** What stands below its bar; empty where it would leave too little room for others. */
  readonly label: string;
  readonly name: string;
};

/** A span of time up to the end of today; in Unix milliseconds. */
export type Span = { readonly from: number; readonly to: number; readonly buckets: readonly Bucket[] };

/** How far apart the labels of hours and of many days are. */
const [hoursApart, daysApart] = [6, 7];

export function spanOf(period: UsagePeriod, now: number): Span {
  const to = dayStart(now, 1);
  if (period === 'today') {
    const from = dayStart(now);
    const date = new Date(from);
    const buckets = Array.from({ length: 24 }, (_, hour) => {
      const at = new Date(date.getFullYear(), date.getMonth(), date.getDate(), hour).getTime();
      const name = dateText(at, { timeStyle: 'short' });
      return { from: at, name, label: hour % hoursApart === 0 ? name : '' };
    });
    return { from, to, buckets };
  }
  const days = { week: 7, days30: 30, month: new Date(now).getDate() }[period];
  const buckets = Array.from({ length: days }, (_, index) => {
    const before = days - 1 - index;
    const at = dayStart(now, -before);
    return { from: at, name: dateText(at, { dateStyle: 'medium' }), label: dayLabel(at, before, days) };
  });
  return { from: dayStart(now, 1 - days), to, buckets };
}

function dayLabel(at: number, before: number, days: number): string {
  if (before === 0) {
    return l10n.t('Today');
  }
  if (days <= daysApart) {
    return dateText(at, { weekday: 'short' });
  }
  return before % daysApart === 0 ? dateText(at, { month: 'short', day: 'numeric' }) : '';
}

/** The name of a period on its button. */
export function periodName(period: UsagePeriod): string {
  switch (period) {
    case 'today':
      return l10n.t('Today');
    case 'week':
      return l10n.t('7 Days');
    case 'days30':
      return l10n.t('30 Days');
    case 'month':
      return l10n.t('Month');
    default:
      return period satisfies never;
  }
}

/** The period in a line of text. */
export function periodText(period: UsagePeriod): string {
  switch (period) {
    case 'today':
      return l10n.t('today');
    case 'week':
      return l10n.t('7 days');
    case 'days30':
      return l10n.t('30 days');
    case 'month':
      return l10n.t('this month');
    default:
      return period satisfies never;
  }
}

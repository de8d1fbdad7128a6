/**
 * Midnight of the local day that is `days` after the day of `now`; both in Unix milliseconds. Computed from the calendar,
 * because not every day has 24 hours.
 */
export function dayStart(now: number, days = 0): number {
  const date = new Date(now);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime();
}

import * as l10n from '@vscode/l10n';
import { dateText, numberText } from '../../core/base/localization.ts';
import { setText } from './dom.ts';

const timers = new Map<Element, ReturnType<typeof setInterval>>();

/** Updates a line of text once a second, until `stopClock` is called or the line is removed from the page. */
export function runClock(line: Element, text: () => string): void {
  stopClock(line);
  const tick = () => (line.isConnected ? setText(line, text()) : stopClock(line));
  timers.set(line, setInterval(tick, 1_000));
  setText(line, text());
}

export function stopClock(line: Element): void {
  clearInterval(timers.get(line));
  timers.delete(line);
}

/** A duration such as "6 s" or "2 min 5 s". */
export function elapsedText(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1_000));
  return all < 60
    ? l10n.t('{0} s', numberText(all))
    : l10n.t('{0} min {1} s', numberText(Math.floor(all / 60)), numberText(all % 60));
}

/** Says when one can send again: in how long, or at which time when that is an hour or more away. */
export function untilText(until: number, now: number): string {
  const left = until - now;
  if (left < 3_600_000) {
    // Rounded up, so that the time is never too early.
    return l10n.t('You can send again in {0}.', elapsedText(Math.ceil(left / 1_000) * 1_000));
  }
  const [day, today] = [new Date(until), new Date(now)];
  const time = dateText(until, { timeStyle: 'short' });
  return day.getDate() === today.getDate()
    ? l10n.t('You can send again at {0}.', time)
    : l10n.t('You can send again tomorrow at {0}.', time);
}

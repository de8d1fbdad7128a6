import { setText } from './dom.ts';

const lines = new Map<Element, () => string>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Keeps a line of text current, once a second, until `stopClock`. */
export function runClock(line: Element, text: () => string): void {
  lines.set(line, text);
  timer ??= setInterval(tick, 1_000);
  setText(line, text());
}

export function stopClock(line: Element): void {
  lines.delete(line);
  if (lines.size > 0) {
    return;
  }
  clearInterval(timer);
  timer = undefined;
}

function tick(): void {
  for (const [line, text] of lines) {
    if (line.isConnected) {
      setText(line, text());
    } else {
      stopClock(line);
    }
  }
}

/** "6 s" or "2 min 5 s". */
export function seconds(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1_000));
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

/** `in 12 s`, and for an hour or more the time of day: `at 14:05`. Never less than there is. */
export function untilText(until: number, now: number): string {
  const left = until - now;
  if (left < 3_600_000) {
    return `in ${seconds(Math.ceil(left / 1_000) * 1_000)}`;
  }
  const [day, today] = [new Date(until), new Date(now)];
  const time = day.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return day.getDate() === today.getDate() ? `at ${time}` : `tomorrow at ${time}`;
}

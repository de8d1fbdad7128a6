import { setText } from './dom.ts';

const lines = new Map<Element, () => string>();
let timer: ReturnType<typeof setInterval> | undefined;

/** Keeps a line of text current, once a second, until `stopClock`. */
export function runClock(line: Element, text: () => string): void {
  lines.set(line, text);
  setText(line, text());
  timer ??= setInterval(tick, 1_000);
}

export function stopClock(line: Element): void {
  lines.delete(line);
  if (lines.size > 0) return;
  clearInterval(timer);
  timer = undefined;
}

function tick(): void {
  for (const [line, text] of lines) {
    if (line.isConnected) setText(line, text());
    else stopClock(line);
  }
}

/** "6 s" or "2 min 5 s". */
export function seconds(ms: number): string {
  const all = Math.max(0, Math.round(ms / 1_000));
  return all < 60 ? `${all} s` : `${Math.floor(all / 60)} min ${all % 60} s`;
}

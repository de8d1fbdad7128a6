/** The first line of a text that is not blank. If there is more than that, or than `limit` UTF-16 units, it ends in “…”. */
export function shortLine(text: string, limit = 60): string {
  const whole = text.trim();
  const line = whole.replace(/[\r\n].*$/s, '').slice(0, limit);
  return line === whole ? line : `${line.replace(/[\ud800-\udbff]$/, '').trimEnd()}…`;
}

/** A text without what is beyond `limit` UTF-16 units, and “…” in its place. */
export function shortened(text: string, limit: number): string {
  return text.length > limit ? `${text.slice(0, limit).replace(/[\ud800-\udbff]$/, '')}…` : text;
}

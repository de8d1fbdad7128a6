/** An element, or as much of it as is needed here. */
type Marked = { readonly classList: { toggle(name: string, force: boolean): unknown } };

/**
 * Lets the browser skip the parts before `end` while they are out of sight; to be called whenever a part was added or
 * removed. The full parts from there on should cover two and a half times the height of the page: Chromium finds out that
 * a part which may be skipped is nearer than that only after it has left it out, and lays all of it out anew in the same
 * frame. Parts that are lower than usual may do so; there is less in them to be laid out.
 */
export function markSkippable(parts: ArrayLike<Marked>, end: number): void {
  for (let index = Math.max(0, end - 1); index < parts.length; index++) {
    parts[index]?.classList.toggle('skippable', index < end);
  }
}

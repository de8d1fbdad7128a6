/** The part of an element that is needed here. */
type Marked = { readonly classList: { toggle(name: string, force: boolean): unknown } };

/**
 * Lets the browser skip layout of the parts before `end` while they are off screen. Call this whenever a part was added
 * or removed. The parts from `end` on should cover two and a half times the height of the page when they are full:
 * Chromium first skips a skippable part, then notices that it is nearer than that, and lays all of it out again in the
 * same frame. This matters less for parts of less height: they need less layout.
 */
export function markSkippable(parts: ArrayLike<Marked>, end: number): void {
  for (let index = Math.max(0, end - 1); index < parts.length; index++) {
    parts[index]?.classList.toggle('skippable', index < end);
  }
}

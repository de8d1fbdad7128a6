/**
 * Lets the browser skip the parts before `end` while they are out of sight; to be called whenever a part was added or
 * removed. The parts from there on should cover two and a half times the height of the page: Chromium looks at parts that
 * may be skipped and are nearer than that only after it has left them out, and lays them out anew in the same frame.
 */
export function markSkippable(parts: ArrayLike<Element>, end: number): void {
  for (let index = Math.max(0, end - 1); index < parts.length; index++) {
    parts[index]?.classList.toggle('skippable', index < end);
  }
}

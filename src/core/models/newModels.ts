import type { ModelList } from './model.ts';

/**
 * Which models a list has that the list read before had not. Without a list before nothing is new, or else everything
 * would be.
 *
 * @param still ids that count as new although the list before had them.
 */
export function newModels(list: ModelList, before: ModelList | undefined, still: ReadonlySet<string>): Set<string> {
  if (before === undefined) {
    return new Set();
  }
  const known = new Set(before.models.map(({ id }) => id));
  return new Set(list.models.flatMap(({ id }) => (known.has(id) && !still.has(id) ? [] : [id])));
}

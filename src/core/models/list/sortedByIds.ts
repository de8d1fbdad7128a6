import { byId, orderedId } from './idOrder.ts';

/** Sorted as ids are; see `orderedId`. */
export function sortedByIds<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, ...orderedId(idOf(item)) }))
    .sort(byId)
    .map(({ item }) => item);
}

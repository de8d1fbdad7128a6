/**
 * Sorts items by id, in the same order on every machine. Numbers compare by value, so that `gpt-9` comes before
 * `gpt-10`. Case and leading zeros decide only between otherwise equal ids.
 */
export function sortedByIds<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, id: idOf(item), key: sortKey(idOf(item)) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0))
    .map(({ item }) => item);
}

/** Made once per item and not for each comparison, because a list can have 20,000 items. */
function sortKey(id: string): string {
  return id.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return lengthMark(number.length) + number;
  });
}

/**
 * A prefix for a number: it sorts longer numbers after shorter ones. It consists of digits, so that a number keeps its
 * place among other characters.
 */
function lengthMark(length: number): string {
  return '9'.repeat(Math.floor(length / 9)) + String(length % 9);
}

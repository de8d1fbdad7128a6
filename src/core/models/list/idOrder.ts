/** An id with what it is sorted by, made once an item and not once a comparison: a list can have 20,000. */
export type OrderedId = { readonly id: string; readonly key: string };

/** Numbers count as numbers, so that `gpt-9` stands before `gpt-10`; letters without case. */
export function orderedId(id: string): OrderedId {
  const key = id.toLowerCase().replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+(?=\d)/, '');
    return lengthMark(number.length) + number;
  });
  return { id, key };
}

/** By key, then exactly: the same order on every machine. */
export function byId(a: OrderedId, b: OrderedId): number {
  return a.key < b.key ? -1 : a.key > b.key ? 1 : a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}

/** Digits that sort a longer number behind a shorter one, and all numbers where digits stand among other characters. */
function lengthMark(length: number): string {
  return '9'.repeat(Math.floor(length / 9)) + String(length % 9);
}

/** What the kinds of matches cost, the best first. Letters that are far from each other cost more. */
const costs = { nameStart: 0, wordStart: 1e5, name: 2e5, path: 3e5, lettersOfName: 4e5, lettersOfPath: 5e5 } as const;

/**
 * Finds things by some letters of their names or of their paths, which have forward slashes. The best come first: whole
 * words before scattered letters, file names before folders, short before long. It takes linear time for any name and
 * query, which the library uFuzzy does not.
 */
export function bestMatches<T>(
  items: readonly T[],
  pathOf: (item: T) => string,
  query: string,
  limit: number,
): readonly T[] {
  const wanted = lowered(query.trim()).replaceAll('\\', '/');
  if (wanted === '') {
    return items.slice(0, limit);
  }
  const found = items.flatMap((item) => {
    const path = lowered(pathOf(item));
    const cost = costOf(path, wanted);
    return cost === undefined ? [] : [{ item, path, cost }];
  });
  found.sort((a, b) => a.cost - b.cost || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
  return found.slice(0, limit).map(({ item }) => item);
}

/** For comparison without regard to case and to the composition of letters. */
function lowered(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Lower is better; undefined when the letters are not all in the path, in this order. */
function costOf(path: string, wanted: string): number | undefined {
  const nameAt = path.lastIndexOf('/') + 1;
  const inName = path.indexOf(wanted, nameAt);
  if (inName >= 0) {
    const isWordStart = /[^\p{L}\p{N}]/u.test(path[inName - 1] ?? '/');
    return inName === nameAt ? costs.nameStart : isWordStart ? costs.wordStart : costs.name;
  }
  if (path.includes(wanted)) {
    return costs.path;
  }
  const nameSpan = spanOf(path, wanted, nameAt);
  const pathSpan = spanOf(path, wanted, 0);
  return nameSpan === undefined ? pathSpan && costs.lettersOfPath + pathSpan : costs.lettersOfName + nameSpan;
}

/** The length of the first part of the path that has all letters in order; undefined when there is none. */
function spanOf(path: string, wanted: string, from: number): number | undefined {
  let start = path.length;
  let end = from;
  for (const letter of wanted) {
    const at = path.indexOf(letter, end);
    if (at < 0) {
      return undefined;
    }
    start = Math.min(start, at);
    end = at + letter.length;
  }
  return end - start;
}

import type { Steps } from '../../base/runInSlices.ts';

/**
 * Finds names by some of their letters, in linear time for any name and query. The library uFuzzy, with as much between
 * two letters, takes seconds for a single name such as `abababab…`, and fuzzysort holds 25 MB for 50,000 paths.
 */

/** What the kinds of matches cost, the best first. Letters that are far from each other cost more. */
const costs = {
  nameStart: 0,
  wordStart: 100_000,
  name: 200_000,
  path: 300_000,
  lettersOfName: 400_000,
  lettersOfPath: 500_000,
} as const;
type Found = { readonly index: number; readonly cost: number };

/** Finds files by their paths, which are relative and have forward slashes. */
export class FileSearch {
  readonly #paths: readonly string[];
  readonly #lowered: readonly string[];

  constructor(paths: readonly string[], loweredPaths = paths.map(lowered)) {
    this.#paths = paths;
    this.#lowered = loweredPaths;
  }

  /** Prepares the search of many files in steps. */
  static *inSteps(paths: readonly string[]): Steps<FileSearch> {
    const loweredPaths: string[] = [];
    for (const path of paths) {
      loweredPaths.push(lowered(path));
      yield;
    }
    return new FileSearch(paths, loweredPaths);
  }

  /**
   * Returns the indexes of the paths that match, best first: whole words before scattered letters, file names before
   * folders, short before long.
   */
  find(query: string, limit: number): readonly number[] {
    const wanted = lowered(query.trim()).replaceAll('\\', '/');
    if (wanted === '') {
      return this.#paths.slice(0, limit).map((_, index) => index);
    }
    // Sorting all matches of a single letter would take longer than finding them.
    const best: Found[] = [];
    for (const [index, path] of this.#lowered.entries()) {
      const cost = costOf(path, wanted);
      const found = cost === undefined ? undefined : { index, cost };
      const last = best.at(limit - 1);
      if (found !== undefined && (last === undefined || this.#compare(found, last) < 0)) {
        const at = best.findIndex((each) => this.#compare(found, each) < 0);
        best.splice(at < 0 ? best.length : at, 0, found);
        best.length = Math.min(best.length, limit);
      }
    }
    return best.map(({ index }) => index);
  }

  #compare(one: Found, other: Found): number {
    const [a = '', b = ''] = [this.#paths[one.index], this.#paths[other.index]];
    return one.cost - other.cost || a.length - b.length || (a < b ? -1 : 1);
  }
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
    return inName === nameAt ? costs.nameStart : isWordStart(path, inName) ? costs.wordStart : costs.name;
  }
  if (path.includes(wanted)) {
    return costs.path;
  }
  const nameSpan = spanOf(path, wanted, nameAt);
  if (nameSpan !== undefined) {
    return costs.lettersOfName + nameSpan;
  }
  const pathSpan = spanOf(path, wanted, 0);
  return pathSpan && costs.lettersOfPath + pathSpan;
}

function isWordStart(path: string, at: number): boolean {
  return /[^\p{L}\p{N}]/u.test(path[at - 1] ?? '/');
}

/** The length of a short part of the path with all letters in order; undefined when there is none. */
function spanOf(path: string, wanted: string, from: number): number | undefined {
  let end = from;
  for (const letter of wanted) {
    const at = path.indexOf(letter, end);
    if (at < 0) {
      return undefined;
    }
    end = at + letter.length;
  }
  // The last letters found first may be far from the others: from the end backwards, each is as close as possible.
  let start = end;
  for (const letter of [...wanted].reverse()) {
    start = path.lastIndexOf(letter, start - letter.length);
  }
  return end - start;
}

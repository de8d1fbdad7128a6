/**
 * Translations as the package and the panel have them. In `l10n/`, each is under its English text, which the code has as
 * well. The build replaces these texts with short hashes, which makes the package 16 KB smaller.
 */
export type Translations = {
  /** Where the hash starts: a number with which no two keys get the same hash. */
  readonly seed: number;
  /** The hashes of the keys, joined. */
  readonly hashes: string;
  /** The translations, in the order of the hashes. */
  readonly texts: readonly string[];
};

const hashLength = 4;

/** The end of a key's FNV-1a hash over UTF-16 code units, to the base 36. */
function hashOf(key: string, seed: number): string {
  let hash = seed;
  for (let at = 0; at < key.length; at++) {
    hash = Math.imul(hash ^ key.charCodeAt(at), 0x0100_0193);
  }
  return (hash >>> 0).toString(36).padStart(hashLength, '0').slice(-hashLength);
}

/** Makes translations of a bundle in `l10n/`: texts by their keys, which are English texts and comments. */
export function translationsOf(bundle: Readonly<Record<string, string>>): Translations {
  // Deflate finds more repetitions in texts that begin alike when they are neighbours.
  const sorted = Object.entries(bundle).sort(([, one], [, other]) => (one < other ? -1 : 1));
  for (let seed = 1; ; seed++) {
    const hashes = sorted.map(([key]) => hashOf(key, seed));
    if (new Set(hashes).size === hashes.length) {
      return { seed, hashes: hashes.join(''), texts: sorted.map(([, text]) => text) };
    }
  }
}

/** An object with the translation of each key, as `@vscode/l10n` reads it. */
export function textsByKey({ seed, hashes, texts }: Translations): Record<string, string> {
  const byHash = new Map(texts.map((text, at) => [hashes.slice(at * hashLength, (at + 1) * hashLength), text]));
  return new Proxy({}, { get: (_, key) => byHash.get(hashOf(String(key), seed)) });
}

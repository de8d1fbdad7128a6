/** The part of a diff that is about one file. */
export type DiffFile = {
  /** The path after the change, or before it for a deleted file. */
  readonly path: string;
  /** As git printed it. */
  readonly text: string;
};

/** Splits a diff of git into its files. No line of a file looks like the line that a file begins with. */
export function diffFiles(diff: string): readonly DiffFile[] {
  const starts = [...diff.matchAll(/(?<=^|\n)diff --\w+ (.*)/g)];
  return starts.map(({ index, 1: names = '' }, at) => {
    const text = diff.slice(at === 0 ? 0 : index, starts[at + 1]?.index);
    return { path: pathOf(names.trimEnd(), text), text };
  });
}

function pathOf(names: string, text: string): string {
  const [, renamed] = /\nrename to (.*)/.exec(text) ?? [];
  // Both names are the same but for a rename, and a merge has one. A path with special characters is in quotes.
  const [, , same] = /^("?)a\/(.+)\1 \1b\/\2\1$/.exec(names) ?? [];
  return renamed ?? same ?? names;
}

/** Files that programs write, by their names: what package managers resolved, minified files and source maps. */
const derived =
  /(?:^|\/)(?:[^/]*[.-]lock(?:\.json|\.ya?ml|\.hcl|b|file)?|npm-shrinkwrap\.json|go\.(?:work\.)?sum|(?:package|cartfile)\.resolved|pylock\.toml|\.pnp\.c?js|[^/]*\.min\.(?:m?js|css)|[^/]*\.(?:js|css|d\.ts)\.map)$/i;

/** Whether a file is one that programs write and nobody reads, by its name. */
export function isDerived(path: string): boolean {
  return derived.test(path);
}

/** The lines that a file's part of a diff adds and removes, without their signs, with their numbers in the new file. */
function changedLines({ text }: DiffFile): readonly { readonly line: number; readonly text: string }[] {
  const changed: { line: number; text: string }[] = [];
  let line = 0;
  for (const each of text.split('\n')) {
    const [, start] = /^@@+ .*\+(\d+)(?:,\d+)? @@+/.exec(each) ?? [];
    if (start !== undefined) {
      line = Number(start);
    } else if (line > 0) {
      const sign = each[0];
      if (sign === '+' || sign === '-') {
        changed.push({ line, text: each.slice(1) });
      }
      line += sign === '+' || sign === ' ' ? 1 : 0;
    }
  }
  return changed;
}

/**
 * The line of a file that a finding is about: the changed line that it quotes, the nearest to the line it names if there
 * are several.
 *
 * @returns undefined if it quotes no changed line of the file.
 */
export function quotedLine(diffs: readonly string[], path: string, line: number, quote: string): number | undefined {
  const wanted = quote.replace(/^[+-]/, '').trim();
  const file = path.replace(/^\.\//, '');
  const quoted = diffs
    .flatMap((diff) => diffFiles(diff).filter((each) => each.path === file))
    .flatMap(changedLines)
    .filter(({ text }) => wanted !== '' && text.trim() === wanted)
    .map((changed) => changed.line);
  return quoted.toSorted((one, other) => Math.abs(one - line) - Math.abs(other - line))[0];
}

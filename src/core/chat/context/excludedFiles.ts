import ignore from 'ignore';

/** A `.gitignore` file: its text, and its folder relative to the root, which is empty for the root itself. */
export type IgnoreFile = { readonly folder: string; readonly text: string };

/**
 * Tells which paths are left out of a list of files. They are relative to the root, with forward slashes, and one at the
 * end of a folder's.
 *
 * @param globs patterns as in VS Code's setting `files.exclude`.
 * @param ignoreFiles rules of files further down apply after those of files above.
 */
export function excludedFiles(globs: readonly string[], ignoreFiles: readonly IgnoreFile[]): (path: string) => boolean {
  // Without a slash, VS Code's pattern matches only in the root.
  const rules = globs.flatMap(withoutBraces).map((glob) => (/^(?:\*\*)?\//.test(glob) ? glob : `/${glob}`));
  const settings = ignore().add(rules);
  const files = ignoreFiles
    .toSorted((a, b) => b.folder.length - a.folder.length)
    .map(({ folder, text }) => ({ prefix: folder === '' ? '' : `${folder}/`, rules: ignore().add(text) }));
  return (path) => {
    for (const file of files) {
      const inside = path.startsWith(file.prefix) ? path.slice(file.prefix.length) : '';
      const { ignored, unignored } = inside === '' ? { ignored: false, unignored: false } : file.rules.test(inside);
      if (ignored || unignored) {
        return ignored || settings.ignores(path);
      }
    }
    return settings.ignores(path);
  };
}

/** A workspace may set patterns that double with each of their braces. */
const maxAlternatives = 1_000;

/** `**\/*.{a,b}` as one pattern for each alternative; a `.gitignore` has no braces. None if there are too many. */
export function withoutBraces(glob: string): string[] {
  let globs = [glob];
  for (
    let braces = inBraces(glob);
    braces !== null && globs.length <= maxAlternatives;
    braces = inBraces(globs[0] ?? '')
  ) {
    globs = globs.flatMap((each) => {
      const [all = '', alternatives = ''] = inBraces(each) ?? [];
      return alternatives.split(',').map((one) => each.replace(all, () => one));
    });
  }
  return globs.length > maxAlternatives ? [] : globs;
}

const inBraces = (glob: string) => /\{([^{}]*)\}/.exec(glob);

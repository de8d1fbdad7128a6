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

/** `**\/*.{a,b}` as one pattern for each alternative; a `.gitignore` has no braces. */
export function withoutBraces(glob: string): string[] {
  const [all, alternatives] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (all === undefined || alternatives === undefined) {
    return [glob];
  }
  return alternatives.split(',').flatMap((each) => withoutBraces(glob.replace(all, () => each)));
}

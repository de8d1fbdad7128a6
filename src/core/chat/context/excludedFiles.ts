import ignore from 'ignore';

/** A `.gitignore` file: its text, and its folder relative to the root, which is empty for the root itself. */
export type IgnoreFile = { readonly folder: string; readonly text: string };

/**
 * Tells which files are left out of a list of files.
 *
 * @param globs patterns as in VS Code's setting `files.exclude`.
 * @param ignoreFiles rules of files further down apply after those of files above.
 * @returns a function that takes a path relative to the root, with forward slashes, and one at the end of a folder's.
 */
export function excludedFiles(globs: readonly string[], ignoreFiles: readonly IgnoreFile[]): (path: string) => boolean {
  const settings = ignore().add(globs.flatMap(withoutBraces).map(ignoreRule));
  const rules = ignoreFiles
    .toSorted((a, b) => a.folder.length - b.folder.length)
    .map(({ folder, text }) => ({ prefix: folder === '' ? '' : `${folder}/`, rule: ignore().add(text) }));
  return (path) => {
    if (settings.ignores(path)) {
      return true;
    }
    let isExcluded = false;
    for (const { prefix, rule } of rules) {
      if (path.startsWith(prefix) && path !== prefix) {
        const { ignored, unignored } = rule.test(path.slice(prefix.length));
        isExcluded = ignored || (isExcluded && !unignored);
      }
    }
    return isExcluded;
  };
}

/** `**\/*.{a,b}` as one pattern for each alternative; a `.gitignore` has no braces. */
function withoutBraces(glob: string): string[] {
  const [all, alternatives] = /\{([^{}]*)\}/.exec(glob) ?? [];
  if (all === undefined || alternatives === undefined) {
    return [glob];
  }
  return alternatives.split(',').flatMap((each) => withoutBraces(glob.replace(all, () => each)));
}

/** A pattern of VS Code as a rule of a `.gitignore`. Without a slash, VS Code's pattern matches only in the root. */
function ignoreRule(glob: string): string {
  return glob.startsWith('**/') || glob.startsWith('/') ? glob : `/${glob}`;
}

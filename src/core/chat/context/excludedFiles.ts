import ignore from 'ignore';

/** A `.gitignore` file: its text, and its folder relative to the root, which is empty for the root itself. */
export type IgnoreFile = { readonly folder: string; readonly text: string };

/** Takes a path relative to the root, with forward slashes, and one at the end of a folder's. */
export type IsExcluded = (path: string) => boolean;

/**
 * Tells which files are left out of a list of files.
 *
 * @param globs patterns as in VS Code's setting `files.exclude`.
 * @param ignoreFiles rules of files further down apply after those of files above.
 */
export function excludedFiles(globs: readonly string[], ignoreFiles: readonly IgnoreFile[]): IsExcluded {
  const settings = ignore().add(globs.flatMap(withoutBraces).map(ignoreRule));
  const isIgnored = ignoreFiles
    .toSorted((a, b) => a.folder.length - b.folder.length)
    .reduce<IsExcluded>(withIgnoreFile, () => false);
  return (path) => settings.ignores(path) || isIgnored(path);
}

/** Applies the rules of a `.gitignore` file after those of the folders above it. */
export function withIgnoreFile(isIgnoredAbove: IsExcluded, { folder, text }: IgnoreFile): IsExcluded {
  const prefix = folder === '' ? '' : `${folder}/`;
  const rules = ignore().add(text);
  return (path) => {
    if (!path.startsWith(prefix) || path === prefix) {
      return isIgnoredAbove(path);
    }
    const { ignored, unignored } = rules.test(path.slice(prefix.length));
    return ignored || (!unignored && isIgnoredAbove(path));
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

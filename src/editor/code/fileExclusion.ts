import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../core/base/localization.ts';
import { excludedFiles, type IgnoreFile } from '../../core/chat/context/excludedFiles.ts';
import { shownPath } from '../ui/shownPath.ts';

/** Finds those of the paths in a trusted folder that git ignores; undefined when git can't. */
export type IgnoredByGit = (folder: string, paths: readonly string[]) => Promise<readonly string[] | undefined>;

const maxIgnoreFiles = 500;
const excludeSettings = ['files.exclude', 'search.exclude', 'askModel.context.exclude'];

/** Says that files are included although they are excluded from the list; undefined when there are none. */
export function exclusionNote(excluded: Iterable<vscode.Uri>): string | undefined {
  const [first, ...others] = excluded;
  if (first === undefined) {
    return undefined;
  }
  // Not by the forms of a plural: Chinese has one form for all numbers, and the name would be lost.
  return others.length === 0
    ? l10n.t("{0} is included, although it's excluded by .gitignore or by settings.", shownPath(first))
    : l10n.t(
        "{0} files are included, although they're excluded by .gitignore or by settings.",
        numberText(others.length + 1),
      );
}

/** Whether git may run in a folder. In a workspace that isn't trusted, a repository may configure programs to run. */
export function canRunGit(root: vscode.Uri): boolean {
  return vscode.workspace.isTrusted && root.scheme === 'file';
}

/** Finds those of the files and folders that `.gitignore` or the settings exclude. */
export async function excludedUris(
  uris: readonly vscode.Uri[],
  ignoredByGit: IgnoredByGit,
): Promise<ReadonlySet<vscode.Uri>> {
  const byRoot = new Map<vscode.Uri, { uri: vscode.Uri; path: string }[]>();
  for (const uri of uris) {
    const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
    const path = root && pathBelow(root, uri);
    // Rules can't be applied to a path with `..` in it, which leads elsewhere.
    if (root && path !== undefined && !/(?:^|\/)\.{0,2}(?:\/|$)/.test(path)) {
      byRoot.set(root, [...(byRoot.get(root) ?? []), { uri, path }]);
    }
  }
  const excluded = new Set<vscode.Uri>();
  for (const [root, files] of byRoot) {
    const paths = files.map(({ path }) => path);
    const ignored = canRunGit(root) ? await ignoredByGit(root.fsPath, paths) : undefined;
    const ignoreFiles = ignored ? [] : await readIgnoreFiles(root, [...new Set(paths.flatMap(ignoreFilesAbove))]);
    const isExcluded = excludedFiles(excludeGlobs(root), ignoreFiles);
    for (const { uri, path } of files) {
      // As the path of a folder it matches rules that end in a slash, too.
      if (ignored?.includes(path) || isExcluded(path) || (await isExcludedFolder(uri, path, isExcluded))) {
        excluded.add(uri);
      }
    }
  }
  return excluded;
}

async function isExcludedFolder(
  uri: vscode.Uri,
  path: string,
  isExcluded: (path: string) => boolean,
): Promise<boolean> {
  if (!isExcluded(`${path}/`)) {
    return false;
  }
  const { type } = await vscode.workspace.fs.stat(uri);
  return (type & vscode.FileType.Directory) !== 0;
}

/** The path of a folder below a root, without slashes around it; undefined when it isn't there. */
export function pathBelow(root: vscode.Uri, uri: vscode.Uri): string | undefined {
  const [start, path] = [root, uri].map((each) => (each.path.endsWith('/') ? each.path : `${each.path}/`));
  const isSameHost = root.scheme === uri.scheme && root.authority === uri.authority;
  return isSameHost && start !== undefined && path?.startsWith(start) ? path.slice(start.length, -1) : undefined;
}

/** The folder of a path; empty at the root. */
export function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

/** The paths that `.gitignore` files with rules for a path may have. */
function ignoreFilesAbove(path: string): string[] {
  const found = ['.gitignore'];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    found.push(`${folder}/.gitignore`);
  }
  return found;
}

/** Reads those of the paths that are `.gitignore` files. */
export async function readIgnoreFiles(root: vscode.Uri, paths: readonly string[]): Promise<readonly IgnoreFile[]> {
  const named = paths.filter((path) => /(?:^|\/)\.gitignore$/.test(path)).slice(0, maxIgnoreFiles);
  const files = named.map(async (path) => {
    try {
      const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root, path));
      return { folder: parentOf(path), text: new TextDecoder().decode(bytes) };
    } catch {
      // Without the rules of a file that can't be read, more files are listed.
      return undefined;
    }
  });
  return (await Promise.all(files)).filter((file) => file !== undefined);
}

/** The patterns of the settings that exclude files. Those with a condition on other files are not applied. */
export function excludeGlobs(root: vscode.Uri): string[] {
  const configuration = vscode.workspace.getConfiguration(undefined, root);
  return excludeSettings.flatMap((setting) => {
    const patterns: unknown = configuration.get(setting);
    return typeof patterns === 'object' && patterns !== null
      ? Object.entries(patterns).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []))
      : [];
  });
}

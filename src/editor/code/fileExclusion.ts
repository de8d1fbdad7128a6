import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { numberText } from '../../core/base/localization.ts';
import { excludedFiles, type IgnoreFile, type IsExcluded } from '../../core/chat/context/excludedFiles.ts';
import { shownPath } from '../ui/lastEditor.ts';

/** Finds those of the paths in a trusted folder that git ignores; undefined when git can't. */
export type IgnoredByGit = (folder: string, paths: readonly string[]) => Promise<readonly string[] | undefined>;

/** More `.gitignore` files than this are not read. */
export const maxIgnoreFiles = 500;
const ownSetting = 'askModel.context.exclude';
const excludeSettings = ['files.exclude', 'search.exclude', ownSetting];

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
    const ignoreFiles = ignored ? [] : await readIgnoreFiles(root, new Set(paths.flatMap(foldersAbove)));
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

async function isExcludedFolder(uri: vscode.Uri, path: string, isExcluded: IsExcluded): Promise<boolean> {
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

/** The folders that a path is in, in any depth. */
function foldersAbove(path: string): string[] {
  const found = [''];
  for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
    found.push(folder);
  }
  return found;
}

async function readIgnoreFiles(root: vscode.Uri, folders: Iterable<string>): Promise<readonly IgnoreFile[]> {
  const files = [...folders].slice(0, maxIgnoreFiles).map((folder) => readIgnoreFile(root, folder));
  return (await Promise.all(files)).filter((file) => file !== undefined);
}

/** Reads the `.gitignore` of a folder, whose path is empty for the root itself. */
export async function readIgnoreFile(root: vscode.Uri, folder: string): Promise<IgnoreFile | undefined> {
  try {
    const path = folder === '' ? '.gitignore' : `${folder}/.gitignore`;
    const bytes = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(root, path));
    return { folder, text: new TextDecoder().decode(bytes) };
  } catch {
    // Without the rules of a file that can't be read, more files are listed.
    return undefined;
  }
}

/**
 * The patterns of the settings that exclude files. Those with a condition on other files are not applied. A workspace can
 * exclude more files by our setting, but not undo what the person excludes.
 */
export function excludeGlobs(root: vscode.Uri): string[] {
  const configuration = vscode.workspace.getConfiguration(undefined, root);
  const all: unknown[] = excludeSettings.map((setting) => configuration.get(setting));
  return [...all, configuration.inspect<unknown>(ownSetting)?.globalValue].flatMap((patterns) => {
    return typeof patterns === 'object' && patterns !== null
      ? Object.entries(patterns).flatMap(([glob, isOn]) => (isOn === true ? [glob] : []))
      : [];
  });
}

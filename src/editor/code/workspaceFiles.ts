import * as vscode from 'vscode';
import { recordOf } from '../../core/base/loose.ts';
import { bestMatches } from '../../core/chat/context/bestMatches.ts';
import { contextPlaces } from '../../core/chat/context/contextPath.ts';
import { inTime, shownPath } from '../ui/lastEditor.ts';

/** Finds those of the paths in a trusted folder that git ignores; undefined when git can't. */
export type IgnoredByGit = (folder: string, paths: readonly string[]) => Promise<readonly string[] | undefined>;

/** The path that remains when all links in a path are followed; undefined for one that leads nowhere. */
export type RealPath = (path: string) => Promise<string | undefined>;

/** How many files a folder or some ends of paths may have. */
const maxFound = 3_000;
/** A search by letters ends after so many files: VS Code passes each of them on through two processes. */
const maxMatches = 1_000;
/** How long the files of a search are known, while a person types: searching takes more than half of the time for a key. */
const knownMs = 10_000;
/** How long a search may take in folders of other extensions. */
const searchMs = 3_000;
const ownSetting = 'askModel.context.exclude';
const excludeSettings = ['files.exclude', 'search.exclude', ownSetting];

/** The files of the workspace folders, found by their names, apart from those that git or the settings exclude. */
export class WorkspaceFiles {
  readonly #ignoredByGit: IgnoredByGit;
  readonly #realPath: RealPath;
  #searching: vscode.CancellationTokenSource | undefined;
  /** The last search that found all files of its letters: those of these and more letters are among them. */
  #known: { readonly query: string; readonly found: readonly vscode.Uri[]; readonly at: number } | undefined;
  /** Whether a search hasn't ended in time, and still hasn't. */
  #isStalled = false;

  constructor(ignoredByGit: IgnoredByGit, realPath: RealPath) {
    this.#ignoredByGit = ignoredByGit;
    this.#realPath = realPath;
  }

  /** Finds files, and folders that have some, with VS Code's own search. Ends an earlier search, which finds nothing. */
  async find(
    query: string,
    maxFiles: number,
    maxFolders: number,
  ): Promise<{ readonly files: readonly vscode.Uri[]; readonly folders: readonly vscode.Uri[] }> {
    // Most are not excluded, and those that are make room for others.
    const mostFiles = 3 * maxFiles;
    const found = await this.#search(query, mostFiles);
    const all = new Map<string, vscode.Uri>();
    for (const uri of query === '' ? [] : found) {
      // Making an address for each file would take half of the time.
      if (!all.has(parentPath(uri))) {
        for (let folder = parentOf(uri); folder && !all.has(folder.path); folder = parentOf(folder)) {
          all.set(folder.path, folder);
        }
      }
    }
    const wanted = query.endsWith('/') ? query.slice(0, -1) : query;
    const files = bestMatches(found, shownPath, query, mostFiles);
    const folders = bestMatches([...all.values()], shownPath, wanted, 3 * maxFolders);
    const listed = new Set(await this.#withoutIgnored([...files, ...folders]));
    const isListed = (uri: vscode.Uri) => listed.has(uri);
    return { files: files.filter(isListed).slice(0, maxFiles), folders: folders.filter(isListed).slice(0, maxFolders) };
  }

  /** Only if fewer than `enough` files have the letters next to each other, those that have them apart are looked for. */
  async #search(query: string, enough: number): Promise<readonly vscode.Uri[]> {
    this.#searching?.cancel();
    const known = this.#known;
    if (known && query !== '' && query.startsWith(known.query) && performance.now() - known.at < knownMs) {
      return known.found;
    }
    this.#searching = new vscode.CancellationTokenSource();
    const { token } = this.#searching;
    const at = performance.now();
    const search = (isClose: boolean, most: number) => this.#findFiles(nameGlob(query, isClose), most, token);
    const close = query === '' ? [] : await search(true, maxMatches);
    if (close.length >= enough || token.isCancellationRequested) {
      return close;
    }
    const most = query === '' ? enough : maxMatches;
    const apart = await search(false, most);
    const found = [...new Map([...close, ...apart].map((uri) => [uri.toString(), uri])).values()];
    const isComplete = apart.length < most && !token.isCancellationRequested && !this.#isStalled;
    this.#known = isComplete ? { query, found, at } : undefined;
    return found;
  }

  /**
   * Searches with VS Code, which waits forever in a workspace whose folders are all of extensions without a search of
   * their own (microsoft/vscode#314285). Nothing is found there.
   */
  async #findFiles(
    pattern: vscode.GlobPattern,
    most: number,
    token?: vscode.CancellationToken,
  ): Promise<readonly vscode.Uri[]> {
    if (vscode.workspace.workspaceFolders?.some(({ uri }) => /^(?:file|vscode-remote)$/.test(uri.scheme))) {
      return vscode.workspace.findFiles(pattern, searchExclude(), most, token);
    }
    if (this.#isStalled) {
      return [];
    }
    // A token would end it with the next letter, which would have to wait again.
    const searching = Promise.resolve(vscode.workspace.findFiles(pattern, searchExclude(), most));
    const found = await inTime(searchMs, searching);
    if (found === undefined) {
      this.#isStalled = true;
      const end = () => {
        this.#isStalled = false;
      };
      searching.then(end, end);
    }
    return found ?? [];
  }

  /** The files in a folder and in the folders below it, up to a number that no question has room for. */
  async filesIn(folder: vscode.Uri): Promise<readonly vscode.Uri[]> {
    const pattern = new vscode.RelativePattern(folder, '**/*');
    const found = await this.#findFiles(pattern, maxFound);
    return (await this.#withoutIgnored(found)).toSorted((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Finds the files whose paths end with one of these, with one search for all of them. */
  async endingWith(ends: readonly string[]): Promise<readonly vscode.Uri[]> {
    const pattern = `**/{${ends.map((end) => end.replaceAll(/[[\]{}*?!,]/g, '?')).join(',')}}`;
    return this.#withoutIgnored(await this.#findFiles(pattern, maxFound));
  }

  /**
   * Those of the files and folders that git doesn't ignore. In a workspace that isn't trusted, a repository may configure
   * programs for git to run, so that none is left out there.
   */
  async #withoutIgnored(uris: readonly vscode.Uri[]): Promise<readonly vscode.Uri[]> {
    const byRoot = new Map<vscode.Uri, Map<string, vscode.Uri>>();
    for (const uri of vscode.workspace.isTrusted ? uris : []) {
      const root = vscode.workspace.getWorkspaceFolder(uri)?.uri;
      const path = root?.scheme === 'file' ? pathBelow(root, uri) : undefined;
      if (root && path) {
        byRoot.set(root, (byRoot.get(root) ?? new Map<string, vscode.Uri>()).set(path, uri));
      }
    }
    const ignored = new Set<vscode.Uri | undefined>();
    for (const [root, files] of byRoot) {
      for (const path of (await this.#ignoredByGit(root.fsPath, [...files.keys()])) ?? []) {
        ignored.add(files.get(path));
      }
    }
    return uris.filter((uri) => !ignored.has(uri));
  }

  /**
   * Follows a path, which may be a link or that of a new file.
   *
   * @returns whether it is a file, and its real path if a link leads out of the workspace.
   */
  async follow(uri: vscode.Uri): Promise<{ readonly isFile: boolean; readonly outside: string | undefined }> {
    return { isFile: ((await typeAt(uri)) & vscode.FileType.File) !== 0, outside: await this.outside(uri) };
  }

  /** The real path of a file in the workspace, or of a new one, if a link leads out of it. */
  async outside(uri: vscode.Uri): Promise<string | undefined> {
    if (uri.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) {
      return undefined;
    }
    const folders = vscode.workspace.workspaceFolders ?? [];
    const roots = await Promise.all(folders.map((folder) => this.#realPath(folder.uri.fsPath)));
    let target: string | undefined;
    // Of a new file, the nearest folder that exists.
    for (let at = uri; target === undefined && at.path !== '/'; at = vscode.Uri.joinPath(at, '..')) {
      target = await this.#realPath(at.fsPath);
    }
    const isInside = (path: string) =>
      roots.some((root) => root && pathBelow(vscode.Uri.file(root), vscode.Uri.file(path)) !== undefined);
    return target === undefined || isInside(target) ? undefined : target;
  }
}

/** What is at an address, after links; `Unknown`, which is 0, if nothing is there. */
export async function typeAt(uri: vscode.Uri): Promise<vscode.FileType> {
  return vscode.workspace.fs.stat(uri).then(
    ({ type }) => type,
    () => vscode.FileType.Unknown,
  );
}

/** Where the path of a context may be in the workspace folders, the most likely first. @param near see `contextPlaces`. */
export function contextUris(contextPath: string, near?: string): vscode.Uri[] {
  const places = contextPlaces(contextPath, vscode.workspace.workspaceFolders ?? [], near);
  return places.map(({ folder, path }) => vscode.Uri.joinPath(folder.uri, path));
}

/** The path of a folder below a root, without slashes around it; undefined when it isn't there. */
function pathBelow(root: vscode.Uri, uri: vscode.Uri): string | undefined {
  const [start, path] = [root, uri].map((each) => (each.path.endsWith('/') ? each.path : `${each.path}/`));
  const isSameHost = root.scheme === uri.scheme && root.authority === uri.authority;
  return isSameHost && start !== undefined && path?.startsWith(start) ? path.slice(start.length, -1) : undefined;
}

function parentPath({ path }: vscode.Uri): string {
  return path.slice(0, path.lastIndexOf('/'));
}

/** The folder that a file or folder of the workspace is in; undefined in its root. */
function parentOf(uri: vscode.Uri): vscode.Uri | undefined {
  const parent = uri.with({ path: parentPath(uri) });
  return vscode.workspace.getWorkspaceFolder(uri)?.uri.path.startsWith(parent.path) ? undefined : parent;
}

/** The letters of longer queries are all in one name. */
const maxSplit = 12;

/**
 * A pattern for all files whose names, or those of their folders, have these letters in order: next to each other, or
 * apart in one name, or the first ones in a folder's. VS Code's search tells capital letters from small ones.
 */
function nameGlob(query: string, isClose: boolean): string {
  const between = isClose ? '' : '*';
  const part = (name: string) => (name === '' ? '*' : `*${[...name].map(anyCase).join(between)}*`);
  const wanted = query.trim().slice(0, 100);
  const path = wanted.split(/[\\/]/).map(part).join('/**/');
  const isOneName = isClose || /[\\/]/.test(wanted) || wanted.length > maxSplit;
  const splits = isOneName ? [] : [...wanted].slice(1).map((_, at) => at + 1);
  const spread = splits.map((at) => `**/${part(wanted.slice(0, at))}/**/${part(wanted.slice(at))}`);
  return `{${[`**/${path}`, `**/${path}/**`, ...spread].join(',')}}`;
}

function anyCase(letter: string): string {
  const [small, capital] = [letter.toLowerCase(), letter.toUpperCase()];
  return /[[\]{}*?!,]/.test(letter) ? '?' : small === capital ? letter : `[${small}${capital}]`;
}

/** The patterns of the settings as one. */
function searchExclude(): string | undefined {
  const globs = excludeGlobs().flatMap(withoutBraces);
  return globs.length === 0 ? undefined : `{${globs.join(',')}}`;
}

/** A workspace may set patterns that double with each of their braces. */
const maxAlternatives = 1_000;

/** `**\/*.{a,b}` as one pattern for each alternative: VS Code's have no braces in braces. None if there are too many. */
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

/**
 * The patterns of the settings that exclude files. Those with a condition on other files are not applied. A workspace can
 * exclude more files by our setting, but not undo what the person excludes.
 */
function excludeGlobs(): string[] {
  const configuration = vscode.workspace.getConfiguration();
  const all: unknown[] = excludeSettings.map((setting) => configuration.get(setting));
  return [...all, configuration.inspect<unknown>(ownSetting)?.globalValue].flatMap((patterns) =>
    Object.entries(recordOf(patterns)).flatMap(([glob, isOn]) => (isOn === true ? [glob] : [])),
  );
}

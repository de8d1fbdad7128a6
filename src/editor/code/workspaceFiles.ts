import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, Emitter, type Event } from '../../core/base/lifetime.ts';
import { runInSlices, type Steps } from '../../core/base/runInSlices.ts';
import { excludedFiles, type IsExcluded, withIgnoreFile } from '../../core/chat/context/excludedFiles.ts';
import { FileSearch } from '../../core/chat/context/fileSearch.ts';
import { shownPath } from '../ui/lastEditor.ts';
import type { Log } from '../ui/log.ts';
import {
  canRunGit,
  excludedUris,
  excludeGlobs,
  type IgnoredByGit,
  maxIgnoreFiles,
  parentOf,
  pathBelow,
  readIgnoreFile,
} from './fileExclusion.ts';

export type WorkspaceFilesDeps = {
  /** Lists the files of a trusted folder without those that git ignores; undefined when git can't. */
  readonly gitFiles: (folder: string) => Promise<readonly string[] | undefined>;
  readonly ignoredByGit: IgnoredByGit;
  /** The path that remains when all links in a path are followed; undefined for one that leads nowhere. */
  readonly realPath: (path: string) => Promise<string | undefined>;
  readonly clock: Clock;
  readonly log: Pick<Log, 'defect'>;
};

/** A file of the workspace. */
export type WorkspaceFile = { readonly uri: vscode.Uri; readonly path: string };

/** A folder in the workspace with files that are not excluded. */
export type WorkspaceFolder = {
  readonly uri: vscode.Uri;
  readonly path: string;
  /** The number of files in it and in the folders below it. */
  readonly files: number;
};

/** Files that can be searched while the others are still being listed. */
const atOnce = 10_000;
/** How long a list is used before the folders are listed again, and how long it stays in memory after its last use. */
const freshMs = 5_000;
const unusedMs = 60_000;
/** More files than this are not listed without git. */
const maxFound = 200_000;
/** More files than this are not listed where another computer or extension is asked for each folder. */
const maxElsewhere = 10_000;
/** Folders that are read at the same time. */
const readAtOnce = 16;

/** A folder to be read, and the rules of the `.gitignore` files above it. */
type UnreadFolder = { readonly path: string; readonly isIgnored: IsExcluded };
type ReadFolder = UnreadFolder & { readonly entries: readonly [name: string, type: vscode.FileType][] };
type Listed = { readonly root: vscode.Uri; readonly path: string };
type ListedFolder = Listed & { readonly files: number };

/** The files of the workspace folders, apart from those that git or the settings exclude, found by their names. */
export class WorkspaceFiles implements Disposable {
  readonly #deps: WorkspaceFilesDeps;
  readonly #didChange = new Emitter<void>();
  #files: readonly Listed[] = [];
  #search: FileSearch | undefined;
  #folders: readonly ListedFolder[] = [];
  #folderSearch: FileSearch | undefined;
  #listing: Promise<void> | undefined;
  #listedAt = Number.NEGATIVE_INFINITY;
  #dropTimer: Disposable | undefined;

  constructor(deps: WorkspaceFilesDeps) {
    this.#deps = deps;
  }

  /** Fires when more files were listed. */
  get onDidChange(): Event<void> {
    return this.#didChange.event;
  }

  /** Lists the folders when that is due. Resolves when the first files can be found. */
  async ready(): Promise<void> {
    this.#refresh();
    if (this.#search === undefined) {
      const changed = new Promise<void>((resolve) => {
        const listener = this.onDidChange(() => {
          listener.dispose();
          resolve();
        });
      });
      await Promise.race([this.#listing, changed]);
    }
  }

  /** Lists the folders when that is due. Resolves when all files are listed. */
  async listed(): Promise<void> {
    this.#refresh();
    await this.#listing;
  }

  /** Finds files among those listed so far, and lists the folders when that is due. */
  find(query: string, limit: number): readonly WorkspaceFile[] {
    this.#refresh();
    const indexes = this.#search?.find(query, limit) ?? [];
    return indexes.flatMap((index) => {
      const listed = this.#files[index];
      if (listed === undefined) {
        return [];
      }
      const uri = vscode.Uri.joinPath(listed.root, listed.path);
      return [{ uri, path: shownPath(uri) }];
    });
  }

  /** Finds folders with files that were listed so far. */
  findFolders(query: string, limit: number): readonly WorkspaceFolder[] {
    const indexes = this.#folderSearch?.find(query.endsWith('/') ? query.slice(0, -1) : query, limit) ?? [];
    return indexes.flatMap((index) => {
      const listed = this.#folders[index];
      if (listed === undefined) {
        return [];
      }
      const uri = vscode.Uri.joinPath(listed.root, listed.path);
      return [{ uri, path: shownPath(uri), files: listed.files }];
    });
  }

  /** The files in a folder and in the folders below it. */
  filesIn(folder: vscode.Uri): readonly vscode.Uri[] {
    const found: vscode.Uri[] = [];
    let last: vscode.Uri | undefined;
    let start: string | undefined;
    // Comparing whole paths of 50,000 files for each of several folders would block the host.
    for (const { root, path } of this.#files) {
      if (root !== last) {
        const below = pathBelow(root, folder);
        last = root;
        start = below && `${below}/`;
      }
      if (start !== undefined && path.startsWith(start)) {
        found.push(vscode.Uri.joinPath(root, path));
      }
    }
    return found;
  }

  /** Finds those of the files and folders that are not listed because git or the settings exclude them. */
  excluded(uris: readonly vscode.Uri[]): Promise<ReadonlySet<vscode.Uri>> {
    return excludedUris(uris, this.#deps.ignoredByGit);
  }

  /**
   * Follows a listed path, which may be a link.
   *
   * @returns whether it is a file, and its real path if a link leads out of the workspace.
   */
  async follow(uri: vscode.Uri): Promise<{ readonly isFile: boolean; readonly outside?: string }> {
    const { type } = await vscode.workspace.fs.stat(uri).then(undefined, () => ({ type: vscode.FileType.Unknown }));
    const isFile = (type & vscode.FileType.File) !== 0;
    if (uri.scheme !== 'file' || !vscode.workspace.getWorkspaceFolder(uri)) {
      return { isFile };
    }
    const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);
    const [target, ...roots] = await Promise.all([uri.fsPath, ...folders].map(this.#deps.realPath));
    const isInside = (path: string) =>
      roots.some((root) => root && pathBelow(vscode.Uri.file(root), vscode.Uri.file(path)) !== undefined);
    return { isFile, ...(target !== undefined && !isInside(target) && { outside: target }) };
  }

  dispose(): void {
    this.#dropTimer?.dispose();
    this.#didChange.dispose();
  }

  #refresh(): void {
    const { clock, log } = this.#deps;
    this.#dropTimer?.dispose();
    this.#dropTimer = clock.after(unusedMs, () => this.#drop());
    if (this.#listing !== undefined || clock.now() - this.#listedAt < freshMs) {
      return;
    }
    this.#listing = this.#list()
      .catch((error: unknown) => log.defect('The files of the workspace', error))
      .finally(() => {
        this.#listing = undefined;
        this.#listedAt = clock.now();
      });
  }

  #drop(): void {
    this.#files = [];
    this.#search = undefined;
    this.#folders = [];
    this.#folderSearch = undefined;
    this.#listedAt = Number.NEGATIVE_INFINITY;
  }

  async #list(): Promise<void> {
    const files: Listed[] = [];
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      for await (const _ of this.#listBelow(uri, files)) {
        if (this.#search === undefined && files.length > atOnce) {
          await this.#show(files.slice(0, atOnce));
        }
      }
    }
    await this.#show(files);
  }

  /** Adds the files below a root to the list. It pauses between some files and the next ones. */
  async *#listBelow(root: vscode.Uri, files: Listed[]): AsyncGenerator<void> {
    const { clock, gitFiles } = this.#deps;
    const isExcluded = excludedFiles(excludeGlobs(root), []);
    const fromGit = canRunGit(root) ? await gitFiles(root.fsPath) : undefined;
    if (fromGit === undefined) {
      yield* readFolders(root, isExcluded, files, clock);
      return;
    }
    for (let at = 0; at < fromGit.length; at += atOnce) {
      await runInSlices(clock, addIncluded(files, root, fromGit.slice(at, at + atOnce), isExcluded));
      yield;
    }
  }

  async #show(files: readonly Listed[]): Promise<void> {
    const { clock } = this.#deps;
    const folders = await runInSlices(clock, foldersOf(files));
    const prepare = (all: readonly Listed[]) => runInSlices(clock, FileSearch.inSteps(all.map(({ path }) => path)));
    const [search, folderSearch] = [await prepare(files), await prepare(folders)];
    this.#files = files;
    this.#search = search;
    this.#folders = folders;
    this.#folderSearch = folderSearch;
    this.#didChange.fire();
  }
}

/**
 * Adds the files below a root to the list by reading its folders; those near the root come first. VS Code's own search
 * hands over all files at once, which blocks the host.
 */
async function* readFolders(
  root: vscode.Uri,
  isExcluded: IsExcluded,
  files: Listed[],
  clock: Clock,
): AsyncGenerator<void> {
  const maxFiles = root.scheme === 'file' ? maxFound : maxElsewhere;
  const end = files.length + maxFiles;
  const folders: UnreadFolder[] = [{ path: '', isIgnored: () => false }];
  let ignoreFiles = 0;
  const read = async ({ path, isIgnored }: UnreadFolder): Promise<ReadFolder> => {
    const uri = path === '' ? root : vscode.Uri.joinPath(root, path);
    const entries = await vscode.workspace.fs.readDirectory(uri).then(undefined, () => []);
    const hasRules = entries.some(([name]) => name === '.gitignore') && ignoreFiles++ < maxIgnoreFiles;
    const rules = hasRules ? await readIgnoreFile(root, path) : undefined;
    return { path, entries, isIgnored: rules ? withIgnoreFile(isIgnored, rules) : isIgnored };
  };
  for (let at = 0; at < folders.length && folders.length < maxFiles && files.length < end; ) {
    const some = await Promise.all(folders.slice(at, at + readAtOnce).map(read));
    at += some.length;
    await runInSlices(clock, addEntries(files, folders, root, some, isExcluded));
    files.length = Math.min(files.length, end);
    yield;
  }
}

/** Adds the files in folders that were read to the list, and the folders in them to those that are still to be read. */
function* addEntries(
  files: Listed[],
  folders: UnreadFolder[],
  root: vscode.Uri,
  read: readonly ReadFolder[],
  isExcluded: IsExcluded,
): Steps<void> {
  for (const { path: folder, entries, isIgnored } of read) {
    for (const [name, type] of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      // A symbolic link may lead back to a folder above it.
      const isFolder = type === vscode.FileType.Directory;
      const tested = isFolder ? `${path}/` : path;
      if ((isFolder || (type & vscode.FileType.File) !== 0) && !isExcluded(tested) && !isIgnored(tested)) {
        if (isFolder) {
          folders.push({ path, isIgnored });
        } else {
          files.push({ root, path });
        }
      }
      yield;
    }
  }
}

/** Adds the files that are not excluded to the list. */
function* addIncluded(
  files: Listed[],
  root: vscode.Uri,
  paths: readonly string[],
  isExcluded: IsExcluded,
): Steps<void> {
  for (const path of paths) {
    if (!isExcluded(path)) {
      files.push({ root, path });
    }
    yield;
  }
}

/** The folders of files, in any depth, each with the number of its files. */
function* foldersOf(files: readonly Listed[]): Steps<ListedFolder[]> {
  const counts = new Map<vscode.Uri, Map<string, number>>();
  for (const { root, path } of files) {
    const ofRoot = counts.get(root) ?? new Map<string, number>();
    counts.set(root, ofRoot);
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
      ofRoot.set(folder, (ofRoot.get(folder) ?? 0) + 1);
    }
    yield;
  }
  return [...counts].flatMap(([root, ofRoot]) => [...ofRoot].map(([path, count]) => ({ root, path, files: count })));
}

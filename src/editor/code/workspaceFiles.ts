import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, Emitter, type Event } from '../../core/base/lifetime.ts';
import { runInSlices, type Steps } from '../../core/base/runInSlices.ts';
import { excludedFiles } from '../../core/chat/context/excludedFiles.ts';
import { FileSearch } from '../../core/chat/context/fileSearch.ts';
import type { Log } from '../ui/log.ts';
import { shownPath } from '../ui/shownPath.ts';
import {
  canRunGit,
  excludedUris,
  excludeGlobs,
  type IgnoredByGit,
  parentOf,
  pathBelow,
  readIgnoreFiles,
} from './fileExclusion.ts';

export type WorkspaceFilesDeps = {
  /** Lists the files of a trusted folder without those that git ignores; undefined when git can't. */
  readonly gitFiles: (folder: string) => Promise<readonly string[] | undefined>;
  readonly ignoredByGit: IgnoredByGit;
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

/** Files that can be searched while the others are still being listed; VS Code hands over as many at once. */
const atOnce = 10_000;
/** How long a list is used before the folders are listed again, and how long it stays in memory after its last use. */
const freshMs = 5_000;
const unusedMs = 60_000;
/** More files than this are not listed without git. */
const maxFound = 200_000;
/** More files than this are not listed where VS Code can't search. */
const maxUnsearched = 10_000;
/** Folders that are read at the same time. */
const readAtOnce = 16;

type IsExcluded = (path: string) => boolean;
/** The files of a workspace folder, before those that are excluded are left out. */
type FoundFiles = {
  readonly paths: readonly string[];
  readonly isExcluded: IsExcluded;
  /** Finds all paths, if `paths` has only some of them. */
  readonly findAll?: () => Promise<readonly string[]>;
};
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
    /** By root: how the paths of the files begin. Comparing whole paths of 50,000 files would block the host. */
    const starts = new Map<vscode.Uri, string | undefined>();
    return this.#files.flatMap(({ root, path }) => {
      if (!starts.has(root)) {
        const path = pathBelow(root, folder);
        starts.set(root, path && `${path}/`);
      }
      const start = starts.get(root);
      return start !== undefined && path.startsWith(start) ? [vscode.Uri.joinPath(root, path)] : [];
    });
  }

  /** Finds those of the files and folders that are not listed because git or the settings exclude them. */
  excluded(uris: readonly vscode.Uri[]): Promise<ReadonlySet<vscode.Uri>> {
    return excludedUris(uris, this.#deps.ignoredByGit);
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
    let files: readonly Listed[] = [];
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      const { paths, isExcluded, findAll } = await this.#findFiles(uri);
      const include = async (some: readonly string[]) =>
        files.concat(await runInSlices(this.#deps.clock, included(uri, some, isExcluded)));
      if (this.#search === undefined && (findAll !== undefined || paths.length > atOnce)) {
        await this.#show(await include(paths.slice(0, atOnce)));
      }
      files = await include((await findAll?.()) ?? paths);
    }
    await this.#show(files);
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

  async #findFiles(root: vscode.Uri): Promise<FoundFiles> {
    const globs = excludeGlobs(root);
    const fromGit = canRunGit(root) ? await this.#deps.gitFiles(root.fsPath) : undefined;
    if (fromGit !== undefined) {
      return { paths: fromGit, isExcluded: excludedFiles(globs, []) };
    }
    const paths = await searched(root, '**/*', globs);
    // VS Code searches file systems of other extensions only if they have a search of their own.
    if (paths.length === 0 && root.scheme !== 'file') {
      const read = await readFolders(root, excludedFiles(globs, []), maxUnsearched);
      return { paths: read, isExcluded: excludedFiles(globs, await readIgnoreFiles(root, read)) };
    }
    const isAll = paths.length < atOnce;
    const ignoreFiles = await readIgnoreFiles(root, isAll ? paths : await searched(root, '**/.gitignore', globs));
    const isExcluded = excludedFiles(globs, ignoreFiles);
    // All URIs of a large workspace at once would block the host.
    return { paths, isExcluded, ...(!isAll && { findAll: () => readFolders(root, isExcluded, maxFound) }) };
  }
}

/** The paths of files that VS Code finds below a root. It reads no folder that the settings exclude. */
async function searched(root: vscode.Uri, glob: string, excludeGlobs: readonly string[]): Promise<string[]> {
  // A list of patterns can't hold another one.
  const simple = excludeGlobs.filter((each) => !/[{},]/.test(each));
  const exclude = simple.length > 0 ? `{${simple.join(',')}}` : undefined;
  const found = await vscode.workspace.findFiles(new vscode.RelativePattern(root, glob), exclude, atOnce);
  const start = root.path.endsWith('/') ? root.path.length : root.path.length + 1;
  return found.map(({ path }) => path.slice(start)).sort();
}

/** The paths of files below a root, found by reading its folders; those near the root come first. */
async function readFolders(root: vscode.Uri, isExcluded: IsExcluded, maxFiles: number): Promise<string[]> {
  const paths: string[] = [];
  const folders = [''];
  for (let at = 0; at < folders.length && folders.length < maxFiles && paths.length < maxFiles; ) {
    const some = folders.slice(at, at + readAtOnce);
    at += some.length;
    const read = some.map(async (folder) => {
      const uri = folder === '' ? root : vscode.Uri.joinPath(root, folder);
      return { folder, entries: await vscode.workspace.fs.readDirectory(uri).then(undefined, () => []) };
    });
    for (const { folder, entries } of await Promise.all(read)) {
      for (const [name, type] of entries) {
        const path = folder === '' ? name : `${folder}/${name}`;
        // A symbolic link may lead back to a folder above it.
        if (type === vscode.FileType.Directory && !isExcluded(`${path}/`)) {
          folders.push(path);
        } else if ((type & vscode.FileType.File) !== 0) {
          paths.push(path);
        }
      }
    }
  }
  return paths.slice(0, maxFiles);
}

/** The files that are not excluded. */
function* included(root: vscode.Uri, paths: readonly string[], isExcluded: IsExcluded): Steps<Listed[]> {
  const files: Listed[] = [];
  for (const path of paths) {
    if (!isExcluded(path)) {
      files.push({ root, path });
    }
    yield;
  }
  return files;
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

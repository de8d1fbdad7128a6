import * as vscode from 'vscode';
import type { Clock } from '../../core/base/clock.ts';
import { type Disposable, Emitter, type Event } from '../../core/base/lifetime.ts';
import { runInSlices, type Steps } from '../../core/base/runInSlices.ts';
import { excludedFiles, type IgnoreFile } from '../../core/chat/context/excludedFiles.ts';
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

/** Files that can be searched while the others are still being listed. */
const atOnce = 10_000;
/** How long a list is used before the folders are listed again, and how long it stays in memory after its last use. */
const freshMs = 5_000;
const unusedMs = 60_000;
/** More files than this are not listed without git. */
const maxFound = 200_000;
/** More files than this are not listed where VS Code can't search. */
const maxWalked = 10_000;

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
    const files: Listed[] = [];
    for (const { uri } of vscode.workspace.workspaceFolders ?? []) {
      const { paths, ignoreFiles } = await this.#listFolder(uri);
      const isExcluded = excludedFiles(excludeGlobs(uri), ignoreFiles);
      const add = (upTo: number) => this.#include(files, uri, paths, upTo, isExcluded);
      if (this.#search === undefined) {
        await add(atOnce);
        await this.#show(files);
      }
      await add(paths.length);
    }
    await this.#show(files);
  }

  /** Adds the paths that are not excluded, up to an index; those before were added by an earlier call. */
  async #include(
    files: Listed[],
    root: vscode.Uri,
    paths: string[],
    upTo: number,
    isExcluded: (path: string) => boolean,
  ): Promise<void> {
    const some = paths.splice(0, upTo);
    const steps = function* () {
      for (const [index, path] of some.entries()) {
        if (!isExcluded(path)) {
          files.push({ root, path });
        }
        if (index % 100 === 0) {
          yield;
        }
      }
    };
    await runInSlices(this.#deps.clock, steps());
  }

  async #show(files: readonly Listed[]): Promise<void> {
    const folders = await runInSlices(this.#deps.clock, foldersOf(files));
    this.#files = [...files];
    this.#search = new FileSearch(files.map(({ path }) => path));
    this.#folders = folders;
    this.#folderSearch = new FileSearch(this.#folders.map(({ path }) => path));
    this.#didChange.fire();
  }

  async #listFolder(root: vscode.Uri): Promise<{ paths: string[]; ignoreFiles: readonly IgnoreFile[] }> {
    const fromGit = canRunGit(root) ? await this.#deps.gitFiles(root.fsPath) : undefined;
    if (fromGit !== undefined) {
      return { paths: [...fromGit], ignoreFiles: [] };
    }
    const found = await vscode.workspace.findFiles(new vscode.RelativePattern(root, '**/*'), undefined, maxFound);
    const start = root.path.endsWith('/') ? root.path.length : root.path.length + 1;
    // VS Code searches file systems of other extensions only if they have a search of their own.
    const isSearched = found.length > 0 || root.scheme === 'file';
    const paths = isSearched ? found.map(({ path }) => path.slice(start)).sort() : await walked(root);
    return { paths, ignoreFiles: await readIgnoreFiles(root, paths) };
  }
}

/** The paths of files below a root, found by reading folder after folder; those near the root come first. */
async function walked(root: vscode.Uri): Promise<string[]> {
  const isExcluded = excludedFiles(excludeGlobs(root), []);
  const paths: string[] = [];
  const folders = [''];
  for (const folder of folders) {
    const uri = folder === '' ? root : vscode.Uri.joinPath(root, folder);
    const entries = await vscode.workspace.fs.readDirectory(uri).then(undefined, () => []);
    for (const [name, type] of entries) {
      const path = folder === '' ? name : `${folder}/${name}`;
      // A symbolic link may lead back to a folder above it.
      if (type === vscode.FileType.Directory && !isExcluded(path) && !isExcluded(`${path}/`)) {
        folders.push(path);
      } else if ((type & vscode.FileType.File) !== 0) {
        paths.push(path);
      }
    }
    if (paths.length >= maxWalked || folders.length >= maxWalked) {
      break;
    }
  }
  return paths.slice(0, maxWalked);
}

/** The folders of files, in any depth, each with the number of its files. */
function* foldersOf(files: readonly Listed[]): Steps<ListedFolder[]> {
  const counts = new Map<vscode.Uri, Map<string, number>>();
  for (const [index, { root, path }] of files.entries()) {
    const ofRoot = counts.get(root) ?? new Map<string, number>();
    counts.set(root, ofRoot);
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
      ofRoot.set(folder, (ofRoot.get(folder) ?? 0) + 1);
    }
    if (index % 100 === 0) {
      yield;
    }
  }
  return [...counts].flatMap(([root, ofRoot]) => [...ofRoot].map(([path, count]) => ({ root, path, files: count })));
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { listText, sentences } from '../../core/base/localization.ts';
import { filesText } from '../../core/chat/context/contextText.ts';
import { diffFiles, isDerived } from '../../core/chat/context/diffFiles.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { nameOf } from '../ui/lastEditor.ts';
import { fileLimit, type IncludableContext, tooLargeText } from './foundContext.ts';

/** The part of a repository in the API of VS Code's Git extension that is used here. */
export type Repository = {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly HEAD?: { readonly commit?: string };
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly untrackedChanges?: readonly Change[];
  };
};
type Change = { readonly uri: vscode.Uri };

type GitApi = { readonly git: { readonly path: string }; readonly repositories: readonly Repository[] };

/** Runs a command of git that only reads; see `readGit`. */
export type ReadGit = (
  program: string,
  folder: string,
  args: readonly string[],
  input?: string,
  encoding?: 'latin1',
) => Promise<string | undefined>;

/** `staged`, `uncommitted` (all changes since the last commit, with untracked files), or a commit. */
export type ChangesKind = 'staged' | 'uncommitted' | Commit;
export type Commit = { readonly hash: string; readonly subject: string };

/** Changes of a repository. */
export type ReadChanges = {
  /** None if all files were left out, or nothing is changed. */
  readonly pieces: readonly CodeContext[];
  /** The paths of the files that are left out, because programs write them. */
  readonly leftOut: readonly string[];
};

/** The largest diff that is sent, in UTF-16 units: about a million tokens, more than models accept. */
export const diffLimit = 4_000_000;

/** A tree without files: the first commit is compared with it. */
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904';

/** As git prints a diff without settings that are for people: no colors, no other program, no escaped letters. */
const plain = ['--no-color', '--no-ext-diff', '--submodule=short', '--src-prefix=a/', '--dst-prefix=b/'];
const readable = ['-c', 'core.quotePath=false'];
/** Data, rather than text that somebody wrote: like a picture, it's only named. */
const noLargeFiles = ['-c', 'core.bigFileThreshold=4m'];

/** The changes in the repositories that VS Code's Git extension has open, read with its git. */
export class GitChanges {
  readonly #readGit: ReadGit;

  constructor(readGit: ReadGit) {
    this.#readGit = readGit;
  }

  /** A row for the uncommitted changes of each repository, or one that says why none can be read. */
  rows(): IncludableContext[] {
    const label = l10n.t('Uncommitted Changes');
    const problem = changesProblem();
    if (problem !== undefined) {
      const notes = [sentences(l10n.t("Uncommitted changes can't be included."), problem)];
      return [{ id: 'noChanges', kind: 'changes', label, detail: problem, read: async () => ({ pieces: [], notes }) }];
    }
    const changed = this.repositories.filter((repository) => changedFiles(repository) > 0);
    return changed.map((repository) => {
      const name = nameOf(repository.rootUri);
      return {
        id: `changes:${repository.rootUri.toString()}`,
        kind: 'changes',
        label,
        detail: changed.length === 1 ? '' : name,
        size: filesText(changedFiles(repository)),
        read: async () => {
          const { pieces, leftOut } = await this.read(repository, 'uncommitted');
          const length = pieces[0]?.text.length ?? 0;
          return length > fileLimit
            ? { pieces: [], notes: [tooLargeText(name, length)] }
            : { pieces, notes: leftOut.length > 0 ? [leftOutText(leftOut)] : [], isOnlyNote: true };
        },
      };
    });
  }

  get repositories(): readonly Repository[] {
    return gitApi()?.repositories ?? [];
  }

  /** Reads a diff of all files but those that programs write. @throws when git fails. */
  async read(repository: Repository, kind: ChangesKind): Promise<ReadChanges> {
    const files = diffFiles(await this.#diff(repository, kind));
    const untracked = kind === 'uncommitted' ? await this.#untracked(repository) : [];
    const marked = await this.#generated(repository, [...files.map(({ path }) => path), ...untracked]);
    const isLeftOut = (path: string) => isDerived(path) || marked.has(path);
    const kept = files.filter(({ path }) => !isLeftOut(path)).map(({ text }) => text);
    let text = kept.join('');
    for (const path of untracked.filter((each) => !isLeftOut(each))) {
      // Each takes a process, and a folder that nobody ignores has thousands of them (get-bb/bb#1489).
      if (text.length > diffLimit) {
        break;
      }
      const args = ['diff', ...plain, '--no-index', '--', '/dev/null', path];
      text += await this.#decoded(repository, [...readable, ...noLargeFiles, ...args]);
    }
    const leftOut = [...files.map(({ path }) => path), ...untracked].filter(isLeftOut);
    return { pieces: text === '' ? [] : [piece(repository, kind, text)], leftOut };
  }

  /** The last commits, from newest to oldest; none before the first one. */
  async commits(repository: Repository, count: number): Promise<readonly Commit[]> {
    if (repository.state.HEAD?.commit === undefined) {
      return [];
    }
    const log = await this.#git(repository, ['log', `--max-count=${count}`, '--no-color', '--format=%H %s']);
    return log
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => ({ hash: line.slice(0, line.indexOf(' ')), subject: line.slice(line.indexOf(' ') + 1) }));
  }

  #diff(repository: Repository, kind: ChangesKind): Promise<string> {
    const diff = (...args: string[]) => this.#decoded(repository, [...readable, 'diff', ...plain, ...args, '--']);
    switch (kind) {
      case 'staged':
        return diff('--cached');
      case 'uncommitted':
        return diff(repository.state.HEAD?.commit === undefined ? emptyTree : 'HEAD');
      default: {
        const args = ['show', '--format=', '--first-parent', '-m', ...plain, kind.hash, '--'];
        return this.#decoded(repository, [...readable, ...args]);
      }
    }
  }

  /**
   * Reads a diff. The lines of a file that isn't UTF-8 are decoded as VS Code decodes the file
   * (alibaba/open-code-review#987), but not those that name it, which Git writes in UTF-8.
   */
  async #decoded(repository: Repository, args: readonly string[]): Promise<string> {
    const diff = await this.#git(repository, args, undefined, 'latin1');
    const texts = diffFiles(diff).map(({ text }) => {
      const utf8 = utf8Of(text);
      const [file] = utf8.includes('\ufffd') ? diffFiles(utf8) : [];
      return file ? decodedLines(text, vscode.Uri.joinPath(repository.rootUri, file.path)) : utf8;
    });
    return (await Promise.all(texts)).join('');
  }

  /** The paths of untracked files, unless the person hides them in VS Code. */
  async #untracked(repository: Repository): Promise<readonly string[]> {
    if (vscode.workspace.getConfiguration('git', repository.rootUri).get('untrackedChanges') === 'hidden') {
      return [];
    }
    const listed = await this.#git(repository, ['ls-files', '--others', '--exclude-standard', '-z']);
    // A folder is another repository.
    return listed.split('\0').filter((path) => path !== '' && !path.endsWith('/'));
  }

  /** Those of the paths that `.gitattributes` marks as generated, with the attribute that GitHub has for it. */
  async #generated(repository: Repository, paths: readonly string[]): Promise<ReadonlySet<string>> {
    const args = ['check-attr', '-z', '--stdin', 'linguist-generated'];
    const told = paths.length === 0 ? '' : await this.#git(repository, args, paths.join('\0'));
    const fields = told.split('\0');
    return new Set(fields.filter((_, at) => at % 3 === 0 && /^(?:set|true)$/.test(fields[at + 2] ?? '')));
  }

  async #git({ rootUri }: Repository, args: readonly string[], input?: string, encoding?: 'latin1'): Promise<string> {
    const text = await this.#readGit(gitApi()?.git.path ?? 'git', rootUri.fsPath, args, input, encoding);
    if (text === undefined) {
      throw new Error(`git ${args.find((each) => /^[a-z]/.test(each) && !each.includes('='))} failed`);
    }
    return text;
  }
}

/** @param latin1 a character per byte. */
function utf8Of(latin1: string): string {
  return Buffer.from(latin1, 'latin1').toString();
}

async function decodedLines(latin1: string, uri: vscode.Uri): Promise<string> {
  const start = latin1.search(/^@@/m);
  const [names, lines] = start < 0 ? [latin1, ''] : [latin1.slice(0, start), latin1.slice(start)];
  const bytes = Buffer.from(lines, 'latin1');
  // VS Code refuses what it takes for binary, such as UTF-16 within a diff.
  return utf8Of(names) + (await vscode.workspace.decode(bytes, { uri }).then(undefined, () => bytes.toString()));
}

/** The number of files that VS Code shows as changed. */
export function changedFiles({ state }: Repository): number {
  const { indexChanges, workingTreeChanges, untrackedChanges = [] } = state;
  return new Set([...indexChanges, ...workingTreeChanges, ...untrackedChanges].map(({ uri }) => uri.toString())).size;
}

/** Says which files are left out of a diff. */
export function leftOutText(paths: readonly string[]): string {
  return l10n.t('Left out of the diff: {0}.', listText(paths));
}

/** Says why the changes of no repository can be read; undefined when they can, or when there may be none. */
export function changesProblem(): string | undefined {
  if (vscode.extensions.getExtension('vscode.git') === undefined) {
    return vscode.workspace.isTrusted
      ? l10n.t("VS Code's Git extension is disabled, or runs on another computer than Ask Model.")
      : l10n.t("VS Code's Git extension is off in Restricted Mode.");
  }
  return vscode.workspace.getConfiguration('git').get('enabled') === false
    ? l10n.t('The setting git.enabled is off.')
    : undefined;
}

function gitApi(): GitApi | undefined {
  const git: unknown = vscode.extensions.getExtension('vscode.git')?.exports;
  if (typeof git !== 'object' || git === null || !('getAPI' in git) || typeof git.getAPI !== 'function') {
    return undefined;
  }
  try {
    return git.getAPI(1) as GitApi;
  } catch {
    // The setting `git.enabled` is off.
    return undefined;
  }
}

function piece(repository: Repository, kind: ChangesKind, text: string): CodeContext {
  const name = kind === 'staged' ? 'staged changes' : typeof kind === 'object' ? `commit ${kind.hash.slice(0, 8)}` : '';
  return {
    kind: 'changes',
    id: crypto.randomUUID(),
    path: nameOf(repository.rootUri),
    languageId: 'diff',
    startLine: 1,
    endLine: Math.max(1, text.split('\n').length - 1),
    text,
    ...(name !== '' && { name }),
  };
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { sentences } from '../../core/base/localization.ts';
import { filesText } from '../../core/chat/context/contextText.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { fileLimit, tooLargeText } from './fileContexts.ts';
import type { IncludableContext } from './foundContext.ts';

/** The part of a repository in the API of VS Code's Git extension that is used here. */
type Repository = {
  readonly rootUri: vscode.Uri;
  readonly state: {
    readonly indexChanges: readonly Change[];
    readonly workingTreeChanges: readonly Change[];
    readonly untrackedChanges?: readonly Change[];
  };
  /** @param cached the staged changes instead of those in the working tree. */
  diff(cached: boolean): Promise<string>;
};
type Change = { readonly uri: vscode.Uri; readonly status: number };

/** The number of the status of an untracked file, which no diff contains. */
const untracked = 7;

/** A row for the uncommitted changes of each repository, or one that says why none can be read. */
export function changesRows(): IncludableContext[] {
  const label = l10n.t('Uncommitted Changes');
  const problem = changesProblem();
  if (problem !== undefined) {
    const note = sentences(l10n.t("Uncommitted changes can't be included."), problem);
    return [{ id: 'noChanges', kind: 'changes', label, detail: problem, read: async () => ({ pieces: [], note }) }];
  }
  const changed = repositories().flatMap((repository) => {
    const { indexChanges, workingTreeChanges, untrackedChanges = [] } = repository.state;
    const changes = [...indexChanges, ...workingTreeChanges, ...untrackedChanges];
    return changes.length === 0 ? [] : [{ repository, changes }];
  });
  return changed.map(({ repository, changes }) => {
    const { rootUri } = repository;
    const name = rootUri.path.split('/').at(-1) || rootUri.path;
    return {
      id: `changes:${rootUri.toString()}`,
      kind: 'changes',
      label,
      detail: changed.length === 1 ? '' : name,
      size: filesText(new Set(changes.map(({ uri }) => uri.toString())).size),
      read: async () => {
        const read = await changesOf(repository, name, changes);
        return read.text.length > fileLimit
          ? { pieces: [], note: tooLargeText(name, read.text.length) }
          : { pieces: [read] };
      },
    };
  });
}

/** Says why the changes of no repository can be read; undefined when they can, or when there may be none. */
function changesProblem(): string | undefined {
  if (vscode.extensions.getExtension('vscode.git') === undefined) {
    return vscode.workspace.isTrusted
      ? l10n.t("VS Code's Git extension is disabled, or runs on another computer than Ask Model.")
      : l10n.t("VS Code's Git extension is off in Restricted Mode.");
  }
  return vscode.workspace.getConfiguration('git').get('enabled') === false
    ? l10n.t('The setting git.enabled is off.')
    : undefined;
}

function repositories(): readonly Repository[] {
  const git: unknown = vscode.extensions.getExtension('vscode.git')?.exports;
  if (typeof git !== 'object' || git === null || !('getAPI' in git) || typeof git.getAPI !== 'function') {
    return [];
  }
  try {
    const api: { readonly repositories: readonly Repository[] } = git.getAPI(1);
    return api.repositories;
  } catch {
    // The setting `git.enabled` is off.
    return [];
  }
}

async function changesOf(repository: Repository, name: string, changes: readonly Change[]): Promise<CodeContext> {
  const root = `${repository.rootUri.path}/`;
  const added = changes
    .filter(({ status }) => status === untracked)
    .map(({ uri }) => `Untracked file: ${uri.path.startsWith(root) ? uri.path.slice(root.length) : uri.path}\n`);
  const text = [await repository.diff(true), await repository.diff(false), added.join('')]
    .filter((part) => part !== '')
    .map((part) => (part.endsWith('\n') ? part : `${part}\n`))
    .join('');
  return {
    kind: 'changes',
    id: crypto.randomUUID(),
    path: name,
    languageId: 'diff',
    startLine: 1,
    endLine: Math.max(1, text.split('\n').length - 1),
    text,
  };
}

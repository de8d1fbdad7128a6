import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { estimateTokens } from '../../core/base/estimateTokens.ts';
import { estimatedTokensText, numberText, plural } from '../../core/base/localization.ts';
import { type NamedSymbol, namedSymbols } from '../../core/chat/context/enclosingSymbol.ts';
import { FileSearch } from '../../core/chat/context/fileSearch.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { symbolText } from '../../core/chat/context/symbolText.ts';
import type { FoundView } from '../../protocol.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { shownPath } from '../ui/shownPath.ts';
import { linesText } from './contextLine.ts';
import { fileContext, fileLimit, outlineOf, problemsContext, symbolContext, tooLargeText } from './fileContexts.ts';
import { changedRepositories } from './gitChanges.ts';
import { inTime } from './inTime.ts';
import { openFiles } from './openFiles.ts';
import { selectedCode } from './selection.ts';
import type { WorkspaceFiles } from './workspaceFiles.ts';

/** Something that a question can include, by its name. Its text is read when it is chosen. */
export type FoundContext = {
  readonly kind: FoundView['kind'];
  readonly label: string;
  /** Where it is, and its size if that is known. */
  readonly detail: string;
  /** @returns the pieces, or the reason why they can't be included. */
  readonly read: () => Promise<readonly CodeContext[] | string>;
};

export type ContextFinderDeps = {
  readonly lastEditor: LastEditor;
  readonly files: WorkspaceFiles;
};

const maxRows = 30;
const maxSymbols = 8;
/** How long a list waits for the symbols of the open file. */
const symbolWaitMs = 300;
/** How long it waits for the first files of a large workspace. */
const filesWaitMs = 1_000;
/** Larger files are not opened: VS Code would read all of them. */
const maxBytes = 5 * 2 ** 20;

/**
 * Finds what a question can include by the letters typed after `#`: selection and problems, uncommitted changes,
 * symbols of the open file, and files of the workspace. Without letters, the open files come first.
 */
export async function findContext(
  { lastEditor, files }: ContextFinderDeps,
  query: string,
): Promise<readonly FoundContext[]> {
  const editor = lastEditor.current;
  const here = [
    ...(editor === undefined ? [] : [...selectionRow(editor), ...problemsRow(editor.document)]),
    ...changesRows(),
  ];
  if (query === '') {
    const open = [...(editor === undefined ? [] : [editor.document.uri]), ...openFiles(editor?.document.uri)];
    const others = files.find('', maxRows).filter(({ uri }) => !open.some((each) => isSame(each, uri)));
    return [...here, ...open.map(fileRow), ...others.map(({ uri }) => fileRow(uri))].slice(0, maxRows);
  }
  const [symbols] = await Promise.all([
    editor === undefined ? [] : symbolRows(editor.document, query),
    inTime(filesWaitMs, files.ready()),
  ]);
  const found = files.find(query, maxRows);
  const rows = [
    ...matching(here, query),
    ...symbols,
    // Files outside the workspace can be found while they are open.
    ...matching(
      openFiles(undefined)
        .filter((uri) => !vscode.workspace.getWorkspaceFolder(uri))
        .map(fileRow),
      query,
    ),
    ...found.map(({ uri }) => fileRow(uri)),
  ];
  return rows.length > 0 ? rows.slice(0, maxRows) : excludedFile(query);
}

function matching(rows: readonly FoundContext[], query: string): readonly FoundContext[] {
  const names = rows.map(({ label }) => label);
  return new FileSearch(names).find(query, maxRows).flatMap((index) => rows[index] ?? []);
}

function selectionRow(editor: vscode.TextEditor): FoundContext[] {
  const pieces = selectedCode(editor);
  if (pieces.length === 0) {
    return [];
  }
  const label = plural(pieces.length, l10n.t('Selection'), l10n.t('{0} Selections', numberText(pieces.length)));
  const detail = [shownPath(editor.document.uri), linesText(pieces), tokensOf(pieces)].join(' · ');
  return [{ kind: 'selection', label, detail, read: async () => pieces }];
}

function problemsRow(document: vscode.TextDocument): FoundContext[] {
  const problems = problemsContext(document, []);
  if (problems === undefined) {
    return [];
  }
  const label = l10n.t('Problems in File ({0})', numberText(problems.count ?? 0));
  const detail = [shownPath(document.uri), tokensOf([problems])].join(' · ');
  return [{ kind: 'problems', label, detail, read: async () => [problems] }];
}

/** The uncommitted changes of each repository. */
export function changesRows(): FoundContext[] {
  const changed = changedRepositories();
  return changed.map(({ name, files, read }) => {
    const count = plural(files, l10n.t('1 file'), l10n.t('{0} files', numberText(files)));
    return {
      kind: 'changes',
      label: l10n.t('Uncommitted Changes'),
      detail: changed.length === 1 ? count : `${name} · ${count}`,
      read: async () => {
        const changes = await read();
        return changes.text.length > fileLimit ? tooLargeText(name, changes.text.length) : [changes];
      },
    };
  });
}

async function symbolRows(document: vscode.TextDocument, query: string): Promise<readonly FoundContext[]> {
  const symbols = namedSymbols((await inTime(symbolWaitMs, outlineOf(document))) ?? []);
  const names = symbols.map(({ symbol }) => symbol.name);
  return new FileSearch(names).find(query, maxSymbols).flatMap((index) => {
    const symbol = symbols[index];
    return symbol ? [symbolRow(document, symbol)] : [];
  });
}

function symbolRow(document: vscode.TextDocument, named: NamedSymbol): FoundContext {
  const context = symbolContext(document, named);
  return {
    kind: 'symbol',
    label: named.symbol.name,
    detail: [symbolText(named.word), context.path, tokensOf([context])].join(' · '),
    read: async () => [symbolContext(document, named)],
  };
}

function fileRow(uri: vscode.Uri): FoundContext {
  const path = shownPath(uri);
  const at = path.lastIndexOf('/');
  return {
    kind: 'file',
    label: path.slice(at + 1),
    detail: path.slice(0, Math.max(0, at)),
    read: () => readFile(uri, path),
  };
}

/** A file whose whole path was typed, although it is excluded from the list. */
async function excludedFile(path: string): Promise<readonly FoundContext[]> {
  if (path.split('/').some((name) => name === '' || name === '.' || name === '..')) {
    return [];
  }
  const uris = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => vscode.Uri.joinPath(uri, path));
  const isFile = async (uri: vscode.Uri) =>
    (((await vscode.workspace.fs.stat(uri)).type ?? 0) & vscode.FileType.File) !== 0;
  const found = await Promise.all(uris.map(async (uri) => ((await isFile(uri).catch(() => false)) ? [uri] : [])));
  return found.flat().map((uri) => ({ ...fileRow(uri), detail: l10n.t('excluded by .gitignore or by settings') }));
}

async function readFile(uri: vscode.Uri, path: string): Promise<readonly CodeContext[] | string> {
  const isOpen = vscode.workspace.textDocuments.some((each) => isSame(each.uri, uri));
  if (!isOpen) {
    try {
      const { size } = await vscode.workspace.fs.stat(uri);
      if (size > maxBytes) {
        return tooLargeText(path, size);
      }
    } catch {
      return l10n.t('{0} no longer exists.', path);
    }
  }
  try {
    const file = fileContext(await vscode.workspace.openTextDocument(uri));
    if (file.text.includes('\0')) {
      return binaryText(path);
    }
    return file.text.length > fileLimit ? tooLargeText(path, file.text.length) : [file];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return /binary/i.test(reason) ? binaryText(path) : l10n.t("{0} can't be read: {1}", path, reason);
  }
}

function binaryText(path: string): string {
  return l10n.t("{0} can't be included because it isn't a text file.", path);
}

function tokensOf(pieces: readonly CodeContext[]): string {
  return estimatedTokensText(estimateTokens(pieces.map(({ text }) => text).join('')));
}

function isSame(one: vscode.Uri, other: vscode.Uri): boolean {
  return one.toString() === other.toString();
}

import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { symbolAround } from './fileContexts.ts';
import { cellOf, isCell, isNotebookPath, notebookText } from './notebookCells.ts';
import { nameOf } from './proposedChanges.ts';
import { fileOfOldVersion, selectedCode } from './selection.ts';

/** A comment, such as the documentation of what follows it. */
const comment = /^\s*(?:\/\/|\/?\*|#(?!\s*(?:include|define|if|endif))|--)/;

/**
 * The whole lines that the person means: those of the selection; without one, those of the symbol around the cursor with
 * the comment before it, or else the line of the cursor.
 *
 * @param line the line of a menu, from 1; by default that of the cursor.
 * @returns undefined when the lines are blank.
 */
export async function linesMeant(
  { document, selection }: vscode.TextEditor,
  line = selection.active.line + 1,
): Promise<CodeContext | undefined> {
  const isMenu = line < selection.start.line + 1 || line > selection.end.line + 1;
  if (!selection.isEmpty && !isMenu) {
    const endsAtLineStart = selection.end.character === 0 && selection.end.line > selection.start.line;
    return wholeLines(document, selection.start.line, selection.end.line - (endsAtLineStart ? 1 : 0));
  }
  // A cursor in the indentation is on the code after it.
  const start = document.lineAt(line - 1).firstNonWhitespaceCharacterIndex;
  const at = new vscode.Position(line - 1, isMenu ? start : Math.max(start, selection.active.character));
  return linesAround(document, at);
}

/** The symbol around a position with the comment before it, or else the line. @returns undefined for a blank line. */
export async function linesAround(
  document: vscode.TextDocument,
  at: vscode.Position,
): Promise<CodeContext | undefined> {
  const found = await symbolAround(document, at);
  if (found === undefined) {
    return wholeLines(document, at.line, at.line);
  }
  const { range, name } = found.symbol;
  let first = range.start.line;
  while (first > 0 && comment.test(document.lineAt(first - 1).text)) {
    first -= 1;
  }
  const code = wholeLines(document, first, range.end.line);
  return code && !isCell(document) ? { ...code, kind: 'symbol', name, symbol: found.word } : code;
}

/** Lines, from 0 and both included. @returns undefined for blank lines. */
export function wholeLines(document: vscode.TextDocument, first: number, last: number): CodeContext | undefined {
  const selection = new vscode.Selection(new vscode.Position(first, 0), document.lineAt(last).range.end);
  const [code] = selectedCode({ document, selections: [selection] });
  return code && code.text.trim() !== '' ? { ...code, endLine: last + 1 } : undefined;
}

/** Says why the code of an editor can't be edited in its place; undefined when it can. */
export async function editProblem({ document, selections }: vscode.TextEditor): Promise<string | undefined> {
  const name = nameOf(document.uri);
  if (selections.length > 1) {
    return l10n.t('Several parts of {0} are selected. Select one of them to edit it.', name);
  }
  const file = fileOfOldVersion(document);
  if (file) {
    return l10n.t(
      "This is an old version of {0}, which can't be changed. Select the code in the file itself.",
      nameOf(file),
    );
  }
  if (isNotebookPath(document.uri.path) && !isCell(document)) {
    return notebookText(name);
  }
  if (document.isUntitled) {
    return undefined;
  }
  const uri = cellOf(document)?.notebook.uri ?? document.uri;
  const facts = await vscode.workspace.fs.stat(uri).then(undefined, () => undefined);
  // Only what has a file can be changed: other documents are made by an extension, such as an old version.
  const isReadonly =
    uri.scheme !== 'untitled' &&
    (facts === undefined ||
      facts.permissions === vscode.FilePermission.Readonly ||
      vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false);
  return isReadonly ? l10n.t("{0} can't be changed because it's read-only.", name) : undefined;
}

import * as vscode from 'vscode';
import { isRecord } from '../../core/base/loose.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { pathAndUri } from '../ui/lastEditor.ts';
import { cellOf } from './notebookCells.ts';

/**
 * The file of which a document is an old version: a version in Git, or the left side of a diff with a file. Undefined
 * for any other document.
 */
export function fileOfOldVersion({ uri }: vscode.TextDocument): vscode.Uri | undefined {
  if (uri.scheme === 'git') {
    try {
      const query: unknown = JSON.parse(uri.query);
      return isRecord(query) && typeof query.path === 'string' ? vscode.Uri.file(query.path) : undefined;
    } catch {
      return undefined;
    }
  }
  return vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs.map(({ input }) => input))
    .find(
      (input): input is vscode.TabInputTextDiff =>
        input instanceof vscode.TabInputTextDiff &&
        input.original.toString() === uri.toString() &&
        input.modified.scheme !== uri.scheme &&
        vscode.workspace.getWorkspaceFolder(input.modified) !== undefined,
    )?.modified;
}

/** The selected code of an editor: one context for each selection that is not empty, in the order of the file. */
export function selectedCode(editor: Pick<vscode.TextEditor, 'document' | 'selections'> | undefined): CodeContext[] {
  if (editor === undefined) {
    return [];
  }
  const { document } = editor;
  const cell = cellOf(document);
  const file = fileOfOldVersion(document);
  return editor.selections
    .filter((selection) => !selection.isEmpty)
    .toSorted((a, b) => a.start.compareTo(b.start))
    .map((selection) => {
      // A selection of whole lines ends at the start of the line after them.
      const endsAtLineStart = selection.end.character === 0 && selection.end.line > selection.start.line;
      return {
        kind: 'selection',
        id: crypto.randomUUID(),
        ...pathAndUri(cell?.notebook.uri ?? file ?? document.uri),
        languageId: document.languageId,
        startLine: selection.start.line + 1,
        endLine: selection.end.line + (endsAtLineStart ? 0 : 1),
        text: document.getText(selection),
        ...(cell && { cell: cell.index + 1 }),
        ...(file && { isOld: true }),
      };
    });
}

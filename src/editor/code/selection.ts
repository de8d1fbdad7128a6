import type * as vscode from 'vscode';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { shownPath } from '../ui/shownPath.ts';
import { cellOf } from './notebookCells.ts';

/** The selected code of an editor: one context for each selection that is not empty, in the order of the file. */
export function selectedCode(editor: Pick<vscode.TextEditor, 'document' | 'selections'> | undefined): CodeContext[] {
  if (editor === undefined) {
    return [];
  }
  const { document } = editor;
  const cell = cellOf(document);
  return editor.selections
    .filter((selection) => !selection.isEmpty)
    .toSorted((a, b) => a.start.compareTo(b.start))
    .map((selection) => {
      // A selection of whole lines ends at the start of the line after them.
      const endsAtLineStart = selection.end.character === 0 && selection.end.line > selection.start.line;
      return {
        kind: 'selection',
        id: crypto.randomUUID(),
        path: shownPath(cell?.notebook.uri ?? document.uri),
        languageId: document.languageId,
        startLine: selection.start.line + 1,
        endLine: selection.end.line + (endsAtLineStart ? 0 : 1),
        text: document.getText(selection),
        ...(cell && { cell: cell.index + 1 }),
      };
    });
}

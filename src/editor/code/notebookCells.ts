import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { factsText, numberText, plural } from '../../core/base/localization.ts';
import { shortLine } from '../../core/base/shortLine.ts';
import { cellSource, cellText } from '../../core/chat/context/cellText.ts';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import type { SelectedCode } from '../../core/chat/edits/codeTarget.ts';
import { findCode } from '../../core/chat/edits/locateCode.ts';
import { pathAndUri, shownPath } from '../ui/lastEditor.ts';
import { containsTyped, fileLimit, type IncludableContext, tooLargeText } from './foundContext.ts';
import { contextUris } from './workspaceFiles.ts';

const maxRows = 8;

/**
 * The selected cells of the notebook that is shown, and up to eight of its other cells; with letters, those whose first
 * line or number matches.
 */
export function cellRows(query: string): readonly IncludableContext[] {
  const editor = vscode.window.activeNotebookEditor ?? vscode.window.visibleNotebookEditors.at(-1);
  if (editor === undefined) {
    return [];
  }
  const { notebook, selections } = editor;
  const selected = selections.flatMap((range) => notebook.getCells(range));
  const selection = selected.length === 0 ? [] : [rowOf(`cells:${notebook.uri}`, selectedLabel(selected), selected)];
  const others = notebook
    .getCells()
    .filter((cell) => query !== '' || selected.length !== 1 || cell !== selected[0])
    .filter((cell) => containsTyped(`${cellsText([cell])} ${labelOf(cell)}`, query))
    .slice(0, maxRows);
  return [
    ...selection.filter(({ label }) => containsTyped(label, query)),
    ...others.map((cell) => rowOf(`cell:${cell.document.uri}`, labelOf(cell), [cell])),
  ];
}

/** Whether a document is a cell of a notebook: the text editor that is active in it is not of a whole file. */
export function isCell({ uri }: vscode.TextDocument): boolean {
  return uri.scheme === 'vscode-notebook-cell';
}

/** The cell that a document is; undefined for any other document. */
export function cellOf(document: vscode.TextDocument): vscode.NotebookCell | undefined {
  return isCell(document)
    ? vscode.workspace.notebookDocuments
        .flatMap((notebook) => notebook.getCells())
        .find((cell) => cell.document.uri.toString() === document.uri.toString())
    : undefined;
}

/** Whether a path is that of a notebook. The text of its file is JSON, which code must never be put into. */
export function isNotebookPath(path: string): boolean {
  return /\.ipynb$/i.test(path);
}

/** Says why code was not put into the file of a notebook, and what to do. */
export function notebookText(name: string): string {
  return l10n.t(
    '{0} is a notebook, so code can only go into one of its cells. Select code in a cell, then try again.',
    name,
  );
}

/**
 * Finds the cell that the code of a question comes from: the one with that code which is nearest to its old place, or
 * the one in that place when no cell has the code. @returns undefined when there is no such cell.
 */
export async function findCell(code: SelectedCode): Promise<vscode.NotebookCell | undefined> {
  const cells = (await notebookOf(code.path))?.getCells() ?? [];
  const at = code.cell === undefined ? undefined : code.cell - 1;
  const distance = ({ index }: vscode.NotebookCell) => Math.abs(index - (at ?? 0));
  const [nearest] = cells
    .filter(({ document }) => findCode(document.getText(), code))
    .sort((a, b) => distance(a) - distance(b));
  return nearest ?? (at === undefined ? undefined : cells[at]);
}

/** Shows the cell of a context where it is now. @returns false when it was not found. */
export async function showCell(context: CodeContext, viewColumn: vscode.ViewColumn): Promise<boolean> {
  const cell = await findCell({ ...context, text: cellSource(context.text) });
  if (cell === undefined) {
    return false;
  }
  const { notebook, index } = cell;
  const range = new vscode.NotebookRange(index, index + 1);
  const shown = vscode.window.visibleNotebookEditors.find((each) => each.notebook === notebook);
  const editor = await vscode.window.showNotebookDocument(notebook, {
    viewColumn: shown?.viewColumn ?? viewColumn,
    selections: [range],
  });
  editor.revealRange(range);
  return true;
}

async function notebookOf(path: string): Promise<vscode.NotebookDocument | undefined> {
  const open = vscode.workspace.notebookDocuments.find(({ uri }) => shownPath(uri) === path);
  if (open) {
    return open;
  }
  for (const uri of contextUris(path)) {
    // Rejects when there is no such file, or when nothing can read it as a notebook.
    const notebook = await vscode.workspace.openNotebookDocument(uri).then(undefined, () => undefined);
    if (notebook) {
      return notebook;
    }
  }
  return undefined;
}

function selectedLabel(cells: readonly vscode.NotebookCell[]): string {
  return cells.length === 1 ? l10n.t('Selected Cell') : l10n.t('{0} Selected Cells', numberText(cells.length));
}

function cellsText(cells: readonly vscode.NotebookCell[]): string {
  const listed = cells.slice(0, maxRows).map(({ index }) => numberText(index + 1));
  const numbers = [...listed, ...(cells.length > maxRows ? ['…'] : [])].join(', ');
  return plural(cells.length, l10n.t('cell {0}', numbers), l10n.t('cells {0}', numbers));
}

function labelOf({ index, document }: vscode.NotebookCell): string {
  return shortLine(document.getText()) || l10n.t('Cell {0}', numberText(index + 1));
}

function rowOf(id: string, label: string, cells: readonly vscode.NotebookCell[]): IncludableContext {
  const pieces: CodeContext[] = [];
  let size = 0;
  for (let at = 0; at < cells.length && size <= fileLimit; at++) {
    const piece = cellContext(cells[at] as vscode.NotebookCell);
    pieces.push(piece);
    size += piece.text.length;
  }
  const path = pieces[0]?.path ?? '';
  return {
    id,
    kind: 'cell',
    label,
    detail: factsText(path, cellsText(cells)),
    pieces,
    read: async () => (size > fileLimit ? { pieces: [], notes: [tooLargeText(label, size)] } : { pieces }),
  };
}

/** A cell with the text of its output. */
function cellContext({ index, document, outputs, notebook }: vscode.NotebookCell): CodeContext {
  return {
    kind: 'cell',
    id: crypto.randomUUID(),
    ...pathAndUri(notebook.uri),
    languageId: document.languageId,
    startLine: 1,
    endLine: document.lineCount,
    text: cellText(
      document.getText(),
      outputs.map(({ items }) => items),
    ),
    cell: index + 1,
  };
}

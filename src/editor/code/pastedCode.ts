import * as vscode from 'vscode';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import { type LastEditor, pathAndUri } from '../ui/lastEditor.ts';

/**
 * The context for code that was pasted into the question box: with its place if exactly one open document has it, once.
 * The document that was edited last takes precedence.
 *
 * @param languageId of the editor that it was copied from.
 */
export function pastedCode(pasted: string, languageId: string, lastEditor: LastEditor): CodeContext {
  const text = pasted.replaceAll('\r\n', '\n');
  const last = lastEditor.current?.document;
  const found = (last && placesOf([last], text)) ?? [];
  const places = found.length > 0 ? found : placesOf(vscode.workspace.textDocuments, text);
  const [place] = places;
  const id = crypto.randomUUID();
  const lines = text.replace(/\n$/, '').split('\n').length;
  if (place === undefined || places.length > 1) {
    return { kind: 'pasted', id, path: '', languageId, startLine: 1, endLine: lines, text };
  }
  const { document, range } = place;
  return {
    kind: 'selection',
    id,
    ...pathAndUri(document.uri),
    languageId: document.languageId,
    startLine: range.start.line + 1,
    endLine: range.start.line + lines,
    // With the line breaks of the file, as in a selection, so that the same code is not included twice.
    text: document.getText(range),
  };
}

type Place = { readonly document: vscode.TextDocument; readonly range: vscode.Range };

/** Where documents have a text; of each the first two places. */
function placesOf(documents: readonly vscode.TextDocument[], text: string): readonly Place[] {
  return documents
    .filter(({ uri }) => /^(?:file|untitled|vscode-.*)$/.test(uri.scheme))
    .flatMap((document) => {
      const whole = document.getText().replaceAll('\r\n', '\n');
      const first = whole.indexOf(text);
      const second = first < 0 ? -1 : whole.indexOf(text, first + 1);
      return [first, second]
        .filter((at) => at >= 0)
        .map((at) => ({
          document,
          range: new vscode.Range(positionIn(whole, at), positionIn(whole, at + text.length)),
        }));
    });
}

/** The position of an offset in a text whose line breaks all have one unit. */
function positionIn(text: string, offset: number): vscode.Position {
  const before = text.slice(0, offset);
  return new vscode.Position(before.split('\n').length - 1, offset - (before.lastIndexOf('\n') + 1));
}

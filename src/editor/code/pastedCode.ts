import * as vscode from 'vscode';
import type { CodeContext } from '../../core/chat/context/prompt.ts';
import type { LastEditor } from '../ui/lastEditor.ts';
import { shownPath } from '../ui/shownPath.ts';

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
  const { document, line } = place;
  return {
    kind: 'selection',
    id,
    path: shownPath(document.uri),
    languageId: document.languageId,
    startLine: line + 1,
    endLine: line + lines,
    text,
  };
}

type Place = { readonly document: vscode.TextDocument; readonly line: number };

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
        .map((at) => ({ document, line: whole.slice(0, at).split('\n').length - 1 }));
    });
}

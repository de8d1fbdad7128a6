import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TextDocument, TextEditor } from 'vscode';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code's API that this asks for, where no language server finds a symbol.
const fakeVscode = `data:text/javascript,
  export class DocumentSymbol {}
  export class SymbolInformation {}
  export class Position {
    constructor(line, character) { Object.assign(this, { line, character }); }
  }
  export class Range {
    constructor(start, end) { Object.assign(this, { start, end }); }
  }
  export const commands = { executeCommand: async () => [] };
  export const window = { tabGroups: { all: [] } };
  export const workspace = {
    get notebookDocuments() { return globalThis.notebooks; },
    getWorkspaceFolder: () => ({}),
    asRelativePath: ({ path }) => path.slice(1),
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, fakeVscode);
const { linesMeant } = await import('../../../../src/editor/code/fileContexts.ts');

type Place = { readonly line: number; readonly character: number };

function documentOf(scheme: string, path: string, lines: readonly string[]): TextDocument {
  return {
    uri: { scheme, path, toString: () => `${scheme}:${path}` },
    languageId: 'python',
    lineCount: lines.length,
    lineAt: (line: number) => ({
      text: lines[line],
      firstNonWhitespaceCharacterIndex: lines[line]?.search(/\S|$/),
      range: { end: { line, character: lines[line]?.length } },
    }),
    getText: ({ start, end }: { start: Place; end: Place }) => lines.slice(start.line, end.line + 1).join('\n'),
  } as unknown as TextDocument;
}

/** The lines that a cursor means. */
async function meant(document: TextDocument, line: number) {
  const active = { line, character: 0 };
  const selection = { isEmpty: true, start: active, end: active, active };
  const code = await linesMeant({ document, selection, selections: [selection] } as unknown as TextEditor);
  return code && [code.kind, code.path, code.startLine, code.endLine, code.text, code.cell];
}

test('means the whole cell of a notebook where a cursor is in no symbol, not only its line (microsoft/vscode-copilot-release#203)', async () => {
  const lines = ['import pandas as pd', '', 'pd.read_csv("a.csv").x'];
  const cell = { index: 2, document: documentOf('vscode-notebook-cell', '/a.ipynb', lines) };
  const notebook = { uri: { scheme: 'file', path: '/a.ipynb' }, getCells: () => [cell] };
  Object.assign(cell, { notebook });
  Object.assign(globalThis, { notebooks: [notebook] });
  const whole = ['selection', 'a.ipynb', 1, 3, lines.join('\n'), 3];
  assert.deepEqual(await meant(cell.document, 2), whole);
  assert.deepEqual(await meant(cell.document, 1), whole, 'also from a blank line');
  assert.deepEqual(await meant(documentOf('file', '/a.py', lines), 2), [
    'selection',
    'a.py',
    3,
    3,
    lines[2],
    undefined,
  ]);
});

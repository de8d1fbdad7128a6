import assert from 'node:assert/strict';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { foundPaths, openPlace, openSymbol, showContext } from '../../src/editor/code/filePlaces.ts';
import { WorkspaceFiles } from '../../src/editor/code/workspaceFiles.ts';
import { realPath } from '../../src/node/system/machine.ts';
import { until } from '../until.ts';

describe('places that an answer names', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const folder = join(root, 'places');
  const outside = join(tmpdir(), `ask-model-outside-${process.pid}.ts`);
  const files = new WorkspaceFiles(async () => undefined, realPath);
  const { showQuickPick, showWarningMessage } = vscode.window;
  let picked: readonly string[] = [];
  const warned: string[] = [];

  before(() => {
    for (const path of ['src/a.ts', 'src/my files/b.ts', 'other/twin.ts', 'src/twin.ts']) {
      mkdirSync(join(folder, path, '..'), { recursive: true });
      writeFileSync(join(folder, path), Array.from({ length: 30 }, (_, line) => `line ${line + 1}`).join('\n'));
    }
    writeFileSync(outside, 'out');
    symlinkSync(outside, join(folder, 'src', 'out.ts'));
    Object.assign(vscode.window, {
      showQuickPick: async (items: readonly vscode.QuickPickItem[]) => {
        picked = items.map(({ label }) => label);
        return items.at(-1);
      },
      showWarningMessage: async (message: string) => void warned.push(message),
    });
  });

  after(async () => {
    Object.assign(vscode.window, { showQuickPick, showWarningMessage });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
    rmSync(outside);
  });

  const shown = async (name: string) => {
    const editor = () => vscode.window.activeTextEditor;
    await until(() => assert.ok(editor()?.document.fileName.endsWith(name)));
    return editor() ?? assert.fail();
  };

  it('finds files from a folder of the workspace, by the end of their path and absolute, and none outside', async () => {
    const there = ['places/src/a.ts', 'places\\src\\a.ts', './places/src/my files/b.ts', 'src/a.ts', 'twin.ts'];
    const notThere = [
      ...['places/src', 'src/gone.ts', 'rc/a.ts', 'places/../places/src/a.ts', 'places/src/out.ts', 'out.ts'],
      ...[outside, `file://${join(folder, 'src', 'a.ts')}`, `//host${join(folder, 'src', 'a.ts')}`, '*.ts', '{a,b}.ts'],
    ];
    const absolute = join(folder, 'src', 'a.ts');
    // The root of the repository may be above the folder.
    const fromAbove = `${root.split('/').at(-1)}/places/src/a.ts`;
    const looked: string[] = [];
    const counting = Object.assign(new WorkspaceFiles(async () => undefined, realPath), {
      follow: (uri: vscode.Uri) => {
        looked.push(uri.path);
        return files.follow(uri);
      },
    });
    const found = await foundPaths([...there, fromAbove, ...notThere, absolute], counting);
    assert.deepEqual(found, [...there, fromAbove, absolute]);
    // Each was looked at once. Three of them are the same file.
    assert.equal(looked.length, new Set(looked).size + 2);
  });

  it('opens a file with its lines selected, asks which of several, and says when there is none', async () => {
    await openPlace({ path: 'src/a.ts', line: 12, column: 3 }, files, vscode.ViewColumn.One);
    const { selection } = await shown('a.ts');
    assert.deepEqual([selection.start.line, selection.start.character, selection.isEmpty], [11, 2, true]);
    await openPlace({ path: 'twin.ts', line: 2, endLine: 4 }, files, vscode.ViewColumn.One);
    const { selection: lines, document } = await shown('twin.ts');
    assert.equal(document.getText(lines), 'line 2\nline 3\nline 4');
    assert.deepEqual([...picked].sort(), ['places/other/twin.ts', 'places/src/twin.ts']);
    await openPlace({ path: 'places/src/out.ts' }, files, vscode.ViewColumn.One);
    await openPlace({ path: '../x.ts', line: 1 }, files, vscode.ViewColumn.One);
    assert.deepEqual(warned, [
      'places/src/out.ts was not found. It may have been moved or deleted.',
      '../x.ts was not found. It may have been moved or deleted.',
    ]);
  });

  it('shows code of a question in the request that it was selected in', async () => {
    // What *Show Request* opens has such a scheme.
    const scheme = 'ask-model-placed';
    const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
      provideTextDocumentContent: () => 'one\ntwo\nthree\n',
    });
    try {
      const request = await vscode.workspace.openTextDocument(vscode.Uri.parse(`${scheme}:/Sent Request.jsonc`));
      await vscode.window.showTextDocument(request, { preview: false });
      await openPlace({ path: 'src/a.ts' }, files, vscode.ViewColumn.One);
      await shown('a.ts');
      const { languageId } = request;
      const lines = { id: 'lines', path: 'Sent Request.jsonc', startLine: 2, endLine: 2, text: 'two' };
      await showContext({ kind: 'selection', languageId, ...lines }, vscode.ViewColumn.One);
      const { document, selection } = await shown('Sent Request.jsonc');
      assert.equal(document.getText(selection), 'two');
    } finally {
      provider.dispose();
    }
  });

  it('goes to the symbol with exactly the name that was clicked, and nowhere without one', async () => {
    const uri = vscode.Uri.file(join(folder, 'src', 'a.ts'));
    const place = new vscode.Location(uri, new vscode.Range(4, 0, 4, 4));
    const provider = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () =>
        ['placeTotal', 'placeTotals'].map(
          (name) => new vscode.SymbolInformation(name, vscode.SymbolKind.Function, '', place),
        ),
    });
    try {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await openSymbol('placeTot', vscode.ViewColumn.One);
      assert.equal(vscode.window.activeTextEditor, undefined);
      await openSymbol('Cart.placeTotal', vscode.ViewColumn.One);
      assert.equal((await shown('a.ts')).selection.start.line, 4);
    } finally {
      provider.dispose();
    }
  });
});

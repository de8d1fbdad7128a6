import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { namedFile } from '../../src/editor/code/filePlaces.ts';
import { WorkspaceFiles } from '../../src/editor/code/workspaceFiles.ts';
import { realPath } from '../../src/node/system/machine.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { chooseDefault } from './pickSelected.ts';
import { proposals } from './proposals.ts';
import { typeLetter } from './typeLetter.ts';

describe('a workspace of two folders with files of the same names', () => {
  const first = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const second = join(makeTemporary('folders'), 'second');
  let gateway: Gateway;

  const posts = () => gateway.requests().filter(({ method }) => method === 'POST');
  const sentBy = async (command: string, ...args: unknown[]): Promise<string> => {
    const before = posts().length;
    await vscode.commands.executeCommand(command, ...args);
    await until(() => posts().length === before + 1);
    return JSON.parse(posts().at(-1)?.body ?? '').messages[0].content;
  };
  const accept = async () => {
    await until(() => proposals().length === 1);
    await vscode.commands.executeCommand('askModel.acceptChange', proposals()[0]?.modified);
  };
  const open = async (folder: string, name: string) => {
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(join(folder, name)));
    await typeLetter();
    await vscode.commands.executeCommand('undo');
    editor.selection = new vscode.Selection(0, 0, 1, 0);
    return editor;
  };

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    const api = await vscode.extensions.getExtension('ask-model.ask-model')?.activate();
    await api.connect(gateway.consoleUrl, gateway.createKey({ name: 'folders' }).value);
    await vscode.commands.executeCommand('askModel.refreshModels');
    await chooseDefault('gpt-5.1');
    for (const [folder, text] of [
      [first, 'first\n'],
      [second, 'second\n'],
    ] as const) {
      mkdirSync(join(folder, 'src'), { recursive: true });
      writeFileSync(join(folder, 'src', 'same.txt'), text);
    }
    const changed = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
    assert.ok(vscode.workspace.updateWorkspaceFolders(1, 0, { uri: vscode.Uri.file(second) }));
    await changed;
  });

  after(async () => {
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const changed = new Promise((resolve) => vscode.workspace.onDidChangeWorkspaceFolders(resolve));
    vscode.workspace.updateWorkspaceFolders(1, 1);
    await changed;
    rmSync(join(first, 'src'), { recursive: true, force: true });
    await gateway.close();
  });

  it('is told apart in what is sent, and the edited file is the one that was asked about', async () => {
    const editor = await open(second, 'src/same.txt');
    assert.match(await sentBy('askModel.fix'), /From `second\/src\/same\.txt`, line 1:\n```plaintext\nsecond\n```$/);
    await accept();
    assert.match(editor.document.getText(), /^\/\/ Fix .*\nsecond\n$/);
    await editor.document.save();
    assert.equal(readFileSync(join(first, 'src/same.txt'), 'utf8'), 'first\n');
  });

  it('is asked about when an answer names a file that is in both', async () => {
    const shown: string[] = [];
    const { showQuickPick } = vscode.window;
    const pickLast = async (rows: readonly vscode.QuickPickItem[]) => {
      shown.push(...rows.map(({ label }) => label));
      return rows.at(-1);
    };
    Object.assign(vscode.window, { showQuickPick: pickLast });
    const files = new WorkspaceFiles(async () => undefined, realPath);
    const same = String(vscode.Uri.file(join(second, 'src/same.txt')));
    try {
      assert.equal(String(await namedFile('src/same.txt', files)), same);
      assert.equal(String(await namedFile('second/src/same.txt', files)), same);
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
    assert.deepEqual(shown, ['workspace/src/same.txt', 'second/src/same.txt']);
  });

  it('gets new tests in the folder of the tested code', async () => {
    await open(second, 'src/same.txt');
    await sentBy('askModel.writeTests');
    await accept();
    await until(() => existsSync(join(second, 'src/same.test.txt')));
    assert.ok(!existsSync(join(first, 'src/same.test.txt')));
  });
});

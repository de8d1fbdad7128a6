import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { DevelopmentActions } from '../../src/editor/actions/developmentApi.ts';
import { TimedWords, timedPieces } from '../gateway/timedWords.ts';
import { until } from '../until.ts';
import { chooseDefault } from './pickSelected.ts';

const words = 100;
const shows = ['showInformationMessage', 'showWarningMessage'] as const;

describe('an answer on a full disk', () => {
  const server = new TimedWords();
  const folder = mkdtempSync(join(tmpdir(), 'ask-model-unsaved-'));
  const { showSaveDialog } = vscode.window;
  const original = shows.map((show) => [show, vscode.window[show]] as const);
  const said: string[] = [];
  /** The buttons to press, each in the next notification that has it. */
  const presses: string[] = [];

  before(() => {
    for (const show of shows) {
      Object.assign(vscode.window, {
        [show]: async (message: string, ...buttons: unknown[]) => {
          said.push(message);
          return buttons.includes(presses[0]) ? presses.shift() : undefined;
        },
      });
    }
    Object.assign(vscode.window, { showSaveDialog: async () => vscode.Uri.file(join(folder, 'saved.md')) });
  });

  after(async () => {
    Object.assign(vscode.window, { ...Object.fromEntries(original), showSaveDialog });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('arrives to its end in a closed panel, can be shown or saved elsewhere, and is stored when there is space again', async function () {
    this.timeout(60_000);
    if (process.platform !== 'linux') {
      this.skip();
    }
    const storage = join(
      process.env.ASK_MODEL_HOST_SETTINGS ?? '',
      '../globalStorage/ask-model.ask-model/conversations',
    );
    const pieces = (path: string) => timedPieces(readFileSync(path, 'utf8'), 'w').length;
    const files = () => (existsSync(storage) ? readdirSync(storage) : []);
    const panels = () =>
      vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs).filter(({ label }) => /^Explain/.test(label));
    const saysSoon = (text: RegExp) => until(() => said.some((each) => text.test(each)));
    const api: DevelopmentActions = await vscode.extensions.getExtension('ask-model.ask-model')?.activate();
    server.pace = { firstMs: 0, paceMs: 20, thoughts: 0, words };
    await api.connect(await server.listen(), 'sk-Loopback0123456789key');
    await vscode.commands.executeCommand('askModel.refreshModels');
    await chooseDefault('timed-words');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const before = files();
    const document = await vscode.workspace.openTextDocument({ content: 'disk\n' });
    const editor = await vscode.window.showTextDocument(document);
    // VS Code takes this command for the keyboard. Questions that nothing was typed before need a confirmation.
    await until(async () => {
      await vscode.commands.executeCommand('type', { text: 'x' });
      return document.getText().startsWith('x');
    });
    editor.selection = new vscode.Selection(0, 0, 0, 4);
    await vscode.commands.executeCommand('askModel.explainSelection');
    const path = () => join(storage, files().find((name) => name.endsWith('.jsonl') && !before.includes(name)) ?? '');
    await until(() => pieces(path()) > 5);
    const file = path();
    // Every write to it fails as on a full disk.
    renameSync(file, `${file}.aside`);
    symlinkSync('/dev/full', file);
    await saysSoon(/can't be saved\. The disk is full\./);
    presses.push('Show Again');
    await vscode.window.tabGroups.close(panels());
    await saysSoon(/its panel is closed/);
    await until(() => panels().length === 1);
    await until(() => server.posts.length === 1);
    presses.push('Save As…');
    await vscode.window.tabGroups.close(panels());
    await saysSoon(/^Exported to /);
    renameSync(`${file}.aside`, file);
    await saysSoon(/is now saved/);
    await until(() => pieces(file) === words);
    assert.ok(pieces(join(folder, 'saved.md')) > 5);
    assert.equal(server.posts.length, 1);
  });
});

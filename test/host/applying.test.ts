import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CodeContext } from '../../src/core/chat/context/prompt.ts';
import { type Conversation, noDraft } from '../../src/core/chat/conversation/conversation.ts';
import { ProposedChanges } from '../../src/editor/code/proposedChanges.ts';
import { selectedCode } from '../../src/editor/code/selection.ts';
import { useCode } from '../../src/editor/code/useCode.ts';
import { LastEditor } from '../../src/editor/ui/lastEditor.ts';
import { Log } from '../../src/editor/ui/log.ts';
import type { CodeAction } from '../../src/protocol/views.ts';
import { until } from '../until.ts';

const shows = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;

describe('applying code of an answer', () => {
  const folder = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'applied');
  const original = shows.map((show) => [show, vscode.window[show]] as const);
  const lastEditor = new LastEditor();
  const changes = new ProposedChanges(new Log(assert.fail));
  /** The messages since the last action, and the buttons to press in the next ones. */
  let said: string[] = [];
  let presses: string[] = [];

  const uriOf = (path: string) => vscode.Uri.file(join(folder, path));
  const write = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
    return uriOf(path);
  };
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  /** Uses the first code block of an answer, as its buttons do. */
  const use = async (action: CodeAction, answer: string, contexts: readonly CodeContext[] = []) => {
    said = [];
    const [, fence = '', text = ''] = /(?:^|\n)```(.*)\n([\s\S]*?)\n?```/.exec(answer) ?? assert.fail('no block');
    const reply = { id: 'r1', model: 'm', host: 'h', state: 'complete' as const, text: answer, reasoning: '' };
    const conversation: Conversation = {
      id: 'c1',
      createdAt: 0,
      draft: noDraft,
      turns: [{ id: 't1', question: 'q', contexts, replies: [{ ...reply, startedAt: 0 }] }],
    };
    await useCode({ type: 'useCode', action, replyId: 'r1', block: 0, fence, text }, conversation, {
      lastEditor,
      changes: async () => changes,
      panelColumn: undefined,
    });
  };
  const proposals = () =>
    vscode.window.tabGroups.all
      .flatMap(({ tabs }) => tabs)
      .flatMap(({ input }) =>
        input instanceof vscode.TabInputTextDiff && input.modified.scheme === 'ask-model-change' ? [input] : [],
      );
  const proposal = () => {
    const [one, ...others] = proposals();
    assert.equal(others.length, 0);
    return one ?? assert.fail(`Nothing was proposed. ${said.join(' ')}`);
  };
  const textOf = async (uri: vscode.Uri) => (await vscode.workspace.openTextDocument(uri)).getText();

  before(() => {
    for (const show of shows) {
      Object.assign(vscode.window, {
        [show]: async (message: string, ...rest: unknown[]) => {
          said.push(message);
          const [press] = presses;
          return press !== undefined && rest.includes(press) ? presses.shift() : undefined;
        },
      });
    }
  });

  after(async () => {
    Object.assign(vscode.window, Object.fromEntries(original));
    changes.dispose();
    lastEditor.dispose();
    rmSync(folder, { recursive: true, force: true });
  });

  afterEach(async () => {
    presses = [];
    for (const { modified } of proposals()) {
      await changes.discard(modified);
    }
    // An editor with unsaved changes asks before it closes.
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  describe('of a notebook', () => {
    const json = readFileSync(join(__dirname, '../../test/fixtures/reports/notebook.json'), 'utf8');
    const answer = '```python\ndef area(w, h):\n    return abs(w * h)\nprint(area(2, 3))\n```';
    let name = '';
    const openCell = async () => {
      name = `shapes${Date.now()}.ipynb`;
      const notebook = await vscode.workspace.openNotebookDocument(write(name, json));
      const shown = await vscode.window.showNotebookDocument(notebook);
      const cell = notebook.cellAt(0);
      await vscode.commands.executeCommand('notebook.cell.edit');
      await until(() => vscode.window.activeTextEditor?.document === cell.document);
      const editor = vscode.window.activeTextEditor ?? assert.fail();
      editor.selection = new vscode.Selection(0, 0, 2, 17);
      return { notebook, cell, shown, editor };
    };

    it('changes the cell that the code was selected in, and never the JSON (RooCode#4956, aelix-ai#45)', async () => {
      const { notebook, cell, editor } = await openCell();
      const contexts = selectedCode(editor);
      assert.deepEqual(
        contexts.map(({ path, cell: number, startLine, endLine }) => [path, number, startLine, endLine]),
        [[`applied/${name}`, 1, 1, 3]],
      );
      await use('apply', answer, contexts);
      const { modified } = proposal();
      assert.equal((await vscode.workspace.openTextDocument(modified)).languageId, 'python');
      assert.equal(await textOf(modified), 'def area(w, h):\n    return abs(w * h)\nprint(area(2, 3))');
      await changes.accept(modified);
      assert.equal(cell.document.getText(), 'def area(w, h):\n    return abs(w * h)\nprint(area(2, 3))');
      await notebook.save();
      assert.deepEqual(JSON.parse(read(name)).cells[0].source, [
        'def area(w, h):\n',
        '    return abs(w * h)\n',
        'print(area(2, 3))',
      ]);
      await vscode.commands.executeCommand('undo');
      assert.match(cell.document.getText(), /return w \* h/);
    });

    it('compares a changed cell with its old lines, not with the JSON (RooCode#4956)', async () => {
      const { cell, editor } = await openCell();
      const contexts = selectedCode(editor);
      await editor.edit((builder) => builder.replace(new vscode.Range(1, 4, 1, 16), 'return h * w'));
      presses = ['Compare with Lines 1–3'];
      await use('apply', answer, contexts);
      await changes.accept(proposal().modified);
      assert.match(cell.document.getText(), /^def area\(w, h\):\n {4}return abs/);
      assert.equal(read(name), json);
    });

    it('replaces a cell that was added whole, without its output', async () => {
      const { cell } = await openCell();
      const text = `${cell.document.getText()}\n\n--- Output ---\n6\n`;
      await use('apply', answer, [
        {
          kind: 'cell',
          id: 'k',
          path: `applied/${name}`,
          languageId: 'python',
          startLine: 1,
          endLine: 3,
          text,
          cell: 1,
        },
      ]);
      await changes.accept(proposal().modified);
      assert.equal(cell.document.getText(), 'def area(w, h):\n    return abs(w * h)\nprint(area(2, 3))');
    });

    it('inserts into the cell and replaces its selection', async () => {
      const { cell, editor } = await openCell();
      await use('replace', '```python\npass\n```');
      assert.equal(cell.document.getText(), 'pass');
      editor.selection = new vscode.Selection(0, 0, 0, 0);
      await use('insert', '```python\nx = 1;\n```');
      assert.equal(cell.document.getText(), 'x = 1;pass');
      assert.equal(read(name), json);
    });

    it('refuses code for the JSON of its file, whatever the button (RooCode#4956)', async () => {
      const document = await vscode.workspace.openTextDocument(write('text.ipynb', json));
      const editor = await vscode.window.showTextDocument(document);
      editor.selection = new vscode.Selection(0, 0, 0, 20);
      const whole = `\`\`\`json\n${json}\`\`\``;
      for (const action of ['apply', 'insert', 'replace'] as const) {
        for (const contexts of action === 'apply' ? [[], selectedCode(editor)] : [[]]) {
          await use(action, action === 'apply' ? whole : answer, contexts);
          assert.match(said.join(), /text\.ipynb is a notebook, so code can only go into one of its cells\./);
        }
      }
      assert.equal(document.getText(), json);
      assert.equal(proposals().length, 0);
    });
  });
});

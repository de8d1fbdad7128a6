import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import { chooseDefault, pickSelected } from './pickSelected.ts';
import { proposals } from './proposals.ts';
import { typeLetter } from './typeLetter.ts';

const form = (where: string) =>
  `Answer with one code block that has only the new text for ${where}: all of it, with its indentation. Leave nothing out, and write nothing else.`;

/** A file system with one file, whatever its path. */
function fileSystemOf(readFile: () => Uint8Array, writeFile: unknown = assert.fail): vscode.FileSystemProvider {
  const nothing = () => ({ dispose: () => undefined });
  return {
    onDidChangeFile: nothing,
    watch: nothing,
    stat: () => ({ type: vscode.FileType.File, ctime: 0, mtime: 0, size: readFile().length }),
    readFile,
    writeFile,
    readDirectory: () => [],
    ...Object.fromEntries(['createDirectory', 'delete', 'rename'].map((name) => [name, assert.fail])),
  } as never;
}

describe('the actions of an editor', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const diagnostics = vscode.languages.createDiagnosticCollection('test');
  const written: string[] = [];
  let gateway: Gateway;

  /** Opens a file with this text, and selects lines of it, from 0 and both included. */
  const open = async (name: string, text: string, start: number, end: number) => {
    writeFileSync(join(root, name), text);
    written.push(name);
    const document = await vscode.workspace.openTextDocument(join(root, name));
    const editor = await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
    // As keys do: after some commands in a row, without anything typed in between, the person is asked.
    await vscode.commands.executeCommand('cursorMove', { to: 'viewPortBottom', source: 'keyboard' });
    await vscode.commands.executeCommand('cursorMove', { to: 'viewPortTop', source: 'keyboard' });
    editor.selection = new vscode.Selection(document.lineAt(start).range.start, document.lineAt(end).range.end);
    return editor;
  };
  const bytes = (name: string) => readFileSync(join(root, name), 'utf8');
  const posts = () => gateway.requests().filter(({ method }) => method === 'POST');
  /** Runs a command. @returns the one message that it sent. */
  const sentBy = async (command: string, ...args: unknown[]): Promise<string> => {
    const before = posts().length;
    await vscode.commands.executeCommand(command, ...args);
    await until(() => posts().length > before);
    const [post, ...others] = posts().slice(before);
    assert.deepEqual(others, []);
    const { model, messages, stream, stream_options, ...rest } = JSON.parse(post?.body ?? '');
    assert.deepEqual([model, stream, stream_options, rest], ['gpt-5.1', true, { include_usage: true }, {}]);
    assert.equal(messages.length, 1);
    assert.equal(messages[0].role, 'user');
    return messages[0].content;
  };
  const accept = async () => {
    await until(() => proposals().length === 1);
    const proposed = await vscode.workspace.openTextDocument(proposals()[0]?.modified ?? assert.fail());
    const text = proposed.getText();
    await vscode.commands.executeCommand('askModel.acceptChange', proposed.uri);
    return text;
  };

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    const key = gateway.createKey({ name: 'editing' }).value;
    const api = await vscode.extensions.getExtension('ask-model.ask-model')?.activate();
    await api.connect(gateway.consoleUrl, key);
    await vscode.commands.executeCommand('askModel.refreshModels');
    await chooseDefault('gpt-5.1');
    await vscode.workspace.getConfiguration().update('editor.formatOnSave', true, vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    diagnostics.dispose();
    await vscode.workspace
      .getConfiguration()
      .update('editor.formatOnSave', undefined, vscode.ConfigurationTarget.Global);
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of written) {
      rmSync(join(root, name), { force: true });
    }
    await gateway.close();
  });

  afterEach(async () => {
    diagnostics.clear();
    for (const { modified } of proposals()) {
      await vscode.commands.executeCommand('askModel.discardChange', modified);
    }
  });

  it('sends the selected lines once with Document, however often it is run, and one undo takes the change back, with format on save', async () => {
    const text = '\ufeffconst a = 1;\r\n\tif (a) {\r\n\t\tb();\r\n\t}\r\n';
    const { document } = await open('document.ts', text, 1, 2);
    const instruction =
      'Write documentation comments for this code as is usual in typescript. Leave the code as it is.';
    const again = vscode.commands.executeCommand('askModel.document');
    const lines = '\tif (a) {\r\n\t\tb();\n';
    assert.equal(
      await sentBy('askModel.document'),
      `${instruction}\n\n${form('document.ts, lines 2–3')}\n\nFrom \`document.ts\`, lines 2–3:\n\`\`\`typescript\n${lines}\`\`\``,
    );
    await again;
    const proposed = await accept();
    assert.equal(proposed, `const a = 1;\r\n\t// ${instruction}\r\n\tif (a) {\r\n\t\tb();\r\n\t}\r\n`);
    assert.equal(document.getText(), proposed);
    assert.equal(bytes('document.ts'), text);
    await vscode.commands.executeCommand('undo');
    assert.equal(document.getText(), text.slice(1));
    await document.save();
    assert.equal(bytes('document.ts'), text);
  });

  it('sends the symbol around the cursor with the comment before it, and finds it again in a file that has changed', async () => {
    const symbols = vscode.languages.registerDocumentSymbolProvider('plaintext', {
      provideDocumentSymbols: (document) => {
        const range = new vscode.Range(2, 0, 4, 1);
        return [new vscode.DocumentSymbol('sum', document.fileName, vscode.SymbolKind.Function, range, range)];
      },
    });
    try {
      const editor = await open('improve.txt', 'first\n# Adds.\nsum {\n  a + b\n}\nlast\n', 3, 3);
      editor.selection = new vscode.Selection(3, 0, 3, 0);
      const instruction = 'Make this code simpler and easier to read without changing what it does.';
      assert.equal(
        await sentBy('askModel.improve'),
        `${instruction}\n\n${form('improve.txt, lines 2–5')}\n\nThe function \`sum\` in \`improve.txt\`, lines 2–5:\n\`\`\`plaintext\n# Adds.\nsum {\n  a + b\n}\n\`\`\``,
      );
      await until(() => proposals().length === 1);
      const edit = new vscode.WorkspaceEdit();
      edit.insert(editor.document.uri, new vscode.Position(0, 0), 'new\n');
      await vscode.workspace.applyEdit(edit);
      const changed = `new\nfirst\n// ${instruction}\n# Adds.\nsum {\n  a + b\n}\nlast\n`;
      await accept();
      // The change was compared with the file as it was, so it's shown once more.
      assert.equal(editor.document.lineCount, 8);
      await until(() => vscode.workspace.textDocuments.some((each) => each.getText() === changed));
      assert.equal(await accept(), changed);
      assert.equal(editor.document.getText(), changed);
    } finally {
      symbols.dispose();
    }
  });

  it('offers to fix and explain a problem only where there is one, never as preferred, and sends the chosen one with its code', async () => {
    const editor = await open('problem.txt', 'let a = b;\nlet c = 1;\nlet d = e;\n', 0, 0);
    const { document } = editor;
    /** @param chosen how many are resolved, as VS Code does just before it runs the command of one. */
    const actionsAt = async (line: number, chosen = 0) => {
      const range = document.lineAt(line).range;
      const all = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        document.uri,
        range,
        undefined,
        chosen,
      );
      return all.filter(({ title }) => title.includes('Ask Model'));
    };
    const problem = new vscode.Diagnostic(new vscode.Range(0, 8, 0, 9), "Cannot find name 'b'.");
    problem.source = 'ts';
    problem.code = 2304;
    const other = new vscode.Diagnostic(new vscode.Range(2, 8, 2, 9), "Cannot find name 'e'.");
    diagnostics.set(document.uri, [problem, other]);
    assert.deepEqual(await actionsAt(1), []);
    const actions = await actionsAt(0);
    assert.deepEqual(
      actions.map(({ title, kind, isPreferred, command, edit }) => [
        title,
        kind?.value,
        isPreferred ?? false,
        command?.command,
        command?.arguments ?? [],
        edit,
      ]),
      [
        ['Fix Problem with Ask Model', 'quickfix', false, 'askModel.fixProblem', [], undefined],
        ['Explain with Ask Model', 'quickfix', false, 'askModel.explainProblem', [], undefined],
      ],
    );
    const context = [
      'From `problem.txt`, line 1:\n```plaintext\nlet a = b;\n```',
      "Problems that the editor reports in `problem.txt`, line 1:\n```text\nline 1, error: Cannot find name 'b'. (ts 2304)\n```",
    ].join('\n\n');
    // Chosen in the list of problems, with the cursor in another one.
    editor.selection = new vscode.Selection(2, 8, 2, 8);
    await actionsAt(0, 20);
    assert.equal(
      await sentBy('askModel.fixProblem'),
      `Fix the reported problems in this code.\n\n${form('problem.txt, line 1')}\n\n${context}`,
    );
    assert.equal(await accept(), '// Fix the reported problems in this code.\nlet a = b;\nlet c = 1;\nlet d = e;\n');
    await vscode.commands.executeCommand('undo');
    editor.selection = new vscode.Selection(0, 0, 0, 10);
    assert.equal(await sentBy('askModel.explainProblem'), `Explain this problem, and how to fix it.\n\n${context}`);
    await vscode.workspace
      .getConfiguration()
      .update('askModel.editorActions', false, vscode.ConfigurationTarget.Global);
    assert.deepEqual(await actionsAt(0), []);
    await vscode.workspace
      .getConfiguration()
      .update('askModel.editorActions', undefined, vscode.ConfigurationTarget.Global);
  });

  it('proposes a new file with tests at the path that the answer names', async () => {
    await open('tested.txt', 'sum(a, b)\n', 0, 0);
    const content = await sentBy('askModel.writeTests');
    assert.equal(
      content,
      [
        'Write tests for the selected code in plaintext. Cover the usual cases, the limits and the errors.',
        'Answer with one code block that has the complete file with the tests. Its first line is a comment with only the path of the new file in this workspace, such as tested.test.txt.',
        'From `tested.txt`, line 1:\n```plaintext\nsum(a, b)\n```',
      ].join('\n\n'),
    );
    written.push('tested.test.txt');
    await accept();
    await until(() => existsSync(join(root, 'tested.test.txt')));
    assert.match(bytes('tested.test.txt'), /^\/\/ Write tests for .*\nsum\(a, b\)\n$/);
  });

  it('reviews the selection, and explains a failed test with its code', async () => {
    const { document } = await open('failed.txt', 'expect(sum(1, 2))\n  .toBe(3)\n\n', 0, 0);
    assert.equal(
      await sentBy('askModel.reviewSelection'),
      'Review the selected code. List defects, risks and unclear parts, the most important first, each with a suggestion.\n\nFrom `failed.txt`, line 1:\n```plaintext\nexpect(sum(1, 2))\n```',
    );
    const controller = vscode.tests.createTestController('sums', 'Sums');
    const test = controller.createTestItem('adds', 'adds', document.uri);
    test.range = new vscode.Range(0, 0, 1, 10);
    controller.items.add(test);
    // What the menu of the message hands over, of which VS Code makes the test and the message.
    const range = { startLineNumber: 1, startColumn: 8, endLineNumber: 1, endColumn: 8 };
    const message = {
      message: 'not equal',
      type: 0,
      expected: '3',
      actual: '4',
      location: { uri: document.uri, range },
    };
    const failed = { $mid: 18, test: { item: { extId: 'sums\0adds' } }, message };
    const sent = await sentBy('runCommands', { commands: [{ command: 'askModel.explainFailure', args: failed }] });
    controller.dispose();
    assert.equal(
      sent,
      [
        'Explain why this test fails, and how to correct it.',
        'From `failed.txt`, lines 1–2:\n```plaintext\nexpect(sum(1, 2))\n  .toBe(3)\n```',
        'Problems that the editor reports in `failed.txt`, line 1:\n```text\nFailed test: adds\n\nnot equal\n\nExpected:\n3\n\nActual:\n4\n```',
      ].join('\n\n'),
    );
  });

  it('leaves the keys to a person who goes on typing, and shows the change on request', async function () {
    this.timeout(60_000);
    const { showInformationMessage } = vscode.window;
    const told: string[] = [];
    let answer: (button: string) => void = () => undefined;
    const tell = (text: string, _: unknown, ...buttons: string[]) => {
      told.push(text, ...buttons);
      return new Promise((resolve) => {
        answer = resolve;
      });
    };
    const { document } = await open('typing.txt', 'a\nb\n', 0, 0);
    Object.assign(vscode.window, { showInformationMessage: tell });
    gateway.setDelayMs(1_000);
    try {
      const editing = vscode.commands.executeCommand('askModel.fix');
      const before = posts().length;
      await until(() => posts().length > before);
      const other = await vscode.workspace.openTextDocument({ content: '' });
      await vscode.window.showTextDocument(other);
      await typeLetter();
      gateway.setDelayMs(0);
      await editing;
      assert.deepEqual(told, ['The proposed change for typing.txt, line 1 is ready.', 'Show Change']);
      assert.deepEqual(proposals(), []);
      assert.equal(vscode.window.activeTextEditor?.document, other);
      answer('Show Change');
      assert.equal(await accept(), '// Fix what is wrong in this code.\na\nb\n');
      assert.match(document.getText(), /^\/\/ Fix/);
    } finally {
      gateway.setDelayMs(0);
      Object.assign(vscode.window, { showInformationMessage });
    }
  });

  it('edits from the menu of line numbers, in a diff and in a file of another file system', async () => {
    const { createQuickPick } = vscode.window;
    const titles: (string | undefined)[] = [];
    const typed = () => {
      let accepted = () => undefined;
      const box: Record<string, unknown> = {
        onDidChangeValue: () => undefined,
        onDidHide: () => undefined,
        onDidAccept: (listener: () => undefined) => {
          accepted = listener;
        },
        show: () => {
          titles.push(String(box.title));
          box.value = 'Rename it';
          accepted();
        },
        dispose: () => undefined,
        selectedItems: [],
      };
      return box;
    };
    const { document } = await open('numbers.txt', 'one\ntwo\nthree\n', 0, 0);
    Object.assign(vscode.window, { createQuickPick: typed });
    const asked = await sentBy('askModel.edit', { uri: document.uri, lineNumber: 3 });
    Object.assign(vscode.window, { createQuickPick });
    assert.deepEqual(titles, ['Edit numbers.txt, line 3 with gpt-5.1']);
    assert.equal(
      asked,
      `Rename it\n\n${form('numbers.txt, line 3')}\n\nFrom \`numbers.txt\`, line 3:\n\`\`\`plaintext\nthree\n\`\`\``,
    );
    assert.equal(await accept(), 'one\ntwo\n// Rename it\nthree\n');

    const { document: left } = await open('left.txt', 'x\n', 0, 0);
    await vscode.commands.executeCommand('vscode.diff', left.uri, document.uri);
    await until(() => vscode.window.activeTextEditor?.document === document);
    await typeLetter();
    await vscode.commands.executeCommand('undo');
    (vscode.window.activeTextEditor ?? assert.fail()).selection = new vscode.Selection(1, 0, 1, 3);
    const fix = 'Fix what is wrong in this code.';
    assert.equal(
      await sentBy('askModel.fix'),
      `${fix}\n\n${form('numbers.txt, line 2')}\n\nFrom \`numbers.txt\`, line 2:\n\`\`\`plaintext\ntwo\n\`\`\``,
    );
    assert.equal(await accept(), `one\n// ${fix}\ntwo\n// Rename it\nthree\n`);

    let stored = new TextEncoder().encode('far\n');
    const write = (_: vscode.Uri, content: Uint8Array<ArrayBuffer>) => {
      stored = content;
    };
    const files = vscode.workspace.registerFileSystemProvider(
      'far',
      fileSystemOf(() => stored, write),
    );
    try {
      const uri = vscode.Uri.from({ scheme: 'far', path: '/folder/far.txt' });
      const editor = await vscode.window.showTextDocument(uri);
      await typeLetter();
      await vscode.commands.executeCommand('undo');
      assert.ok((await sentBy('askModel.fix')).endsWith('From `far.txt`, line 1:\n```plaintext\nfar\n```'));
      assert.equal(await accept(), `// ${fix}\nfar\n`);
      await editor.document.save();
      assert.equal(new TextDecoder().decode(stored), `// ${fix}\nfar\n`);
    } finally {
      files.dispose();
    }
  });

  it("sends one of the person's own prompts with the selection that it names", async () => {
    const settings = vscode.workspace.getConfiguration();
    await open('own.txt', 'mine\n', 0, 0);
    await settings.update('askModel.prompts', { shorten: `Shorten \${selection}.` }, vscode.ConfigurationTarget.Global);
    try {
      const before = posts().length;
      await pickSelected('askModel.runPrompt');
      await until(() => posts().length === before + 1);
      const [message] = JSON.parse(posts().at(-1)?.body ?? '').messages;
      assert.equal(message.content, 'Shorten the selected code.\n\nFrom `own.txt`, line 1:\n```plaintext\nmine\n```');
    } finally {
      await settings.update('askModel.prompts', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('explains the last command of the active terminal with its output', async function () {
    this.timeout(90_000);
    const terminal = vscode.window.createTerminal({ name: 'shell' });
    try {
      terminal.show();
      // Shell integration begins a moment after the terminal.
      await until(() => terminal.shellIntegration !== undefined, 60_000);
      const ended = new Promise((resolve) => vscode.window.onDidEndTerminalShellExecution(resolve));
      terminal.sendText(`sleep 1; printf 'no file\\n'; (exit 3)`);
      await ended;
      assert.equal(
        await sentBy('askModel.explainCommand'),
        "Explain what this command did. If it failed, say why and how to correct it.\n\nThe terminal command `sleep 1; printf 'no file\\n'; (exit 3)` (exit code 3) and its output:\n```text\nno file\n```",
      );
    } finally {
      terminal.dispose();
    }
  });

  it('edits an untitled file and a cell of a notebook', async () => {
    const instruction = 'Make this code simpler and easier to read without changing what it does.';
    const untitled = await vscode.workspace.openTextDocument({ language: 'python', content: 'a = 1\nb = 2\n' });
    const editor = await vscode.window.showTextDocument(untitled);
    await vscode.commands.executeCommand('cursorMove', { to: 'viewPortBottom', source: 'keyboard' });
    editor.selection = new vscode.Selection(1, 2, 1, 3);
    await sentBy('askModel.improve');
    await accept();
    assert.equal(untitled.getText(), `a = 1\n# ${instruction}\nb = 2\n`);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    written.push('edited.ipynb');
    writeFileSync(
      join(root, 'edited.ipynb'),
      JSON.stringify({
        nbformat: 4,
        nbformat_minor: 5,
        metadata: { language_info: { name: 'python' } },
        cells: [{ cell_type: 'code', execution_count: 1, metadata: {}, source: ['a = 1\n', 'b = 2'], outputs: [] }],
      }),
    );
    const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(join(root, 'edited.ipynb')));
    await vscode.window.showNotebookDocument(notebook);
    const { document } = notebook.cellAt(0);
    await vscode.commands.executeCommand('notebook.cell.edit');
    await until(() => vscode.window.activeTextEditor?.document === document);
    (vscode.window.activeTextEditor ?? assert.fail()).selection = new vscode.Selection(0, 0, 0, 5);
    const lines = 'From cell 1 of the notebook `edited.ipynb`, line 1:\n```python\na = 1\n```';
    assert.equal(await sentBy('askModel.improve'), `${instruction}\n\n${form('edited.ipynb, line 1')}\n\n${lines}`);
    await accept();
    assert.equal(document.getText(), `# ${instruction}\na = 1\nb = 2`);
    await notebook.save();
  });

  it('sends nothing for several selections, for blank lines and for a file that is read-only', async () => {
    const editor = await open('several.txt', 'a\n\nb\n', 0, 0);
    const before = posts().length;
    editor.selections = [new vscode.Selection(0, 0, 0, 1), new vscode.Selection(2, 0, 2, 1)];
    await vscode.commands.executeCommand('askModel.fix');
    editor.selections = [new vscode.Selection(1, 0, 1, 0)];
    await vscode.commands.executeCommand('askModel.fix');
    const readOnly = fileSystemOf(() => new TextEncoder().encode('a\n'));
    const files = vscode.workspace.registerFileSystemProvider('fixed', readOnly, { isReadonly: true });
    const texts = vscode.workspace.registerTextDocumentContentProvider('made', {
      provideTextDocumentContent: () => 'a',
    });
    try {
      for (const scheme of ['fixed', 'made']) {
        await vscode.window.showTextDocument(vscode.Uri.from({ scheme, path: '/a.txt' }));
        await vscode.commands.executeCommand('askModel.fix');
      }
    } finally {
      files.dispose();
      texts.dispose();
    }
    assert.equal(posts().length, before);
    assert.deepEqual(proposals(), []);
  });
});

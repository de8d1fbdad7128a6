import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { userMessage } from '../../src/core/chat/context/prompt.ts';
import { cellRows } from '../../src/editor/code/notebookCells.ts';
import { TerminalCommands } from '../../src/editor/code/terminalCommands.ts';
import { until } from '../until.ts';

describe('context that VS Code hands over', () => {
  const path = join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', 'prices.ipynb');

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(path, { force: true });
  });

  it('is the last command of a terminal with its exit code and its output without colors, and shows the terminal again', async function () {
    this.timeout(90_000);
    const commands = new TerminalCommands();
    const terminal = vscode.window.createTerminal({ name: 'shell' });
    try {
      assert.match(commands.rows('')[0]?.detail ?? '', /no command yet/);
      terminal.show();
      // Shell integration begins a moment after the terminal.
      await until(() => terminal.shellIntegration !== undefined, 60_000);
      // VS Code can miss the output of a command that ends at once.
      const line = `sleep 1; printf '\\033[31mred\\033[0m\\n\`\`\`\\n'; (exit 3)`;
      terminal.sendText(line);
      await until(() => commands.rows('exit code 3').length === 1);
      const { pieces = [] } = (await commands.rows('sleep')[0]?.read()) ?? {};
      assert.equal(
        userMessage('Why?', pieces),
        [
          'Why?',
          '',
          `The terminal command \`\`\`\` ${line} \`\`\`\` (exit code 3) and its output:`,
          '````text',
          'red',
          '```',
          '````',
        ].join('\n'),
      );
      const id = pieces[0]?.id ?? '';
      assert.equal(commands.show(id), true);
      terminal.dispose();
      await until(() => !commands.show(id));
    } finally {
      terminal.dispose();
      commands.dispose();
    }
  });

  it('is the cells of a notebook with the text of their output', async () => {
    const cell = (source: string, output: object) => ({
      cell_type: 'code',
      execution_count: 1,
      metadata: {},
      source: [source],
      outputs: [output],
    });
    const notebook = {
      nbformat: 4,
      nbformat_minor: 5,
      metadata: { language_info: { name: 'python' } },
      cells: [
        { cell_type: 'markdown', metadata: {}, source: ['# Prices'] },
        cell('total = 3\nprint(total)', { output_type: 'stream', name: 'stdout', text: ['\u001b[32m3\u001b[0m\n'] }),
        cell('total / 0', {
          output_type: 'error',
          ename: 'ZeroDivisionError',
          evalue: 'division by zero',
          traceback: ['far too long'],
        }),
      ],
    };
    writeFileSync(path, JSON.stringify(notebook));
    const opened = await vscode.workspace.openNotebookDocument(vscode.Uri.file(path));
    await vscode.window.showNotebookDocument(opened);
    await until(() => cellRows('').some(({ label }) => label === 'Selected Cell'));
    const read = await Promise.all(['cell2', 'cell3'].map((query) => cellRows(query)[0]?.read()));
    assert.equal(
      userMessage(
        'What is wrong?',
        read.flatMap((one) => one?.pieces ?? []),
      ),
      [
        'What is wrong?',
        '',
        'Cell 2 of the notebook `prices.ipynb`:',
        '```python',
        'total = 3',
        'print(total)',
        '',
        '--- Output ---',
        '3',
        '```',
        '',
        'Cell 3 of the notebook `prices.ipynb`:',
        '```python',
        'total / 0',
        '',
        '--- Output ---',
        'ZeroDivisionError: division by zero',
        '```',
      ].join('\n'),
    );
  });
});

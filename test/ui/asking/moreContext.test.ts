import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { editSettings } from '../support/editSettings.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

const stream = (text: string) => ({ output_type: 'stream', name: 'stdout', text: [text] });
const code = (source: string, ...outputs: object[]) => ({
  cell_type: 'code',
  execution_count: 1,
  metadata: {},
  source: [source],
  outputs,
});
const notebook = {
  nbformat: 4,
  nbformat_minor: 5,
  metadata: { language_info: { name: 'python' } },
  cells: [
    { cell_type: 'markdown', metadata: {}, source: ['# Prices'] },
    code('total = 3\nprint(total)', stream('\u001b[32m3\u001b[0m\n')),
    code('total / 0', {
      output_type: 'error',
      ename: 'ZeroDivisionError',
      evalue: 'division by zero',
      traceback: ['far too long'],
    }),
  ],
};

describe('context from terminals and notebooks', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const chips = (of: FrameLocator) => of.locator('.composer li.chip');
  const rows = (of: FrameLocator) => of.getByRole('listbox', { name: 'Add Context' }).getByRole('option');
  const first = (of: FrameLocator) => rows(of).first();

  /** Types `#` and letters into the question box until the first row has a text, and includes it. */
  const include = async (view: FrameLocator, name: string, row: RegExp) => {
    const box = view.locator('textarea');
    await until(async () => {
      await box.fill('');
      await box.pressSequentially(`#${name}`);
      await first(view).filter({ hasText: row }).waitFor({ timeout: 2_000 });
    }, 30_000);
    await box.press('Tab');
  };
  const sentContent = async (view: FrameLocator, question: string): Promise<string> => {
    const posts = connected.gateway.postCount();
    await view.locator('textarea').fill(question);
    await pressEnter(view.locator('textarea'));
    await until(() => assert.equal(connected.gateway.postCount(), posts + 1));
    await finishedFacts(view).waitFor();
    return JSON.parse(connected.gateway.requests().at(-1)?.body ?? '').messages.at(-1).content;
  };
  const inTerminal = async (line: string) => {
    await workbench.runCommand('Terminal: Focus on Terminal View');
    await workbench.page.locator('.terminal-wrapper.active .xterm.focus').first().waitFor();
    await workbench.page.keyboard.type(line);
    await workbench.page.keyboard.press('Enter');
  };

  before(async () => {
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(join(folder, 'prices.ipynb'), JSON.stringify(notebook));
    connected = await suite.connected({ folder });
    workbench = connected.workbench;
  });

  it('includes the last command of the terminal with its exit code and its output', async () => {
    await workbench.openFile('src/cart/discount.ts');
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    await workbench.runCommand('Terminal: Create New Terminal');
    await workbench.page.locator('.terminal-wrapper.active .xterm-screen').first().waitFor();
    await include(view, 'lastt', /Last Terminal Command.*no command yet/);
    await view
      .getByRole('alert')
      .filter({ hasText: /^(?:Run the command again|Commands can't be read)/ })
      .waitFor();
    await workbench.screenshot('46-no-command-light');
    // Shell integration begins a moment after the terminal.
    await until(async () => {
      await inTerminal('echo ready');
      await view.locator('textarea').fill('');
      await view.locator('textarea').pressSequentially('#echo');
      await first(view).filter({ hasText: 'echo ready' }).waitFor({ timeout: 2_000 });
    }, 60_000);
    // VS Code can miss the output of a command that ends at once.
    await inTerminal(`sleep 1; printf '\\033[31mred\\033[0m\\n\`\`\`\\n'; (exit 3)`);
    await until(async () => {
      await view.locator('textarea').fill('');
      await view.locator('textarea').pressSequentially('#sleep');
      await first(view).filter({ hasText: 'exit code 3' }).waitFor({ timeout: 1_000 });
    }, 30_000);
    await workbench.screenshot('46-command-light');
    await view.locator('textarea').press('Tab');
    await chips(view).filter({ hasText: 'exit code 3' }).waitFor();
    await workbench.setTheme('dark');
    await view.locator('textarea').fill('#');
    await rows(view).filter({ hasText: 'already included' }).first().waitFor();
    await workbench.screenshot('46-command-dark');
    await workbench.setTheme('light');
    const content = await sentContent(view, 'Why does it fail?');
    assert.equal(
      content,
      [
        'Why does it fail?',
        '',
        "The terminal command ```` sleep 1; printf '\\033[31mred\\033[0m\\n```\\n'; (exit 3) ```` (exit code 3) and its output:",
        '````text',
        'red',
        '```',
        '````',
      ].join('\n'),
    );
  });

  it('shows the terminal of a command, and its text once the terminal is closed', async () => {
    const { page } = workbench;
    const view = await workbench.webview('Why does it fail?');
    await workbench.runCommand('View: Hide Panel');
    await page.locator('.terminal-wrapper.active').waitFor({ state: 'hidden' });
    const chip = view.locator('.turn li.chip button.source', { hasText: 'exit code 3' });
    await chip.click();
    await page.locator('.terminal-wrapper.active').waitFor();
    await workbench.runCommand('Terminal: Kill the Active Terminal Instance');
    await page.locator('.terminal-wrapper.active').waitFor({ state: 'hidden' });
    await chip.click();
    await page.locator('.tab.active', { hasText: 'Terminal Output.txt' }).waitFor();
    await page.locator('.editor-group-container.active .view-line', { hasText: 'red' }).waitFor();
    await workbench.runCommand('View: Close Editor');
  });

  it('includes cells of the visible notebook with their output, and shows them again', async () => {
    const { page } = workbench;
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    await workbench.leavePanels();
    await page.keyboard.press('ControlOrMeta+P');
    await workbench.quickInput.fill('prices.ipynb');
    await workbench.quickPicks.filter({ hasText: 'prices.ipynb' }).first().click();
    await page.locator('.notebookOverlay .cell-list-container .monaco-list-row').nth(1).waitFor();
    await workbench.screenshot('47-notebook');
    await view.locator('textarea').click();
    await view.locator('textarea').fill('#');
    await rows(view).filter({ hasText: 'Selected Cell' }).first().waitFor();
    await workbench.screenshot('47-cells-light');
    await include(view, 'cell2', /total = 3.*prices\.ipynb · cell 2/);
    await include(view, 'cell3', /total \/ 0.*cell 3/);
    await until(async () => assert.equal(await chips(view).count(), 2));
    await workbench.screenshot('47-cell-chips-light');
    const content = await sentContent(view, 'What is wrong?');
    assert.equal(
      content,
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
    await view.locator('.turn li.chip button.source', { hasText: 'cell 3' }).click();
    await page.locator('.notebookOverlay .monaco-list-row.focused', { hasText: 'total / 0' }).waitFor();
  });

  it('adds several rows of Add Context at once, and says why changes are not available', async () => {
    await editSettings(workbench, { 'git.enabled': false });
    const view = await workbench.webview('What is wrong?');
    await view.getByRole('button', { name: 'Add Context…' }).click();
    await workbench.quickPicks.filter({ hasText: 'Uncommitted Changes' }).filter({ hasText: 'git.enabled' }).waitFor();
    // What is checked while the rows are replaced is lost.
    await workbench.page
      .locator('.quick-input-widget:visible .monaco-progress-container.active')
      .waitFor({ state: 'hidden' });
    await workbench.quickPicks.filter({ hasText: '# Prices' }).click();
    await workbench.quickPicks.filter({ hasText: 'total = 3' }).click();
    await workbench.screenshot('48-several-light');
    await workbench.page.keyboard.press('Enter');
    await until(async () => assert.equal(await chips(view).count(), 2));
    await view.getByRole('button', { name: 'Add Context…' }).click();
    await workbench.quickPicks.filter({ hasText: '# Prices' }).filter({ hasText: 'already included' }).waitFor();
    await workbench.screenshot('48-several-included-light');
    // Enter without a checked row picks the row that is active.
    await workbench.quickInput.fill('# Prices');
    await workbench.page.keyboard.press('Enter');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    assert.equal(await chips(view).count(), 2);
  });
});

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, beforeEach, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { chooseInMenu } from '../support/chooseInMenu.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { filesWith } from '../support/filesWith.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

/** Whether VS Code can show uncommitted changes. */
const hasGit = spawnSync('git', ['--version']).status === 0;
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

describe('what is sent with a question', { timeout: 600_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let workbench: Workbench;
  let gateway: ConnectedWorkbench['gateway'];
  const folder = suite.folder('workspace');
  const prompts = suite.folder('prompts');
  const chips = (of: FrameLocator) => of.locator('.composer li.chip');
  const rows = (of: FrameLocator) => of.getByRole('listbox', { name: 'Add Context' }).getByRole('option');
  const first = (of: FrameLocator) => rows(of).first();
  const inExplorer = (name: string) =>
    workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();

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
    await workbench.run('terminal.focus');
    await workbench.page.locator('.terminal-wrapper.active .xterm.focus').first().waitFor();
    await workbench.page.keyboard.type(line);
    await workbench.page.keyboard.press('Enter');
  };

  before(async () => {
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(join(folder, 'page.css'), '.cart {\n  color: red;\n}\n\n.total {\n  color: blue;\n}\n');
    writeFileSync(
      join(folder, 'tools', 'rounding.ts'),
      'export function round(amount: number): number {\n  return Math.round(amount * 100) / 100;\n}\n\n' +
        'export function floor(amount: number): number {\n  return Math.floor(amount * 100) / 100;\n}\n',
    );
    writeFileSync(join(folder, 'prices.ipynb'), JSON.stringify(notebook));
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
      ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'All'],
    ]) {
      spawnSync('git', args, { cwd: folder });
    }
    writeFileSync(join(folder, 'tools', 'sales_report.py'), 'print(1)\n');
    writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]));
    writeFileSync(
      join(prompts, 'rename.prompt.md'),
      `---\ndescription: Ask for better names\nmode: agent\ntools: [a]\n---\nRename \${input:what:Which name} in \${file} to \${input:to}.\n`,
    );
    connected = await suite.connected({
      folder,
      viewport: { width: 1400, height: 900 },
      // In a browser, VS Code saves files by itself.
      settings: { 'files.autoSave': 'off', 'askModel.promptFiles.folder': prompts },
    });
    ({ workbench, gateway } = connected);
  });

  beforeEach(() =>
    until(async () => {
      await workbench.run('workbench.action.closeAllEditors');
      assert.equal(await workbench.page.locator('.tab').count(), 0);
    }),
  );

  it('offers the context of the editor with token counts, and adds each item once', async () => {
    const { page } = workbench;
    await workbench.openFile('README.md');
    await workbench.openFile('page.css');
    await workbench.start('askModel.newConversation');
    await questionPanel(workbench);
    await workbench.openFile('page.css');
    await workbench.selectLines(6, 6);
    const view = await workbench.webview('New Conversation');
    const open = () => view.getByRole('button', { name: 'Add Context…' }).click();
    // The language server may still be starting.
    await until(async () => {
      await page.keyboard.press('Escape');
      await open();
      await workbench.quickPicks.filter({ hasText: 'Enclosing Symbol ".total"' }).waitFor({ timeout: 3_000 });
    }, 60_000);
    await workbench.quickPicks.filter({ hasText: /README\.md.*≈/ }).waitFor();
    await workbench.screenshot('41-add-context');
    const rows = await workbench.quickPicks.evaluateAll((all) =>
      all.map((row) => row.getAttribute('aria-label') ?? ''),
    );
    for (const wanted of [
      /Selection, page\.css · line 6 · ≈ \d+ tokens/,
      /Enclosing Symbol "\.total", .*page\.css · ≈ \d+ tokens/,
      /page\.css, .*≈ \d+ tokens/,
    ]) {
      assert.ok(
        rows.some((row) => wanted.test(row)),
        `${wanted} in ${rows.join('; ')}`,
      );
    }
    assert.ok(!rows.some((row) => row.includes('Problems')), 'without problems there is no row for them');
    await workbench.pick('Enclosing Symbol');
    await page.keyboard.press('Enter');
    await chips(view).filter({ hasText: '.total' }).waitFor();
    await view.locator('textarea:focus').waitFor();
    await open();
    await workbench.quickPicks.filter({ hasText: /Enclosing Symbol.*already included/ }).waitFor();
    await page.keyboard.press('Escape');
    assert.equal(gateway.postCount(), 0);
  });

  it('includes what is named after #, keeps it through a reload, and shows where it is from', async () => {
    const { page } = workbench;
    await workbench.start('askModel.newConversation');
    let view = await questionPanel(workbench);
    let box = view.locator('textarea');
    if (hasGit) {
      // VS Code notices changes in its own time.
      await until(async () => {
        await box.fill('');
        await box.pressSequentially('#uncom');
        await first(view)
          .filter({ hasText: 'Uncommitted Changes' })
          .filter({ hasText: '2 files' })
          .waitFor({ timeout: 1_000 });
      }, 60_000);
      await workbench.screenshot('44-by-name');
      await box.press('Tab');
      await chips(view).filter({ hasText: 'Uncommitted changes' }).waitFor();
    }
    await box.pressSequentially('Who calls @cartc');
    await first(view).filter({ hasText: 'cart.ts' }).filter({ hasText: 'src/cart' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: 'src/cart/cart.ts' }).waitFor();
    await box.pressSequentially('#picture');
    await first(view).filter({ hasText: 'picture.png' }).waitFor();
    await box.press('Tab');
    await view
      .getByRole('alert')
      .filter({ hasText: "picture.png can't be included because it isn't a text file." })
      .waitFor();
    await box.pressSequentially('#cart/');
    await first(view).filter({ hasText: 'cart/' }).filter({ hasText: 'src' }).waitFor();
    await box.press('Tab');
    await chips(view)
      .filter({ hasText: /src\/cart\/ ?\d files · [\d,]+ tok/ })
      .waitFor();
    const typed = await box.inputValue();
    assert.match(typed, /^Who calls /);
    const { profileDir } = workbench.server;
    await until(() => assert.ok(filesWith(profileDir, 'Who calls').some((path) => path.endsWith('.jsonl'))));
    await workbench.reload();
    view = await workbench.webview('New Conversation');
    box = view.locator('textarea');
    await until(async () => assert.equal(await box.inputValue(), typed));
    await until(async () => assert.equal(await chips(view).count(), hasGit ? 3 : 2));
    await chips(view).filter({ hasText: 'cart.ts' }).getByRole('button', { name: /tok$/ }).click();
    await page.locator('.tab.active', { hasText: 'cart.ts' }).waitFor();
    view = await workbench.webview('New Conversation');
    await pressEnter(view.locator('textarea'));
    await finishedFacts(await workbench.webview('Who calls')).waitFor();
    assert.equal(gateway.postCount(), 1);
  });

  it('adds files and folders from the Explorer, a tab and Source Control, and says why another one is left out', async () => {
    const { page } = workbench;
    await workbench.sideBar('Explorer');
    // The Explorer selects the file that opens, perhaps after the second click.
    await until(async () => {
      await inExplorer('README.md').click();
      await page.locator('.tab.active', { hasText: 'README.md' }).waitFor();
      await inExplorer('picture.png').click({ modifiers: ['ControlOrMeta'] });
      assert.equal(await page.locator('.explorer-folders-view .monaco-list-row.selected').count(), 2);
    });
    await chooseInMenu(workbench, inExplorer('picture.png'), 'Add to Ask Model');
    const view = await questionPanel(workbench);
    await chips(view).filter({ hasText: 'README.md' }).waitFor();
    await view
      .getByRole('alert')
      .filter({ hasText: "picture.png can't be included because it isn't a text file." })
      .waitFor();
    await chooseInMenu(workbench, inExplorer('src'), 'Add to Ask Model');
    await chips(view).filter({ hasText: 'src/' }).filter({ hasText: '3 files' }).waitFor();
    await workbench.screenshot('99-added-light');
    await workbench.openFile('tsconfig.json');
    await chooseInMenu(workbench, page.locator('.tab[data-resource-name="tsconfig.json"]'), 'Add to Ask Model');
    await chips(view).filter({ hasText: 'tsconfig.json' }).waitFor();
    await workbench.sideBar('Source Control');
    const changed = page.locator('.scm-view .monaco-list-row', { hasText: 'sales_report.py' });
    await chooseInMenu(workbench, changed, 'Add to Ask Model');
    await chips(view).filter({ hasText: 'tools/sales_report.py' }).waitFor();
    assert.equal(await chips(view).count(), 4);
    await page.locator('.tab', { hasText: 'New Conversation' }).click({ button: 'right' });
    const menu = page.locator('.context-view .action-item');
    await menu.filter({ hasText: 'Close' }).first().waitFor();
    assert.equal(await menu.filter({ hasText: 'Add to Ask Model' }).count(), 0, 'this tab shows no file');
    await page.keyboard.press('Escape');
  });

  it('adds a file that is dropped with Shift', async () => {
    const { page } = workbench;
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    await workbench.sideBar('Explorer');
    // One row for both folders.
    await inExplorer('src').click();
    const box = view.locator('textarea');
    const [from, to] = [await inExplorer('retry.ts').boundingBox(), await box.boundingBox()];
    assert.ok(from && to);
    await page.mouse.move(from.x + 60, from.y + 8);
    await page.mouse.down();
    await page.mouse.move(from.x + 90, from.y + 20, { steps: 4 });
    await page.keyboard.down('Shift');
    await until(async () => {
      await page.mouse.move(to.x + 40, to.y + 8, { steps: 3 });
      await page.mouse.move(to.x + 44, to.y + 9, { steps: 3 });
      assert.equal(await view.locator('.frame.isDropTarget').count(), 1);
    });
    await workbench.screenshot('99-drop-light');
    await page.mouse.up();
    await page.keyboard.up('Shift');
    await chips(view).filter({ hasText: 'src/cart/retry.ts' }).waitFor();
    await view.locator('textarea:focus').waitFor();
  });

  it('adds pasted code once, with its place or with its lines', async () => {
    const { page } = workbench;
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    await workbench.openFile('tools/rounding.ts');
    await workbench.selectLines(5, 7);
    await page.keyboard.press('ControlOrMeta+C');
    await box.click();
    await page.keyboard.press('ControlOrMeta+V');
    await chips(view)
      .filter({ hasText: /tools\/rounding\.ts ?5–7/ })
      .waitFor();
    assert.equal(await box.inputValue(), '');
    await page.locator('.tab[data-resource-name="rounding.ts"]').click();
    await page.keyboard.press('ControlOrMeta+X');
    await box.click();
    await page.keyboard.press('ControlOrMeta+V');
    await view.getByRole('alert').filter({ hasText: 'The pasted code is already included.' }).waitFor();
    await page.locator('.tab[data-resource-name="rounding.ts"]').click();
    await workbench.selectLines(1, 3);
    await page.keyboard.press('ControlOrMeta+X');
    await box.click();
    await page.keyboard.press('ControlOrMeta+V');
    await chips(view).filter({ hasText: 'Pasted 3 lines' }).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+V');
    await until(async () => assert.match(await box.inputValue(), /\n/));
    await workbench.screenshot('99-pasted-light');
    await chips(view).filter({ hasText: 'Pasted' }).getByRole('button', { name: /tok$/ }).click();
    await page.locator('.tab.active', { hasText: 'Pasted Code.txt' }).waitFor();
    await workbench.openFile('tools/rounding.ts');
    await workbench.run('workbench.action.revertAndCloseActiveEditor');
  });

  it('includes the last command of the terminal with its exit code and its output, and shows it again', async () => {
    await workbench.openFile('src/cart/discount.ts');
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    await workbench.run('workbench.action.terminal.new');
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
    const { page } = workbench;
    await workbench.run('workbench.action.closePanel');
    await page.locator('.terminal-wrapper.active').waitFor({ state: 'hidden' });
    const chip = view.locator('.turn li.chip button.source', { hasText: 'exit code 3' });
    await chip.click();
    await page.locator('.terminal-wrapper.active').waitFor();
    await workbench.run('workbench.action.terminal.kill');
    await page.locator('.terminal-wrapper.active').waitFor({ state: 'hidden' });
    await chip.click();
    await page.locator('.tab.active', { hasText: 'Terminal Output.txt' }).waitFor();
    await page.locator('.editor-group-container.active .view-line', { hasText: 'red' }).waitFor();
    await workbench.run('workbench.action.closeActiveEditor');
  });

  it('includes cells of the visible notebook with their output, and shows them again', async () => {
    const { page } = workbench;
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    await workbench.leavePanels();
    await page.keyboard.press('ControlOrMeta+P');
    await workbench.quickInput.fill('prices.ipynb');
    await workbench.quickPicks.filter({ hasText: 'prices.ipynb' }).first().click();
    await page.locator('.notebookOverlay .cell-list-container .monaco-list-row').nth(1).waitFor();
    await workbench.screenshot('47-notebook');
    // The notebook may take the focus back, which closes the list.
    await until(async () => {
      await view.locator('textarea').fill('');
      await view.locator('textarea').pressSequentially('#');
      await rows(view).filter({ hasText: 'Selected Cell' }).first().waitFor({ timeout: 2_000 });
    }, 30_000);
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

  it('asks for the inputs of a prompt file, and changes nothing when the person cancels', async () => {
    const { page } = workbench;
    await workbench.openFile('src/cart/discount.ts');
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    const selected = view.getByRole('listbox', { name: 'Prompts' }).locator('[aria-selected=true]');
    const choose = async () => {
      await selected.filter({ hasText: '/rename' }).filter({ hasText: 'Ask for better names' }).waitFor();
      await box.press('Enter');
      await workbench.quickInput.and(page.locator('[placeholder="Which name"]')).waitFor();
    };
    await box.pressSequentially('/rename');
    await choose();
    await workbench.screenshot('45-prompt-input');
    await page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await choose();
    assert.equal(await box.inputValue(), '/rename');
    assert.equal(await chips(view).count(), 0);
    await workbench.answerQuickInput(`amountOf and \${selection}`);
    await workbench.quickInput.and(page.locator('[placeholder="to"]')).waitFor();
    await workbench.answerQuickInput(`$& or \${input:to}`);
    await chips(view).filter({ hasText: 'src/cart/discount.ts' }).waitFor();
    const text = `Rename amountOf and \${selection} in the file src/cart/discount.ts to $& or \${input:to}.`;
    await until(async () => assert.equal(await box.inputValue(), text));
    await view
      .getByRole('alert')
      .filter({ hasText: 'These entries of the prompt file have no effect here: mode and tools.' })
      .waitFor();
    assert.equal(await box.evaluate((area) => area === document.activeElement), true);
    await page.keyboard.type('!');
    assert.equal(await box.inputValue(), `${text}!`);
    await box.press('Backspace');
    const received = await sentContent(view, text);
    assert.ok(received.startsWith(`${text}\n\nThe whole file \`src/cart/discount.ts\`:\n`), received);
  });

  it('refuses a system prompt with a key where it is typed, and stores it nowhere', async () => {
    const { page } = workbench;
    await workbench.start('askModel.newConversation');
    await questionPanel(workbench);
    const file = page.locator('.tab.active', { hasText: 'System Prompt of This Conversation' });
    const editor = page.locator('.editor-group-container.active .monaco-editor');
    const key = gateway.createKey({ name: 'other' }).value;
    await workbench.start('askModel.editSystemPrompt');
    await workbench.pick('This Conversation');
    // A panel that had the focus may take it back when the list closes.
    await file.click();
    await editor.and(page.locator('.focused')).first().waitFor();
    await page.keyboard.insertText(`Use ${key} for calls.`);
    await page.keyboard.press('ControlOrMeta+S');
    await workbench.notifications.filter({ hasText: 'This system prompt contains a key' }).waitFor();
    await page.locator('.squiggly-error').first().waitFor();
    await workbench.screenshot('46-refused-light');
    assert.deepEqual(
      filesWith(workbench.server.profileDir, key).filter((path) => /globalStorage|settings\.json/.test(path)),
      [],
    );
    await file.and(page.locator('.dirty')).waitFor();
    await editor.locator('.view-line').first().click();
    await page.keyboard.press('ControlOrMeta+A');
    await page.keyboard.insertText('Be brief.');
    await page.locator('.squiggly-error').first().waitFor({ state: 'detached' });
    await file.and(page.locator('.dirty')).waitFor();
    // VS Code backs up what is typed within a second or two.
    await until(async () => assert.ok(filesWith(workbench.server.profileDir, 'Be brief.').length > 0));
    await workbench.reload();
    await page.locator('.tab.dirty', { hasText: 'System Prompt of This' }).click();
    await page.locator('.editor-group-container.active .view-lines', { hasText: /Be.brief\./ }).waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await file.and(page.locator(':not(.dirty)')).waitFor();
    await workbench.run('workbench.action.closeActiveEditor');
    const view = await questionPanel(workbench);
    await view.locator('.composer .systemPrompt', { hasText: 'this conversation' }).waitFor();
  });

  it('sets the effort and a temperature from the question box, and offers to send again without what is rejected', async () => {
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    const button = () => view.locator('.parametersButton');
    const { page } = workbench;
    /** The fields of the last request that parameters added. */
    const lastFields = (): Record<string, unknown> => {
      const request = connected.gateway.requests().findLast(({ method }) => method === 'POST');
      const { model, messages, stream, stream_options, ...fields } = JSON.parse(request?.body ?? '{}');
      assert.ok(model && messages && stream && stream_options);
      return fields;
    };
    const send = async (question: string) => {
      const posts = gateway.postCount();
      await view.locator('textarea').fill(question);
      await pressEnter(view.locator('textarea'));
      await until(() => assert.equal(gateway.postCount(), posts + 1));
      return lastFields();
    };
    const pickRow = async (row: string) => {
      await workbench.quickPicks.filter({ hasText: row }).first().waitFor();
      await workbench.pick(row);
    };

    const file = page.locator('.tab.active', { hasText: 'Parameters of gpt-5-mini' });
    /** Replaces the text of the file with the parameters of the model, and saves it. */
    const save = async (json: string) => {
      await file.click();
      const editor = page.locator('.editor-group-container.active .monaco-editor');
      await editor.and(page.locator('.focused')).first().waitFor();
      await page.keyboard.press('ControlOrMeta+A');
      await page.keyboard.insertText(json);
      // The bracket that VS Code adds by itself.
      await page.keyboard.press('ControlOrMeta+Shift+End');
      await page.keyboard.press('Delete');
      await page.keyboard.press('ControlOrMeta+S');
    };
    await button().click();
    await workbench.quickPicks.filter({ hasText: 'xhigh' }).waitFor();
    await workbench.screenshot('49-parameters');
    await workbench.pick('minimal');
    await until(async () => assert.equal(await button().innerText(), 'effort: minimal'));
    assert.ok(await view.locator('textarea').evaluate((box) => box === document.activeElement));
    await button().click();
    await pickRow('Parameters of gpt-5-mini');
    await save('{ "temperature": 3 }');
    await workbench.notifications.filter({ hasText: 'temperature must be a number from 0 to 2.' }).waitFor();
    await page.locator('.squiggly-error').first().waitFor();
    await workbench.screenshot('49-parameters-refused');
    await save('{ "temperature": 0.2 }');
    await file.and(page.locator(':not(.dirty)')).waitFor();
    await workbench.run('workbench.action.closeActiveEditor');
    await until(async () => assert.equal(await button().innerText(), 'effort: minimal · temperature: 0.2'));
    assert.deepEqual(await send('And 2 + 2?'), { reasoning_effort: 'minimal', temperature: 0.2 });
    await finishedFacts(view).waitFor();
    gateway.setFault('extra-parameters-rejected');
    try {
      await send('And 4 + 4?');
      for (const field of ['temperature', 'reasoning_effort']) {
        const card = view.locator('.trouble', { hasText: `gpt-5-mini doesn't accept ${field}` });
        await card.waitFor();
        assert.equal(field in lastFields(), true);
        await workbench.screenshot(`49-rejected-${field}`);
        const posts = gateway.postCount();
        await card.getByRole('button', { name: 'Send Again Without It' }).click();
        await until(() => assert.equal(gateway.postCount(), posts + 1));
        assert.equal(field in lastFields(), false, `${field} isn't sent any more`);
      }
      await finishedFacts(view).waitFor();
      assert.deepEqual(await send('And 5 + 5?'), {}, 'the next question is sent without them');
      await finishedFacts(view).waitFor();
    } finally {
      gateway.setFault(undefined);
    }
    assert.match((await button().getAttribute('title')) ?? '', /not sent, because it was rejected: .*temperature/);
    await button().click();
    await pickRow('Parameters of gpt-5-mini');
    await page.locator('.editor-group-container.active .view-lines', { hasText: /omit/ }).waitFor();
    await save('{ "temperature": 0.2 }');
    await file.and(page.locator(':not(.dirty)')).waitFor();
    await workbench.run('workbench.action.closeActiveEditor');
    await until(async () => assert.match(await button().innerText(), /^effort: minimal · temperature: 0\.2$/));
  });
});

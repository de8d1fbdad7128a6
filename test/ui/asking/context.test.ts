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
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

/** Whether VS Code can show uncommitted changes. */
const hasGit = spawnSync('git', ['--version']).status === 0;

describe('what is sent with a question', { timeout: 600_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let workbench: Workbench;
  let gateway: ConnectedWorkbench['gateway'];
  const folder = suite.folder('workspace');
  const chips = (of: FrameLocator) => of.locator('.composer li.chip');
  const first = (of: FrameLocator) => of.getByRole('listbox', { name: 'Add Context' }).getByRole('option').first();
  const inExplorer = (name: string) =>
    workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();

  before(async () => {
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(
      join(folder, 'tools', 'rounding.ts'),
      'export function round(amount: number): number {\n  return Math.round(amount * 100) / 100;\n}\n\n' +
        'export function floor(amount: number): number {\n  return Math.floor(amount * 100) / 100;\n}\n',
    );
    for (const args of [
      ['init', '--quiet'],
      ['add', '.'],
      ['-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'All'],
    ]) {
      spawnSync('git', args, { cwd: folder });
    }
    writeFileSync(join(folder, 'tools', 'sales_report.py'), 'print(1)\n');
    writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]));
    connected = await suite.connected({
      folder,
      viewport: { width: 1400, height: 900 },
      // In a browser, VS Code saves files by itself.
      settings: { 'files.autoSave': 'off' },
    });
    ({ workbench, gateway } = connected);
  });

  beforeEach(() =>
    until(async () => {
      await workbench.run('workbench.action.closeAllEditors');
      assert.equal(await workbench.page.locator('.tab').count(), 0);
    }),
  );

  it('includes what is named after #, and shows where it is from', async () => {
    const { page } = workbench;
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
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
    assert.match(await box.inputValue(), /^Who calls /);
    assert.equal(await chips(view).count(), hasGit ? 3 : 2);
    await chips(view).filter({ hasText: 'cart.ts' }).getByRole('button', { name: /tok$/ }).click();
    await page.locator('.tab.active', { hasText: 'cart.ts' }).waitFor();
    await pressEnter((await workbench.webview('New Conversation')).locator('textarea'));
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

  it('writes a commit message from the title of a repository, which has a stop button meanwhile', {
    skip: !hasGit,
  }, async () => {
    const { page } = workbench;
    await workbench.sideBar('Source Control');
    const button = (name: string) => page.locator(`.part.sidebar .action-label[aria-label^="${name}"]`).first();
    const box = page.locator('.scm-editor .view-lines');
    const before = gateway.postCount();
    gateway.setDelayMs(1_000);
    // The buttons are there while the mouse is.
    await page.locator('.part.sidebar .pane-header', { hasText: 'Changes' }).hover();
    await button('Write Commit Message with Ask Model').click();
    // What is stopped before it is sent is not told.
    await until(() => gateway.postCount() > before);
    await button('Stop Writing Commit Message').click();
    await workbench.notifications.filter({ hasText: 'The gateway may still charge for this answer.' }).waitFor();
    gateway.setDelayMs(0);
    const again = workbench.notifications.locator('.monaco-button', { hasText: 'Send Again' });
    // Within a second it would be a repeat.
    await until(async () => {
      await page.waitForTimeout(1_200);
      await again.click({ timeout: 1_000 });
    });
    // The editor draws only the end of the script's answer.
    await box.filter({ hasText: /alone\./ }).waitFor();
    await page.locator('.part.sidebar .pane-header', { hasText: 'Changes' }).hover();
    await button('Write Commit Message with Ask Model').waitFor();
    await workbench.screenshot('99-commit-message-light');
    assert.equal(gateway.postCount(), before + 2);
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
});

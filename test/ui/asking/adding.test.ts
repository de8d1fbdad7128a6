import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { chooseInMenu } from '../support/chooseInMenu.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

describe('adding context from other places of VS Code', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let view: FrameLocator;
  const chips = () => view.locator('.composer li.chip');
  const inExplorer = (name: string) =>
    connected.workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: name }).first();

  const parent = suite.folder('parent');
  const folder = join(parent, 'workspace');
  const outside = join(parent, 'outside.ts');

  before(async () => {
    writeFileSync(outside, 'const secret = 1;\n');
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(
      join(folder, 'tools', 'rounding.ts'),
      'export function round(amount: number): number {\n  return Math.round(amount * 100) / 100;\n}\n\n' +
        'export function floor(amount: number): number {\n  return Math.floor(amount * 100) / 100;\n}\n',
    );
    writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]));
    writeFileSync(join(folder, '.gitignore'), '*.local\n');
    writeFileSync(join(folder, 'keys.local'), 'A=1\n');
    writeFileSync(join(folder, 'more.local'), 'B=2\n');
    execFileSync('git', ['init', '--quiet'], { cwd: folder });
    connected = await suite.connected({
      folder,
      viewport: { width: 1400, height: 900 },
      // In the order of their names, the file is beside the folders.
      settings: { 'askModel.context.exclude': { '**/tsconfig.json': true } },
    });
  });

  it('adds files and folders from the Explorer, and says why another one is left out', async () => {
    const { workbench } = connected;
    await workbench.sideBar('Explorer');
    await inExplorer('README.md').click();
    await inExplorer('picture.png').click({ modifiers: ['ControlOrMeta'] });
    await chooseInMenu(workbench, inExplorer('picture.png'), 'Add to Ask Model');
    view = await questionPanel(workbench);
    await chips().filter({ hasText: 'README.md' }).waitFor();
    await view
      .getByRole('alert')
      .filter({ hasText: "picture.png can't be included because it isn't a text file." })
      .waitFor();
    await chooseInMenu(workbench, inExplorer('src'), 'Add to Ask Model');
    await chips().filter({ hasText: 'src/' }).filter({ hasText: '3 files' }).waitFor();
    await workbench.screenshot('99-added-light');
  });

  it('adds the file of a tab and a changed file', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    await workbench.openFile('tsconfig.json');
    await chooseInMenu(workbench, page.locator('.tab[data-resource-name="tsconfig.json"]'), 'Add to Ask Model');
    await chips().filter({ hasText: 'tsconfig.json' }).waitFor();
    await workbench.sideBar('Source Control');
    const changed = page.locator('.scm-view .monaco-list-row', { hasText: 'sales_report.py' });
    await chooseInMenu(workbench, changed, 'Add to Ask Model');
    await chips().filter({ hasText: 'tools/sales_report.py' }).waitFor();
    assert.equal(await chips().count(), 4);
  });

  it('is not in the menu of a tab that shows no file', async () => {
    const { page } = connected.workbench;
    await page.locator('.tab', { hasText: 'New Conversation' }).click({ button: 'right' });
    const menu = page.locator('.context-view .action-item');
    await menu.filter({ hasText: 'Close' }).first().waitFor();
    assert.equal(await menu.filter({ hasText: 'Add to Ask Model' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('is not in the menu of several selected tabs, because VS Code passes only one of them on', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    const tab = (name: string) => page.locator(`.tab[data-resource-name="${name}"]`);
    await workbench.openFile('README.md');
    await tab('README.md').dblclick();
    await workbench.openFile('tsconfig.json');
    await tab('README.md').click({ modifiers: ['ControlOrMeta'] });
    await page.locator('.tab.selected').nth(1).waitFor();
    const menu = page.locator('.context-view .action-item');
    await tab('README.md').click({ button: 'right' });
    await menu.filter({ hasText: 'Close' }).first().waitFor();
    assert.equal(await menu.filter({ hasText: 'Add to Ask Model' }).count(), 0);
    await page.keyboard.press('Escape');
    await tab('tsconfig.json').click();
    await tab('tsconfig.json').click({ button: 'right' });
    await menu.filter({ hasText: 'Add to Ask Model' }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('adds a file that is dropped with Shift', async () => {
    const { workbench } = connected;
    const { page } = workbench;
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
    await chips().filter({ hasText: 'src/cart/retry.ts' }).waitFor();
    await view.locator('textarea:focus').waitFor();
  });

  it('reads no file outside the workspace, even if the page asks for it', async () => {
    const before = await chips().count();
    for (const address of [pathToFileURL(outside).href, `${pathToFileURL(folder).href}/../${basename(outside)}`]) {
      await view.locator('.composer').evaluate((form, uri) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.setData('application/vnd.code.uri-list', uri);
        form.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      }, address);
      await view.getByRole('alert').filter({ hasText: "outside.ts isn't in the workspace." }).waitFor();
      assert.equal(await chips().count(), before);
      // Typing hides the reason.
      await view.locator('textarea').fill('x');
      await view.getByRole('alert').waitFor({ state: 'hidden' });
      await view.locator('textarea').fill('');
    }
  });

  it('adds pasted code with its place, or with its lines, unless a folder has it already', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    const box = view.locator('textarea');
    await workbench.openFile('src/cart/discount.ts');
    await workbench.selectLines(29, 31);
    await page.keyboard.press('ControlOrMeta+C');
    await box.click();
    await page.keyboard.press('ControlOrMeta+V');
    // They are in the folder.
    await view.getByRole('alert').filter({ hasText: 'src/cart/discount.ts 29–31 is already included.' }).waitFor();
    assert.equal(await box.inputValue(), '');
    await workbench.openFile('tools/rounding.ts');
    await workbench.selectLines(5, 7);
    await page.keyboard.press('ControlOrMeta+C');
    await box.click();
    await page.keyboard.press('ControlOrMeta+V');
    await chips()
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
    await chips().filter({ hasText: 'Pasted 3 lines' }).waitFor();
    await page.keyboard.press('ControlOrMeta+Shift+V');
    await until(async () => assert.match(await box.inputValue(), /\n/));
    await workbench.screenshot('99-pasted-light');
    await chips().filter({ hasText: 'Pasted' }).getByRole('button', { name: /tok$/ }).click();
    await page.locator('.tab.active', { hasText: 'Pasted Code.txt' }).waitFor();
    for (const theme of ['dark', 'highContrast'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`99-added-${theme}`);
    }
  });

  it('sends each of them once, in one fence', async () => {
    const { gateway } = connected;
    const box = view.locator('textarea');
    await box.fill('What do these do?');
    await pressEnter(box);
    await finishedFacts(view).waitFor();
    const { content } = JSON.parse(
      gateway.requests().findLast(({ method }) => method === 'POST')?.body ?? '',
    ).messages.at(-1);
    assert.deepEqual(content.match(/^(?:From|The|Pasted) .*:$/gm), [
      'The whole file `README.md`:',
      'The files of the folder `src`, each after a line with its path:',
      'The whole file `tsconfig.json`:',
      'The whole file `tools/sales_report.py`:',
      'The whole file `src/cart/retry.ts`:',
      'From `tools/rounding.ts`, lines 5–7:',
      'Pasted code:',
    ]);
  });

  it('says that a file is included although git or a setting excludes it', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    await workbench.runCommand('Ask Model: New Conversation');
    const other = await questionPanel(workbench);
    const said = (path: string) =>
      other
        .getByRole('alert')
        .filter({ hasText: `${path} is included, although it's excluded by .gitignore or by settings.` });
    await workbench.sideBar('Explorer');
    await chooseInMenu(workbench, inExplorer('keys.local'), 'Add to Ask Model');
    await said('keys.local').waitFor();
    assert.equal(await said('keys.local').evaluate((line) => line.classList.contains('isNote')), true);
    await workbench.screenshot('99-excluded-highContrast');
    await chooseInMenu(workbench, page.locator('.tab[data-resource-name="tsconfig.json"]'), 'Add to Ask Model');
    await said('tsconfig.json').waitFor();
    await other.locator('textarea').pressSequentially('#more.local');
    await other.getByRole('option').filter({ hasText: 'excluded by .gitignore or by settings' }).waitFor();
    await other.locator('textarea').press('Tab');
    await said('more.local').waitFor();
    const files = ['keys.local', 'tsconfig.json', 'more.local'];
    assert.deepEqual(
      (await other.locator('.composer li.chip').allInnerTexts()).map((text) =>
        files.find((file) => text.includes(file)),
      ),
      files,
    );
    await other.getByRole('button', { name: 'Remove tsconfig.json' }).click();
    await workbench.openFile('tsconfig.json');
    await other.getByRole('button', { name: 'Add Context…' }).click();
    await workbench.quickPicks.filter({ hasText: /^tsconfig\.json/ }).click();
    await page.keyboard.press('Enter');
    await said('tsconfig.json').waitFor();
  });
});

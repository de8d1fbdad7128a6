import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { type ConnectedWorkbench, questionBox } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('what a person does in the side bar', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let workbench: Workbench;
  let groups: Locator;
  const folder = suite.folder('workspace');
  const row = (text: string) => workbench.treeRows.filter({ hasText: text });
  const notification = (text: string) => workbench.notifications.filter({ hasText: text });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  /** From the menu of a row, the last one that says so. */
  const choose = (text: string, action: string) => chooseInMenu(workbench, row(text).last(), action);
  const left = async (place: string) => (await workbench.page.locator(place).first().boundingBox())?.x ?? Number.NaN;
  const [file, panel] = ['.tab[data-resource-name="first.ts"]', '.tab:has-text("What is a stack?")'];
  /** Whether what has the focus is the page of a panel. */
  const isInPanel = () => workbench.page.evaluate(() => document.activeElement?.tagName === 'IFRAME');

  before(async () => {
    writeFileSync(join(folder, 'first.ts'), 'export const first = 1;\n');
    connected = await suite.connected({ folder });
    ({ workbench } = connected);
    groups = workbench.page.locator('.editor-group-container');
  });

  it('puts the next file to the left of a panel that was opened before any', async () => {
    await connected.ask('What is a stack?');
    await workbench.openFile('first.ts');
    await until(async () => assert.ok((await left(file)) < (await left(panel))));
    await workbench.screenshot('80-panel-first');
    await until(async () => assert.equal(await groups.count(), 2));
    const again = await connected.ask('What is a queue?');
    await again.locator('.turn').first().waitFor();
    await until(async () =>
      assert.ok(
        (await left(file)) < (await left('.tab:has-text("What is a queue?")')),
        'the next panel joins the first',
      ),
    );
    assert.equal(await groups.count(), 2);
  });

  it('does so again when all files were closed, but not against a person who puts the panels to the left', async () => {
    const { page } = workbench;
    const closeFile = async () => {
      await page.locator(file).click({ button: 'middle' });
      await until(async () => assert.equal(await groups.count(), 1));
    };
    await closeFile();
    await workbench.openFile('first.ts');
    await until(async () => assert.ok((await left(file)) < (await left(panel))));
    await workbench.runCommand('View: Move Editor Group Right');
    await until(async () => assert.ok((await left(file)) > (await left(panel))));
    await closeFile();
    await workbench.openFile('first.ts');
    await workbench.runCommand('Ask Model: Focus on Models View');
    await until(async () => assert.ok((await left(file)) > (await left(panel))));
    await page.locator(file).click();
    await workbench.runCommand('View: Move Editor Group Left');
    await until(async () => assert.ok((await left(file)) < (await left(panel))));
  });

  /** The editor that comes has the focus for a moment, and the list may be seen to have it before that. */
  const listKeepsFocus = () =>
    workbench.page.waitForFunction(async () => {
      const hasFocus = () => document.querySelector('.part.sidebar .monaco-list:focus') !== null;
      for (let frame = 0; hasFocus() && frame < 20; frame++) {
        await new Promise((done) => requestAnimationFrame(done));
      }
      return hasFocus();
    });

  it('shows a conversation at a click, and Delete goes to the list', async () => {
    const { page } = workbench;
    await workbench.sideBar('Ask Model');
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await row('What is a stack?').click();
    await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor();
    await (await workbench.webview()).locator('.turn', { hasText: 'What is a stack?' }).waitFor();
    await listKeepsFocus();
    await page.keyboard.press('Delete');
    await dialog().filter({ hasText: 'Delete “What is a stack?”?' }).waitFor();
    await workbench.screenshot('81-delete-after-click');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.tab', { hasText: 'What is a stack?' }).click({ button: 'middle' });
    await page.locator('.tab', { hasText: 'What is a stack?' }).waitFor({ state: 'detached' });
    await row('What is a stack?').click();
    // Before that the panel of the other conversation is in front.
    await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor();
    await (await workbench.webview()).locator('.turn', { hasText: 'What is a stack?' }).waitFor();
    await until(async () => assert.equal(await isInPanel(), false, 'the new page has the focus'));
    await listKeepsFocus();
    await page.keyboard.press('Delete');
    await dialog().filter({ hasText: 'Delete “What is a stack?”?' }).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('leads into the conversation with Enter or a double click', async () => {
    const { page } = workbench;
    await row('What is a queue?').click();
    await page.locator('.tab.active', { hasText: 'What is a queue?' }).waitFor();
    await listKeepsFocus();
    assert.equal(await isInPanel(), false);
    await page.keyboard.press('Enter');
    await until(async () => assert.equal(await isInPanel(), true));
    await row('What is a stack?').dblclick();
    await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor();
    await until(async () => assert.equal(await isInPanel(), true));
  });

  it('keeps a group folded while its conversations change', async () => {
    const { page } = workbench;
    await page.locator('.part.sidebar [role=treeitem]', { hasText: 'Today' }).click();
    await row('What is a stack?').waitFor({ state: 'detached' });
    const queue = await workbench.webview('What is a queue?');
    await queue.locator('textarea').fill('And a heap?');
    await queue.locator('textarea').press('Enter');
    await queue.locator('.reply .facts', { hasText: / in ·/ }).nth(1).waitFor();
    await connected.ask('What is a tree?');
    await until(async () => assert.equal(await row('What is a queue?').count(), 0));
    await page.locator('.part.sidebar [role=treeitem]', { hasText: 'Today' }).click();
    await row('What is a stack?').waitFor();
    const titles = await workbench.treeRows
      .filter({ hasText: 'What is a' })
      .evaluateAll((rows) =>
        rows
          .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
          .map((each) => each.querySelector('.label-name')?.textContent),
      );
    assert.deepEqual(titles, ['What is a tree?', 'What is a queue?', 'What is a stack?']);
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
  });

  it('compares what is selected without asking for it again, and leaves it alone in the menu of another row', async () => {
    const { page } = workbench;
    const starred = () => row('Favourites').count();
    await row('gemini-2.5-flash').click();
    for (const model of ['gemini-2.5-pro', 'claude-opus-4-5']) {
      await row(model).click({ modifiers: ['ControlOrMeta'] });
    }
    await choose('deepseek-chat', 'Add to Favourites');
    await row('Favourites').filter({ hasText: '1' }).waitFor();
    await workbench.screenshot('82-outside');
    await choose('deepseek-chat', 'Remove from Favourites');
    await until(async () => assert.equal(await starred(), 0));
    await choose('gemini-2.5-pro', 'Add to Favourites');
    await row('Favourites').filter({ hasText: '3' }).waitFor();
    await choose('gemini-2.5-pro', 'Compare Models');
    await questionBox(workbench).waitFor();
    await page.locator('.quick-input-widget', { hasText: 'Sends 3 paid calls' }).waitFor();
    await workbench.screenshot('83-compare-selected');
    await page.keyboard.press('Escape');
  });

  it('says that no model matches, and leads back to all', async () => {
    const { page } = workbench;
    await workbench.runCommand('Ask Model: Find a Model');
    await workbench.quickInput.and(page.locator('[placeholder^="Type to search"]')).fill('@context:>900m');
    const none = workbench.quickPicks.filter({ hasText: 'No model matches' });
    await none.waitFor();
    await workbench.screenshot('84-no-match');
    await none.click();
    await workbench.quickPicks.filter({ hasText: 'deepseek-chat' }).waitFor();
    assert.equal(await workbench.quickInput.inputValue(), '');
    await page.keyboard.press('Escape');
  });

  it('shows where a model went that was added by its id', async () => {
    const { page } = workbench;
    for (const words of ['Added claude-hidden.', 'claude-hidden is in the list already.']) {
      await workbench.runCommand('Ask Model: Add a Model by Its Id');
      const box = workbench.quickInput.and(page.locator('[placeholder="vendor/model-name"]'));
      await box.fill('claude-hidden');
      await page.keyboard.press('Enter');
      await notification(words).waitFor();
      await row('claude-hidden').and(page.locator('.selected')).waitFor();
      await workbench.screenshot('85-added');
    }
  });

  it('offers another model than the one that answered', async () => {
    const { page } = workbench;
    const tree = await workbench.webview('What is a tree?');
    await tree.locator('.turn').last().hover();
    await tree.getByLabel('Ask another model… (a new paid call)').last().click();
    const focused = page.locator('.quick-input-list .monaco-list-row.focused');
    await focused.first().waitFor();
    await workbench.screenshot('86-another');
    assert.doesNotMatch(await focused.first().innerText(), /gpt-5-mini/);
    await page.keyboard.press('Escape');
  });
});

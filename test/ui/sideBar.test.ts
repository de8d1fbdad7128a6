import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { type ConnectedWorkbench, comparisonBox } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('the side bar and the editor groups', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let workbench: Workbench;
  let groups: Locator;
  const folder = suite.folder('workspace');
  const row = (text: string) => workbench.treeRows.filter({ hasText: text });
  const notification = (text: string) => workbench.notifications.filter({ hasText: text });
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  /** Chooses an action from the context menu of the last row with this text. */
  const choose = (text: string, action: string) => chooseInMenu(workbench, row(text).last(), action);
  const left = async (place: string) => (await workbench.page.locator(place).first().boundingBox())?.x ?? Number.NaN;
  const [file, panel] = ['.tab[data-resource-name="first.ts"]', '.tab:has-text("What is a stack?")'];
  /** Whether the page of a panel has the focus. */
  const isInPanel = () => workbench.page.evaluate(() => document.activeElement?.tagName === 'IFRAME');

  before(async () => {
    writeFileSync(join(folder, 'first.ts'), 'export const first = 1;\n');
    connected = await suite.connected({ folder });
    ({ workbench } = connected);
    groups = workbench.page.locator('.editor-group-container');
  });

  it('opens the first file to the left of a panel', async () => {
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
        'the next panel opens beside the first',
      ),
    );
    assert.equal(await groups.count(), 2);
  });

  it('opens a file there again after all were closed, unless the person has moved the panels to the left', async () => {
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

  /** Waits until the list keeps the focus for 20 frames, because an editor that opens takes it for a moment. */
  const listKeepsFocus = () =>
    workbench.page.waitForFunction(async () => {
      const hasFocus = () => document.querySelector('.part.sidebar .monaco-list:focus') !== null;
      for (let frame = 0; hasFocus() && frame < 20; frame++) {
        await new Promise((done) => requestAnimationFrame(done));
      }
      return hasFocus();
    });

  it('shows a conversation on a click, and keeps the focus in the list for Delete', async () => {
    const { page } = workbench;
    await workbench.sideBar('Ask Model');
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await row('What is a stack?').click();
    await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor();
    await (await workbench.webview()).locator('.turn', { hasText: 'What is a stack?' }).waitFor();
    await listKeepsFocus();
    await page.keyboard.press('Delete');
    await dialog().filter({ hasText: 'Delete "What is a stack?"?' }).waitFor();
    await workbench.screenshot('81-delete-after-click');
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await page.locator('.tab', { hasText: 'What is a stack?' }).click({ button: 'middle' });
    await page.locator('.tab', { hasText: 'What is a stack?' }).waitFor({ state: 'detached' });
    await row('What is a stack?').click();
    // Until then the panel of the other conversation is active.
    await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor();
    await (await workbench.webview()).locator('.turn', { hasText: 'What is a stack?' }).waitFor();
    await until(async () => assert.equal(await isInPanel(), false, 'the new page does not have the focus'));
    await listKeepsFocus();
    await page.keyboard.press('Delete');
    await dialog().filter({ hasText: 'Delete "What is a stack?"?' }).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('moves the focus into the conversation with Enter or a double click', async () => {
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

  it('keeps a group collapsed while its conversations change', async () => {
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

  it('applies a menu action to the selected rows, or to another row alone', async () => {
    const { page } = workbench;
    const starred = () => row('Favorites').count();
    await row('gemini-2.5-flash').click();
    for (const model of ['gemini-2.5-pro', 'claude-opus-4-5']) {
      await row(model).click({ modifiers: ['ControlOrMeta'] });
    }
    await choose('deepseek-chat', 'Add to Favorites');
    await row('Favorites').filter({ hasText: '1' }).waitFor();
    await workbench.screenshot('82-outside');
    await choose('deepseek-chat', 'Remove from Favorites');
    await until(async () => assert.equal(await starred(), 0));
    await choose('gemini-2.5-pro', 'Add to Favorites');
    await row('Favorites').filter({ hasText: '3' }).waitFor();
    await choose('gemini-2.5-pro', 'Compare Models');
    await comparisonBox(workbench).waitFor();
    await page.locator('.quick-input-widget', { hasText: 'Makes 3 paid calls' }).waitFor();
    await workbench.screenshot('83-compare-selected');
    await page.keyboard.press('Escape');
  });

  it('says that no model matches, and offers to show all models', async () => {
    const { page } = workbench;
    await workbench.runCommand('Ask Model: Ask a Specific Model…');
    await workbench.quickInput.and(page.locator('[placeholder^="Type to search"]')).fill('@context:>900m');
    const none = workbench.quickPicks.filter({ hasText: 'No models match' });
    await none.waitFor();
    await workbench.screenshot('84-no-match');
    await none.click();
    await workbench.quickPicks.filter({ hasText: 'deepseek-chat' }).waitFor();
    assert.equal(await workbench.quickInput.inputValue(), '');
    await page.keyboard.press('Escape');
  });

  it('selects a model that was added by its id', async () => {
    const { page } = workbench;
    for (const words of ['Added claude-hidden.', 'claude-hidden is already in the list.']) {
      await workbench.runCommand('Ask Model: Add Model by ID…');
      const box = workbench.quickInput.and(page.locator('[placeholder="vendor/model-name"]'));
      await box.fill('claude-hidden');
      await page.keyboard.press('Enter');
      await notification(words).waitFor();
      await row('claude-hidden').and(page.locator('.selected')).waitFor();
      await workbench.screenshot('85-added');
    }
  });

  it('preselects another model than the one that answered', async () => {
    const { page } = workbench;
    const tree = await workbench.webview('What is a tree?');
    await tree.locator('.turn').last().hover();
    await tree.getByLabel('Ask Another Model (New Paid Call)…').last().click();
    const focused = page.locator('.quick-input-list .monaco-list-row.focused');
    await focused.first().waitFor();
    await workbench.screenshot('86-another');
    assert.doesNotMatch(await focused.first().innerText(), /gpt-5-mini/);
    await page.keyboard.press('Escape');
  });
});

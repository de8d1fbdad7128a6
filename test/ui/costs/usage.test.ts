import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../../until.ts';
import { chooseInMenu } from '../support/chooseInMenu.ts';
import type { ConnectedWorkbench } from '../support/connectedWorkbench.ts';
import { filesWith } from '../support/filesWith.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';
import { readSettings } from '../support/readSettings.ts';

describe('the record of paid calls', { timeout: 360_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const item = () => connected.workbench.page.locator('.statusbar-item', { hasText: 'gpt-5-mini' });
  /** The file of this month; empty before the first call. */
  const ledgerPath = () => {
    const { profileDir } = connected.workbench.server;
    const [name] = filesWith(profileDir, '"v":1,"type":"start"');
    return name === undefined ? '' : join(profileDir, name);
  };

  before(async () => {
    connected = await suite.connected({
      folder: suite.folder('workspace'),
      viewport: { width: 1800, height: 1400 },
    });
  });

  it('shows the calls of today beside the model, and all calls in a view of its own, which it filters', async () => {
    const { workbench, gateway, ask } = connected;
    assert.doesNotMatch(await item().innerText(), /call/);
    const panel = await ask('What is a ledger?');
    await item()
      .filter({ hasText: /1 call, \d+ tokens/ })
      .waitFor();
    gateway.setFault('balance-empty@chat');
    await panel.locator('textarea').fill('Again?');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.trouble').waitFor();
    gateway.setFault(undefined);
    await item().filter({ hasText: '2 calls' }).waitFor();
    await panel.locator('.totals', { hasText: /^2 calls, (?:\$0\.\d+|under \$0\.001)$/ }).waitFor();
    assert.match(
      (await panel.locator('.totals').getAttribute('title')) ?? '',
      /^gpt-5-mini: 2 calls, \d+ tokens, \$0\.\d+$/,
    );
    await item().hover();
    await workbench.page.locator('.workbench-hover', { hasText: 'Today: 2 calls' }).waitFor();
    await workbench.screenshot('97-usage-hover');
    await workbench.start('askModel.showUsage');
    const view = await workbench.webview('Usage');
    await view.locator('.figures', { hasText: '2calls · 1 failed' }).waitFor();
    await view.getByRole('row', { name: /^gpt-5-mini 2 / }).waitFor();
    await workbench.screenshot('97-usage');
    await view.getByRole('radio', { name: '7 Days' }).focus();
    await workbench.page.keyboard.press('ArrowLeft');
    await view.getByRole('heading', { name: 'by Hour' }).waitFor();
    await view.getByRole('button', { name: 'gpt-5-mini' }).first().click();
    await view.getByRole('button', { name: 'Remove Filter gpt-5-mini' }).waitFor();
    await workbench.screenshot('97-usage-filtered');
  });

  it('warns at a soft limit, and sends nothing beyond a hard one until it is raised', async () => {
    const { workbench, gateway, ask } = connected;
    const { page } = workbench;
    await workbench.set({ 'askModel.dailyLimit': { calls: 3 } });
    const panel = await ask('What is a limit?');
    await workbench.notifications.filter({ hasText: "You're warned at 3." }).waitFor();
    const sent = gateway.postCount();
    await panel.locator('textarea').fill('And now?');
    await pressEnter(panel.locator('textarea'));
    const review = panel.getByRole('alertdialog');
    await review.filter({ hasText: 'Calls allowed per day and connection: 3. Made today: 3.' }).waitFor();
    assert.deepEqual(await review.getByRole('button').allInnerTexts(), ['Raise Limit…', 'Cancel']);
    await workbench.screenshot('98-limit-reached');
    assert.equal(gateway.postCount(), sent);
    await review.getByRole('button', { name: 'Raise Limit…' }).click();
    await page.locator('.settings-editor .setting-item-label', { hasText: 'Daily Limit' }).first().waitFor();
    await workbench.screenshot('98-limit-settings');
    await workbench.set({ 'askModel.dailyLimit': { calls: 10 } });
    await workbench.run('workbench.action.closeActiveEditor');
    // The settings covered the panel, whose page is a new one now.
    const shown = await workbench.webview('What is a limit?');
    await pressEnter(shown.locator('textarea'));
    await until(() => assert.equal(gateway.postCount(), sent + 1));
  });

  it('opens the setting for the price of a model, and then shows it in the tooltip of the model', async () => {
    const { workbench } = connected;
    const row = () => workbench.treeRows.filter({ hasText: 'gpt-5-mini' }).first();
    /** The tooltip of the model. */
    const tooltip = async () => {
      const { page } = workbench;
      const hover = page.locator('.monaco-hover:visible', { hasText: 'Vendor' });
      await page.mouse.move(0, 0);
      await hover.waitFor({ state: 'detached' });
      await row().hover();
      await hover.waitFor();
      return hover.innerText();
    };
    await workbench.sideBar('Ask Model');
    await chooseInMenu(workbench, row(), 'State a Price…');
    const stated = { input: 1.25, output: 10, currency: 'USD' };
    await until(() => assert.deepEqual(readSettings(workbench)['askModel.prices'], { 'gpt-5-mini': {} }));
    await workbench.page.locator('.tab.active', { hasText: 'settings.json' }).waitFor();
    await workbench.screenshot('98-price-setting');
    await workbench.run('workbench.action.closeActiveEditor');
    await workbench.set({ 'askModel.prices': { 'gpt-5-mini': stated } });
    const price = 'Price: $1.25 per 1M input tokens and $10.00 per 1M output tokens (your prices)';
    await until(async () => assert.ok((await tooltip()).includes(price)));
    await workbench.screenshot('98-price-tooltip');
  });

  it('clears the usage data, and deletes all data, only after a confirmation', async () => {
    const { workbench } = connected;
    const folder = join(ledgerPath(), '..');
    const storage = join(folder, '..');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    const deleteData = async (text: string) => {
      await workbench.runCommand('Ask Model: Delete Data…');
      await workbench.quickPicks.filter({ hasText: text }).first().click();
    };
    await deleteData('Usage Data…');
    await dialog.filter({ hasText: 'Clear all usage data?' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(readdirSync(folder).length, 1);
    await deleteData('Usage Data…');
    await dialog.getByRole('button', { name: 'Clear' }).click();
    await workbench.notifications.filter({ hasText: 'Usage data cleared.' }).waitFor();
    assert.deepEqual(readdirSync(folder), []);
    await (await workbench.webview('Usage')).getByText('No calls match the filter').waitFor();
    await workbench.run('workbench.action.closeActiveEditor');
    await deleteData('All My Data…');
    await dialog.filter({ hasText: '1 connection with its key' }).filter({ hasText: '2 conversations' }).waitFor();
    await workbench.screenshot('98-delete-all');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.ok(readdirSync(storage).length > 2);
    await deleteData('All My Data…');
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await workbench.notifications.filter({ hasText: 'All data of Ask Model was deleted' }).waitFor();
    assert.ok(!existsSync(storage));
    assert.equal(readSettings(workbench)['askModel.connections'], undefined);
    assert.deepEqual(readSettings(workbench)['askModel.dailyLimit'], { calls: 10 });
    await workbench.page.locator('.webview').first().waitFor({ state: 'detached' });
    await workbench.page.getByRole('button', { name: 'Connect to a Gateway' }).waitFor();
    await workbench.screenshot('98-deleted-all');
    await workbench.reload();
    await workbench.sideBar('Ask Model');
    await workbench.page.getByRole('button', { name: 'Connect to a Gateway' }).waitFor();
    await item().waitFor({ state: 'detached' });
  });
});

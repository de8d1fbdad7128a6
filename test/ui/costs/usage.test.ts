import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { type ConnectedWorkbench, typeQuestion } from '../support/connectedWorkbench.ts';
import { filesWith } from '../support/filesWith.ts';
import { openForSuite } from '../support/openForSuite.ts';
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

  it('shows prices once it may read them, the calls of today beside the model, and all calls in a view of its own', async () => {
    const { workbench, gateway, ask } = connected;
    assert.doesNotMatch(await item().innerText(), /call/);
    const panel = await ask('What is a ledger?');
    await item()
      .filter({ hasText: /1 call, \d+ tokens/ })
      .waitFor();
    gateway.setFault('balance-empty@chat');
    try {
      await typeQuestion(panel, 'Again?');
      await panel.locator('.trouble').getByRole('button', { name: 'Open Wallet in Browser' }).waitFor();
    } finally {
      gateway.setFault(undefined);
    }
    await item().filter({ hasText: '2 calls' }).waitFor();
    await panel.locator('.totals', { hasText: /^2 calls, (?:\$0\.\d+|under \$0\.001)$/ }).waitFor();
    const asked = () => gateway.requests().filter(({ path }) => path === '/api/status').length;
    assert.equal(asked(), 0);
    const offer = workbench.treeRows.filter({ hasText: 'Read Balance and Prices (Free)' });
    await offer.click();
    await workbench.treeRows
      .filter({ hasText: /gpt-5-mini.*\$/ })
      .first()
      .waitFor();
    await offer.waitFor({ state: 'detached' });
    assert.equal(asked(), 1);
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

  it('clears the usage data, and deletes all data, only after a confirmation', async () => {
    const { workbench } = connected;
    await connected.ask('What is data?');
    await workbench.set({ 'askModel.dailyLimit': { calls: 10 } });
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
    await deleteData('All My Data…');
    await dialog.filter({ hasText: 'Connections with their keys: 1' }).filter({ hasText: 'conversation' }).waitFor();
    await workbench.screenshot('98-delete-all');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.ok(readdirSync(storage).length > 2);
    await deleteData('All My Data…');
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await workbench.notifications.filter({ hasText: 'All data of Ask Model was deleted' }).waitFor();
    assert.ok(!existsSync(storage));
    assert.equal(readSettings(workbench)['askModel.connections'], undefined);
    assert.deepEqual(readSettings(workbench)['askModel.dailyLimit'], { calls: 10 });
    await workbench.page.locator('.tab', { hasText: 'What is data?' }).waitFor({ state: 'detached' });
    await workbench.page.getByRole('button', { name: 'Connect to a Gateway' }).waitFor();
    await workbench.screenshot('98-deleted-all');
  });
});

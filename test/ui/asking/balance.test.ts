import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../../gateway/gateway.ts';
import { until } from '../../until.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { chooseModel, connect, enterKey, questionPanel } from '../support/connectedWorkbench.ts';
import { editSettings, readSettings } from '../support/editSettings.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

describe('the balance of a key', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let workbench: Workbench;
  const dialog = (text: string) => workbench.page.locator('.monaco-dialog-box', { hasText: text });
  const asked = (path: string) => gateway.requests().filter((request) => request.path === path);
  const row = (text: string) => workbench.quickPicks.filter({ hasText: text });

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    workbench = await suite.workbench({ folder: suite.folder('workspace') });
    await connect(workbench, gateway.baseUrl, gateway.createKey({ name: 'small', quotaMicroUsd: 3_200_000 }).value);
    await chooseModel(workbench, 'gpt-5-mini');
  });

  const entries = () => readSettings(workbench)['askModel.connections'] as object[];
  /** Changes the connection in use, and removes all others. */
  const change = (more: object) => editSettings(workbench, { 'askModel.connections': [{ ...entries()[0], ...more }] });

  it('shows what is left in the question box, read once, only after it was allowed', async () => {
    await workbench.runCommand('Ask Model');
    const panel = await questionPanel(workbench);
    const balance = panel.locator('.balance');
    assert.deepEqual([asked('/api/status').length, await balance.isVisible()], [0, false]);
    await change({ probes: true });
    await until(async () => assert.equal(await balance.innerText(), '$3.20 left'));
    assert.match((await balance.getAttribute('title')) ?? '', /^Key "small" · 3\.2 USD left · .* · As of /);
    await workbench.screenshot('balance');
    await change({ creditUnit: '0.5 CNY', consoleUrl: 'https://console.example' });
    await until(async () => assert.equal(await balance.innerText(), 'CN¥1.60 left'));
    assert.equal(asked('/api/usage/token/').length, 1);
    assert.equal(gateway.postCount(), 0);
  });

  it('opens the wallet from the card of a refused question', async () => {
    const panel = await workbench.webview();
    gateway.setFault('balance-empty@chat');
    await panel.locator('textarea').fill('Without money?');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.trouble').getByRole('button', { name: 'Open Wallet in Browser' }).click();
    await dialog('console.example/wallet').waitFor();
    await workbench.screenshot('balance-wallet');
    await dialog('console.example/wallet').getByRole('button', { name: 'Cancel' }).click();
    gateway.setFault(undefined);
  });

  it('lists the pages of the console', async () => {
    await workbench.runCommand('Ask Model: Open Console in Browser');
    for (const page of ['Keys', 'Wallet', 'Model Catalog', 'Usage Log']) {
      await row(`Open ${page} in Browser`).waitFor();
    }
    await workbench.screenshot('balance-pages');
    await row('Open Usage Log in Browser').click();
    await dialog('console.example/usage-logs').waitFor();
    await dialog('console.example/usage-logs').getByRole('button', { name: 'Cancel' }).click();
  });

  it('asks before a question is sent with a key that is used up', async () => {
    const posts = gateway.postCount();
    await workbench.runCommand('Ask Model: Connect to a Gateway…');
    await workbench.answerQuickInput(gateway.baseUrl);
    await row('Add Another Connection').click();
    await enterKey(workbench, gateway.createKey({ name: 'empty', quotaMicroUsd: 0 }).value);
    await until(async () => assert.equal(entries().length, 2));
    await change({ probes: true });
    await chooseModel(workbench, 'gpt-5-mini');
    await workbench.runCommand('Ask Model: New Conversation');
    const panel = await questionPanel(workbench);
    await until(async () => assert.equal(await panel.locator('.balance').innerText(), 'Quota used up'));
    await panel.locator('textarea').fill('Anyway?');
    await pressEnter(panel.locator('textarea'));
    await dialog('Quota used up').waitFor();
    await workbench.screenshot('balance-used-up');
    await dialog('Quota used up').getByRole('button', { name: 'Cancel' }).click();
    await until(async () => assert.equal(await panel.locator('textarea').inputValue(), 'Anyway?'));
    assert.equal(gateway.postCount(), posts);
    await pressEnter(panel.locator('textarea'));
    await dialog('Quota used up').getByRole('button', { name: 'Send Anyway' }).click();
    await panel.locator('.trouble').waitFor();
    assert.equal(gateway.postCount(), posts + 1);
  });
});

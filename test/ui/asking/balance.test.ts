import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../../gateway/gateway.ts';
import { until } from '../../until.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { chooseModel, connect, questionPanel } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';
import { readSettings } from '../support/readSettings.ts';

describe('the balance of a key', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let workbench: Workbench;
  const dialog = (text: string) => workbench.page.locator('.monaco-dialog-box', { hasText: text });
  const asked = (path: string) => gateway.requests().filter((request) => request.path === path);

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    workbench = await suite.workbench({ folder: suite.folder('workspace') });
    await connect(workbench, gateway.baseUrl, gateway.createKey({ name: 'small', quotaMicroUsd: 3_200_000 }).value);
    await chooseModel(workbench, 'gpt-5-mini');
  });

  const entries = () => readSettings(workbench)['askModel.connections'] as object[];
  /** Changes the connection in use, and removes all others. */
  const change = (more: object) => workbench.set({ 'askModel.connections': [{ ...entries()[0], ...more }] });

  it('shows what is left in the question box only after it was allowed, and opens the wallet from a refused question', async () => {
    await workbench.start('askModel.ask');
    const panel = await questionPanel(workbench);
    const balance = panel.locator('.totals');
    assert.deepEqual([asked('/api/status').length, await balance.isVisible()], [0, false]);
    await workbench.sideBar('Ask Model');
    const offer = workbench.treeRows.filter({ hasText: 'Read Balance and Prices (Free)' });
    await offer.waitFor();
    await workbench.screenshot('balance-offer');
    await offer.click();
    await until(async () => assert.equal(await balance.innerText(), '$3.20 left'));
    assert.match((await balance.getAttribute('title')) ?? '', /^Key "small" · \$3\.20 left · .* · As of /);
    await offer.waitFor({ state: 'detached' });
    const undecided = entries().map((entry) =>
      Object.fromEntries(Object.entries(entry).filter(([name]) => name !== 'probes')),
    );
    await workbench.set({ 'askModel.connections': undecided });
    await offer.hover();
    await offer.getByRole('button', { name: 'Hide' }).click();
    await offer.waitFor({ state: 'detached' });
    assert.partialDeepStrictEqual(entries(), [{ probes: false }]);
    await change({ probes: true });
    await until(async () => assert.equal(await balance.innerText(), '$3.20 left'));
    await workbench.screenshot('balance');
    await change({ creditUnit: '0.5 CNY', consoleUrl: 'https://console.example' });
    await until(async () => assert.equal(await balance.innerText(), 'CN¥1.60 left'));
    assert.equal(asked('/api/usage/token/').length, 1);
    assert.equal(gateway.postCount(), 0);
    gateway.setFault('balance-empty@chat');
    await panel.locator('textarea').fill('Without money?');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.trouble').getByRole('button', { name: 'Open Wallet in Browser' }).click();
    await dialog('console.example/wallet').waitFor();
    await workbench.screenshot('balance-wallet');
    await dialog('console.example/wallet').getByRole('button', { name: 'Cancel' }).click();
    gateway.setFault(undefined);
  });
});

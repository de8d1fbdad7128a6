import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../gateway/gateway.ts';
import { type LocalProxy, startProxy } from '../gateway/network/proxy.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, chooseModel, enterKey, finishedFacts } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

/** An address in a private network; the proxies forward to the gateway of the test. */
const address = 'http://10.77.0.5:8080';

describe('a gateway over plain HTTP, and a proxy that is set later', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let first: LocalProxy;
  let later: LocalProxy;
  let key: string;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const confirmationFor = ({ url }: LocalProxy) =>
    dialog().filter({ hasText: `The proxy ${new URL(url).host} could read the key on its way to 10.77.0.5:8080.` });
  const press = (name: string) => dialog().getByRole('button', { name }).click();

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'person' }).value;
    const port = Number(new URL(gateway.baseUrl).port);
    [first, later] = await Promise.all([startProxy({ port }), startProxy({ port })]);
    suite.ends(() => Promise.all([first.close(), later.close()]));
    workbench = await suite.workbench({
      folder,
      settings: { 'http.proxy': first.url },
    });
  });

  it('sends the key through a proxy only after the person confirms a dialog that names it, also when another proxy is set later', async () => {
    await workbench.sideBar('Ask Model');
    await workbench.start('askModel.connect');
    await workbench.answerQuickInput(address);
    await confirmationFor(first).waitFor();
    assert.deepEqual(first.forwarded(), []);
    await press('Send Key Unencrypted');
    await enterKey(workbench, key);
    await chooseModel(workbench, 'gpt-5-mini');
    assert.equal(await dialog().count(), 0);
    await workbench.set({ 'http.proxy': later.url });
    await workbench.sideBar('Ask Model');
    await workbench.start('askModel.refreshModels');
    const bar = workbench.page.locator('.part.sidebar');
    await bar.filter({ hasText: 'others on the network can read the key' }).waitFor();
    await workbench.screenshot('route-in-clear');
    assert.equal(await dialog().count(), 0);
    assert.deepEqual(later.forwarded(), []);
    await workbench.start('askModel.ask');
    await confirmationFor(later).waitFor();
    await workbench.screenshot('route-in-clear-asked');
    // An extra Enter must not send the key.
    await workbench.page.keyboard.press('Enter');
    await dialog().waitFor({ state: 'detached' });
    assert.deepEqual(later.forwarded(), []);
    await workbench.page.locator('.part.sidebar .monaco-button', { hasText: 'Review Route' }).click();
    await confirmationFor(later).waitFor();
    await press('Send Key Unencrypted');
    await workbench.treeRows.filter({ hasText: 'gpt-5-mini' }).first().waitFor();
    const panel = await askInPanel(workbench, 'What is this?');
    await finishedFacts(panel).waitFor();
    assert.equal(await dialog().count(), 0);
    assert.equal(gateway.postCount(), 1);
    assert.equal(later.forwarded().filter(({ method }) => method === 'POST').length, 1);
  });
});

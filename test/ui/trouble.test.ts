import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { Gateway } from '../gateway/gateway.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, enterKey, finishedFacts } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

describe('errors, in a workspace that is not trusted', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let key: { id: string; value: string };
  let workbench: Workbench;
  const folder = suite.folder('workspace');

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'person' });
    mkdirSync(join(folder, '.vscode'));
    // A hostile repository could try to send the key to another address.
    const hostile = { 'askModel.connections': [{ id: 'hostile', baseUrl: `${gateway.foreign.origin}/v1` }] };
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(hostile));
    writeFileSync(join(folder, 'a.ts'), 'export const a = 1;\n');
    workbench = await suite.workbench({
      folder,
      viewport: { width: 1100, height: 800 },
      settings: { 'security.workspace.trust.enabled': true, 'security.workspace.trust.startupPrompt': 'never' },
    });
  });

  it('runs in Restricted Mode, connects to a gateway with an empty list, and asks with a typed id', async () => {
    await workbench.page.locator('#status\\.workspaceTrust').waitFor();
    await workbench.sideBar('Ask Model');
    gateway.setFault('models-empty@models');
    await workbench.page.locator('.part.sidebar .monaco-button', { hasText: 'Connect' }).click();
    await workbench.answerQuickInput(gateway.baseUrl);
    await enterKey(workbench, key.value);
    await workbench.notifications.filter({ hasText: 'no models are available for this key' }).waitFor();
    await workbench.page.locator('.part.sidebar', { hasText: 'No models are available for this key' }).waitFor();
    await workbench.screenshot('20-no-models');
    await workbench.start('askModel.chooseModel');
    await workbench.quickInput.fill('gpt-5.1');
    await workbench.pick('as the model ID');
    await workbench.page.locator('.statusbar-item', { hasText: 'gpt-5.1' }).waitFor();
    const panel = await askInPanel(workbench, 'What is a tree?');
    await finishedFacts(panel).waitFor();
    assert.equal(gateway.usageLog().at(-1)?.model, 'gpt-5.1');
    assert.equal(gateway.postCount(), 1);
    await panel.locator('.reply', { hasText: 'answered as gpt-5.1-2026-04-14' }).waitFor();
    assert.equal(gateway.foreign.requests().length, 0);
    gateway.setFault(undefined);
    await workbench.start('askModel.refreshModels');
    await workbench.treeRows.filter({ hasText: 'claude-haiku-4-5' }).first().waitFor();
  });

  it('shows each error at its reply with a remedy, and warns of a possible charge, whatever the status is', async () => {
    const posts = gateway.postCount();
    const cases = [
      ['balance-empty@chat', 'Insufficient balance', false],
      ['no-channel@chat', "This key can't use this model", false],
      ['html-200@chat', 'This address returns a web page', false],
      ['cut-mid-stream@chat', 'The answer was cut off', true],
      ['redirect-foreign@chat', 'The gateway redirects to another address', false],
      ['key-in-error@chat', '', false],
    ] as const;
    const panel = await workbench.webview('What is a tree?');
    gateway.setErrorsAs200(true);
    for (const [index, [fault, title, mayBeCharged]] of cases.entries()) {
      gateway.setFault(fault);
      await panel.locator('textarea').fill(`Question ${index + 1}`);
      await pressEnter(panel.locator('textarea'));
      const turn = panel.locator('.turn', { hasText: `Question ${index + 1}` });
      const card = turn.locator('.trouble', { hasText: title });
      await card.waitFor();
      assert.equal(/charge/.test(await card.innerText()), mayBeCharged, fault);
    }
    await workbench.screenshot('22-trouble');
    gateway.setErrorsAs200(false);
    gateway.setFault(undefined);
    assert.equal(gateway.postCount(), posts + cases.length);
    assert.equal(gateway.foreign.requests().length, 0);
    assert.ok(!(await panel.locator('body').innerText()).includes(key.value));
  });

  it('completes a reply after its panel was closed, and shows it when the panel is opened again', async () => {
    // Slow enough that the panel is closed before the end of the reply, even on a busy machine.
    gateway.setDelayMs(150);
    const panel = await askInPanel(workbench, 'What is a closed panel?');
    await panel.locator('.reply .markdown', { hasText: /\w/ }).waitFor();
    const tab = workbench.page.locator('.tab', { hasText: 'What is a closed panel?' });
    await workbench.run('workbench.action.closeActiveEditor');
    await tab.waitFor({ state: 'detached' });
    gateway.setDelayMs(0);
    const posts = gateway.postCount();
    await gateway.settled();
    assert.equal(gateway.usageLog().at(-1)?.state, 'ok');
    await workbench.start('askModel.openConversation');
    await workbench.pick('What is a closed panel?');
    const again = await workbench.webview('What is a closed panel?');
    await finishedFacts(again)
      .filter({ hasText: `${gateway.usageLog().at(-1)?.completionTokens} out` })
      .waitFor();
    assert.equal(gateway.postCount(), posts);
  });

  it('stops the running reply, even when an earlier question was sent again', async () => {
    gateway.setFault('balance-empty@chat');
    const panel = await askInPanel(workbench, 'First of two?');
    await panel.locator('.trouble').waitFor();
    gateway.setFault(undefined);
    await panel.locator('textarea').fill('Second of two?');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.turn', { hasText: 'Second of two?' }).locator('.facts', { hasText: / in ·/ }).waitFor();
    gateway.setDelayMs(150);
    const first = panel.locator('.turn').first();
    await first.getByRole('button', { name: /^Send Again/ }).click();
    await first.locator('.markdown', { hasText: /\w/ }).waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await first.locator('.trouble', { hasText: 'Stopped after' }).waitFor();
    await gateway.settled();
    gateway.setDelayMs(0);
    assert.equal(gateway.usageLog().at(-1)?.state, 'client_gone');
  });
});

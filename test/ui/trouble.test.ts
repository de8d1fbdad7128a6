import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
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
  const message = () => workbench.page.locator('.part.sidebar .message');

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

  it('runs in Restricted Mode and ignores addresses of the workspace', async () => {
    await workbench.page.locator('#status\\.workspaceTrust').waitFor();
    const bar = await workbench.sideBar('Ask Model');
    await bar.locator('.monaco-button', { hasText: 'Connect to a Gateway' }).waitFor();
    assert.equal(gateway.foreign.requests().length, 0);
  });

  it('connects to a gateway with an empty list, and asks with a typed id', async () => {
    gateway.setFault('models-empty@models');
    await workbench.page.locator('.part.sidebar .monaco-button', { hasText: 'Connect' }).click();
    await workbench.answerQuickInput(gateway.baseUrl);
    await enterKey(workbench, key.value);
    await workbench.notifications.filter({ hasText: 'no models are available for this key' }).waitFor();
    await workbench.page.locator('.part.sidebar', { hasText: 'No models are available for this key' }).waitFor();
    await workbench.screenshot('20-no-models');
    await workbench.runCommand('Ask Model: Choose Default Model…');
    await workbench.quickInput.fill('gpt-5.1');
    await workbench.pick('as the model ID');
    const panel = await askInPanel(workbench, 'What is a tree?');
    await finishedFacts(panel).waitFor();
    assert.equal(gateway.usageLog().at(-1)?.model, 'gpt-5.1');
    assert.equal(gateway.postCount(), 1);
    await panel.locator('.reply', { hasText: 'answered as gpt-5.1-2026-04-14' }).waitFor();
  });

  it('keeps the list of models when a refresh fails, and shows the gateway’s own message', async () => {
    gateway.setFault(undefined);
    await workbench.runCommand('Ask Model: Refresh Models');
    await workbench.treeRows.filter({ hasText: 'claude-haiku-4-5' }).first().waitFor();
    gateway.setKeyDisabled(key.id, true);
    await workbench.runCommand('Ask Model: Refresh Models');
    await message().filter({ hasText: 'This key is disabled' }).waitFor();
    await message().filter({ hasText: 'says: "' }).waitFor();
    await workbench.treeRows.filter({ hasText: 'Replace Key' }).waitFor();
    await workbench.treeRows.filter({ hasText: 'claude-haiku-4-5' }).first().waitFor();
    await workbench.screenshot('21-refresh-failed');
    gateway.setKeyDisabled(key.id, false);
    await workbench.treeRows.filter({ hasText: 'Retry' }).click();
    await message().filter({ hasText: 'disabled' }).waitFor({ state: 'hidden' });
  });

  it('shows each error at its reply with a remedy, and warns of a possible charge, whatever the status is', async () => {
    const posts = gateway.postCount();
    const cases = [
      ['balance-empty@chat', 'Insufficient balance', false],
      ['no-channel@chat', "This key can't use this model", false],
      ['html-200@chat', 'This address returns a web page', false],
      ['empty-200@chat', 'The answer is empty', true],
      ['cut-mid-stream@chat', 'The answer was cut off', true],
      ['error-mid-stream@chat', '', true],
      ['redirect-foreign@chat', 'The gateway redirects to another address', false],
      ['html-504@chat', 'The gateway timed out', true],
      ['only-reasoning@chat', 'The model used its entire token limit for reasoning', true],
      ['proxy-407@chat', 'Proxy authentication required', false],
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
      await workbench.screenshot(`22-${fault.replace(/@.*/, '')}`);
    }
    gateway.setErrorsAs200(false);
    gateway.setFault(undefined);
    assert.equal(gateway.postCount(), posts + cases.length);
    assert.equal(gateway.foreign.requests().length, 0);
    assert.ok(!(await panel.locator('body').innerText()).includes(key.value));
  });

  it('opens the settings or the console from an error card', async () => {
    const panel = await workbench.webview('What is a tree?');
    const posts = gateway.postCount();
    const last = panel.locator('.trouble').last();
    const settings = workbench.page.locator('.settings-editor');
    gateway.setFault('balance-empty@chat');
    await panel.locator('textarea').fill('Without money?');
    await pressEnter(panel.locator('textarea'));
    await last.getByRole('button', { name: 'Open Wallet in Browser' }).click();
    await workbench.quickInput.and(workbench.page.locator('[placeholder$="/console"]')).waitFor();
    await workbench.screenshot('23-console-address');
    await workbench.page.keyboard.press('Escape');
    gateway.setFault('proxy-407@chat');
    await panel.locator('textarea').fill('Through the proxy?');
    await pressEnter(panel.locator('textarea'));
    await last.getByRole('button', { name: 'Open Proxy Settings' }).click();
    await settings.locator('.setting-item', { hasText: 'Proxy' }).first().waitFor();
    await workbench.screenshot('23-proxy-settings');
    await workbench.runCommand('View: Close Editor');
    await settings.waitFor({ state: 'hidden' });
    gateway.setFault(undefined);
    assert.equal(gateway.postCount(), posts + 2);
  });

  it('makes one paid call when a button is clicked twice', async () => {
    const posts = gateway.postCount();
    const panel = await workbench.webview('What is a tree?');
    const turn = panel.locator('.turn', { hasText: 'Question 11' });
    await turn.getByRole('button', { name: /^Send Again/ }).dblclick();
    // Wait for the facts of this turn. The turns below it have already ended.
    await turn.locator('.facts', { hasText: / in ·/ }).waitFor();
    await gateway.settled();
    assert.equal(gateway.postCount(), posts + 1);
  });

  it('completes a reply after its panel was closed, and shows it when the panel is opened again', async () => {
    // Slow enough that the panel is closed before the end of the reply, even on a busy machine.
    gateway.setDelayMs(150);
    const panel = await askInPanel(workbench, 'What is a closed panel?');
    await panel.locator('.reply .markdown', { hasText: /\w/ }).waitFor();
    const tab = workbench.page.locator('.tab', { hasText: 'What is a closed panel?' });
    await workbench.runCommand('View: Close Editor');
    await tab.waitFor({ state: 'detached' });
    gateway.setDelayMs(0);
    const posts = gateway.postCount();
    await gateway.settled();
    assert.equal(gateway.usageLog().at(-1)?.state, 'ok');
    await workbench.runCommand('Ask Model: Open Conversation…');
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

  it('sends a conversation to another gateway after the line above the box has named it', async () => {
    const other = await startGateway({ delayMs: 0 });
    try {
      await workbench.runCommand('Ask Model: Connect to a Gateway…');
      await workbench.answerQuickInput(other.baseUrl);
      await workbench.quickInput
        .and(workbench.page.locator('[type=password]'))
        .fill(other.createKey({ name: 'other' }).value);
      await workbench.page.keyboard.press('Enter');
      await workbench.notifications
        .filter({ hasText: /Connected: \d+ models/ })
        .first()
        .waitFor();
      const panel = await workbench.webview('First of two?');
      const { host } = new URL(other.baseUrl);
      await panel.locator('.composer .boxNote', { hasText: `all of it to ${host}` }).waitFor();
      await workbench.screenshot('24-other-gateway');
      assert.equal(other.postCount(), 0);
      await panel.locator('textarea').fill('And over there?');
      await pressEnter(panel.locator('textarea'));
      const dialog = workbench.page.locator('.monaco-dialog-box');
      await panel.locator('.turn', { hasText: 'And over there?' }).locator('.facts', { hasText: / in ·/ }).waitFor();
      assert.equal(other.postCount(), 1);
      // Remove the new connection. The previous one, which the dialog names, becomes active again.
      await workbench.runCommand('Ask Model: Remove Connection and Key');
      await dialog.filter({ hasText: `questions will be sent to ${new URL(gateway.baseUrl).host}` }).waitFor();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await message()
        .filter({ hasText: new URL(gateway.baseUrl).host })
        .waitFor();
    } finally {
      await other.close();
    }
  });

  it('removes connection and key on request, and asks for them again', async () => {
    await workbench.runCommand('Ask Model: Remove Connection and Key');
    await workbench.page.locator('.monaco-dialog-box .monaco-button', { hasText: 'Remove' }).click();
    await workbench.page.locator('.part.sidebar .monaco-button', { hasText: 'Connect to a Gateway' }).waitFor();
    const posts = gateway.postCount();
    const panel = await workbench.webview('What is a closed panel?');
    await panel.locator('textarea').fill('Still there?');
    await pressEnter(panel.locator('textarea'));
    // The input for the address opens by itself. Cancelling it keeps the question.
    await workbench.quickInput.and(workbench.page.locator('[placeholder^="https://"]')).waitFor();
    await workbench.page.keyboard.press('Escape');
    await panel.locator('.composer', { hasText: "You aren't connected to a gateway" }).waitFor();
    await until(async () => assert.equal(await panel.locator('textarea').inputValue(), 'Still there?'));
    assert.equal(gateway.postCount(), posts);
    await workbench.screenshot('23-not-sent');
  });
});

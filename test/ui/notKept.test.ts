import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import { askFromPalette, type ConnectedWorkbench, finishedFacts } from './support/connectedWorkbench.ts';
import { editSettings } from './support/editSettings.ts';
import { filesWith } from './support/filesWith.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('when conversations are not kept', { timeout: 200_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const folder = suite.folder('workspace');
  const profileDir = suite.folder('profile');

  before(async () => {
    connected = await suite.connected({ folder, profileDir });
  });

  it('writes no word of question, answer or draft to disk, nor has VS Code do so, and says so in their place', async () => {
    const { workbench, gateway, ask } = connected;
    const { page } = workbench;
    const row = (text: string) => workbench.treeRows.filter({ hasText: text });
    await ask('What is zqxlasting?');
    await workbench.reload();
    assert.ok(
      filesWith(profileDir, 'zqxlasting').some((path) => !path.endsWith('.jsonl')),
      'what VS Code writes down of its tabs is looked at too',
    );
    const posts = gateway.postCount();
    await editSettings(workbench, { 'askModel.conversations.keep': false });
    await workbench.sideBar('Ask Model');
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await page.locator('.part.sidebar .message', { hasText: 'New conversations are not kept' }).waitFor();
    await askFromPalette(workbench, 'What is zqxvanishing?');
    const panel = await workbench.webview('Conversation (not kept)');
    await finishedFacts(panel).waitFor();
    await panel.locator('.reply', { hasText: 'zqxvanishing' }).waitFor();
    await panel.locator('textarea').fill('Half a zqxdraft');
    await row('What is zqxvanishing?').waitFor();
    await workbench.screenshot('67-not-kept-yet');
    await workbench.runCommand('Ask Model: Show Request');
    await page.locator('.tab.active', { hasText: '.jsonc' }).waitFor();
    await workbench.webview('Conversation (not kept)');
    await workbench.reload();
    await workbench.sideBar('Ask Model');
    await page.locator('.tab', { hasText: 'Not kept' }).waitFor();
    await workbench.screenshot('67-not-kept');
    await until(async () => assert.equal(await row('zqxvanishing').count(), 0));
    assert.equal(gateway.postCount(), posts + 1);
    // What VS Code and the browser still have in memory is written when they end.
    await connected.dispose();
    assert.deepEqual(filesWith(profileDir, 'zqxdraft'), []);
    // A browser writes down what is in VS Code's own boxes, to fill them in again. A VS Code of the desktop does not.
    const isBrowsers = (path: string) => /^browser\/\w+\/Sessions\//.test(path);
    assert.deepEqual(
      filesWith(profileDir, 'zqxvanishing').filter((path) => !isBrowsers(path)),
      [],
    );
  });
});

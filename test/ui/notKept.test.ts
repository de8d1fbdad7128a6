import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import { askQuestion, type ConnectedWorkbench, finishedFacts } from './support/connectedWorkbench.ts';
import { filesWith } from './support/filesWith.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('when conversations are not stored', { timeout: 200_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const folder = suite.folder('workspace');

  before(async () => {
    connected = await suite.connected({ folder });
  });

  it('writes no part of question, answer or draft to disk, not even through VS Code, and says so in the panel', async () => {
    const { workbench, gateway, ask } = connected;
    const { page } = workbench;
    const { profileDir } = workbench.server;
    const row = (text: string) => workbench.treeRows.filter({ hasText: text });
    await ask('What is kept?');
    await workbench.set({ 'askModel.conversations.keep': false });
    await workbench.sideBar('Ask Model');
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await page.locator('.part.sidebar .message', { hasText: "New conversations aren't saved" }).waitFor();
    await askQuestion(workbench, 'What is zqxvanishing?');
    const panel = await workbench.webview('Conversation (Not Saved)');
    await finishedFacts(panel).waitFor();
    await panel.locator('.reply', { hasText: 'zqxvanishing' }).waitFor();
    await workbench.start('askModel.editSystemPrompt');
    await workbench.pick('This Conversation');
    await page.locator('.quick-input-widget:visible', { hasText: "isn't saved on disk" }).waitFor();
    await workbench.answerQuickInput('Be zqxbrief.');
    await panel.locator('.systemPrompt', { hasText: 'this conversation' }).waitFor();
    await panel.locator('textarea').fill('Half a zqxdraft');
    await row('What is zqxvanishing?').waitFor();
    await workbench.screenshot('67-not-kept-yet');
    await workbench.start('askModel.showRequest');
    await page.locator('.tab.active', { hasText: '.jsonc' }).waitFor();
    await workbench.webview('Conversation (Not Saved)');
    await workbench.reload();
    await workbench.sideBar('Ask Model');
    await page.locator('.tab', { hasText: '(Not Saved)' }).waitFor({ state: 'detached' });
    await workbench.screenshot('67-not-kept');
    await until(async () => assert.equal(await row('zqxvanishing').count(), 0));
    assert.equal(gateway.postCount(), 2);
    assert.ok(
      filesWith(profileDir, 'Conversation (Not Saved)').some((path) => path.startsWith('browser')),
      'filesWith finds what VS Code stores about its tabs',
    );
    assert.deepEqual(filesWith(profileDir, 'zqxdraft'), []);
    // The browser stores the text of VS Code's own input boxes to restore them. VS Code on the desktop doesn't.
    const isBrowsers = (path: string) => /^browser\/\w+\/Sessions\//.test(path);
    assert.deepEqual(
      filesWith(profileDir, 'zqxbrief', 'zqxvanishing').filter((path) => !isBrowsers(path)),
      [],
    );
  });
});

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import type { ConnectedWorkbench } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

const password = 'Tr0ubKybfPf6%38';

describe('editing code in its place', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  const file = join(folder, 'connect.ts');
  const code = `export const user = 'app';\nconst password = '${password}';\nexport const port = 5432;\n`;
  let connected: ConnectedWorkbench;

  before(async () => {
    writeFileSync(file, code);
    connected = await suite.connected({ folder, settings: { 'files.autoSave': 'off' } });
  });

  it('asks what to change, sends it once and with masked values, and accepts the change of these lines by a key on either side', async () => {
    const { workbench, gateway } = connected;
    const { page } = workbench;
    const tab = page.locator('.tab', { hasText: 'connect.ts (Proposed by gpt-5-mini)' });
    await workbench.openFile('connect.ts');
    await workbench.selectLines(2, 2);
    await page.locator('.view-line', { hasText: 'const password' }).click({ button: 'right' });
    await page.locator('.monaco-menu .action-label', { hasText: /^Ask Model$/ }).hover();
    await workbench.screenshot('90-menu');
    const item = page.locator('.monaco-menu .action-item', { hasText: 'Edit with Ask Model…' }).last();
    await item.hover();
    await item.and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
    await workbench.quickInput.fill('Read it from the environment');
    await workbench.quickPicks.filter({ hasText: 'Send (estimated cost: ' }).waitFor();
    await workbench.screenshot('91-instruction');
    await page.keyboard.press('Enter');
    await workbench.pick('Mask and Send');
    await tab.waitFor();
    await workbench.screenshot('92-change');
    const posts = gateway.requests().filter(({ method }) => method === 'POST');
    assert.equal(posts.length, 1);
    assert.ok(!posts[0]?.body.includes(password));
    const proposed = code.replace('const password', '// Read it from the environment\nconst password');
    assert.equal(readFileSync(file, 'utf8'), code);
    for (const word of ['Accept Change', 'Discard Change', 'Ask Further']) {
      await page.locator('.editor-actions .action-label', { hasText: word }).waitFor();
    }
    // The left side is the file itself.
    await workbench.run('workbench.action.compareEditor.focusSecondarySide');
    await page.locator('.editor.original .monaco-editor.focused').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await tab.waitFor({ state: 'detached' });
    await page.keyboard.press('ControlOrMeta+S');
    await until(() => readFileSync(file, 'utf8') === proposed);
    await workbench.run('undo');
    await page.keyboard.press('ControlOrMeta+S');
    await until(() => readFileSync(file, 'utf8') === code);
  });

  it('offers the last instruction again, and keeps what has arrived when the person cancels', async () => {
    const { workbench, gateway } = connected;
    const { page } = workbench;
    const posts = () => gateway.requests().filter(({ method }) => method === 'POST').length;
    const before = posts();
    gateway.setFault('stalled@chat');
    await workbench.selectLines(1, 1);
    await workbench.start('askModel.edit');
    await workbench.pick('Read it from the environment');
    // The row only puts it into the box.
    await until(async () => (await workbench.quickInput.inputValue()) === 'Read it from the environment');
    assert.equal(posts(), before);
    await page.keyboard.press('Enter');
    const progress = workbench.notifications.filter({ hasText: 'Editing connect.ts, line 1 with gpt-5-mini…' });
    await progress.waitFor();
    await until(() => posts() === before + 1);
    const stopped = workbench.notifications.filter({ hasText: /Nothing was changed\. Stopped after / });
    // On a busy machine a click can time out that has had its effect.
    await until(async () => {
      if (!(await stopped.isVisible())) {
        await progress.getByRole('button', { name: 'Cancel' }).click({ timeout: 1_000 });
      }
    });
    gateway.setFault(undefined);
    await stopped.getByRole('button', { name: 'Show Conversation' }).click();
    const panel = await workbench.webview('Read it from the environment');
    await panel
      .locator('.turn', { hasText: 'Answer with one code block that has only the new text for connect.ts' })
      .waitFor();
    assert.equal(posts(), before + 1);
    assert.equal(readFileSync(file, 'utf8'), code);
  });
});

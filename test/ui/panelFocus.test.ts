import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { until } from '../until.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

const hasFocus = (box: Locator) =>
  until(async () => assert.ok(await box.evaluate((each) => document.hasFocus() && document.activeElement === each)));

describe('focus in a panel', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const folder = suite.folder('workspace');

  before(async () => {
    const lines = ['export const a = 1;', '', 'export const b = 2;', 'let c;', 'let d;', 'let e;', ''];
    writeFileSync(join(folder, 'a.ts'), lines.join('\n'));
    connected = await suite.connected({ folder });
  });

  it('has the focus in the question box after it is opened and whenever it becomes active', async () => {
    const { workbench, ask } = connected;
    const { page } = workbench;
    await ask('What is one?');
    const box = async () => (await workbench.webview()).locator('textarea');
    await page.keyboard.type('Typed at once');
    await until(async () => assert.equal(await (await box()).inputValue(), 'Typed at once'));
    await workbench.openFile('a.ts');
    await workbench.runCommand('View: Focus Next Editor Group');
    await hasFocus(await box());
    await page.keyboard.type(' and later');
    await until(async () => assert.equal(await (await box()).inputValue(), 'Typed at once and later'));
    await (await box()).fill('');
  });

  it('leaves the focus in the editor when VS Code gives it to the panel late (microsoft/vscode#75209)', async () => {
    const { workbench, ask } = connected;
    const { page } = workbench;
    await workbench.openFile('a.ts');
    const panel = await ask('What is late?');
    await page.locator('.editor-instance .view-line').first().click();
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    // What VS Code does with the page when its message arrives.
    await panel.locator('body').evaluate(() => window.focus());
    await page.keyboard.type('x');
    assert.equal(await panel.locator('textarea').inputValue(), '');
    await page.locator('.editor-instance .view-line', { hasText: 'x' }).first().waitFor();
    await page.keyboard.press('Control+Z');
    await workbench.runCommand('View: Focus Next Editor Group');
    await hasFocus(panel.locator('textarea'));
    await page.keyboard.type('y');
    await until(async () => assert.equal(await panel.locator('textarea').inputValue(), 'y'));
    await panel.locator('textarea').fill('');
  });

  it('keeps the focus in the editor when a selection is explained', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    await workbench.openFile('a.ts');
    await workbench.selectLines(1, 1);
    await workbench.runCommand('Explain Selection with Ask Model');
    await until(async () => assert.equal(await page.locator('.tab', { hasText: 'Explain' }).count(), 1));
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    const panel = await (async () => {
      const place = page.locator('iframe.webview.ready').last();
      return place.contentFrame().locator('iframe#active-frame').contentFrame();
    })();
    await finishedFacts(panel).waitFor();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.type('x');
    await until(async () => {
      const text = await page.locator('.editor-instance .view-line').first().innerText();
      assert.equal(text.replaceAll('\u00a0', ' '), 'export const a = 1;x');
    });
    await page.keyboard.press('Control+Z');
    await workbench.screenshot('91-explained');
  });

  it('starts a new conversation, shows an unused one again, and restores it after a reload', async () => {
    const { gateway, workbench } = connected;
    const { page } = workbench;
    const posts = gateway.postCount();
    const tabs = page.locator('.tab', { hasText: 'New Conversation' });
    const type = async (panel: FrameLocator, text: string) => {
      await panel.locator('textarea:focus').waitFor();
      await page.keyboard.type(text);
      await until(async () => assert.equal(await panel.locator('textarea').inputValue(), text));
    };
    await workbench.webview('Explain this code');
    await page.locator('.editor-group-container.active .editor-actions [aria-label^="New Conversation"]').click();
    await until(async () => assert.equal(await tabs.count(), 1));
    await type(await questionPanel(workbench), 'Typed and not sent');
    for (const _ of [1, 2]) {
      await workbench.runCommand('Ask Model: New Conversation');
      await until(async () => assert.equal(await tabs.count(), 2));
    }
    await workbench.screenshot('93-new-conversation');
    await workbench.openFile('a.ts');
    await workbench.runCommand('Ask Model: Focus Question Box');
    await (await questionPanel(workbench)).locator('textarea:focus').waitFor();
    await workbench.reload();
    await until(async () => assert.equal(await tabs.count(), 2));
    const texts: string[] = [];
    for (const index of [0, 1]) {
      await tabs.nth(index).click();
      await page.locator('.tab.active', { hasText: 'New Conversation' }).and(tabs.nth(index)).waitFor();
      texts.push(await (await questionPanel(workbench)).locator('textarea').inputValue());
    }
    assert.deepEqual(texts, ['Typed and not sent', '']);
    assert.equal(gateway.postCount(), posts);
  });
});

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Workbench } from '../vscode/workbench.ts';
import { type ConnectedWorkbench, finishedFacts, typeQuestion } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('applying code and finding conversations again', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let workbench: Workbench;
  let ask: ConnectedWorkbench['ask'];
  const folder = suite.folder('workspace');
  const file = join(folder, 'area.ts');
  const code = 'export function area(r: number) {\n  return 3.14 * r * r;\n}\n';
  const row = (text: string) => workbench.treeRows.filter({ hasText: text });
  const notification = (text: string | RegExp) => workbench.notifications.filter({ hasText: text });
  const editorLines = (text: string) => workbench.page.locator('.editor-group-container .view-line', { hasText: text });
  /** Presses a button over the last code block. */
  const press = async (panel: FrameLocator, label: string) => {
    const block = panel.locator('.codeBlock').last();
    await block.scrollIntoViewIfNeeded();
    await block.hover();
    if (!(await block.getByLabel(label).isVisible())) {
      await block.getByLabel('More Actions').click();
    }
    await block.getByLabel(label).click();
  };

  before(async () => {
    writeFileSync(file, code);
    connected = await suite.connected({
      folder,
      // VS Code in a browser saves automatically by default.
      settings: { 'files.autoSave': 'off' },
    });
    ({ workbench, ask } = connected);
  });

  it('applies code with VS Code’s own diff, one undo reverts it, and a discarded change leaves the file alone', async () => {
    const { page } = workbench;
    await workbench.openFile('area.ts');
    await workbench.selectLines(1, 2);
    const panel = await ask('What is wrong here?');
    await typeQuestion(panel, 'Show me another one');
    await panel.locator('.turn', { hasText: 'Show me another one' }).locator('.facts', { hasText: / in ·/ }).waitFor();
    await press(panel, 'Apply…');
    await page.locator('.tab', { hasText: 'area.ts (Proposed by' }).waitFor();
    await workbench.screenshot('60-diff');
    assert.equal(readFileSync(file, 'utf8'), code, 'the diff alone changes nothing');
    await page.locator('.editor-actions .action-label[aria-label="Accept Change"]').first().waitFor();
    await page.locator('.editor-group-container.active .modified .monaco-editor.focused').waitFor();
    await page.keyboard.press('ControlOrMeta+Enter');
    await page.locator('.tab', { hasText: 'area.ts (Proposed by' }).waitFor({ state: 'detached' });
    // VS Code shows the file by itself. A palette that was opened before that would lose the focus.
    await page.locator('.tab.active[data-resource-name="area.ts"]').waitFor();
    await editorLines('answer = 42').first().click();
    assert.equal(readFileSync(file, 'utf8'), code, 'saving is left to the person');
    await workbench.screenshot('61-accepted');
    await page.keyboard.press('ControlOrMeta+Z');
    await page.locator('.tab.dirty[data-resource-name="area.ts"]').waitFor({ state: 'detached' });
    await editorLines('3.14').first().waitFor();
    await workbench.webview('What is wrong here?');
    await press(panel, 'Apply…');
    await page.locator('.tab', { hasText: 'area.ts (Proposed by' }).waitFor();
    await workbench.screenshot('61-open-change');
    await panel.locator('.change').getByRole('button', { name: 'Discard' }).click();
    await page.locator('.tab', { hasText: 'area.ts (Proposed by' }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.tab.dirty').count(), 0);
    assert.equal(readFileSync(file, 'utf8'), code);
  });

  it('lists conversations, finds one by a question in it, renames it, deletes it and restores it, and opens VS Code’s own find widget in it', async () => {
    const { page } = workbench;
    const asked = await ask('What is a queue?');
    await typeQuestion(asked, 'Who is the first one?');
    await asked.locator('.turn', { hasText: 'Who is the first' }).locator('.facts', { hasText: / in ·/ }).waitFor();
    await workbench.sideBar('Ask Model');
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await row('What is a queue?').waitFor();
    await workbench.screenshot('64-conversations');
    await workbench.start('askModel.searchConversations');
    await workbench.quickInput.and(page.locator('[placeholder^="Search titles"]')).fill('first one');
    await workbench.quickPicks.filter({ hasText: 'Question: Who is the first one?' }).waitFor();
    await workbench.screenshot('65-search');
    await page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    const queue = row('What is a queue?');
    await queue.hover();
    await queue.locator('.codicon-edit').click();
    const box = workbench.quickInput.and(page.locator(':not([type=password])'));
    await page.locator('.quick-input-widget:visible .quick-input-title', { hasText: 'Rename Conversation' }).waitFor();
    await box.fill('First in, first out');
    await page.keyboard.press('Enter');
    await row('First in, first out').waitFor();
    await page.locator('.tab', { hasText: 'First in, first out' }).waitFor();
    await row('First in, first out').hover();
    await row('First in, first out').locator('.codicon-trash').click();
    await notification('Deleted "First in, first out"').waitFor();
    await row('First in, first out').waitFor({ state: 'detached' });
    await page.locator('.tab', { hasText: 'First in, first out' }).waitFor({ state: 'detached' });
    await workbench.screenshot('66-deleted');
    await notification('Deleted "First in, first out"').getByRole('button', { name: 'Undo' }).click();
    await row('First in, first out').dblclick();
    const panel = await workbench.webview('First in, first out');
    await finishedFacts(panel).waitFor();
    await panel.locator('.question').first().click();
    await page.keyboard.press('ControlOrMeta+F');
    await page.locator('.simple-find-part.visible input, .simple-find-part.visible textarea').first().waitFor();
    await page.keyboard.press('Escape');
  });
});

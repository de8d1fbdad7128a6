import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel, typeQuestion } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

const hasFocus = (box: Locator) =>
  until(async () => assert.ok(await box.evaluate((each) => document.hasFocus() && document.activeElement === each)));

describe('the side bar, the editor groups and the focus in a panel', { timeout: 600_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  let workbench: Workbench;
  let groups: Locator;
  const folder = suite.folder('workspace');
  const row = (text: string) => workbench.treeRows.filter({ hasText: text });
  const notification = (text: string) => workbench.notifications.filter({ hasText: text });
  /** Whether the page of a panel has the focus. */
  const isInPanel = () => workbench.page.evaluate(() => document.activeElement?.tagName === 'IFRAME');

  before(async () => {
    writeFileSync(join(folder, 'first.ts'), 'export const first = 1;\nexport const second = 2;\n');
    const lines = ['export const a = 1;', '', 'export const b = 2;', 'let c;', 'let d;', 'let e;', ''];
    writeFileSync(join(folder, 'a.ts'), lines.join('\n'));
    connected = await suite.connected({ folder });
    ({ workbench } = connected);
    groups = workbench.page.locator('.editor-group-container');
  });

  it('opens beside the editor, and leaves no group behind when all editors are closed', async () => {
    const { page } = workbench;
    await workbench.openFile('first.ts');
    await connected.ask('What is a stack?');
    const again = await connected.ask('What is a queue?');
    await again.locator('.turn').first().waitFor();
    assert.equal(await groups.count(), 2);
    await workbench.screenshot('80-beside');
    await workbench.run('workbench.action.closeAllEditors');
    await until(async () => assert.deepEqual([await page.locator('.tab').count(), await groups.count()], [0, 1]));
    await workbench.screenshot('80-all-closed');
    await workbench.openFile('first.ts');
  });

  /** Waits until the list keeps the focus for 20 frames, because an editor that opens takes it for a moment. */
  const listKeepsFocus = () =>
    workbench.page.waitForFunction(async () => {
      const hasFocus = () => document.querySelector('.part.sidebar .monaco-list:focus') !== null;
      for (let frame = 0; hasFocus() && frame < 20; frame++) {
        await new Promise((done) => requestAnimationFrame(done));
      }
      return hasFocus();
    });

  it('shows a conversation on a click with the focus in the list for Delete, and moves it there with Enter or a double click', async () => {
    const { page } = workbench;
    await workbench.sideBar('Ask Model');
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).press('Enter');
    await row('What is a stack?').click();
    await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor();
    await (await workbench.webview()).locator('.turn', { hasText: 'What is a stack?' }).waitFor();
    await listKeepsFocus();
    await page.keyboard.press('Delete');
    await page.locator('.tab', { hasText: 'What is a stack?' }).waitFor({ state: 'detached' });
    const deleted = workbench.notifications.filter({ hasText: 'Deleted "What is a stack?".' });
    await deleted.waitFor();
    await workbench.screenshot('81-delete-after-click');
    await deleted.getByRole('button', { name: 'Undo' }).click();
    // The rows may change places while the list is drawn again, and a click meets another one, whose hover covers rows.
    await until(async () => {
      await groups.first().hover();
      await row('What is a stack?').click();
      // Until then the panel of the other conversation is active.
      await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor({ timeout: 3_000 });
    }, 30_000);
    await (await workbench.webview()).locator('.turn', { hasText: 'What is a stack?' }).waitFor();
    await until(async () => assert.equal(await isInPanel(), false, 'the new page does not have the focus'));
    await listKeepsFocus();
    await row('What is a queue?').click();
    await page.locator('.tab.active', { hasText: 'What is a queue?' }).waitFor();
    await listKeepsFocus();
    assert.equal(await isInPanel(), false);
    await page.keyboard.press('Enter');
    await until(async () => assert.equal(await isInPanel(), true));
    await row('What is a stack?').dblclick();
    await page.locator('.tab.active', { hasText: 'What is a stack?' }).waitFor();
    await until(async () => assert.equal(await isInPanel(), true));
  });

  it('keeps a group collapsed while its conversations change, and goes to the next conversation in one panel', async () => {
    const { page } = workbench;
    const active = (title: string) => page.locator('.tab.active', { hasText: title }).waitFor();
    const today = page.locator('.part.sidebar [role=treeitem]', { hasText: 'Today' });
    await today.click();
    await row('What is a stack?').waitFor({ state: 'detached' });
    await connected.ask('What is a tree?');
    assert.equal(await row('What is a queue?').count(), 0);
    await today.click();
    await row('What is a tree?').waitFor();
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).press('Enter');
    await workbench.run('workbench.action.closeAllEditors');
    await page.locator('.tab').first().waitFor({ state: 'detached' });
    for (const [command, title] of [
      ['next', 'What is a tree?'],
      ['next', 'What is a queue?'],
      ['next', 'What is a stack?'],
      ['next', 'What is a tree?'],
      ['previous', 'What is a stack?'],
      ['previous', 'What is a queue?'],
    ] as const) {
      await workbench.start(`askModel.${command}Conversation`);
      await active(title);
      await until(async () => assert.equal(await page.locator('.tab').count(), 1));
    }
    const panel = await workbench.webview('What is a queue?');
    await typeQuestion(panel, 'And a deque?');
    await panel.locator('.turn', { hasText: 'And a deque?' }).locator('.facts', { hasText: / in ·/ }).waitFor();
    await workbench.start('askModel.nextConversation');
    await active('What is a tree?');
    assert.equal(await page.locator('.tab').count(), 2, 'a panel in which something was asked stays open');
  });

  it('counts an answer that ends out of sight, and marks its row until it is shown', async () => {
    const { page } = workbench;
    const { gateway } = connected;
    const badge = page.locator('.activitybar .action-item', { has: page.locator('[aria-label^="Ask Model"]') });
    const unread = page.locator('.part.sidebar [role=treeitem][aria-label*="New answer"]');
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).press('Enter');
    await workbench.set({ 'askModel.notifyWhenAnswerEnds': true });
    // Longer than a busy machine needs to show the other tab.
    gateway.setDelayMs(2_000);
    const queue = await workbench.webview('What is a queue?');
    await typeQuestion(queue, 'And a ring?');
    await queue.locator('.turn', { hasText: 'And a ring?' }).locator('.reply').waitFor();
    await page.locator('.tab', { hasText: 'What is a tree?' }).click();
    gateway.setDelayMs(0);
    await badge.locator('.badge-content', { hasText: '1' }).waitFor();
    await unread.filter({ hasText: 'What is a queue?' }).waitFor();
    await notification('The answer in "What is a queue?" is complete.').waitFor();
    await workbench.screenshot('87-unread');
    await notification('is complete').getByRole('button', { name: 'Show Conversation' }).click();
    await page.locator('.tab.active', { hasText: 'What is a queue?' }).waitFor();
    await badge.locator('.badge-content', { hasText: '1' }).waitFor({ state: 'hidden' });
    await unread.waitFor({ state: 'detached' });
    await workbench.set({ 'askModel.notifyWhenAnswerEnds': false });
    await page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
  });

  it('continues the visible conversation when a selection is explained, if that is set and nothing is typed', async () => {
    const { page } = workbench;
    const { gateway } = connected;
    await workbench.set({ 'askModel.explain.continuesConversation': true });
    const posts = gateway.postCount();
    const panel = await workbench.webview('What is a queue?');
    const turns = await panel.locator('.turn').count();
    const explain = async (line: number) => {
      await workbench.openFile('first.ts');
      await workbench.selectLines(line, line);
      await workbench.start('askModel.explainSelection');
    };
    await explain(1);
    const turn = panel.locator('.turn', { hasText: 'Explain this code.' });
    await turn.locator('.facts', { hasText: / in ·/ }).waitFor();
    assert.equal(await panel.locator('.turn').count(), turns + 1);
    await panel.locator('textarea').fill('Half typed');
    await explain(2);
    await page.locator('.tab', { hasText: 'Explain this code' }).waitFor();
    await until(async () => assert.equal(gateway.postCount(), posts + 2));
    // Its end repaints the models, with which VS Code gives a list that has the focus the focus again.
    const explained = await workbench.webview('Explain this code');
    await explained.locator('.facts', { hasText: / in ·/ }).waitFor();
    await panel.locator('textarea').waitFor({ state: 'detached' });
    const box = (await workbench.webview('What is a queue?')).locator('textarea');
    // A page that is shown again gets its draft a moment after its box.
    await until(async () => assert.equal(await box.inputValue(), 'Half typed'));
    await workbench.set({ 'askModel.explain.continuesConversation': false });
  });

  it('opens the question box for a model on a click or Enter in the list, and sends nothing', async () => {
    const { page } = workbench;
    const posts = connected.gateway.postCount();
    // A panel that VS Code still gives the focus to would take it from the one that a row opens.
    await workbench.openFile('first.ts');
    const asked = async (model: string) => {
      const view = await questionPanel(workbench);
      await view.locator('.composer .bar', { hasText: model }).waitFor();
      await view.locator('textarea:focus').waitFor();
    };
    await row('claude-opus-4-5').last().click();
    await asked('claude-opus-4-5');
    await workbench.screenshot('82-model-row');
    await workbench.start('askModel.models.focus');
    await page.locator('.monaco-list[aria-label="Models"]:focus').waitFor();
    await page.keyboard.press('ArrowDown');
    const next = await page.locator('.part.sidebar .monaco-list-row.focused .label-name').first().innerText();
    await page.keyboard.press('Enter');
    await asked(next);
    assert.equal(connected.gateway.postCount(), posts);
  });

  it('opens the question box with the key chord, in the group that the setting names', async () => {
    const { page } = workbench;
    const closeAll = async () => {
      await workbench.run('workbench.action.closeAllEditors');
      await page.locator('.tab').first().waitFor({ state: 'detached' });
    };
    await closeAll();
    await workbench.set({ 'askModel.panel.location': 'active' });
    await workbench.openFile('first.ts');
    await page.keyboard.press('ControlOrMeta+K');
    await page.keyboard.press('a');
    await questionPanel(workbench);
    assert.equal(await page.locator('.editor-group-container.active .tab').count(), 2);
    await workbench.screenshot('88-same-group');
    await closeAll();
    await workbench.set({ 'askModel.panel.location': 'beside' });
  });

  it('has the focus in the question box after it is opened and whenever it becomes active', async () => {
    const { ask } = connected;
    const { page } = workbench;
    await ask('What is one?');
    const box = async () => (await workbench.webview()).locator('textarea');
    await page.keyboard.type('Typed at once');
    await until(async () => assert.equal(await (await box()).inputValue(), 'Typed at once'));
    await workbench.openFile('a.ts');
    await workbench.run('workbench.action.focusNextGroup');
    await hasFocus(await box());
    await page.keyboard.type(' and later');
    await until(async () => assert.equal(await (await box()).inputValue(), 'Typed at once and later'));
    await (await box()).fill('');
  });

  it('leaves the focus in the editor when VS Code gives it to the panel late (microsoft/vscode#75209)', async () => {
    const { ask } = connected;
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
    await workbench.run('workbench.action.focusNextGroup');
    await hasFocus(panel.locator('textarea'));
    await page.keyboard.type('y');
    await until(async () => assert.equal(await panel.locator('textarea').inputValue(), 'y'));
    await panel.locator('textarea').fill('');
  });

  it('keeps the focus in the editor when a selection is explained', async () => {
    const { page } = workbench;
    await workbench.openFile('a.ts');
    await workbench.selectLines(1, 1);
    await workbench.start('askModel.explainSelection');
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
    const { gateway } = connected;
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
      await workbench.start('askModel.newConversation');
      await until(async () => assert.equal(await tabs.count(), 2));
    }
    await workbench.screenshot('93-new-conversation');
    await workbench.openFile('a.ts');
    await workbench.start('askModel.focusQuestionBox');
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

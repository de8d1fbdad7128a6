import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import { answerFileDialog } from './support/answerFileDialog.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { type ConnectedWorkbench, finishedFacts, typeQuestion } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('answers of another model and of public reports, export and import', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const folder = suite.folder('workspace');
  const files = suite.folder('exported');
  const row = (text: string) => connected.workbench.treeRows.filter({ hasText: text });
  const notification = (text: string) => connected.workbench.notifications.filter({ hasText: text });

  before(async () => {
    connected = await suite.connected({ folder });
  });

  it('asks another model the same question, and keeps both answers', async () => {
    const { workbench, gateway, ask } = connected;
    const panel = await ask('What is a tree?');
    const posts = gateway.postCount();
    await panel.locator('.turn').last().hover();
    await panel
      .getByLabel(/^Ask Another Model/)
      .last()
      .click();
    await workbench.page
      .locator('.quick-input-widget:visible .quick-input-title', { hasText: 'Ask Another Model' })
      .waitFor();
    await workbench.pickTyped('claude-haiku-4-5');
    await panel.locator('.switcher', { hasText: '2 of 2' }).waitFor();
    await panel.locator('.reply', { hasText: 'claude-haiku-4-5' }).waitFor();
    await finishedFacts(panel).waitFor();
    await gateway.settled();
    assert.equal(gateway.postCount(), posts + 1);
    assert.equal(gateway.usageLog().at(-1)?.model, 'claude-haiku-4-5');
    await workbench.screenshot('80-other-model');
    await panel.getByLabel('Previous Answer').click();
    await panel.locator('.reply', { hasText: 'gpt-5-mini' }).waitFor();
  });

  it('openclaw#14321 and LibreChat#9514 say what could not be read or shown, and offer the raw data', async () => {
    const { workbench, gateway } = connected;
    let view = await connected.ask('What is a cart?');
    /** Asks, with the stream of a report for an answer, and returns the reply when it has ended. */
    const ask = async (report: string) => {
      gateway.setFault(`report:${report}`);
      const count = await view.locator('.turn').count();
      await typeQuestion(view, `What about ${report}?`);
      const reply = view.locator('.turn').nth(count).locator('.reply');
      await reply.locator('.facts', { hasText: / in ·|not reported/ }).waitFor();
      return reply;
    };
    const reply = await ask('02-unreadable-event');
    await reply.locator('.markdown', { hasText: 'The result is 42 metres.' }).waitFor();
    await reply.getByText("A part of this answer couldn't be read").waitFor();
    await workbench.screenshot('50-report-unread');
    await reply.getByRole('button', { name: 'Show Raw Data' }).click();
    await workbench.page.locator('.monaco-editor .view-line', { hasText: 'kilo' }).first().waitFor();
    await workbench.run('workbench.action.revertAndCloseActiveEditor');
    view = await workbench.webview('What is a cart?');
    const picture = await ask('100a-image-only');
    await picture.locator('.note', { hasText: "This answer is a picture, which Ask Model can't show yet." }).waitFor();
    assert.equal(await picture.locator('.trouble').count(), 0);
    const refused = await ask('108a-refusal-after-text');
    await refused.locator('.markdown', { hasText: 'Sure,' }).waitFor();
    await refused.getByText("I can't help with that part.").waitFor();
    await workbench.screenshot('50-report-refusal');
    gateway.setFault(undefined);
  });

  it('exports a conversation as Markdown and as JSON, imports it beside the existing one, and finds one of hundreds', async () => {
    const { workbench, gateway } = connected;
    await workbench.page.locator('.part.sidebar .pane-header', { hasText: 'Conversations' }).click();
    await row('What is a tree?').waitFor();
    for (const [kind, name] of [
      ['Markdown', 'tree.md'],
      ['JSON', 'tree.json'],
    ] as const) {
      await chooseInMenu(workbench, row('What is a tree?'), `Export Conversation as ${kind}`);
      await answerFileDialog(workbench, `Export Conversation as ${kind}`, join(files, name));
      await notification(`Exported to ${join(files, name)}`).waitFor();
    }
    await workbench.screenshot('82-exported');
    const markdown = readFileSync(join(files, 'tree.md'), 'utf8');
    assert.match(markdown, /^# What is a tree\?/);
    assert.match(markdown, /gpt-5-mini[\s\S]*claude-haiku-4-5/);
    const text = readFileSync(join(files, 'tree.json'), 'utf8');
    assert.match(text, /What is a tree\?/);
    assert.match(text, /claude-haiku-4-5/);
    const posts = gateway.postCount();
    await workbench.start('askModel.importConversations');
    await answerFileDialog(workbench, 'Import Conversations', join(files, 'tree.json'));
    await notification('Imported conversations: 1').waitFor();
    await until(async () => assert.equal(await row('What is a tree?').count(), 2));
    await notification('Imported conversations: 1').getByRole('button', { name: 'Open' }).click();
    await until(async () =>
      assert.equal(await workbench.page.locator('.tab', { hasText: 'What is a tree?' }).count(), 2),
    );
    const panel = await workbench.webview();
    await panel.locator('.switcher', { hasText: 'of 2' }).waitFor();
    await workbench.screenshot('83-imported');
    assert.equal(gateway.postCount(), posts);
    // Only the newest 200 are in the list.
    const seeded = Array.from({ length: 300 }, (_, at) => ({
      id: randomUUID(),
      createdAt: 1_600_000_000_000 + at * 60_000,
      title: `Seeded ${at} of many`,
      turns: [{ id: 't', question: `Seeded ${at}?`, contexts: [], replies: [] }],
      draft: { text: '', contexts: [] },
    }));
    writeFileSync(
      join(files, 'seeded.json'),
      JSON.stringify({ format: 'ask-model-conversations', version: 1, conversations: seeded }),
    );
    await workbench.start('askModel.importConversations');
    await answerFileDialog(workbench, 'Import Conversations', join(files, 'seeded.json'));
    await notification('Imported conversations: 300').waitFor();
    await workbench.start('askModel.openConversation');
    await workbench.pickTyped('Seeded 7 of many');
    await workbench.webview('Seeded 7 of many');
  });
});

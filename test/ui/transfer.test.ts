import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import { answerFileDialog } from './support/answerFileDialog.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { type ConnectedWorkbench, finishedFacts } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('answers of another model, continued answers, export and import', { timeout: 300_000 }, () => {
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

  it('continues an answer that reached its limit, with a separate call', async () => {
    const { workbench, gateway, ask } = connected;
    gateway.setFault('length-finish');
    const panel = await ask('What is a graph?');
    gateway.setFault(undefined);
    const posts = gateway.postCount();
    await workbench.screenshot('81-length');
    await panel.getByRole('button', { name: 'Continue (New Paid Call)' }).click();
    await panel.locator('.turn', { hasText: 'Continue exactly where you stopped' }).waitFor();
    await finishedFacts(panel).waitFor();
    await gateway.settled();
    assert.equal(gateway.postCount(), posts + 1);
    const sent = JSON.parse(gateway.requests().findLast(({ method }) => method === 'POST')?.body ?? '{}');
    assert.deepEqual(
      sent.messages.map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'user'],
    );
  });

  it('exports a conversation as Markdown and as JSON', async () => {
    const { workbench } = connected;
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
  });

  it('imports an exported conversation with both answers, beside the existing one', async () => {
    const { workbench, gateway } = connected;
    const posts = gateway.postCount();
    await workbench.runCommand('Ask Model: Import Conversations…');
    await answerFileDialog(workbench, 'Import Conversations', join(files, 'tree.json'));
    await notification('Imported one conversation').waitFor();
    await until(async () => assert.equal(await row('What is a tree?').count(), 2));
    await notification('Imported one conversation').getByRole('button', { name: 'Open' }).click();
    await until(async () =>
      assert.equal(await workbench.page.locator('.tab', { hasText: 'What is a tree?' }).count(), 2),
    );
    const panel = await workbench.webview();
    await panel.locator('.switcher', { hasText: 'of 2' }).waitFor();
    await workbench.screenshot('83-imported');
    assert.equal(gateway.postCount(), posts);
  });

  it('finds conversations older than the newest 200 by typing, to open and to export them', async () => {
    const { workbench } = connected;
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
    await workbench.runCommand('Ask Model: Import Conversations…');
    await answerFileDialog(workbench, 'Import Conversations', join(files, 'seeded.json'));
    await notification('Imported 300 conversations').waitFor();
    await workbench.runCommand('Ask Model: Open Conversation…');
    await workbench.pickTyped('Seeded 7 of many');
    await workbench.webview('Seeded 7 of many');
    await workbench.runCommand('Ask Model: Export Conversation as Markdown…');
    await workbench.pickTyped('Seeded 8 of many');
    await answerFileDialog(workbench, 'Export Conversation as Markdown', join(files, 'seeded.md'));
    await notification(`Exported to ${join(files, 'seeded.md')}`).waitFor();
    assert.match(readFileSync(join(files, 'seeded.md'), 'utf8'), /^# Seeded 8 of many/);
  });

  it('says that a file contains no conversations', async () => {
    const { workbench } = connected;
    writeFileSync(
      join(files, 'empty.json'),
      JSON.stringify({ format: 'ask-model-conversations', version: 1, conversations: [] }),
    );
    await workbench.runCommand('Ask Model: Import Conversations…');
    await answerFileDialog(workbench, 'Import Conversations', join(files, 'empty.json'));
    await notification('empty.json contains no conversations').waitFor();
  });

  it('says why a file that isn’t an export is not imported', async () => {
    const { workbench } = connected;
    await workbench.runCommand('Ask Model: Import Conversations…');
    await answerFileDialog(workbench, 'Import Conversations', join(files, 'tree.md'));
    await notification('Nothing was imported from tree.md').waitFor();
  });
});

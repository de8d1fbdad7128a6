import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ListServer } from '../gateway/listServer.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { Aggregator } from './support/aggregator.ts';
import { connect } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('the side bar with thousands of models', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const aggregator = new Aggregator();
  const server = new ListServer(aggregator.answer);
  suite.ends(() => server.close());
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const row = (text: string) => workbench.treeRows.filter({ hasText: text });
  const found = (text: string) => workbench.quickPicks.filter({ hasText: text });
  const message = (text: string | RegExp) => workbench.page.locator('.part.sidebar .message', { hasText: text });
  const find = async (text: string) => {
    await workbench.start('askModel.findModel');
    await workbench.quickInput.and(workbench.page.locator('[placeholder^="Type to search"]')).fill(text);
  };
  const titleButton = (label: string) =>
    workbench.page
      .locator(`.part.sidebar .title-actions [aria-label^="${label}"], .part.sidebar .actions [aria-label^="${label}"]`)
      .first();

  before(async () => {
    const url = await server.listen();
    workbench = await suite.workbench({
      folder,
    });
    await connect(workbench, url, 'key-of-a-person-0123');
    await row('OpenAI').first().waitFor();
  });

  it('shows a collapsed group with a count for each vendor, and finds and filters 5,000 models by a few letters', async () => {
    await message(/5,001 models/).waitFor();
    const rows = await workbench.page.locator('.part.sidebar [role=treeitem]').allInnerTexts();
    assert.deepEqual(
      rows.map((text) => text.replace(/\s+/g, '')),
      ['Anthropic834', 'DeepSeek833', 'Google833', 'Mistral833', 'OpenAI834', 'Qwen833', 'Notforchat1'],
    );
    await workbench.screenshot('50-groups');
    await find('gemini-2');
    await found('google/gemini-2').first().waitFor();
    await workbench.screenshot('51-find');
    await found('google/gemini-20').first().hover();
    await found('google/gemini-20').first().locator('.codicon-star-empty').click();
    await found('google/gemini-20').first().locator('.codicon-star-full').waitFor();
    await workbench.page.keyboard.press('Escape');
    await row('Favorites').waitFor();
    await row('google/gemini-20').first().waitFor();
    await find('@context:>200k @openai 13');
    await found('in the Side Bar').waitFor();
    await workbench.screenshot('52-words');
    await found('in the Side Bar').click();
    await message(/"@context:>200k @openai 13": \d+ of 5,001 models/).waitFor();
    await row('google/gemini-20').waitFor({ state: 'detached' });
    const filtered = await workbench.page.locator('.part.sidebar [role=treeitem]').allInnerTexts();
    assert.ok(filtered.length > 3);
    assert.ok(filtered.slice(1).every((text) => text.startsWith('openai/gpt-')));
    await workbench.screenshot('53-filtered');
    await workbench.page.locator('.part.sidebar .pane-header', { hasText: 'Models' }).first().hover();
    await titleButton('Clear Filter').click();
    await row('Anthropic').first().waitFor();
  });
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ListServer } from '../gateway/listServer.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { Aggregator } from './support/aggregator.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
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
    await workbench.runCommand('Ask Model: Ask a Specific Model…');
    await workbench.quickInput.and(workbench.page.locator('[placeholder^="Type to search"]')).fill(text);
  };
  const chooseOn = (model: string, action: string) => chooseInMenu(workbench, row(model).first(), action);
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

  it('shows a collapsed group with a count for each vendor, and the models that aren’t for chat at the end', async () => {
    await message(/5,001 models/).waitFor();
    const rows = await workbench.page.locator('.part.sidebar [role=treeitem]').allInnerTexts();
    assert.deepEqual(
      rows.map((text) => text.replace(/\s+/g, '')),
      ['Anthropic834', 'DeepSeek833', 'Google833', 'Mistral833', 'OpenAI834', 'Qwen833', 'Notforchat1'],
    );
    await workbench.screenshot('50-groups');
  });

  it('finds one of 5,000 models by a few letters, and makes it a favourite in the list', async () => {
    await find('gemini-2');
    await found('google/gemini-2').first().waitFor();
    await workbench.screenshot('51-find');
    await found('google/gemini-20').first().hover();
    await found('google/gemini-20').first().locator('.codicon-star-empty').click();
    await found('google/gemini-20').first().locator('.codicon-star-full').waitFor();
    await workbench.page.keyboard.press('Escape');
    await row('Favorites').waitFor();
    await row('google/gemini-20').first().waitFor();
  });

  it('uses search words as the filter of the side bar until they are cleared', async () => {
    await find('@context:>200k @openai 13');
    await found('in the Side Bar').waitFor();
    await workbench.screenshot('52-words');
    await found('in the Side Bar').click();
    await message(/"@context:>200k @openai 13": \d+ of 5,001 models/).waitFor();
    await row('google/gemini-20').waitFor({ state: 'detached' });
    const rows = await workbench.page.locator('.part.sidebar [role=treeitem]').allInnerTexts();
    assert.ok(rows.length > 3);
    assert.ok(rows.slice(1).every((text) => text.startsWith('openai/gpt-')));
    await workbench.screenshot('53-filtered');
    await workbench.page.locator('.part.sidebar .pane-header', { hasText: 'Models' }).first().hover();
    await titleButton('Clear Filter').click();
    await row('Anthropic').first().waitFor();
  });

  it('says which search word is invalid', async () => {
    await find('@contxt:>1k gpt');
    await found('Unknown filter').waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('marks models that were added or removed since the last refresh, and keeps a removed favourite', async () => {
    aggregator.gone.add('google/gemini-20');
    aggregator.added.push('openai/brand-new');
    await workbench.runCommand('Ask Model: Refresh Models');
    await message('1 new').waitFor();
    const gone = row('google/gemini-20').first();
    await gone.filter({ hasText: 'no longer listed' }).waitFor();
    await find('@new');
    await found('openai/brand-new').waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.screenshot('54-new-and-gone');
  });

  it('asks for confirmation before a question goes to a default model that was removed', async () => {
    await chooseOn('google/gemini-20', 'Use as Default');
    await workbench.page.locator('.statusbar-item', { hasText: 'google/gemini-20' }).waitFor();
    await workbench.runCommand('Ask Model');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: "google/gemini-20 is no longer in this gateway's model list" }).waitFor();
    await workbench.screenshot('55-gone-default');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  it('shows the gateway’s own details of a model in an editor', async () => {
    await find('openai/gpt-1');
    await found('openai/gpt-1').first().waitFor();
    await workbench.page.keyboard.press('Escape');
    await row('OpenAI').first().click();
    await workbench.page.keyboard.press('ArrowRight');
    await chooseOn('openai/gpt-1', 'Show Details');
    const editor = workbench.page.locator('.editor-group-container.active .monaco-editor');
    await editor.locator('.view-line', { hasText: '"context_length"' }).waitFor();
    await workbench.screenshot('56-details');
  });

  it('adds a model by an id that isn’t in the list', async () => {
    await workbench.runCommand('Ask Model: Add Model by ID…');
    const box = workbench.quickInput.and(workbench.page.locator('[placeholder="vendor/model-name"]'));
    await box.fill('anthropic/hidden-one');
    await workbench.page.keyboard.press('Enter');
    await box.waitFor({ state: 'hidden' });
    await row('anthropic/hidden-one').and(workbench.page.locator('.selected')).waitFor();
    await find('hidden');
    await found('anthropic/hidden-one').filter({ hasText: 'added manually' }).waitFor();
    await workbench.page.keyboard.press('Escape');
  });

  it('keeps the list when a refresh fails, says why, and offers Retry', async () => {
    aggregator.isBroken = true;
    await workbench.runCommand('Ask Model: Refresh Models');
    await message('the wallet room is being painted').waitFor();
    // The steps before have scrolled the list, and the remedies stand at its start.
    await workbench.runCommand('Ask Model: Focus on Models View');
    await workbench.page.keyboard.press('Home');
    await row('Retry').waitFor();
    await row('Anthropic').first().waitFor();
    await workbench.screenshot('57-failed');
  });

  it('starts offline with the stored list, and says how old it is', async () => {
    await workbench.reload();
    await workbench.sideBar('Ask Model');
    await row('Anthropic').first().waitFor();
    await message('as of').waitFor();
    // The refresh fails only after up to three attempts.
    await row('Retry').waitFor();
    await workbench.screenshot('58-offline');
    aggregator.isBroken = false;
    await row('Retry').click();
    await until(async () => assert.equal(await row('Retry').count(), 0));
  });

  for (const theme of ['dark', 'highContrast', 'highContrastLight'] as const) {
    it(`renders in the theme ${theme}`, async () => {
      await workbench.setTheme(theme);
      await workbench.sideBar('Ask Model');
      await workbench.screenshot(`59-${theme}`);
    });
  }
});

import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ListServer } from '../gateway/listServer.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { Aggregator } from './support/aggregator.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { connect, questionPanel } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

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

  it('marks models that were added or removed, and asks before a question goes to a default model that was removed', async () => {
    aggregator.gone.add('google/gemini-20');
    aggregator.added.push('openai/brand-new');
    await workbench.start('askModel.refreshModels');
    await message('1 new').waitFor();
    const gone = row('google/gemini-20').first();
    await gone.filter({ hasText: 'no longer listed' }).waitFor();
    await find('@new');
    await found('openai/brand-new').waitFor();
    await workbench.page.keyboard.press('Escape');
    await workbench.screenshot('54-new-and-gone');
    await chooseOn('google/gemini-20', 'Use as Default');
    await workbench.page.locator('.statusbar-item', { hasText: 'google/gemini-20' }).waitFor();
    await workbench.start('askModel.ask');
    const view = await questionPanel(workbench);
    await view.locator('textarea').fill('Why?');
    await pressEnter(view.locator('textarea'));
    const review = view.getByRole('alertdialog');
    await review.filter({ hasText: "google/gemini-20 is no longer in this gateway's model list" }).waitFor();
    await workbench.screenshot('55-gone-default');
    await review.getByRole('button', { name: 'Cancel' }).click();
    await view.locator('.refusal', { hasText: 'Nothing was sent.' }).waitFor();
  });

  it('keeps the list when a refresh fails, says why, offers Retry, and starts offline with the stored list', async () => {
    aggregator.isBroken = true;
    await workbench.start('askModel.refreshModels');
    await message('the wallet room is being painted').waitFor();
    // The steps before have scrolled the list, and the remedies stand at its start.
    await workbench.start('askModel.models.focus');
    await workbench.page.keyboard.press('Home');
    await row('Retry').waitFor();
    await row('Anthropic').first().waitFor();
    await workbench.screenshot('57-failed');
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
});

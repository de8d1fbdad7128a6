import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { until } from '../until.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import type { ConnectedWorkbench } from './support/connectedWorkbench.ts';
import { editSettings, readSettings } from './support/editSettings.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('prices that a person states', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  let connected: ConnectedWorkbench;

  const row = () => connected.workbench.treeRows.filter({ hasText: 'gpt-5-mini' }).first();
  /** The tooltip of the model. */
  const tooltip = async () => {
    const { page } = connected.workbench;
    const hover = page.locator('.monaco-hover:visible', { hasText: 'Vendor' });
    await page.mouse.move(0, 0);
    await hover.waitFor({ state: 'detached' });
    await row().hover();
    await hover.waitFor();
    return hover.innerText();
  };
  const enter = async (prompt: string, text: string) => {
    const { page, quickInput } = connected.workbench;
    await page.locator('.quick-input-widget:visible .quick-input-message', { hasText: prompt }).waitFor();
    await quickInput.fill(text);
    await page.keyboard.press('Enter');
  };

  before(async () => {
    mkdirSync(join(folder, '.vscode'));
    const prices = { '*': { input: 99, output: 99, currency: 'USD' } };
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify({ 'askModel.prices': prices }));
    connected = await suite.connected({ folder });
  });

  it('names no price of a workspace', async () => {
    assert.doesNotMatch(await tooltip(), /Price/);
  });

  it('refuses a text that is no number in its box, and then shows the price in the tooltip', async () => {
    const { workbench } = connected;
    await chooseInMenu(workbench, row(), 'State a Price…');
    await enter('1M input tokens', 'abc');
    const problem = 'input must be a number from 0 to 1,000,000,000.';
    await workbench.page.locator('.quick-input-widget:visible .quick-input-message', { hasText: problem }).waitFor();
    await workbench.screenshot('98-price-refused');
    await workbench.quickInput.fill('');
    await enter('1M input tokens', '1.25');
    await enter('1M output tokens', '10');
    await enter('1M cached input tokens', '');
    await enter('code of a currency', 'USD');
    const stated = { input: 1.25, output: 10, currency: 'USD' };
    await until(() => assert.deepEqual(readSettings(workbench)['askModel.prices'], { 'gpt-5-mini': stated }));
    const price = 'Price: $1.25 per 1M input tokens and $10.00 per 1M output tokens (your prices)';
    await until(async () => assert.ok((await tooltip()).includes(price)));
    await workbench.screenshot('98-price-tooltip');
  });

  it('shows what the person’s own calls cost', async () => {
    await connected.ask('What is a price?');
    assert.match(
      await tooltip(),
      /Your only call in 30 days: median cost ≈ \$0\.\d+, first token after [\d.]+ s, and 0 failed/,
    );
  });

  it('says which entry of the setting is ignored, and why', async () => {
    const { workbench } = connected;
    await editSettings(workbench, {
      'askModel.prices': { 'gpt-5-mini': { input: 'abc', output: 1, currency: 'USD' } },
    });
    const problem =
      'The prices of "gpt-5-mini" in askModel.prices are ignored: input must be a number from 0 to 1,000,000,000.';
    await workbench.notifications.filter({ hasText: problem }).waitFor();
    assert.doesNotMatch(await tooltip(), /Price/);
  });
});

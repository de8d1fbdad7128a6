import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Gateway } from '../../gateway/gateway.ts';
import { until } from '../../until.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { chooseModel, comparisonBox, connect, questionPanel } from '../support/connectedWorkbench.ts';
import { editSettings } from '../support/editSettings.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

describe('the cost of a question before it is sent', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let workbench: Workbench;
  let view: FrameLocator;
  const box = () => view.locator('textarea');
  const cost = (text: RegExp) => view.locator('.estimate span', { hasText: text });
  const dialog = () => workbench.page.locator('.monaco-dialog-box', { hasText: 'Send this question to' });

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    gateway.setFault('models-priced@models');
    workbench = await suite.workbench({ folder: suite.folder('workspace'), viewport: { width: 1280, height: 800 } });
    await connect(workbench, gateway.baseUrl, gateway.createKey({ name: 'person' }).value);
    await chooseModel(workbench, 'gpt-5-mini');
    await workbench.runCommand('Ask Model: New Conversation');
    view = await questionPanel(workbench);
  });

  it('shows a lower end first, and a range after five answers', async () => {
    await box().fill('Why does the cart round?');
    await cost(/^from \$0\.0/).waitFor();
    for (let number = 1; number <= 5; number++) {
      await box().fill(`Why does the cart round line ${number}?`);
      await pressEnter(box());
      await until(() => assert.equal(gateway.postCount(), number));
      await view
        .locator('.reply .facts', { hasText: ' in ·' })
        .nth(number - 1)
        .waitFor();
    }
    await box().fill('And the total?');
    const range = cost(/^\$0\.0\d+–\$0\.0\d+$/);
    await range.waitFor();
    await workbench.screenshot('50-cost-range');
    assert.match((await range.getAttribute('title')) ?? '', /Output: .* by the last 5 answers.*\nPrices: model list/);
  });

  it('asks before a question that may cost more than the person set, and names the setting', async () => {
    await editSettings(workbench, { 'askModel.confirmPrice': 0.000_01 });
    view = await workbench.webview();
    await box().fill('And the total?');
    await pressEnter(box());
    await dialog().filter({ hasText: 'setting askModel.confirmPrice' }).waitFor();
    await workbench.screenshot('50-cost-confirm');
    await workbench.page.keyboard.press('Escape');
    await view.getByRole('alert').filter({ hasText: 'Nothing was sent.' }).waitFor();
    assert.equal(await box().inputValue(), 'And the total?');
    assert.equal(gateway.postCount(), 5);
    await pressEnter(box());
    await dialog().getByRole('button', { name: 'Send' }).click();
    await until(() => assert.equal(gateway.postCount(), 6));
  });

  it('shows the cost of each model of a comparison, and of all together', async () => {
    await editSettings(workbench, { 'askModel.confirmPrice': 0 });
    await workbench.runCommand('Ask Model: Compare Models…');
    for (const id of ['gpt-5-mini', 'deepseek-reasoner']) {
      await workbench.quickInput.fill(id);
      await workbench.quickPicks
        .and(workbench.page.locator(`[aria-label^="${id}"]`))
        .first()
        .click();
      await workbench.quickInput.fill('');
    }
    const title = workbench.page.locator('.quick-input-widget:visible .quick-input-title');
    await title.filter({ hasText: /Compare 2 Models \(2 Paid Calls\) · from \$/ }).waitFor();
    await workbench.screenshot('50-cost-compare-pick');
    await workbench.quickInput.press('Enter');
    await comparisonBox(workbench).fill('Which is right?');
    const message = workbench.page.locator('.quick-input-widget:visible .quick-input-message');
    await message
      .filter({ hasText: /gpt-5-mini \(\$.*deepseek-reasoner \(from \$.*Estimated cost: from \$/ })
      .waitFor();
    await workbench.screenshot('50-cost-compare-question');
    await workbench.page.keyboard.press('Escape');
    assert.equal(gateway.postCount(), 6);
  });
});

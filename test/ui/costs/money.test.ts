import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { answerFileDialog } from '../support/answerFileDialog.ts';
import type { ConnectedWorkbench } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';
import { readSettings } from '../support/readSettings.ts';

describe('what questions cost, at a gateway that says its prices and keeps a log', { timeout: 360_000 }, () => {
  const suite = openForSuite();
  const files = suite.folder('files');
  let connected: ConnectedWorkbench;
  let panel: FrameLocator;
  const gets = (path: string) => connected.gateway.requests().filter((request) => request.path === path);
  const usage = () => connected.workbench.webview('Usage');
  const pickColumns = async (unit: string) => {
    for (const [question, answer] of [
      ['date and time', '时间'],
      ['the model', '模型'],
      ['charged', '额度'],
      ['input tokens', '提示'],
      ['output tokens', '补全'],
      ['request ID', '请求 ID'],
      ['What are the amounts', unit],
    ] as const) {
      await connected.workbench.page.locator(`.quick-input-widget:visible input[placeholder*="${question}"]`).waitFor();
      // By typing, because the hover of another row can cover the one to click.
      await connected.workbench.pickTyped(answer);
    }
  };

  before(async () => {
    connected = await suite.connected({ folder: suite.folder('workspace'), viewport: { width: 1800, height: 1300 } });
    const { workbench } = connected;
    const entries = readSettings(workbench)['askModel.connections'] as object[];
    await workbench.set({ 'askModel.connections': [{ ...entries[0], probes: true }] });
  });

  it('says below an answer what it cost, and matches the calls with the log of the gateway, also one made elsewhere', async () => {
    const { workbench, gateway, ask } = connected;
    panel = await ask('What is money?');
    await panel
      .locator('.facts', { hasText: /^(?:≈ \$0\.\d+|under \$0\.001) · .* · gateway's prices$/ })
      .first()
      .waitFor();
    await panel.locator('.totals', { hasText: /^1 call, (?:\$0\.\d+|under \$0\.001)(?: · |$)/ }).waitFor();
    await panel.locator('textarea').fill('And what is a price?');
    await panel.locator('.estimate', { hasText: /\$0\.\d+/ }).waitFor();
    await workbench.screenshot('99-money-before');
    gateway.setDelayMs(50);
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.turn').nth(1).locator('.reply .markdown', { hasText: /\w/ }).waitFor();
    await workbench.page.keyboard.press('Escape');
    await until(() => assert.equal(gateway.usageLog().at(-1)?.state, 'client_gone'));
    gateway.setDelayMs(0);
    const [asked] = gets('/v1/chat/completions');
    await fetch(`${gateway.baseUrl}/chat/completions`, {
      method: 'POST',
      headers: { authorization: `${asked?.headers.authorization}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: 'qwen3-8b', messages: [{ role: 'user', content: 'From elsewhere' }] }),
    });
    await workbench.leavePanels();
    await workbench.start('askModel.showUsage');
    const view = await usage();
    await view.getByRole('button', { name: "Match with the Gateway's Log" }).click();
    await view.locator('.notice', { hasText: '2 matched, 1 only there' }).waitFor();
    assert.equal(gets('/api/log/token').length, 1);
    await view.getByRole('button', { name: 'Show Differences' }).click();
    await view.getByRole('row', { name: /^Only there .*qwen3-8b/ }).waitFor();
    await view
      .getByRole('cell', { name: /\$0\.\d+ charged/ })
      .nth(1)
      .waitFor();
    const charged =
      gateway
        .usageLog()
        .slice(0, 2)
        .reduce((sum, { costMicroUsd }) => sum + costMicroUsd, 0) / 1e6;
    await panel.locator('.totals', { hasText: /^2 calls, (?:\$0\.\d+|under \$0\.001)(?: · |$)/ }).waitFor();
    const shown = Number(
      /tokens, \$(0\.\d+)$/m.exec((await panel.locator('.totals').getAttribute('title')) ?? '')?.[1],
    );
    assert.ok(Math.abs(shown - charged) <= 0.1 * charged, `${shown} of ${charged}`);
    await workbench.screenshot('99-money-matched');
    await view.getByRole('button', { name: 'Hide Differences' }).click();
    // One was made by this test itself.
    assert.equal(gateway.postCount(), 3);
    for (const { path, headers } of gateway.requests()) {
      assert.doesNotMatch(path, /sk-/);
      assert.equal(headers.authorization === undefined, ['/api/status', '/api/pricing'].includes(path), path);
    }
  });

  it('imports a log that was exported from a console, and reads it again with the columns that the person chooses', async () => {
    const { workbench, gateway } = connected;
    const lines = gateway
      .usageLog()
      .map(({ time, model, promptTokens, completionTokens, costMicroUsd, requestId }) =>
        [time, model, promptTokens, completionTokens, costMicroUsd / 2, requestId].join(','),
      );
    const path = join(files, 'log.csv');
    writeFileSync(path, ['时间,模型,提示,补全,额度,请求 ID', ...lines].join('\r\n'));
    const view = await usage();
    await view.getByRole('button', { name: 'Import a Log…' }).click();
    await answerFileDialog(workbench, 'Import a Log Exported from the Console', path);
    await pickColumns('Quota, of which 500,000 are one site unit');
    await view.locator('.notice', { hasText: 'Matched with log.csv just now: 2 matched, 1 only there.' }).waitFor();
    await view.getByRole('button', { name: 'Import a Log…' }).click();
    await answerFileDialog(workbench, 'Import a Log Exported from the Console', path);
    // The notification hides by itself.
    const assumed = workbench.notifications.filter({ hasText: 'The model was read from the column "模型"' });
    await assumed.getByRole('button', { name: 'Choose Columns…' }).click();
    await pickColumns('Site units');
    const figure = view.locator('.figures strong').first();
    await until(async () => assert.match(await figure.innerText(), /^\d{2,}\.\d\d site units$/));
    await workbench.screenshot('99-money-imported');
  });
});

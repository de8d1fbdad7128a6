import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { violations } from '../../unit/webview/page/panelRules.ts';
import { until } from '../../until.ts';
import { answerFileDialog } from '../support/answerFileDialog.ts';
import type { ConnectedWorkbench } from '../support/connectedWorkbench.ts';
import { editSettings, readSettings } from '../support/editSettings.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

describe('what questions cost, at a gateway that says its prices and keeps a log', { timeout: 360_000 }, () => {
  const suite = openForSuite();
  const files = suite.folder('files');
  let connected: ConnectedWorkbench;
  let panel: FrameLocator;
  const gets = (path: string) => connected.gateway.requests().filter((request) => request.path === path);
  const usage = () => connected.workbench.webview('Usage');
  const row = (text: string) => connected.workbench.quickPicks.filter({ hasText: text });

  before(async () => {
    connected = await suite.connected({ folder: suite.folder('workspace'), viewport: { width: 1800, height: 1300 } });
    const { workbench } = connected;
    const entries = readSettings(workbench)['askModel.connections'] as object[];
    await editSettings(workbench, { 'askModel.connections': [{ ...entries[0], probes: true }] });
  });

  it('explains the view before there are calls', async () => {
    const { workbench } = connected;
    await workbench.runCommand('Ask Model: Show Usage');
    const view = await usage();
    await view.getByText('No calls in this period').waitFor();
    await workbench.screenshot('99-money-empty');
    await workbench.runCommand('View: Close Editor');
  });

  it('shows the prices of the gateway in the list of models', async () => {
    await connected.workbench.treeRows
      .filter({ hasText: /qwen3-8b.*\$0\.\d+ in, \$0\.\d+ out/ })
      .first()
      .waitFor();
  });

  it('says below an answer what it cost, by the prices of the gateway', async () => {
    const { workbench, ask } = connected;
    panel = await ask('What is money?');
    await panel
      .locator('.facts', { hasText: /cost ≈ \$0\.\d+ \(gateway's prices\)/ })
      .first()
      .waitFor();
    await panel.locator('.calls', { hasText: /^1 call, \d+ tokens, \$0\.\d+$/ }).waitFor();
    await panel.locator('textarea').fill('And what is a price?');
    await panel.locator('.estimate', { hasText: /\$0\.\d+/ }).waitFor();
    await workbench.screenshot('99-money-before');
  });

  it('matches the calls with the log of the gateway, also one that was stopped and one that was made elsewhere', async () => {
    const { workbench, gateway } = connected;
    gateway.setDelayMs(50);
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.turn').nth(1).locator('.text', { hasText: /\w/ }).first().waitFor();
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
    await workbench.runCommand('Ask Model: Show Usage');
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
    await panel.locator('.calls', { hasText: /^2 calls, \d+ tokens, \$0\.\d+$/ }).waitFor();
    const shown = Number(/\$(0\.\d+)$/.exec(await panel.locator('.calls').innerText())?.[1]);
    assert.ok(Math.abs(shown - charged) <= 0.1 * charged, `${shown} of ${charged}`);
    await workbench.screenshot('99-money-matched');
    await view.getByRole('button', { name: 'Hide Differences' }).click();
  });

  it('has no accessibility violation in the theme of the window', async () => {
    const { workbench } = connected;
    const view = await usage();
    const frame = await (await view.locator('body').elementHandle())?.ownerFrame();
    assert.ok(frame);
    for (const theme of ['dark', 'highContrast', 'highContrastLight', 'light'] as const) {
      await workbench.setTheme(theme);
      assert.deepEqual(await violations(frame), [], theme);
      await workbench.screenshot(`99-money-${theme}`);
    }
  });

  it('leads from a call to its conversation', async () => {
    const view = await usage();
    await view.getByRole('button', { name: 'What is money?' }).first().click();
    await connected.workbench.page.locator('.tab.active', { hasText: 'What is money?' }).waitFor();
  });

  it('imports a log that was exported from a console, and asks only once what its columns mean', async () => {
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
    await row('Quota, of which 500,000 are one site unit').click();
    await view.locator('.notice', { hasText: 'Matched with log.csv just now: 2 matched, 1 only there.' }).waitFor();
    await view.locator('.figures', { hasText: 'site units' }).waitFor();
    await workbench.screenshot('99-money-imported');
    await view.getByRole('button', { name: 'Import a Log…' }).click();
    await answerFileDialog(workbench, 'Import a Log Exported from the Console', path);
    await view.locator('.notice', { hasText: 'Matched with log.csv just now: 2 matched' }).waitFor();
    assert.equal(await workbench.quickPicks.count(), 0);
  });

  it('says which columns it took, and reads the file again with others that the person chooses', async () => {
    const { workbench } = connected;
    const assumed = workbench.notifications.filter({ hasText: 'The model was read from the column "模型"' });
    await assumed.getByRole('button', { name: 'Choose Columns…' }).click();
    await row('模型').click();
    await row('额度').click();
    await row('Site units').click();
    const figure = (await usage()).locator('.figures strong').first();
    await until(async () => assert.match(await figure.innerText(), /^\d{2,}\.\d\d site units$/));
  });

  it('refuses a file that is no log by its name', async () => {
    const { workbench } = connected;
    const path = join(files, 'page.csv');
    writeFileSync(path, '<!doctype html><p>Sign in</p>');
    await (await usage()).getByRole('button', { name: 'Import a Log…' }).click();
    await answerFileDialog(workbench, 'Import a Log Exported from the Console', path);
    await workbench.notifications.filter({ hasText: 'page.csv is a web page.' }).waitFor();
  });

  it('exports what was charged', async () => {
    const { workbench } = connected;
    const target = join(files, 'usage.csv');
    await (await usage()).getByRole('button', { name: 'Export…' }).click();
    await answerFileDialog(workbench, 'Export Usage', target);
    await workbench.notifications.filter({ hasText: 'Exported to' }).waitFor();
    const rows = readFileSync(target, 'utf8').trim().split('\r\n');
    assert.equal(rows.length, 3);
    assert.ok(
      rows.slice(1).every((line) => line.includes(',site,charged,')),
      rows.join('\n'),
    );
  });

  it('made one POST for each question, and put the key into no address', () => {
    const { gateway } = connected;
    // One was made by this test itself.
    assert.equal(gateway.postCount(), 3);
    for (const { path, headers } of gateway.requests()) {
      assert.doesNotMatch(path, /sk-/);
      assert.equal(headers.authorization === undefined, ['/api/status', '/api/pricing'].includes(path), path);
    }
  });
});

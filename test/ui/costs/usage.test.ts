import assert from 'node:assert/strict';
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { endLine, startLine } from '../../../src/core/usage/ledgerLine.ts';
import { until } from '../../until.ts';
import { answerFileDialog } from '../support/answerFileDialog.ts';
import type { ConnectedWorkbench } from '../support/connectedWorkbench.ts';
import { editSettings, readSettings } from '../support/editSettings.ts';
import { filesWith } from '../support/filesWith.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

describe('the record of paid calls', { timeout: 360_000 }, () => {
  const suite = openForSuite();
  let connected: ConnectedWorkbench;
  const profileDir = suite.folder('profile');
  const item = () => connected.workbench.page.locator('.statusbar-item', { hasText: 'gpt-5-mini' });
  /** The file of this month; empty before the first call. */
  const ledgerPath = () => {
    const [name] = filesWith(profileDir, '"v":1,"type":"start"');
    return name === undefined ? '' : join(profileDir, name);
  };
  const ledgerLines = () => {
    const path = ledgerPath();
    const text = path === '' ? '' : readFileSync(path, 'utf8');
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  };

  before(async () => {
    connected = await suite.connected({
      folder: suite.folder('workspace'),
      profileDir,
      viewport: { width: 1800, height: 1400 },
    });
  });

  it('shows the calls and tokens of today beside the model, also of calls that failed', async () => {
    const { workbench, gateway, ask } = connected;
    assert.doesNotMatch(await item().innerText(), /call/);
    const panel = await ask('What is a ledger?');
    await item()
      .filter({ hasText: /1 call, \d+ tokens/ })
      .waitFor();
    gateway.setFault('balance-empty@chat');
    await panel.locator('textarea').fill('Again?');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.trouble').waitFor();
    gateway.setFault(undefined);
    await item().filter({ hasText: '2 calls' }).waitFor();
    await panel.locator('.calls', { hasText: /^2 calls, \d+ tokens$/ }).waitFor();
    assert.match((await panel.locator('.calls').getAttribute('title')) ?? '', /^gpt-5-mini: 2 calls, \d+ tokens$/);
    await item().hover();
    await workbench.page.locator('.workbench-hover', { hasText: 'Today: 2 calls' }).waitFor();
    await workbench.screenshot('97-usage-hover');
  });

  it('has one line before each call and one at its end, without question, answer or key', async () => {
    const { gateway } = connected;
    await until(() => assert.equal(ledgerLines().length, 4));
    const calls = ledgerLines();
    assert.deepEqual(
      calls.map(({ type, state }) => state ?? type),
      ['start', 'complete', 'start', 'failed'],
    );
    const [first, second] = gateway.usageLog();
    assert.equal(calls[1].usage.promptTokens, first?.promptTokens);
    assert.equal(calls[1].usage.completionTokens, first?.completionTokens);
    assert.equal(calls[1].requestId, first?.requestId);
    assert.equal(calls[3].requestId, second?.requestId);
    const text = readFileSync(ledgerPath(), 'utf8');
    for (const secret of ['ledger?', 'Again?', 'sk-']) {
      assert.ok(!text.includes(secret), secret);
    }
  });

  it('shows what calls cost in a view of its own, and filters it', async () => {
    const { workbench } = connected;
    // A line that was damaged, for example by a power loss.
    appendFileSync(ledgerPath(), '{"v":1,"type":"sta\n');
    await workbench.runCommand('Ask Model: Show Usage');
    const view = await workbench.webview('Usage');
    await view.locator('.notice', { hasText: '1 line of the usage data is damaged' }).waitFor();
    await view.locator('.figures', { hasText: '2calls · 1 failed' }).waitFor();
    await view.getByRole('row', { name: /^gpt-5-mini 2 / }).waitFor();
    await workbench.screenshot('97-usage');
    await view.getByRole('radio', { name: '7 Days' }).focus();
    await workbench.page.keyboard.press('ArrowLeft');
    await view.getByRole('heading', { name: 'by Hour' }).waitFor();
    await view.getByRole('button', { name: 'gpt-5-mini' }).first().click();
    await view.getByRole('button', { name: 'Remove Filter gpt-5-mini' }).waitFor();
    await workbench.screenshot('97-usage-filtered');
  });

  it('shows a call in the view while it is open, and leads to its conversation', async () => {
    const { workbench } = connected;
    const panel = await workbench.webview('What is a ledger?');
    await panel.locator('textarea').fill('What is shown at once?');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.calls', { hasText: '3 calls' }).waitFor();
    const view = await workbench.webview('Usage');
    await view.locator('.figures', { hasText: '3calls' }).waitFor();
    await view.getByRole('button', { name: 'What is a ledger?' }).first().click();
    await workbench.page.locator('.tab.active', { hasText: 'What is a ledger?' }).waitFor();
  });

  it('restores the view after a reload with what was chosen', async () => {
    const { workbench } = connected;
    await workbench.reload();
    const view = await workbench.webview('Usage');
    await view.getByRole('button', { name: 'Remove Filter gpt-5-mini' }).waitFor();
    assert.equal(await view.getByRole('radio', { name: 'Today' }).isChecked(), true);
    await view.locator('.figures', { hasText: '3calls' }).waitFor();
  });

  it('exports the calls that are shown', async () => {
    const { workbench } = connected;
    const view = await workbench.webview('Usage');
    const target = join(suite.folder('export'), 'usage.csv');
    await view.getByRole('button', { name: 'Export…' }).click();
    await answerFileDialog(workbench, 'Export Usage', target);
    await workbench.notifications.filter({ hasText: 'Exported to' }).waitFor();
    const rows = readFileSync(target, 'utf8').trim().split('\r\n');
    assert.equal(rows.length, 4);
    assert.match(
      rows[1] ?? '',
      /^\d{4}-[^,]+Z,[^,]*,127\.0\.0\.1:\d+,gpt-5-mini,panel,complete,\d+,.*,req_\w+,[\w-]+$/,
    );
    assert.doesNotMatch(rows.join(), /ledger|sk-/);
  });

  it('shows calls from a time to which the clock has not come yet apart from those of today', async () => {
    const { workbench } = connected;
    // The clock was set back by two days after these were made.
    const at = Date.now() + 2 * 86_400_000;
    for (const id of ['later-1', 'later-2']) {
      const start = {
        id,
        at,
        connection: 'c',
        host: 'h',
        model: 'gpt-5-mini',
        caller: { kind: 'panel' },
        estimate: 1,
      } as const;
      const usage = { promptTokens: 5_000, completionTokens: 5_000 };
      appendFileSync(ledgerPath(), startLine(start) + endLine({ id, at, state: 'complete', usage, totalMs: 1 }));
    }
    const view = await workbench.webview('Usage');
    await view.getByText('30 Days').click();
    await view.locator('.notice', { hasText: '2 calls are dated after today' }).waitFor();
    await view.locator('.figures', { hasText: '3calls' }).waitFor();
    await item().filter({ hasText: '3 calls' }).waitFor();
    await workbench.screenshot('97-usage-clock');
  });

  it('is cleared only after confirmation', async () => {
    const { workbench } = connected;
    const folder = join(ledgerPath(), '..');
    await workbench.runCommand('Ask Model: Clear Usage Data…');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await dialog.filter({ hasText: 'Clear all usage data?' }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.equal(readdirSync(folder).length, 1);
    await workbench.runCommand('Ask Model: Clear Usage Data…');
    await dialog.getByRole('button', { name: 'Clear' }).click();
    await workbench.notifications.filter({ hasText: 'Usage data cleared.' }).waitFor();
    assert.deepEqual(readdirSync(folder), []);
    await (await workbench.webview('Usage')).getByText('No calls match the filter').waitFor();
    await workbench.runCommand('View: Close Editor');
    await item().filter({ hasNotText: 'call' }).waitFor();
  });

  it('warns at a soft limit, and sends nothing beyond a hard one until it is raised', async () => {
    const { workbench, gateway, ask } = connected;
    const { page } = workbench;
    await editSettings(workbench, { 'askModel.dailyWarning.calls': 1, 'askModel.dailyLimit.calls': 1 });
    const panel = await ask('What is a limit?');
    await workbench.notifications.filter({ hasText: 'You asked to be warned at 1.' }).waitFor();
    const sent = gateway.postCount();
    await panel.locator('textarea').fill('And now?');
    await pressEnter(panel.locator('textarea'));
    const card = panel.locator('.trouble', { hasText: 'Daily limit reached' });
    await card.filter({ hasText: 'The limit is 1 call per day and connection. Made today: 1.' }).waitFor();
    await workbench.screenshot('98-limit-reached');
    assert.equal(gateway.postCount(), sent);
    await card.getByRole('button', { name: 'Open Limit Settings' }).click();
    await page.locator('.settings-editor .setting-item-label', { hasText: 'Calls' }).nth(1).waitFor();
    await workbench.screenshot('98-limit-settings');
    await editSettings(workbench, { 'askModel.dailyLimit.calls': 10 });
    await workbench.runCommand('View: Close Editor');
    // The settings covered the panel, whose page is a new one now.
    const shown = await workbench.webview('What is a limit?');
    await shown.locator('.trouble').getByRole('button', { name: 'Send Again', exact: true }).click();
    await until(() => assert.equal(gateway.postCount(), sent + 1));
  });

  it('sends nothing with a limit while calls can’t be recorded', async () => {
    const { workbench, gateway } = connected;
    const panel = await workbench.webview('What is a limit?');
    const folder = join(ledgerPath(), '..');
    renameSync(folder, `${folder}-aside`);
    // A file in place of the folder stands for a disk that refuses to write.
    writeFileSync(folder, '');
    const sent = gateway.postCount();
    await panel.locator('textarea').fill('Is this recorded?');
    await pressEnter(panel.locator('textarea'));
    const card = panel.locator('.trouble', { hasText: "The call couldn't be recorded" });
    await card.filter({ hasText: 'Nothing was sent.' }).waitFor();
    await workbench.screenshot('98-not-recorded');
    assert.equal(gateway.postCount(), sent);
    rmSync(folder);
    renameSync(`${folder}-aside`, folder);
    await card.getByRole('button', { name: 'Send Again', exact: true }).click();
    await card.waitFor({ state: 'detached' });
    await until(() => assert.equal(gateway.postCount(), sent + 1));
  });

  it('sends nothing while another window deletes all data', async () => {
    const { workbench, gateway } = connected;
    const panel = await workbench.webview('What is a limit?');
    // The lock of a window whose process is alive; here this test's own.
    const lock = join(ledgerPath(), '..', '..', 'conversations', 'claims', `~all.${process.pid}.of-a-test`);
    writeFileSync(lock, hostname());
    const sent = gateway.postCount();
    await panel.locator('textarea').fill('Does this come back?');
    await pressEnter(panel.locator('textarea'));
    await panel.locator('.refusal', { hasText: 'Your data is being deleted.' }).waitFor();
    await workbench.screenshot('98-being-deleted');
    assert.equal(gateway.postCount(), sent);
    assert.equal(await panel.locator('textarea').inputValue(), 'Does this come back?');
    rmSync(lock);
  });

  it('deletes all data after a confirmation that lists it', async () => {
    const { workbench } = connected;
    const storage = join(ledgerPath(), '..', '..');
    const dialog = workbench.page.locator('.monaco-dialog-box');
    await workbench.runCommand('Ask Model: Delete All My Data…');
    await dialog.filter({ hasText: '1 connection with its key' }).filter({ hasText: '2 conversations' }).waitFor();
    await workbench.screenshot('98-delete-all');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.ok(readdirSync(storage).length > 2);
    await workbench.runCommand('Ask Model: Delete All My Data…');
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await workbench.notifications.filter({ hasText: 'All data of Ask Model was deleted' }).waitFor();
    assert.ok(!existsSync(storage));
    assert.equal(readSettings(workbench)['askModel.connections'], undefined);
    assert.equal(readSettings(workbench)['askModel.dailyLimit.calls'], 10);
    await workbench.page.locator('.webview').first().waitFor({ state: 'detached' });
    await workbench.page.getByRole('button', { name: 'Connect to a Gateway' }).waitFor();
    await workbench.screenshot('98-deleted-all');
    await workbench.reload();
    await workbench.sideBar('Ask Model');
    await workbench.page.getByRole('button', { name: 'Connect to a Gateway' }).waitFor();
    await item().waitFor({ state: 'detached' });
  });
});

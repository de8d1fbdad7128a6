import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { whenReady } from '../../vscode/whenReady.ts';
import { Workbench } from '../../vscode/workbench.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

const secrets = ['hunter2-5f3kq9Zt', 'other-8w2Xp4Lm'];
/** How the pieces of the draft begin in its message. */
const draft = ['The whole file `README.md`:', 'The whole file `.env.local`:'];

describe('one conversation in two windows', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  let connected: ConnectedWorkbench;
  let second: Workbench;
  let view: FrameLocator;

  const chips = (panel: FrameLocator) => panel.locator('.composer li.chip');
  const box = (panel: FrameLocator) => panel.locator('textarea');
  const lastMessages = (): { role: string; content: string }[] => {
    const request = connected.gateway.requests().findLast(({ method }) => method === 'POST');
    return JSON.parse(request?.body ?? '').messages;
  };
  const parts = (message: { content: string } | undefined) => message?.content.match(/^(?:From|The|Pasted) .*:$/gm);
  /** Chooses a row of the list after `#`. */
  const add = async (panel: FrameLocator, name: string, row: string) => {
    const count = await chips(panel).count();
    await box(panel).press('End');
    await box(panel).pressSequentially(` #${name}`);
    await panel.getByRole('option').filter({ hasText: row }).first().click();
    await until(async () => assert.equal(await chips(panel).count(), count + 1));
  };
  /** Opens the same folder with the same profile. */
  const openSecond = async () => {
    const { page, server } = connected.workbench;
    const other = await page.context().newPage();
    other.setDefaultTimeout(15_000);
    await other.setViewportSize({ width: 1200, height: 800 });
    second = new Workbench({ page: other, server, release: () => other.close() });
    await other.goto(server.url);
    await whenReady(other);
  };
  const openIn = async (workbench: Workbench, title: string) => {
    await workbench.start('askModel.openConversation');
    await workbench.pickTyped(title);
    return workbench.webview(title);
  };

  before(async () => {
    writeFileSync(join(folder, 'README.md'), '# Cart\n');
    writeFileSync(join(folder, '.env.local'), `DB_PASSWORD=${secrets[0]}\n`);
    writeFileSync(join(folder, 'admin.env'), `ADMIN_PASSWORD=${secrets[1]}\n`);
    connected = await suite.connected({ folder });
  });

  it('restores a draft in the second window, loses nothing when both send, and masks their secrets under different names', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    await workbench.start('askModel.newConversation');
    view = await questionPanel(workbench);
    await box(view).fill('First question');
    await pressEnter(box(view));
    view = await workbench.webview('First question');
    await finishedFacts(view).waitFor();
    await workbench.start('askModel.editSystemPrompt');
    await workbench.pick('This Conversation');
    const file = page.locator('.tab.active', { hasText: 'System Prompt of This Conversation' });
    await file.click();
    await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
    await page.keyboard.insertText('Be brief.');
    await page.keyboard.press('ControlOrMeta+S');
    await view.locator('.systemPrompt', { hasText: 'this conversation' }).waitFor();
    await box(view).fill('What is wrong here?');
    await add(view, 'README', 'README.md');
    await add(view, '.env.local', '.env.local');
    await openSecond();
    // A draft is stored a few seconds after it was changed; until then, the second window has an earlier one.
    await until(async () => {
      await second.run('workbench.action.closeAllEditors');
      const other = await openIn(second, 'First question');
      assert.equal(await chips(other).count(), 2);
    }, 60_000);
    const other = await second.webview('First question');
    assert.deepEqual(await chips(other).allInnerTexts(), await chips(view).allInnerTexts());
    assert.equal((await box(other).inputValue()).trim(), 'What is wrong here?');
    await other.locator('.systemPrompt', { hasText: 'this conversation' }).waitFor();
    await second.screenshot('49-second-window-light');
    await box(other).fill('And here?');
    await add(other, 'admin.env', 'admin.env');
    await pressEnter(box(other));
    await other.getByRole('alertdialog').filter({ hasText: 'admin.env, line 1 looks like a password.' }).waitFor();
    await other.getByRole('button', { name: 'Mask and Send' }).click();
    await until(() => assert.equal(connected.gateway.postCount(), 2));
    await finishedFacts(other).waitFor();
    const fromSecond = lastMessages();
    assert.deepEqual([fromSecond[0]?.content, fromSecond.length], ['Be brief.', 4]);
    assert.deepEqual(parts(fromSecond.at(-1)), [...draft, 'The whole file `admin.env`:']);
    const masks = fromSecond.at(-1)?.content.match(/MASKED_PASSWORD_\d+_[a-z\d]{12}/g);
    assert.equal(new Set(masks).size, 2);
    // The first window still has its draft.
    assert.equal(await chips(view).count(), 2);
    await pressEnter(box(view));
    await view.getByRole('button', { name: 'Mask and Send' }).click();
    await until(() => assert.equal(connected.gateway.postCount(), 3));
    await finishedFacts(view).waitFor();
    const fromFirst = lastMessages();
    assert.deepEqual(fromFirst.slice(0, 4), fromSecond);
    assert.deepEqual([fromFirst.length, parts(fromFirst.at(-1))], [6, draft]);
    assert.ok(fromFirst.at(-1)?.content.startsWith('What is wrong here?'));
    await until(async () => assert.equal(await view.locator('.turn').count(), 3));
    assert.deepEqual([await chips(view).count(), await box(view).inputValue()], [0, '']);
    await connected.workbench.screenshot('49-first-window-light');
    await box(other).fill('Third?');
    await pressEnter(box(other));
    await until(() => assert.equal(connected.gateway.postCount(), 4));
    assert.deepEqual(lastMessages().slice(0, 6), fromFirst);
    const all = JSON.stringify(connected.gateway.requests());
    assert.deepEqual(
      secrets.filter((secret) => all.includes(secret)),
      [],
    );
  });
});

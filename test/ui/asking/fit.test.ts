import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { type ConnectedWorkbench, enterKey, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

const long = 'Why does the cart round the amount of each line? '.repeat(220);

describe('a question that does not fit into the context window', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  let connected: ConnectedWorkbench;
  let view: FrameLocator;

  const lastMessages = (): { role: string; content: string }[] => {
    const request = connected.gateway.requests().findLast(({ method }) => method === 'POST');
    return JSON.parse(request?.body ?? assert.fail('nothing was sent')).messages;
  };
  const estimate = () => view.locator('.estimate');
  const listTitle = () => connected.workbench.page.locator('.quick-input-widget:visible .quick-input-title');
  const box = () => view.locator('textarea');
  const ok = () =>
    connected.workbench.page.locator('.quick-input-widget:visible').getByRole('button', { name: 'OK', exact: true });
  const openList = async () => {
    await pressEnter(box());
    await listTitle().filter({ hasText: 'Choose What to Send: ≈' }).waitFor();
  };

  before(async () => {
    const lines = Array.from({ length: 2_310 }, (_, index) => `export const value${index} = round(${index} * 1.19);\n`);
    writeFileSync(join(folder, 'cart.ts'), lines.join(''));
    connected = await suite.connected({ folder, gateway: { contextTokens: 8_192 } });
  });

  it('says how much of the context window a question takes, and when it does not fit', async () => {
    const { workbench } = connected;
    view = await connected.ask('What is a cart?');
    await box().fill('And?');
    await estimate().filter({ hasText: '% of 8K' }).waitFor();
    await workbench.screenshot('49-fit-share');
    await box().fill(`First: ${long}`);
    await pressEnter(box());
    await until(() => assert.equal(connected.gateway.postCount(), 2));
    await finishedFacts(view).waitFor();
    await box().pressSequentially('#cart.ts');
    await view.getByRole('option').filter({ hasText: 'cart.ts' }).first().waitFor();
    await box().press('Tab');
    await view.locator('.composer li.chip', { hasText: 'cart.ts' }).waitFor();
    await box().fill('Is the rounding right?');
    await estimate().filter({ hasText: "doesn't fit" }).waitFor();
  });

  it('lists what would be sent, and sends nothing when the list is closed', async () => {
    const { workbench, gateway } = connected;
    const { page } = workbench;
    for (const theme of ['light', 'highContrast', 'dark'] as const) {
      await workbench.setTheme(theme);
      await openList();
      await workbench.screenshot(`49-fit-list-${theme}`);
      await page.keyboard.press('Escape');
      await view.getByRole('alert').filter({ hasText: 'Nothing was sent.' }).waitFor();
      assert.equal(await box().inputValue(), 'Is the rounding right?');
    }
    assert.equal(gateway.postCount(), 2);
  });

  it('sends exactly what is checked, with one call, and says under the answer what was left out', async () => {
    const { workbench, gateway } = connected;
    await openList();
    const rows = workbench.quickPicks;
    const first = rows.filter({ hasText: 'First: Why does the cart' });
    const title = await listTitle().innerText();
    assert.doesNotMatch(title, /doesn't fit/);
    await first.click();
    await until(async () => assert.notEqual(await listTitle().innerText(), title));
    await workbench.screenshot('49-fit-list-changed');
    if ((await listTitle().innerText()).includes("doesn't fit")) {
      await first.click();
    }
    await ok().click();
    await finishedFacts(view).waitFor();
    await until(() => assert.equal(gateway.postCount(), 3));
    const sent = lastMessages().at(-1)?.content ?? '';
    const last = /^Is the rounding right\?\n\nFrom `cart\.ts`, lines 1–(\d+) of 2310:/.exec(sent)?.[1];
    assert.ok(last !== undefined, sent.slice(0, 200));
    const said = view.locator('.reply').last().locator('.note');
    await said.filter({ hasText: /^Left out: .*cart\.ts except lines 1–/ }).waitFor();
    await view.locator('.question .chip', { hasText: `lines 1–${last} of 2310` }).waitFor();
    await workbench.screenshot('49-fit-left-out');
  });

  it('shows the request as it was sent, also after a reload', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    await workbench.reload();
    view = await workbench.webview('What is a cart?');
    const reply = view.locator('.reply').last();
    await reply.locator('.note', { hasText: 'cart.ts except lines 1–' }).waitFor();
    await reply.getByRole('button', { name: 'Show Sent Request' }).click();
    await page.locator('.monaco-editor .view-line', { hasText: 'of 2310' }).first().waitFor();
    await workbench.runCommand('View: Revert and Close Editor');
  });

  it('offers to leave something out when the gateway refuses the length all the same', async () => {
    const { workbench, gateway } = connected;
    view = await workbench.webview('What is a cart?');
    await view.locator('.composer li.chip').first().waitFor({ state: 'detached' });
    gateway.setFault('context-too-long@chat');
    await box().fill('And then?');
    await pressEnter(box());
    // What was left out before is left out again.
    await listTitle().filter({ hasText: 'Choose What to Send: ≈' }).waitFor();
    await ok().click();
    const card = view.locator('.trouble').last();
    await card.getByRole('button', { name: 'Choose What to Send…' }).waitFor();
    await workbench.screenshot('49-fit-refused');
    gateway.setFault(undefined);
    const posts = gateway.postCount();
    await card.getByRole('button', { name: 'Choose What to Send…' }).click();
    await listTitle().filter({ hasText: 'Choose What to Send: ≈' }).waitFor();
    await ok().click();
    await until(() => assert.equal(gateway.postCount(), posts + 1));
    await finishedFacts(view).waitFor();
  });

  it('says that a model is not for chat before a question to it is paid for', async () => {
    const { workbench, gateway } = connected;
    await workbench.runCommand('Ask Model: New Conversation');
    view = await questionPanel(workbench);
    await view.locator('.modelButton').click();
    await workbench.pickTyped('text-embedding-3-small');
    const note = "text-embedding-3-small doesn't seem to be a chat model (embedding).";
    await view.locator('.due', { hasText: note }).waitFor();
    await workbench.screenshot('49-fit-not-for-chat');
    const posts = gateway.postCount();
    await box().fill('Why?');
    await pressEnter(box());
    const dialog = workbench.page.locator('.monaco-dialog-box', { hasText: note });
    await dialog.waitFor();
    await workbench.screenshot('49-fit-not-for-chat-dialog');
    await workbench.page.keyboard.press('Escape');
    await view.getByRole('alert').filter({ hasText: 'Nothing was sent.' }).waitFor();
    assert.equal(await box().inputValue(), 'Why?');
    assert.equal(gateway.postCount(), posts);
    await pressEnter(box());
    await dialog.getByRole('button', { name: 'Send Anyway' }).click();
    await view.locator('.trouble').waitFor();
    assert.equal(gateway.postCount(), posts + 1);
  });

  it('stays readable in a narrow window', async () => {
    const { workbench } = connected;
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.page.setViewportSize({ width: 370, height: 800 });
    await workbench.screenshot('49-fit-narrow-not-for-chat');
    await workbench.page.locator('.notification-list-item').first().waitFor({ state: 'hidden' });
    view = await workbench.webview('What is a cart?');
    await box().fill('And at last?');
    await estimate().filter({ hasText: "doesn't fit" }).waitFor();
    await workbench.screenshot('49-fit-narrow');
    await openList();
    await workbench.screenshot('49-fit-narrow-list');
    await workbench.page.keyboard.press('Escape');
  });
});

describe('a question that does not fit, in Chinese', { timeout: 120_000 }, () => {
  const suite = openForSuite();

  it('says so in Chinese', async () => {
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'package.nls.zh-cn.json'), 'utf8'));
    const gateway = await suite.gateway({ delayMs: 0, contextTokens: 2_048 });
    const workbench = await suite.workbench({ folder: suite.folder('workspace'), language: 'zh-cn' });
    await workbench.sideBar('Ask Model');
    await workbench.runCommand(`Ask Model: ${manifest['command.connect']}`);
    await workbench.answerQuickInput(gateway.baseUrl);
    await enterKey(workbench, gateway.createKey({ name: 'person' }).value);
    await workbench.treeRows.filter({ hasText: 'gpt-5-mini' }).first().waitFor();
    await workbench.runCommand(`Ask Model: ${manifest['command.chooseModel']}`);
    await workbench.pickTyped('gpt-5-mini');
    await workbench.runCommand(manifest['command.ask']);
    const view = await questionPanel(workbench);
    const send = async (text: string) => {
      await view.locator('textarea').fill(text);
      await pressEnter(view.locator('textarea'));
    };
    await send(`一：${long.slice(0, 3_000)}`);
    await finishedFacts(view)
      .or(view.locator('.facts', { hasText: '输入' }))
      .first()
      .waitFor();
    await send(`二：${long.slice(0, 4_500)}`);
    await workbench.page.locator('.quick-input-title', { hasText: '选择要发送的内容' }).waitFor();
    await workbench.screenshot('49-fit-chinese-list');
    await workbench.quickInput.press('Enter');
    await view.locator('.note', { hasText: '已略去：1 个之前的问题' }).waitFor();
    await workbench.screenshot('49-fit-chinese');
    assert.equal(gateway.postCount(), 2);
  });
});

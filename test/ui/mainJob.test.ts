import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Gateway } from '../gateway/gateway.ts';
import { isQuick } from '../unit/propertyRuns.ts';
import { until } from '../until.ts';
import { projectRoot } from '../vscode/paths.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { connect, finishedFacts, keyBox, questionPanel, typeQuestion } from './support/connectedWorkbench.ts';
import { filesWith } from './support/filesWith.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

/** One of the extension's own source files, as a realistic subject of questions. */
const source = 'src/core/base/jsonDocuments.ts';

describe('the main workflow', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let key: string;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const profileDir = suite.folder('profile');
  let questions = 0;

  const reply = (panel: FrameLocator) => panel.locator('.reply').last();
  const quickInputMessage = () => workbench.page.locator('.quick-input-widget:visible .quick-input-message');
  /** Types the name of the product into the palette, and waits until this command is its first row. */
  const paletteBeginsWith = async (title: string) => {
    await workbench.page.keyboard.press('F1');
    await workbench.quickInput.pressSequentially('Ask Model');
    await until(async () => {
      const label = await workbench.quickPicks.first().getAttribute('aria-label');
      assert.equal(label?.replace(/, .*/, ''), title);
    });
  };

  before(async () => {
    gateway = await suite.gateway({ delayMs: 25 });
    key = gateway.createKey({ name: 'person' }).value;
    mkdirSync(join(folder, 'src', 'core'), { recursive: true });
    cpSync(join(projectRoot, 'src', 'core'), join(folder, 'src', 'core'), { recursive: true });
    writeFileSync(join(folder, 'notes.md'), '');
    workbench = await suite.workbench({
      folder,
      profileDir,
      // High enough for all rows of the side bar, because VS Code doesn't render rows outside the viewport.
      viewport: { width: 1400, height: 1400 },
    });
  });

  afterEach(() => {
    gateway.setFault(undefined);
    gateway.setDelayMs(0);
  });

  it('offers to connect, returns to a wrong address and to a rejected key, and fills the tree without a paid call', async () => {
    const { page } = workbench;
    const bar = await workbench.sideBar('Ask Model');
    await bar.locator('.monaco-button', { hasText: 'Connect to a Gateway' }).waitFor();
    await workbench.screenshot('1-welcome');
    await paletteBeginsWith('Ask Model');
    await workbench.screenshot('1-palette');
    await page.keyboard.press('Escape');
    await connect(workbench, gateway.consoleUrl.replace(/:\d+$/, ':1/v1'), key);
    await workbench.pick('Change Address…');
    await quickInputMessage().filter({ hasText: 'The gateway refused the connection' }).waitFor();
    await until(async () => assert.equal(await workbench.quickInput.inputValue(), 'http://127.0.0.1:1/v1'));
    await workbench.screenshot('2-wrong-address');
    // Enter the right address. The key that was typed before is still in its box.
    await workbench.answerQuickInput(gateway.consoleUrl);
    const box = keyBox(workbench);
    await box.waitFor();
    await until(async () => assert.equal(await box.inputValue(), key));
    await workbench.quickInput.fill('sk-not-a-key-of-this-gateway');
    await page.keyboard.press('Enter');
    await quickInputMessage().filter({ hasText: 'The gateway rejected this key' }).waitFor();
    await until(async () => assert.equal(await workbench.quickInput.inputValue(), 'sk-not-a-key-of-this-gateway'));
    await workbench.screenshot('3-rejected-key');
    await workbench.quickInput.fill(` "Bearer ${key}" `);
    await page.keyboard.press('Enter');
    await page.locator('.statusbar-item', { hasText: /^Connected: \d+ models$/ }).waitFor();
    await workbench.treeRows.filter({ hasText: 'gpt-5.1' }).first().waitFor();
    const listed = await page.locator('.part.sidebar [role=treeitem]').allInnerTexts();
    assert.ok(listed.some((row) => row.startsWith('meta-llama/llama-3.1-8b-instruct:free')));
    assert.ok(listed.some((row) => row.startsWith('Not for chat')));
    assert.equal(gateway.postCount(), 0);
    await workbench.screenshot('4-models');
  });

  it('asks from the palette, shows text before the reply is complete, and sends a follow-up once, however often Enter is pressed', async () => {
    const { page } = workbench;
    await workbench.openFile(source);
    await workbench.selectLines(10, 40);
    // Slow enough that the test finds the reply in progress, even on a busy machine.
    gateway.setDelayMs(150);
    await paletteBeginsWith('Ask Model');
    await workbench.screenshot('5-palette');
    await page.keyboard.press('Enter');
    await workbench.pick('claude-sonnet-4-5');
    const panel = await questionPanel(workbench);
    await panel.locator('textarea:focus').waitFor();
    await panel.locator('.chip', { hasText: 'jsonDocuments.ts' }).waitFor();
    await panel.locator('.modelButton', { hasText: 'claude-sonnet-4-5' }).waitFor();
    await workbench.screenshot('5-question');
    assert.equal(gateway.postCount(), 0);
    await typeQuestion(panel, 'Why is text held back?');
    questions++;
    await reply(panel).locator('.markdown', { hasText: 'local gateway' }).waitFor();
    assert.equal(gateway.usageLog().length, 0, 'the gateway has not finished when text is shown');
    await workbench.screenshot('5-streaming');
    gateway.setDelayMs(0);
    await finishedFacts(panel).waitFor();
    assert.equal(gateway.usageLog().length, 1);
    const [sent] = gateway.requests().filter(({ method }) => method === 'POST');
    const body = JSON.parse(sent?.body ?? '{}');
    assert.deepEqual(Object.keys(body), ['model', 'messages', 'stream', 'stream_options']);
    // Nothing is sent beside the question and its context.
    assert.equal(body.messages.length, 1);
    assert.match(
      body.messages[0].content,
      /^Why is text held back\?\n\nFrom `src\/core\/base\/jsonDocuments\.ts`, lines 10–40:\n```typescript\n/,
    );
    await workbench.screenshot('6-answered');
    const code = await panel.locator('.codeBlock code').first().innerText();
    const selected = readFileSync(join(projectRoot, source), 'utf8').split('\n').slice(9, 20).join('\n');
    assert.ok(code.replaceAll('\u00a0', ' ').startsWith(selected), code);
    const { promptTokens, completionTokens } = gateway.usageLog()[0] ?? {};
    await finishedFacts(panel)
      .filter({ hasText: `${promptTokens} in · ${completionTokens} out` })
      .waitFor();
    gateway.setDelayMs(40);
    await panel.locator('textarea').fill('And if the tag never ends?');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    questions++;
    await panel.locator('.reply').nth(1).waitFor();
    gateway.setDelayMs(0);
    await finishedFacts(panel).waitFor();
    await gateway.settled();
    assert.equal(gateway.postCount(), questions);
    const next = JSON.parse(gateway.requests().at(-1)?.body ?? '{}');
    assert.deepEqual(
      next.messages.map(({ role }: { role: string }) => role),
      ['user', 'assistant', 'user'],
    );
    assert.equal(next.messages[2].content, 'And if the tag never ends?');
  });

  it('copies code and inserts it at the cursor, and one undo reverts it', async () => {
    const { page } = workbench;
    await workbench.openFile('notes.md');
    await page.keyboard.type('Notes: ');
    const panel = await workbench.webview('Why is text held back?');
    const block = panel.locator('.codeBlock').first();
    await block.hover();
    await block.getByLabel('Insert at Cursor').click();
    const lines = page.locator('.editor-instance .view-lines').first();
    await lines.filter({ hasText: '#depth' }).waitFor();
    await page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await workbench.screenshot('6b-inserted');
    await page.keyboard.press('Control+Z');
    await lines.filter({ hasNotText: '#depth' }).waitFor();
    await workbench.screenshot('6c-undone');
    await block.hover();
    await block.getByLabel('Copy Code').click();
    await page.locator('.tab', { hasText: 'notes.md' }).click();
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('Control+V');
    await lines.filter({ hasText: '#depth' }).waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+S');
  });

  it('explains a selection, and nothing else, from the editor’s context menu with one click, and can be stopped', {
    skip: isQuick,
  }, async () => {
    const { page } = workbench;
    await workbench.openFile(source);
    await page.keyboard.press('Control+Home');
    const menu = page.locator('.monaco-menu');
    const explain = menu.locator('.action-item', { hasText: 'Explain Selection' });
    await page
      .locator('.view-line')
      .first()
      .click({ button: 'right', position: { x: 20, y: 8 } });
    await menu.waitFor();
    assert.equal(await explain.count(), 0, 'nothing is selected');
    await page.keyboard.press('Escape');
    await workbench.runCommand('Ask Model: Choose Default Model…');
    await workbench.answerQuickInput('qwen3-8b-long');
    gateway.setDelayMs(30);
    await workbench.selectLines(1, 20);
    await page
      .locator('.view-line', { hasText: 'export class' })
      .first()
      .click({ button: 'right', position: { x: 60, y: 8 } });
    await explain.waitFor();
    await workbench.screenshot('7-context-menu');
    // A menu ignores clicks just after it has opened.
    await explain.hover();
    await explain.and(page.locator('.focused')).waitFor();
    await page.keyboard.press('Enter');
    questions++;
    const panel = await workbench.webview('Explain this code');
    await reply(panel).locator('.markdown', { hasText: /\w/ }).waitFor();
    await panel.getByRole('button', { name: 'Stop' }).click();
    await reply(panel).locator('.trouble', { hasText: 'Stopped after' }).waitFor();
    await reply(panel).locator('.trouble', { hasText: 'may still charge' }).waitFor();
    assert.match(await reply(panel).locator('.markdown').innerText(), /\w/);
    await gateway.settled();
    assert.equal(gateway.usageLog().at(-1)?.state, 'client_gone');
    gateway.setDelayMs(0);
    await workbench.screenshot('8-stopped');
  });

  it('shows an error at the reply, and sends again only on request', { skip: isQuick }, async () => {
    gateway.setFault('rate-limited@chat');
    const panel = await workbench.webview('Why is text held back?');
    await panel.locator('textarea').fill('And a functor?');
    await pressEnter(panel.locator('textarea'));
    questions++;
    await reply(panel).locator('.trouble', { hasText: 'Rate limit reached' }).waitFor();
    await workbench.screenshot('10-rate-limited');
    assert.equal(gateway.postCount(), questions);
    gateway.setFault(undefined);
    await reply(panel)
      .getByRole('button', { name: /^Send Again/ })
      .click();
    questions++;
    await reply(panel).locator('.trouble').waitFor({ state: 'hidden' });
    await finishedFacts(panel).waitFor();
    assert.equal(gateway.postCount(), questions);
    assert.equal(gateway.usageLog().at(-1)?.state, 'ok');
  });

  it('keeps the conversation when the panel is hidden and when the window is reloaded', { skip: isQuick }, async () => {
    const posts = gateway.postCount();
    const shown = async () => {
      const panel = await workbench.webview('Why is text held back?');
      // A short time-out, because VS Code may replace the frame once more after a reload. The next attempt gets it.
      await finishedFacts(panel).waitFor({ timeout: 3_000 });
      return panel.locator('.conversation').innerText();
    };
    // A long conversation is rendered over several frames, starting at its end.
    await until(async () => assert.match(await shown(), /…and \d+ more lines/));
    const before = await shown();
    assert.match(before, /Why is text held back\?[\s\S]*And if the tag never ends\?/);
    await (await workbench.webview('Explain this code')).locator('.reply').last().waitFor();
    await until(async () => assert.equal(await shown(), before));
    await (await workbench.webview('Why is text held back?')).locator('textarea').fill('Half a question');
    const tabs = () => workbench.page.locator('.tab').allTextContents();
    const tabsBefore = await tabs();
    await workbench.reload();
    await until(async () => assert.equal(await shown(), before));
    assert.deepEqual(await tabs(), tabsBefore);
    const box = (await workbench.webview('Why is text held back?')).locator('textarea');
    await until(async () => assert.equal(await box.inputValue(), 'Half a question'));
    await box.fill('');
    assert.equal(gateway.postCount(), posts);
  });

  it('makes one call for each question, and has the key only in the secret storage and the Authorization header', async () => {
    await gateway.settled();
    assert.equal(gateway.postCount(), questions);
    assert.equal(gateway.usageLog().length, questions);
    for (const { headers, body, path } of gateway.requests()) {
      const { authorization, ...others } = headers;
      assert.match(authorization ?? '', /^Bearer /);
      assert.ok(!`${JSON.stringify(others)} ${body} ${path}`.includes(key));
    }
    assert.equal(gateway.foreign.requests().length, 0);
    assert.ok(!JSON.stringify(gateway.usageLog()).includes(key));
    for (const frame of workbench.page.frames()) {
      assert.ok(!(await frame.content()).includes(key), 'the key is in no document');
    }
    await workbench.dispose();
    assert.deepEqual(filesWith(folder, key), []);
    assert.deepEqual(filesWith(profileDir, key), [], 'SecretStorage itself is encrypted');
    assert.notDeepEqual(filesWith(profileDir, gateway.baseUrl), [], 'filesWith finds the settings');
  });
});

import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Gateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import { projectRoot } from '../vscode/paths.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { connect, finishedFacts, questionBox } from './support/connectedWorkbench.ts';
import { filesWith } from './support/filesWith.ts';
import { openForSuite } from './support/openForSuite.ts';
import { pressEnter } from './support/pressEnter.ts';

/** Headers that HTTP/1.1 itself needs and the document does not name. */
const ofHttp = ['connection'];

describe('what goes along with a question, and what leaves', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let key: string;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const title = 'What is rounded here?';
  const panel = () => workbench.webview(title);
  const chips = (of: FrameLocator) => of.locator('.composer li.chip');
  const lastRequest = () => {
    const request = gateway.requests().findLast(({ method }) => method === 'POST');
    assert.ok(request);
    return request;
  };

  /** All of the document under a tab, as a person would copy it. */
  const documentText = async (name: string) => {
    const { page } = workbench;
    await page.locator('.tab.active', { hasText: name }).waitFor();
    const editor = page.locator(
      `.editor-instance[aria-label*="${name}"] .monaco-editor, .editor-instance .monaco-editor.focused`,
    );
    await editor.first().locator('.view-line').first().click();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Control+C');
    const text = await page.evaluate(() => navigator.clipboard.readText());
    await page.keyboard.press('Control+Home');
    return text;
  };

  /** What a document says, as a gateway would have seen it. */
  const read = (document: string) => {
    const lines = document.split('\n').filter((line) => line.startsWith('//'));
    const [, method, url] = lines.map((line) => /^\/\/ (POST) (\S+)$/.exec(line)).find(Boolean) ?? [];
    const headers = lines.flatMap((line) => {
      const [, name, value = ''] = /^\/\/ ([a-z-]+): (.*)$/.exec(line) ?? [];
      return name === undefined ? [] : [[name, value] as const];
    });
    const body = JSON.stringify(JSON.parse(document.replace(/^\/\/.*\n/gm, '')));
    return { method, url, headers: Object.fromEntries(headers), body };
  };

  const assertIsLastRequest = (document: string) => {
    assert.ok(!document.includes(key), 'the key is not in it');
    const { method, path, headers, body } = lastRequest();
    const kept = Object.entries(headers).filter(([name]) => !ofHttp.includes(name));
    assert.equal(headers.authorization, `Bearer ${key}`);
    assert.deepEqual(read(document), {
      method,
      url: `${new URL(gateway.baseUrl).origin}${path}`,
      headers: { ...Object.fromEntries(kept), authorization: 'Bearer [key]' },
      body,
    });
  };

  const addContext = async (view: FrameLocator, row: string | RegExp) => {
    await view.getByRole('button', { name: 'Add context' }).click();
    await workbench.quickPicks.first().waitFor();
    // Rows that are still being looked for move those below them.
    await workbench.page
      .locator('.quick-input-widget:visible .monaco-progress-container.active')
      .waitFor({ state: 'hidden' });
    await workbench.quickPicks.filter({ hasText: row }).first().click();
  };

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'person' }).value;
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(join(folder, 'broken.ts'), 'export function half(): number {\n  return "```\\nno number";\n}\n');
    workbench = await suite.workbench({
      folder,
      // What the editor has to offer is TypeScript's.
      heavyExtensions: ['typescript-language-features'],
    });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  it('connects and asks', async () => {
    const { page } = workbench;
    await connect(workbench, gateway.baseUrl, key);
    await workbench.notifications.filter({ hasText: /Connected: \d+ models/ }).waitFor();
    await workbench.openFile('src/cart/discount.ts');
    await workbench.runCommand('Ask Model: Ask Model');
    await workbench.pick('claude-sonnet-4-5');
    await questionBox(workbench).fill(title);
    await page.keyboard.press('Enter');
    await finishedFacts(await panel()).waitFor();
    assert.equal(gateway.postCount(), 1);
  });

  it('offers what the editor has, with the tokens of each, and adds each once', async () => {
    const { page } = workbench;
    await workbench.openFile('src/cart/cart.ts');
    await workbench.openFile('src/cart/discount.ts');
    await workbench.selectLines(29, 31);
    const view = await panel();
    await view.getByRole('button', { name: 'Add context' }).click();
    await workbench.quickPicks.filter({ hasText: 'Enclosing function “amountOf”' }).waitFor({ timeout: 60_000 });
    await workbench.screenshot('41-add-context');
    const rows = await workbench.quickPicks.evaluateAll((all) =>
      all.map((row) => row.getAttribute('aria-label') ?? ''),
    );
    for (const wanted of [
      /Selection, lines 29–31 · ≈ \d+ tokens/,
      /Enclosing function “amountOf”, lines 25–38 · ≈ \d+ tokens/,
      /File “discount\.ts”, lines 1–38 · ≈ \d+ tokens/,
      /Other open file…, 1/,
    ]) {
      assert.ok(
        rows.some((row) => wanted.test(row)),
        `${wanted} in ${rows.join('; ')}`,
      );
    }
    assert.equal(rows.length, 4, 'no problems, no row for them');
    await workbench.pick('Selection');
    await chips(view).filter({ hasText: '29–31' }).waitFor();
    await view.locator('textarea:focus').waitFor();
    await addContext(view, 'Enclosing function');
    await chips(view).filter({ hasText: 'amountOf' }).waitFor();
    await addContext(view, 'File “discount.ts”');
    await chips(view).nth(2).waitFor();
    await addContext(view, 'Other open file…');
    await workbench.pick('cart.ts');
    await chips(view).filter({ hasText: 'src/cart/cart.ts' }).waitFor();
    await addContext(view, /File “discount\.ts”.*goes along already/);
    await view.locator('textarea:focus').waitFor();
    await until(async () => assert.equal(await chips(view).count(), 4));
    assert.equal(gateway.postCount(), 1);
    await page.keyboard.type('Why are there several?');
    await workbench.screenshot('42-chips-light');
    await workbench.setTheme('dark');
    await panel();
    await workbench.screenshot('42-chips-dark');
    await workbench.setTheme('light');
  });

  it('adds the problems of a file as a list that can not speak', async () => {
    await workbench.openFile('broken.ts');
    await workbench.page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
    const view = await panel();
    await addContext(view, 'Problems in the file (1)');
    await chips(view).filter({ hasText: '1 problem' }).waitFor();
  });

  it('shows the exact request before it leaves, and the same one is what the gateway gets', async () => {
    const view = await panel();
    await view.locator('textarea').fill('Which of these “rounds”?');
    await view.getByRole('button', { name: 'Show Request' }).click();
    const document = await documentText('Next Request.jsonc');
    await workbench.screenshot('43-request-light');
    assert.equal(gateway.postCount(), 1, 'looking is free');
    const again = await panel();
    await pressEnter(again.locator('textarea'));
    await again.locator('.turn', { hasText: 'Which of these' }).locator('.facts', { hasText: / in ·/ }).waitFor();
    assert.equal(gateway.postCount(), 2);
    assertIsLastRequest(document);
    const { content } = JSON.parse(lastRequest().body).messages.at(-1);
    assert.deepEqual(content.match(/^(?:From|The|Problems) .*:$/gm), [
      'From `src/cart/discount.ts`, lines 29–31:',
      'The function `amountOf` in `src/cart/discount.ts`, lines 25–38:',
      'The whole file `src/cart/discount.ts`:',
      'The whole file `src/cart/cart.ts`:',
      'Problems that the editor reports in `broken.ts`, line 2:',
    ]);
    assert.match(
      content,
      /```text\nline 2, error: Type 'string' is not assignable to type 'number'\. \(ts 2322\)\n```$/,
    );
  });

  it('shows what an answer was asked with, and offers the command where a conversation is in front', async () => {
    const turn = (await panel()).locator('.turn', { hasText: 'Which of these' });
    await turn.hover();
    await turn.getByRole('button', { name: 'Show what was sent for this answer' }).click();
    assertIsLastRequest(await documentText('Sent Request.jsonc'));
    await workbench.setTheme('dark');
    await workbench.screenshot('43-request-dark');
    await workbench.setTheme('light');
    const view = await panel();
    await view.locator('textarea').fill('And then?');
    await workbench.runCommand('Ask Model: Show Request');
    assert.match(await documentText('Next Request.jsonc'), /"content": "And then\?"/);
    assert.equal(gateway.postCount(), 2);
  });

  it('counts down what the gateway asks to wait, also through a hidden panel, and sends only when told to', async () => {
    const { page } = workbench;
    // All that takes time comes before the wait, which runs by the clock.
    await workbench.openFile('README.md');
    await workbench.runCommand('View: Move Editor into Next Group');
    await page.locator('.tab.active[data-resource-name="README.md"]').waitFor();
    gateway.setFault('rate-limited:14@chat');
    let view = await panel();
    await pressEnter(view.locator('textarea'));
    const card = () => view.locator('.trouble', { hasText: 'Too many requests for now' });
    await card()
      .locator('.wait', { hasText: /^Can be sent again in \d+ s$/ })
      .waitFor();
    await workbench.screenshot('44-rate-limit-light');
    const left = async () => Number(/\d+/.exec((await card().locator('.wait').textContent()) ?? '')?.[0]);
    const before = await left();
    assert.ok(before <= 14);
    await page.locator('.tab[data-resource-name="README.md"]').click();
    await page.locator('.tab.active[data-resource-name="README.md"]').waitFor();
    // Time is what is tested: nothing of a hidden panel tells how far its countdown is.
    await page.waitForTimeout(2_000);
    view = await panel();
    await card().locator('.wait').waitFor();
    assert.ok((await left()) <= before - 2, 'time went on while it was hidden');
    assert.equal(gateway.postCount(), 3);
    await card().locator('.wait', { hasText: 'The wait is over' }).waitFor({ timeout: 20_000 });
    await card().locator('button.primary', { hasText: 'Send again' }).waitFor();
    await workbench.screenshot('44-rate-limit-over');
    assert.equal(gateway.postCount(), 3, 'nothing is sent by itself');
    gateway.setFault(undefined);
    await card()
      .getByRole('button', { name: /^Send again/ })
      .click();
    await card().waitFor({ state: 'detached' });
    await finishedFacts(view).waitFor();
    assert.equal(gateway.postCount(), 4);
  });

  it('keeps what was added through a reload, and forgets a shown request', async () => {
    await workbench.openFile('src/cart/discount.ts');
    await addContext(await panel(), 'File “discount.ts”');
    await chips(await panel())
      .filter({ hasText: 'src/cart/discount.ts' })
      .waitFor();
    await (await panel()).locator('textarea').fill('Still there?');
    await (await panel()).getByRole('button', { name: 'Show Request' }).click();
    await workbench.page.locator('.tab', { hasText: 'Next Request.jsonc' }).waitFor();
    const { profileDir } = workbench.server;
    await until(async () => assert.ok(filesWith(profileDir, 'Still there?').some((path) => path.endsWith('.jsonl'))));
    await workbench.reload();
    const view = await panel();
    await chips(view).filter({ hasText: 'src/cart/discount.ts' }).waitFor();
    await until(async () => assert.equal(await view.locator('textarea').inputValue(), 'Still there?'));
    await until(async () => assert.equal(await workbench.page.locator('.tab', { hasText: 'Next Request' }).count(), 0));
    assert.equal(gateway.postCount(), 4);
  });
});

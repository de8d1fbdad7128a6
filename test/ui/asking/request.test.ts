import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import type { Gateway } from '../../gateway/gateway.ts';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { connect, finishedFacts, questionPanel, typeQuestion } from '../support/connectedWorkbench.ts';
import { filesWith } from '../support/filesWith.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

/** Headers that HTTP/1.1 itself needs and the document doesn't contain. */
const ofHttp = ['connection'];

const hasGit = spawnSync('git', ['--version']).status === 0;

describe('the context and the request of a question', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let gateway: Gateway;
  let key: string;
  let workbench: Workbench;
  const folder = suite.folder('workspace');
  const title = 'What is rounded here?';
  const panel = () => workbench.webview(title);
  const chips = (of: FrameLocator) => of.locator('.composer li.chip');
  const git = (...args: string[]) => spawnSync('git', args, { cwd: folder });
  const lastRequest = () => {
    const request = gateway.requests().findLast(({ method }) => method === 'POST');
    assert.ok(request);
    return request;
  };

  /** Copies the whole document of a tab, as a person would. */
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

  /** Parses a document into the request that a gateway would receive. */
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
    const others = Object.entries(headers).filter(([name]) => !ofHttp.includes(name));
    assert.equal(headers.authorization, `Bearer ${key}`);
    assert.deepEqual(read(document), {
      method,
      url: `${new URL(gateway.baseUrl).origin}${path}`,
      headers: { ...Object.fromEntries(others), authorization: 'Bearer [key]' },
      body,
    });
  };

  const addContext = async (view: FrameLocator, row: string | RegExp) => {
    await view.getByRole('button', { name: 'Add Context…' }).click();
    await workbench.quickPicks.first().waitFor();
    // Rows that are added later would move those below them.
    await workbench.page
      .locator('.quick-input-widget:visible .monaco-progress-container.active')
      .waitFor({ state: 'hidden' });
    await workbench.quickPicks.filter({ hasText: row }).first().click();
    await workbench.page.keyboard.press('Enter');
  };

  before(async () => {
    gateway = await suite.gateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'person' }).value;
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(join(folder, 'broken.ts'), 'export function half(): number {\n  return "```\\nno number";\n}\n');
    writeFileSync(join(folder, '.gitignore'), 'secret.txt\n');
    writeFileSync(join(folder, 'secret.txt'), 'not listed\n');
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'All');
    workbench = await suite.workbench({
      folder,
      // The symbols and problems of the editor come from TypeScript.
      heavyExtensions: ['typescript-language-features'],
    });
    await workbench.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  });

  it('connects and asks', async () => {
    await connect(workbench, gateway.baseUrl, key);
    await workbench.notifications.filter({ hasText: /Connected: \d+ models/ }).waitFor();
    await workbench.openFile('src/cart/discount.ts');
    await workbench.runCommand('Ask Model');
    await workbench.pick('claude-sonnet-4-5');
    await typeQuestion(await questionPanel(workbench), title);
    await finishedFacts(await panel()).waitFor();
    assert.equal(gateway.postCount(), 1);
  });

  it('offers the context of the editor with token counts, and adds each item once', async () => {
    const { page } = workbench;
    await workbench.openFile('src/cart/cart.ts');
    await workbench.openFile('src/cart/discount.ts');
    await workbench.selectLines(29, 31);
    const view = await panel();
    // The language server may still be starting.
    await until(async () => {
      await page.keyboard.press('Escape');
      await view.getByRole('button', { name: 'Add Context…' }).click();
      await workbench.quickPicks.filter({ hasText: 'Enclosing Symbol "amountOf"' }).waitFor({ timeout: 3_000 });
    }, 60_000);
    await workbench.quickPicks.filter({ hasText: /README\.md.*≈/ }).waitFor();
    await workbench.screenshot('41-add-context');
    const rows = await workbench.quickPicks.evaluateAll((all) =>
      all.map((row) => row.getAttribute('aria-label') ?? ''),
    );
    for (const wanted of [
      /Selection, src\/cart\/discount\.ts · lines 29–31 · ≈ \d+ tokens/,
      /Enclosing Symbol "amountOf", function · src\/cart\/discount\.ts · ≈ \d+ tokens/,
      /discount\.ts, src\/cart · ≈ \d+ tokens/,
      /cart\.ts, src\/cart · ≈ \d+ tokens/,
    ]) {
      assert.ok(
        rows.some((row) => wanted.test(row)),
        `${wanted} in ${rows.join('; ')}`,
      );
    }
    assert.ok(!rows.some((row) => row.includes('Problems')), 'without problems there is no row for them');
    await workbench.pick('Selection');
    await page.keyboard.press('Enter');
    await chips(view).filter({ hasText: '29–31' }).waitFor();
    await view.locator('textarea:focus').waitFor();
    await addContext(view, 'Enclosing Symbol');
    await chips(view).filter({ hasText: 'amountOf' }).waitFor();
    await addContext(view, /^discount\.ts/);
    await chips(view).nth(2).waitFor();
    await addContext(view, /^cart\.ts/);
    await chips(view).filter({ hasText: 'src/cart/cart.ts' }).waitFor();
    await addContext(view, /^discount\.ts.*already included/);
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

  it('adds the problems of a file as context', async () => {
    await workbench.openFile('broken.ts');
    await workbench.page.locator('.squiggly-error').first().waitFor({ timeout: 60_000 });
    const view = await panel();
    await addContext(view, 'Problems in File (1)');
    await chips(view).filter({ hasText: '1 problem' }).waitFor();
  });

  it('shows the exact request before it is sent, and the gateway receives the same', async () => {
    const view = await panel();
    await view.locator('textarea').fill('Which of these “rounds”?');
    await view.getByRole('button', { name: 'Show Request' }).click();
    const document = await documentText('Next Request.jsonc');
    await workbench.screenshot('43-request-light');
    assert.equal(gateway.postCount(), 1, 'showing the request makes no call');
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

  it('shows the request of an answer, and shows the next request by command while a conversation is active', async () => {
    const turn = (await panel()).locator('.turn', { hasText: 'Which of these' });
    await turn.hover();
    await turn.getByRole('button', { name: 'Show Sent Request' }).click();
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

  it('counts down the wait that the gateway requests, even in a hidden panel, and sends only on request', async () => {
    const { page } = workbench;
    // Do everything slow before the wait starts, because it runs in real time.
    await workbench.openFile('README.md');
    await workbench.runCommand('View: Move Editor into Next Group');
    await page.locator('.tab.active[data-resource-name="README.md"]').waitFor();
    gateway.setFault('rate-limited:14@chat');
    let view = await panel();
    await pressEnter(view.locator('textarea'));
    const card = () => view.locator('.trouble', { hasText: 'Rate limit reached' });
    await card()
      .locator('.wait', { hasText: /^You can send again in \d+ s\.$/ })
      .waitFor();
    await workbench.screenshot('44-rate-limit-light');
    const left = async () => Number(/\d+/.exec((await card().locator('.wait').textContent()) ?? '')?.[0]);
    const before = await left();
    assert.ok(before <= 14);
    await page.locator('.tab[data-resource-name="README.md"]').click();
    await page.locator('.tab.active[data-resource-name="README.md"]').waitFor();
    // Wait in real time, because a hidden panel has nothing that shows its countdown.
    await page.waitForTimeout(2_000);
    view = await panel();
    await card().locator('.wait').waitFor();
    assert.ok((await left()) <= before - 2, 'the countdown continued while it was hidden');
    assert.equal(gateway.postCount(), 3);
    await card().locator('.wait', { hasText: 'You can send again now.' }).waitFor({ timeout: 20_000 });
    await card().locator('button.primary', { hasText: 'Send Again' }).waitFor();
    await workbench.screenshot('44-rate-limit-over');
    assert.equal(gateway.postCount(), 3, 'nothing is sent automatically');
    gateway.setFault(undefined);
    await card()
      .getByRole('button', { name: /^Send Again/ })
      .click();
    await card().waitFor({ state: 'detached' });
    await finishedFacts(view).waitFor();
    assert.equal(gateway.postCount(), 4);
  });

  it('keeps added context after a reload, and closes a shown request', async () => {
    await workbench.openFile('src/cart/discount.ts');
    await addContext(await panel(), /^discount\.ts/);
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

  it('includes a file, a symbol and the selection by the names typed after #', async () => {
    const { page } = workbench;
    writeFileSync(join(folder, 'broken.ts'), 'export function half(): string {\n  return "```";\n}\n');
    writeFileSync(join(folder, 'picture.png'), Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2]));
    await workbench.openFile('src/cart/discount.ts');
    await workbench.selectLines(29, 31);
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    const rows = view.getByRole('listbox', { name: 'Add Context' }).getByRole('option');
    const first = rows.first();
    await box.press('#');
    await rows.filter({ hasText: 'cart.ts' }).first().waitFor();
    await workbench.screenshot('44-by-name-light');
    await first.filter({ hasText: 'Selection' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: '29–31' }).waitFor();
    await box.pressSequentially('How does #amountO');
    await first.filter({ hasText: 'amountOf' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: 'amountOf' }).waitFor();
    if (hasGit) {
      await box.pressSequentially('in #uncom');
      // VS Code notices changes in its own time.
      await until(async () => {
        await box.press('Backspace');
        await box.press('m');
        await first.filter({ hasText: 'Uncommitted Changes' }).filter({ hasText: '2 files' }).waitFor({ timeout: 500 });
      }, 60_000);
      await box.press('Tab');
      await chips(view).filter({ hasText: 'Uncommitted changes' }).waitFor();
    }
    await box.pressSequentially('round, and who calls @cartc');
    await first.filter({ hasText: 'cart.ts' }).filter({ hasText: 'src/cart' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: 'src/cart/cart.ts' }).waitFor();
    assert.equal(
      await box.inputValue(),
      hasGit ? 'How does in round, and who calls ' : 'How does round, and who calls ',
    );
    await chips(view).filter({ hasText: 'amountOf' }).getByRole('button', { name: /tok$/ }).click();
    await page.locator('#status\\.editor\\.selection', { hasText: 'Ln 38, Col 2' }).waitFor();
    await page.locator('.tab', { hasText: 'New Conversation' }).click();
    await box.pressSequentially('#picture');
    await first.filter({ hasText: 'picture.png' }).waitFor();
    await box.press('Tab');
    await view
      .getByRole('alert')
      .filter({ hasText: "picture.png can't be included because it isn't a text file." })
      .waitFor();
    const before = await chips(view).count();
    await box.pressSequentially('#cartc');
    await first.filter({ hasText: /^cart\.ts.*src\/cart · ≈ \d+ tokens · already included$/s }).waitFor();
    await box.press('Tab');
    await view.getByRole('alert').filter({ hasText: 'cart.ts is already included.' }).waitFor();
    assert.equal(await chips(view).count(), before);
    await workbench.screenshot('44-already-included-light');
    await box.pressSequentially('#cart/');
    await first
      .filter({ hasText: 'cart/' })
      .filter({ hasText: /src · \d files · ≈ [\d,]+ tokens/ })
      .waitFor();
    await workbench.screenshot('44-folder-light');
    await box.press('Tab');
    await chips(view)
      .filter({ hasText: /src\/cart\/ ?\d files · [\d,]+ tok/ })
      .waitFor();
    await box.pressSequentially('#withArt');
    await rows.filter({ hasText: 'Symbols in Workspace…' }).click();
    await first.filter({ hasText: /^withArticle.*function · src\/cart\/cart\.ts · line \d+$/ }).waitFor();
    await workbench.screenshot('44-workspace-symbols-light');
    await box.press('Tab');
    await chips(view)
      .filter({ hasText: /^ ?withArticle/ })
      .waitFor();
    await box.pressSequentially('#secret.tx');
    await until(async () => assert.deepEqual(await rows.locator('.label').allInnerTexts(), ['Symbols in Workspace…']));
    await box.pressSequentially('t');
    await first.filter({ hasText: 'excluded by .gitignore or by settings' }).waitFor();
    await box.press('Backspace');
    for (const theme of ['highContrast', 'dark'] as const) {
      await workbench.setTheme(theme);
      await page.locator('.tab', { hasText: 'New Conversation' }).click();
      await box.fill('');
      await box.fill('it? #ca');
      await rows.filter({ hasText: 'cart.ts' }).first().waitFor();
      await workbench.screenshot(`44-by-name-${theme}`);
    }
    await workbench.setTheme('light');
    await page.locator('.tab', { hasText: 'New Conversation' }).click();
    await box.fill('How does it round?');
    const posts = gateway.postCount();
    await pressEnter(box);
    await finishedFacts(view).waitFor();
    assert.equal(gateway.postCount(), posts + 1);
    const { content } = JSON.parse(lastRequest().body).messages.at(-1);
    assert.deepEqual(content.match(/^(?:From|The|Problems) .*:$/gm), [
      'From `src/cart/discount.ts`, lines 29–31:',
      'The function `amountOf` in `src/cart/discount.ts`, lines 25–38:',
      ...(hasGit ? [`The uncommitted changes in \`${basename(folder)}\`:`] : []),
      'The whole file `src/cart/cart.ts`:',
      'The files of the folder `src/cart`, each after a line with its path:',
      content.match(/^The function `withArticle` .*:$/m)?.[0],
    ]);
    if (hasGit) {
      assert.match(content, /^\+export function half\(\): string/m);
      assert.match(content, /^Untracked file: picture\.png$/m);
    }
    await workbench.runCommand('View: Close Editor');
  });
});

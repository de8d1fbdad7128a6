import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openOffline } from '../start/openVSCode.ts';
import { launchBrowser } from '../vscode/browser.ts';
import { projectRoot } from '../vscode/paths.ts';
import { whenReady } from '../vscode/whenReady.ts';
import { Workbench } from '../vscode/workbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('the offline VS Code of npm start', { timeout: 180_000 }, () => {
  const suite = openForSuite();

  it('is connected to the local gateway, and shows prices, a balance and the cost of the first answer', async () => {
    const gateway = await suite.gateway({ delayMs: 0 });
    const workspace = suite.folder('workspace');
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), workspace, { recursive: true });
    const opened = await openOffline({
      home: suite.folder('home'),
      workspace,
      extensions: [projectRoot, join(projectRoot, 'test', 'start', 'companion')],
      env: {
        ASK_MODEL_START_GATEWAY: gateway.consoleUrl,
        ASK_MODEL_START_BASE_URL: gateway.baseUrl,
        ASK_MODEL_START_GATEWAY_ID: 'test',
      },
    });
    suite.ends(() => opened.close());
    const context = await launchBrowser(suite.folder('browser'));
    suite.ends(() => context.close());
    const page = context.pages()[0] ?? (await context.newPage());
    const workbench = new Workbench({ page, server: opened.server, release: async () => undefined });
    await page.goto(opened.server.url, { timeout: 60_000 });
    await whenReady(page);
    await workbench.treeRows.filter({ hasText: /claude-haiku-4-5.*\$/ }).waitFor({ timeout: 60_000 });
    await page.locator('.tab.active', { hasText: 'discount.ts' }).waitFor();
    await page.locator('.monaco-editor .view-line').first().click();
    await workbench.selectLines(1, 3);
    await workbench.runCommand('Explain Selection with Ask Model');
    await workbench.pickTyped('gpt-5-mini');
    const panel = await workbench.webview('Explain this code');
    const cost = panel.locator('.reply .facts', { hasText: /\$0\.0*[1-9]/ });
    await cost.waitFor();
    await panel.locator('textarea').fill('And the tests?');
    await panel.locator('.composer', { hasText: '$5.00 left' }).waitFor();
    await workbench.screenshot('1-start');
    assert.equal(gateway.postCount(), 1);
  });
});

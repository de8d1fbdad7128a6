import assert from 'node:assert/strict';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { projectRoot } from '../../vscode/paths.ts';
import type { Workbench } from '../../vscode/workbench.ts';
import { openForSuite } from '../support/openForSuite.ts';

const longName = 'aVeryLongNameOfAFileThatDoesNotFitIntoAnyNarrowListAtAll.controller.integration.test.ts';

describe('the lists and chips of context in a narrow panel, in Chinese', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  let workbench: Workbench;
  let view: FrameLocator;

  /** Elements of the panel whose content reaches beyond the panel or is cut without an ellipsis. */
  const overflowing = () =>
    view.locator('body').evaluate((body) =>
      [...body.querySelectorAll<HTMLElement>('.composer *:not(bdi), [role=listbox], [role=listbox] *')].flatMap(
        (each) => {
          const { left, right, width } = each.getBoundingClientRect();
          const style = getComputedStyle(each);
          const isCut =
            each.scrollWidth > each.clientWidth + 1 &&
            each.clientWidth > 0 &&
            style.overflowX !== 'visible' &&
            style.textOverflow !== 'ellipsis' &&
            each.tagName !== 'TEXTAREA';
          return width > 0 && (left < -1 || right > innerWidth + 1 || isCut)
            ? [`${each.className || each.tagName}: ${each.textContent?.slice(0, 40)}`]
            : [];
        },
      ),
    );

  before(async () => {
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    mkdirSync(join(folder, 'packages/frontend/application/components/deep'), { recursive: true });
    writeFileSync(join(folder, 'packages/frontend/application/components/deep', longName), 'export const a = 1;\n');
    writeFileSync(join(folder, '.gitignore'), '*.local\n');
    writeFileSync(join(folder, 'keys.local'), 'A=1\n');
    writeFileSync(join(folder, 'deploy.env'), 'PORT=80\nDB_PASSWORD=Tr0ubKybfPf6%38\n');
    const gateway = await suite.gateway({ delayMs: 0 });
    workbench = await suite.workbench({
      folder,
      language: 'zh-cn',
      viewport: { width: 1000, height: 760 },
      settings: {
        'askModel.connections': [{ id: 'one', name: 'one', baseUrl: gateway.baseUrl }],
        'askModel.prompts': {
          'long-name': { prompt: 'x', description: 'A description that is far too long for a narrow panel' },
        },
      },
    });
    await workbench.openFile('src/cart/cart.ts');
    await workbench.selectLines(2, 6);
    await workbench.runCommand('Ask Model: 新建对话');
    view = await workbench.webview();
    await view.locator('textarea').waitFor();
  });

  it('shows nothing cut or outside of the panel at 320 pixels', async () => {
    const { page } = workbench;
    const box = view.locator('textarea');
    const width = () => view.locator('body').evaluate(() => innerWidth);
    // The sash between the editor groups.
    for (let attempt = 0; attempt < 4 && Math.abs((await width()) - 320) > 2; attempt++) {
      const frame = await page.locator('.editor-group-container').last().boundingBox();
      assert.ok(frame);
      await page.mouse.move(frame.x, frame.y + 300);
      await page.mouse.down();
      await page.mouse.move(frame.x + (await width()) - 320, frame.y + 300, { steps: 5 });
      await page.mouse.up();
    }
    for (const theme of ['highContrast', 'highContrastLight', 'dark', 'light'] as const) {
      await workbench.setTheme(theme);
      await page
        .locator('.tab', { hasText: '新对话' })
        .or(page.locator('.tab', { hasText: '新建对话' }))
        .first()
        .click();
      await box.fill('');
      await box.pressSequentially('#');
      await view.getByRole('option').filter({ hasText: 'cart.ts' }).first().waitFor();
      await workbench.screenshot(`48-context-${theme}`);
      assert.deepEqual(await overflowing(), []);
      await box.fill('');
      await box.pressSequentially('/');
      await view.getByRole('option').filter({ hasText: '/long-name' }).waitFor();
      await box.press('ArrowDown');
      await workbench.screenshot(`48-prompts-${theme}`);
      assert.deepEqual(await overflowing(), []);
      await box.fill('');
      if (theme === 'highContrast') {
        for (const name of [longName, 'keys.local']) {
          await box.pressSequentially(`#${name}`);
          await view.getByRole('option').filter({ hasText: name }).first().waitFor();
          await box.press('Tab');
          await view.locator('li.chip').filter({ hasText: name }).waitFor();
        }
        await view.getByRole('alert').filter({ hasText: 'keys.local' }).waitFor();
      }
      await workbench.screenshot(`48-chips-${theme}`);
      assert.deepEqual(await overflowing(), []);
      await view.locator('.chip.add').click();
      await workbench.quickPicks.first().waitFor();
      await workbench.screenshot(`48-add-context-${theme}`);
      await page.keyboard.press('Escape');
    }
    await box.pressSequentially('#deploy.env');
    await view.getByRole('option').filter({ hasText: 'deploy.env' }).first().waitFor();
    await box.press('Tab');
    await view.locator('li.chip.warned').waitFor();
    await box.fill('为什么上传失败？');
    for (const theme of ['highContrast', 'highContrastLight', 'dark', 'light'] as const) {
      await workbench.setTheme(theme);
      await workbench.screenshot(`48-secret-narrow-${theme}`);
      assert.deepEqual(await overflowing(), []);
    }
    assert.ok(Math.abs((await width()) - 320) <= 20, `${await width()} pixels`);
  });
});

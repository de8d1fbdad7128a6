import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../until.ts';
import { projectRoot } from '../vscode/paths.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { askInPanel, chooseModel, connect, finishedFacts } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

describe('applying what an answer proposes', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let workbench: Workbench;
  let answer = '';
  const folder = suite.folder('workspace');
  const gateway = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    const message = { role: 'assistant', content: answer };
    const completion = { model: 'm-1', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    request.resume().on('end', () => {
      response.end(
        JSON.stringify(
          request.method === 'POST' ? completion : { object: 'list', data: [{ id: 'm-1', object: 'model' }] },
        ),
      );
    });
  });
  const ask = async (question: string, content: string): Promise<FrameLocator> => {
    answer = content;
    const panel = await askInPanel(workbench, question);
    await finishedFacts(panel).waitFor();
    return panel;
  };
  const apply = async (panel: FrameLocator) => {
    const block = panel.locator('.codeBlock').last();
    await block.scrollIntoViewIfNeeded();
    await block.hover();
    await block.getByLabel('Apply…').click();
  };
  const accept = async () => {
    await workbench.page.locator('.editor-actions .action-label[aria-label^="Accept Change"]').first().click();
    await workbench.page.locator('.tab', { hasText: 'Proposed by' }).waitFor({ state: 'detached' });
  };

  before(async () => {
    copyFileSync(join(projectRoot, 'test/fixtures/reports/notebook.json'), join(folder, 'shapes.ipynb'));
    mkdirSync(join(folder, 'src/cart'), { recursive: true });
    writeFileSync(join(folder, 'src/area.ts'), 'export function area(r: number) {\n  return 3.14 * r * r;\n}\n');
    writeFileSync(join(folder, 'src/cart/tax.ts'), 'export function tax(price: number) {\n  return price * 0.2;\n}\n');
    await new Promise<void>((listening) => gateway.listen(0, '127.0.0.1', listening));
    suite.ends(() => gateway.close());
    workbench = await suite.workbench({ folder, settings: { 'files.autoSave': 'off' } });
    await connect(workbench, `http://127.0.0.1:${(gateway.address() as AddressInfo).port}/v1`, 'sk-test-1234567890');
    await chooseModel(workbench, 'm-1');
  });

  it('changes the cell of a notebook and leaves its JSON whole (RooCode#4956, aelix-ai#45)', async () => {
    const { page } = workbench;
    await page.keyboard.press('ControlOrMeta+P');
    await workbench.quickInput.fill('shapes.ipynb');
    await workbench.quickPicks.filter({ hasText: 'shapes.ipynb' }).first().click();
    await page.locator('.notebookOverlay .monaco-list-row .view-line', { hasText: 'def area' }).click();
    await page.keyboard.press('ControlOrMeta+A');
    const panel = await ask(
      'Make it positive',
      '```python\ndef area(w, h):\n    return abs(w * h)\nprint(area(2, 3))\n```',
    );
    await panel.locator('.turn li.chip', { hasText: 'cell 1 · 1–3' }).waitFor();
    await apply(panel);
    await page.locator('.tab', { hasText: 'shapes.ipynb (Proposed by' }).waitFor();
    await workbench.screenshot('71-notebook-diff');
    await accept();
    await page.locator('.notebookOverlay .monaco-list-row .view-line', { hasText: 'return abs' }).waitFor();
    await workbench.screenshot('71-notebook-accepted');
    await page.keyboard.press('ControlOrMeta+S');
    await until(() =>
      assert.match(JSON.parse(readFileSync(join(folder, 'shapes.ipynb'), 'utf8')).cells[0].source[1], /abs/),
    );
  });

  it('changes the file that the answer names, and creates a new one only when it is accepted', async () => {
    const { page } = workbench;
    await workbench.openFile('src/area.ts');
    await workbench.selectLines(1, 3);
    const panel = await ask(
      'Lower the tax',
      'Like this:\n\n```ts\n// src/cart/tax.ts\nexport function tax(price: number) {\n  return price * 0.19;\n}\n```',
    );
    await apply(panel);
    await page.locator('.tab', { hasText: 'tax.ts (Proposed by' }).waitFor();
    await workbench.screenshot('72-named-file');
    await accept();
    await page.locator('.tab.active.dirty[data-resource-name="tax.ts"]').waitFor();
    await page.keyboard.press('ControlOrMeta+S');
    await until(() => assert.match(readFileSync(join(folder, 'src/cart/tax.ts'), 'utf8'), /0\.19/));
    const next = await ask(
      'Add rates',
      'Create `src/cart/rates.ts`:\n\n```ts\nexport const rates = [0.07, 0.19];\n```',
    );
    await apply(next);
    await page.locator('.tab', { hasText: 'src/cart/rates.ts (New File Proposed by' }).waitFor();
    await workbench.screenshot('72-new-file');
    assert.equal(existsSync(join(folder, 'src/cart/rates.ts')), false);
    await accept();
    await page.locator('.tab.active[data-resource-name="rates.ts"]').waitFor();
    assert.equal(readFileSync(join(folder, 'src/cart/rates.ts'), 'utf8'), 'export const rates = [0.07, 0.19];\n');
    const last = await ask(
      'And discounts?',
      '```ts src/cart/tax.ts\nexport function tax(price: number) {\n  // ... existing code ...\n}\n```',
    );
    await apply(last);
    await workbench.notifications.filter({ hasText: 'This code leaves out parts of tax.ts' }).waitFor();
    await workbench.screenshot('72-left-out');
  });
});

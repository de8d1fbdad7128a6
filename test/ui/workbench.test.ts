import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { makeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';

describe('the workbench a person sits at', { timeout: 120_000 }, () => {
  let workbench: Workbench;

  before(async () => {
    const folder = makeTemporary('workspace');
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'greet.ts'), 'export function greet(name: string) {\n  return name.trim();\n}\n');
    workbench = await openWorkbench({ folder });
  });

  after(() => workbench?.dispose());

  it('opens a file and selects lines with the keyboard', async () => {
    await workbench.openFile('src/greet.ts');
    await workbench.selectLines(1, 2);
    assert.equal(
      await workbench.page.locator('#status\\.editor\\.selection').textContent(),
      'Ln 2, Col 22 (59 selected)',
    );
  });

  for (const theme of ['light', 'dark', 'highContrast', 'highContrastLight'] as const) {
    it(`is to be seen in the theme ${theme}`, async () => {
      if (theme !== 'light') {
        await workbench.setTheme(theme);
      }
      await workbench.screenshot(`workbench-${theme}`);
    });
  }

  it('comes back after a reload with the file still open', async () => {
    await workbench.reload();
    await workbench.page.locator('.tab.active[data-resource-name="greet.ts"]').waitFor();
  });
});

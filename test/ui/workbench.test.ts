import assert from 'node:assert/strict';
import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { projectRoot } from '../vscode/paths.ts';
import { makeTemporary } from '../vscode/temporary.ts';
import { openWorkbench, type Workbench } from '../vscode/workbench.ts';

describe('the workbench of the UI tests', { timeout: 120_000 }, () => {
  let workbench: Workbench;

  before(async () => {
    const folder = makeTemporary('workspace');
    mkdirSync(join(folder, 'src'));
    writeFileSync(join(folder, 'src', 'greet.ts'), 'export function greet(name: string) {\n  return name.trim();\n}\n');
    workbench = await openWorkbench({ folder, extensionDevelopmentPaths: [projectRoot] });
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
    it(`renders in the theme ${theme}`, async () => {
      if (theme !== 'light') {
        await workbench.setTheme(theme);
      }
      await workbench.screenshot(`workbench-${theme}`);
    });
  }

  it('restores the open file after a reload', async () => {
    await workbench.reload();
    await workbench.page.locator('.tab.active[data-resource-name="greet.ts"]').waitFor();
  });

  it('protects its secrets from other users and from other web sites', {
    skip: process.platform === 'win32',
  }, async () => {
    const { profileDir, url } = workbench.server;
    assert.equal(statSync(join(profileDir, 'mint-key')).mode & 0o777, 0o600);
    for (const name of ['origin', 'host']) {
      const elsewhere = name === 'origin' ? 'http://elsewhere.example' : 'elsewhere.example';
      assert.equal(await statusOf(new URL('mint-key', url), { [name]: elsewhere }), 403);
    }
  });
});

function statusOf(url: URL, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { method: 'POST', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on('error', reject)
      .end();
  });
}

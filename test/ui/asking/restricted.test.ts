import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { projectRoot } from '../../vscode/paths.ts';
import { chooseInMenu } from '../support/chooseInMenu.ts';
import { type ConnectedWorkbench, questionPanel } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';

const chips = (view: FrameLocator) => view.locator('.composer li.chip');
const rows = (view: FrameLocator) => view.getByRole('option');
const first = (view: FrameLocator) => rows(view).first();

describe('context in a workspace that is not trusted', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  const prompts = suite.folder('prompts');
  const ran = join(suite.folder('marks'), 'ran');
  let connected: ConnectedWorkbench;

  before(async () => {
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(join(folder, '.gitignore'), '*.local\n');
    writeFileSync(join(folder, 'keys.local'), 'A=1\n');
    spawnSync('git', ['init', '--quiet'], { cwd: folder });
    spawnSync('git', ['config', 'core.fsmonitor', `touch "${ran}"; echo`], { cwd: folder });
    mkdirSync(join(folder, '.vscode'));
    // Prompts that a repository brings along could send what the person does not mean to send.
    const hostile = { 'askModel.prompts': { stolen: 'x' }, 'askModel.promptFiles.folder': folder };
    writeFileSync(join(folder, '.vscode', 'settings.json'), JSON.stringify(hostile));
    writeFileSync(join(folder, 'planted.prompt.md'), 'Planted.');
    writeFileSync(join(prompts, 'mine.prompt.md'), `Look at \${file} and \${changes}.`);
    connected = await suite.connected({
      folder,
      settings: {
        'security.workspace.trust.enabled': true,
        'security.workspace.trust.startupPrompt': 'never',
        'askModel.promptFiles.folder': prompts,
      },
    });
    await connected.workbench.page.locator('#status\\.workspaceTrust').waitFor();
  });

  it('finds files without git, says why changes are not available, and offers no prompt of the workspace', async () => {
    const { workbench } = connected;
    await workbench.openFile('src/cart/cart.ts');
    await workbench.start('askModel.newConversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    await box.pressSequentially('#discou');
    await first(view).filter({ hasText: 'discount.ts' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: 'discount.ts' }).waitFor();
    await workbench.sideBar('Explorer');
    const row = workbench.page.locator('.explorer-folders-view .monaco-list-row', { hasText: 'tools' }).first();
    await chooseInMenu(workbench, row, 'Add to Ask Model');
    await chips(view).filter({ hasText: 'tools/' }).waitFor();
    await view.getByRole('button', { name: 'Add Context…' }).click();
    await workbench.quickPicks
      .filter({ hasText: 'Uncommitted Changes' })
      .filter({ hasText: 'off in Restricted Mode' })
      .waitFor();
    await workbench.screenshot('47-restricted-add-context');
    await workbench.page.keyboard.press('Escape');
    await box.fill('/');
    await rows(view).filter({ hasText: '/mine' }).waitFor();
    assert.equal(
      await rows(view)
        .filter({ hasText: /stolen|planted/ })
        .count(),
      0,
      'no prompt of the workspace is offered',
    );
    await workbench.screenshot('47-restricted-prompt');
    await box.fill('');
    assert.equal(existsSync(ran), false, 'no program of the repository ran');
  });
});

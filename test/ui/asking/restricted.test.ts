import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { chooseInMenu } from '../support/chooseInMenu.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { editSettings } from '../support/editSettings.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

const chips = (view: FrameLocator) => view.locator('.composer li.chip');
const rows = (view: FrameLocator) => view.getByRole('option');
const first = (view: FrameLocator) => rows(view).first();
const alert = (view: FrameLocator, text: string) => view.getByRole('alert').filter({ hasText: text });

async function send({ gateway }: ConnectedWorkbench, view: FrameLocator, question: string): Promise<string> {
  const posts = gateway.postCount();
  await view.locator('textarea').fill(question);
  await pressEnter(view.locator('textarea'));
  await finishedFacts(view).waitFor();
  assert.equal(gateway.postCount(), posts + 1);
  return JSON.parse(gateway.requests().findLast(({ method }) => method === 'POST')?.body ?? '').messages.at(-1).content;
}

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

  it('finds files without git and respects .gitignore, and says why changes are not available', async () => {
    const { workbench } = connected;
    await workbench.openFile('src/cart/cart.ts');
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    await box.pressSequentially('#discou');
    await first(view).filter({ hasText: 'discount.ts' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: 'discount.ts' }).waitFor();
    await box.pressSequentially('#keys.loca');
    await until(async () =>
      assert.deepEqual(await rows(view).locator('.label').allInnerTexts(), ['Symbols in Workspace…']),
    );
    await box.pressSequentially('l');
    await first(view).filter({ hasText: 'excluded by .gitignore or by settings' }).waitFor();
    await box.press('Tab');
    await alert(view, "keys.local is included, although it's excluded by .gitignore or by settings.").waitFor();
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
    const content = await send(connected, view, 'What are these?');
    assert.match(content, /The whole file `src\/cart\/discount\.ts`:/);
    assert.equal(existsSync(ran), false, 'no program of the repository ran');
  });

  it('offers the prompts of the person and none of the workspace', async () => {
    const { workbench } = connected;
    await workbench.openFile('src/cart/cart.ts');
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    await box.pressSequentially('/');
    await rows(view).filter({ hasText: '/mine' }).waitFor();
    assert.equal(
      await rows(view)
        .filter({ hasText: /stolen|planted/ })
        .count(),
      0,
    );
    await box.pressSequentially('mine');
    await first(view).filter({ hasText: '/mine' }).waitFor();
    await box.press('Enter');
    await alert(
      view,
      "Uncommitted changes can't be included. VS Code's Git extension is off in Restricted Mode.",
    ).waitFor();
    await workbench.screenshot('47-restricted-prompt');
    await until(async () =>
      assert.equal(await box.inputValue(), 'Look at the file src/cart/cart.ts and the uncommitted changes.'),
    );
    await box.fill('');
  });

  it('keeps context out of the disk in a conversation that is not stored, and asks one question while an answer streams', async () => {
    const { workbench, gateway } = connected;
    await editSettings(workbench, { 'askModel.conversations.keep': false });
    await workbench.openFile('src/cart/cart.ts');
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await workbench.webview('Conversation (Not Saved)');
    const box = view.locator('textarea');
    await box.pressSequentially('#retry');
    await first(view).filter({ hasText: 'retry.ts' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: 'retry.ts' }).waitFor();
    const posts = gateway.postCount();
    gateway.setDelayMs(500);
    await box.fill('What does it do?');
    await pressEnter(box);
    await view.locator('.reply .markdown', { hasText: /\w/ }).waitFor();
    // While the answer streams, lists open, context joins, and Enter sends nothing.
    await box.pressSequentially('#discou');
    await first(view).filter({ hasText: 'discount.ts' }).waitFor();
    await box.press('Tab');
    await chips(view).filter({ hasText: 'discount.ts' }).waitFor();
    await box.pressSequentially('/tst');
    await first(view).filter({ hasText: '/tests' }).waitFor();
    await box.press('Enter');
    await until(async () => assert.match(await box.inputValue(), /^Write tests for/));
    await pressEnter(box);
    await alert(view, "An answer is still arriving. Stop it or wait until it's complete.").waitFor();
    await workbench.screenshot('47-while-streaming');
    assert.match(await box.inputValue(), /^Write tests for/);
    gateway.setDelayMs(0);
    await finishedFacts(view).waitFor();
    assert.equal(gateway.postCount(), posts + 1);
    await pressEnter(box);
    await until(() => assert.equal(gateway.postCount(), posts + 2));
    await finishedFacts(view).waitFor();
    const { messages } = JSON.parse(gateway.requests().findLast(({ method }) => method === 'POST')?.body ?? '');
    assert.match(messages.at(-1).content, /^Write tests for .*\n\nThe whole file `src\/cart\/discount\.ts`:/s);
    assert.equal(existsSync(ran), false);
  });
});

describe('context without a folder', { timeout: 240_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('files');
  const file = join(folder, 'single.ts');
  let connected: ConnectedWorkbench;

  before(async () => {
    writeFileSync(file, 'export const one = 1;\n');
    writeFileSync(join(folder, 'beside.ts'), 'export const two = 2;\n');
    connected = await suite.connected({ folder: file });
  });

  it('offers the open files by their names, and files nowhere else', async () => {
    const { workbench } = connected;
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    await box.pressSequentially('#sing');
    await first(view).filter({ hasText: 'single.ts' }).waitFor();
    await workbench.screenshot('47-no-folder');
    await box.press('Tab');
    await chips(view).filter({ hasText: 'single.ts' }).waitFor();
    await box.pressSequentially('#beside.ts');
    await until(async () =>
      assert.deepEqual(await rows(view).locator('.label').allInnerTexts(), ['Symbols in Workspace…']),
    );
    const content = await send(connected, view, 'What is it?');
    assert.equal(content, 'What is it?\n\nThe whole file `single.ts`:\n```typescript\nexport const one = 1;\n```');
  });

  it('runs prompts with the open file', async () => {
    const { workbench } = connected;
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    await box.pressSequentially('/commit');
    await first(view).filter({ hasText: '/commit' }).waitFor();
    await box.press('Enter');
    await alert(view, 'There are no uncommitted changes in a Git repository.').waitFor();
    await view.getByRole('button', { name: 'Add Context…' }).click();
    await workbench.quickPicks.filter({ hasText: 'single.ts' }).click();
    await workbench.page.keyboard.press('Enter');
    await chips(view).filter({ hasText: 'single.ts' }).waitFor();
  });
});

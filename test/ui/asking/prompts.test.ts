import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator } from 'playwright-core';
import { until } from '../../until.ts';
import { projectRoot } from '../../vscode/paths.ts';
import { type ConnectedWorkbench, finishedFacts, questionPanel } from '../support/connectedWorkbench.ts';
import { openForSuite } from '../support/openForSuite.ts';
import { pressEnter } from '../support/pressEnter.ts';

/** Whether VS Code can show uncommitted changes. */
const hasGit = spawnSync('git', ['--version']).status === 0;

describe('prompts by their names after /', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  const folder = suite.folder('workspace');
  const prompts = suite.folder('prompts');
  let connected: ConnectedWorkbench;

  const chips = (view: FrameLocator) => view.locator('.composer li.chip');
  const rows = (view: FrameLocator) => view.getByRole('listbox', { name: 'Prompts' }).getByRole('option');
  const first = (view: FrameLocator) => rows(view).and(view.locator('[aria-selected=true]'));
  const note = (view: FrameLocator, text: string) => view.getByRole('alert').filter({ hasText: text });

  /** Sends the text in the box. @returns it, and what the gateway received. */
  const sendShown = async (view: FrameLocator) => {
    const { gateway } = connected;
    const posts = gateway.postCount();
    const shown = await view.locator('textarea').inputValue();
    await pressEnter(view.locator('textarea'));
    await finishedFacts(view).waitFor();
    assert.equal(gateway.postCount(), posts + 1);
    const request = gateway.requests().findLast(({ method }) => method === 'POST');
    return { shown, received: String(JSON.parse(request?.body ?? '').messages.at(-1).content) };
  };

  const newQuestion = async () => {
    const { workbench } = connected;
    await workbench.openFile('src/cart/discount.ts');
    await workbench.runCommand('Ask Model: New Conversation');
    return questionPanel(workbench);
  };

  before(async () => {
    cpSync(join(projectRoot, 'test', 'start', 'workspace'), folder, { recursive: true });
    writeFileSync(join(folder, 'broken.json'), '{ "a": 1,, "b": "```" }\n');
    const git = (...args: string[]) => spawnSync('git', args, { cwd: folder });
    git('init', '--quiet');
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.org', 'commit', '--quiet', '--message', 'All');
    writeFileSync(
      join(prompts, 'rename.prompt.md'),
      `---\ndescription: Ask for better names\nmode: agent\ntools: [a]\n---\nRename \${input:what:Which name} in \${file} to \${input:to}.\n`,
    );
    writeFileSync(join(prompts, 'large.prompt.md'), 'x'.repeat(100_001));
    writeFileSync(join(prompts, 'notes.md'), 'No prompt.');
    writeFileSync(join(prompts, 'twice.prompt.md'), '---\nname: rename\n---\nRename.');
    connected = await suite.connected({
      folder,
      settings: {
        'askModel.promptFiles.folder': prompts,
        'askModel.prompts': {
          translate: `Translate \${selection} from \${language} to Python for \${workspaceFolder}. \${problems}`,
          review: { prompt: 'Review as I like it.', description: 'My own review' },
          check: `Fix \${problems} in \${file}, then review \${changes}.`,
          'two words': 'x',
        },
      },
    });
  });

  it('runs a built-in prompt with the selection, and sends exactly what the box shows', async () => {
    const { workbench } = connected;
    await workbench.openFile('src/cart/discount.ts');
    await workbench.selectLines(29, 31);
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    await box.press('/');
    await rows(view).first().waitFor();
    await note(view, 'The prompt "two words" of the setting askModel.prompts is left out').waitFor();
    await note(view, "The prompt file large.prompt.md is left out: it's larger than 100 KB.").waitFor();
    await note(view, 'The prompt file twice.prompt.md is left out: another file has the same name').waitFor();
    assert.deepEqual(await rows(view).locator('.label').allInnerTexts(), [
      '/explain',
      '/fix',
      '/tests',
      '/document',
      '/improve',
      '/review',
      '/commit',
      '/rename',
      '/translate',
      '/check',
    ]);
    assert.equal(await rows(view).filter({ hasText: '/review' }).locator('.detail').innerText(), 'My own review');
    for (const theme of ['light', 'dark'] as const) {
      await workbench.setTheme(theme);
      await workbench.page.locator('.tab', { hasText: 'New Conversation' }).click();
      await box.fill('');
      await box.pressSequentially('/');
      await rows(view).first().waitFor();
      await workbench.screenshot(`45-prompts-${theme}`);
    }
    await box.pressSequentially('tst');
    await first(view).filter({ hasText: '/tests' }).waitFor();
    await box.press('Enter');
    await until(async () => assert.match(await box.inputValue(), /^Write tests for the selected code in typescript\./));
    await chips(view).filter({ hasText: '29–31' }).waitFor();
    assert.equal(await chips(view).count(), 1);
    await box.fill('/fix');
    await first(view).filter({ hasText: '/fix' }).waitFor();
    await box.press('Enter');
    await until(async () =>
      assert.match(await box.inputValue(), /^Find what is wrong in the selected code and fix it\./),
    );
    assert.equal(await chips(view).count(), 1, 'the selection is included once');
    await box.fill('/tst');
    await first(view).filter({ hasText: '/tests' }).waitFor();
    await box.press('Enter');
    await until(async () => assert.match(await box.inputValue(), /^Write tests for/));
    // VS Code passes these keys to the page in its own time.
    await box.press('ControlOrMeta+z');
    await until(async () => assert.equal(await box.inputValue(), '/tst'));
    await box.press('ControlOrMeta+Shift+z');
    await until(async () => assert.match(await box.inputValue(), /^Write tests for/));
    await workbench.screenshot('45-prompt-in-box');
    const { shown, received } = await sendShown(view);
    assert.equal(received.startsWith(`${shown}\n\nFrom \`src/cart/discount.ts\`, lines 29–31:\n`), true, received);
    assert.equal(received.match(/^From /gm)?.length, 1);
  });

  it('runs a prompt of the setting, and says what it could not fill in', async () => {
    const { workbench } = connected;
    const view = await newQuestion();
    const box = view.locator('textarea');
    await box.pressSequentially('/translate');
    await first(view).filter({ hasText: '/translate' }).waitFor();
    await box.press('Tab');
    await note(view, `\${workspaceFolder} has no meaning in a prompt and stays as it is.`).waitFor();
    await note(view, 'No problems are reported in this code.').waitFor();
    assert.equal(
      await box.inputValue(),
      `Translate the selected code from typescript to Python for \${workspaceFolder}. the reported problems`,
    );
    await workbench.screenshot('45-prompt-notes');
    const { shown, received } = await sendShown(view);
    assert.ok(received.startsWith(shown));
  });

  it('puts a prompt into the box also when nothing is selected or changed, and says what it means', async () => {
    const { workbench, gateway } = connected;
    await workbench.openFile('src/cart/cart.ts');
    const posts = gateway.postCount();
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    for (const [name, text, reason] of [
      ['/review', 'Review as I like it.', undefined],
      ['/explain', 'Explain the file src/cart/cart.ts: ', undefined],
      ['/commit', 'Write a commit message for the uncommitted changes: ', 'There are no uncommitted changes'],
    ] as const) {
      await box.fill(name);
      await first(view).filter({ hasText: name }).waitFor();
      await box.press('Enter');
      await until(async () => assert.ok((await box.inputValue()).startsWith(text)));
      if (reason !== undefined) {
        await note(view, reason).waitFor();
      }
    }
    assert.equal(await chips(view).count(), 1, 'the file');
    await box.fill('');
    assert.equal(gateway.postCount(), posts);
  });

  it('asks for the inputs of a prompt file, and changes nothing when the person cancels', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    const view = await newQuestion();
    const box = view.locator('textarea');
    const choose = async () => {
      await first(view).filter({ hasText: '/rename' }).filter({ hasText: 'Ask for better names' }).waitFor();
      await box.press('Enter');
      await workbench.quickInput.and(page.locator('[placeholder="Which name"]')).waitFor();
    };
    await box.pressSequentially('/rename');
    await choose();
    await workbench.screenshot('45-prompt-input');
    await page.keyboard.press('Escape');
    await workbench.quickInput.waitFor({ state: 'hidden' });
    await choose();
    assert.equal(await box.inputValue(), '/rename');
    assert.equal(await chips(view).count(), 0);
    await workbench.answerQuickInput(`amountOf and \${selection}`);
    await workbench.quickInput.and(page.locator('[placeholder="to"]')).waitFor();
    await workbench.answerQuickInput(`$& or \${input:to}`);
    await chips(view).filter({ hasText: 'src/cart/discount.ts' }).waitFor();
    const text = `Rename amountOf and \${selection} in the file src/cart/discount.ts to $& or \${input:to}.`;
    await until(async () => assert.equal(await box.inputValue(), text));
    await note(view, 'These entries of the prompt file have no effect here: mode and tools.').waitFor();
    assert.equal(await box.evaluate((area) => area === document.activeElement), true);
    await page.keyboard.type('!');
    assert.equal(await box.inputValue(), `${text}!`);
    await box.press('Backspace');
    const { shown, received } = await sendShown(view);
    assert.equal(shown, text);
    assert.ok(received.startsWith(`${text}\n\nThe whole file \`src/cart/discount.ts\`:\n`), received);
  });

  it('includes the problems and the uncommitted changes that a prompt names, each in one fence', async () => {
    const { workbench } = connected;
    const { page } = workbench;
    await workbench.openFile('broken.json');
    // The file's language server reports its problem in its own time.
    await page.locator('.statusbar-item[id="status.problems"]', { hasText: /[1-9]/ }).waitFor({ timeout: 60_000 });
    writeFileSync(join(folder, 'README.md'), 'Changed, with ``` in it.\n');
    writeFileSync(join(folder, 'new.txt'), 'not in a diff\n');
    await workbench.runCommand('Ask Model: New Conversation');
    const view = await questionPanel(workbench);
    const box = view.locator('textarea');
    if (hasGit) {
      await until(async () => {
        await box.fill('');
        await box.fill('#uncom');
        await view
          .getByRole('option')
          .filter({ hasText: 'Uncommitted Changes' })
          .filter({ hasText: '2 files' })
          .waitFor({ timeout: 1_000 });
      }, 60_000);
    }
    await box.fill('/check');
    await first(view).filter({ hasText: '/check' }).waitFor();
    await box.press('Enter');
    const text = 'Fix the reported problems in the file broken.json, then review the uncommitted changes.';
    await until(async () => assert.equal(await box.inputValue(), text));
    await chips(view)
      .filter({ hasText: /\d problems?/ })
      .waitFor();
    assert.equal(await chips(view).count(), hasGit ? 3 : 2);
    await workbench.screenshot('45-prompt-problems');
    // The same text joins only once.
    await box.fill('/check');
    await first(view).filter({ hasText: '/check' }).waitFor();
    await box.press('Enter');
    await until(async () => assert.equal(await box.inputValue(), text));
    assert.equal(await chips(view).count(), hasGit ? 3 : 2);
    const { shown, received } = await sendShown(view);
    assert.equal(shown, text);
    const [question, ...blocks] = received.split(/\n\n(?=The |Problems )/);
    assert.equal(question, text);
    const [problems = '', file, changes = ''] = blocks;
    assert.match(problems, /^Problems that the editor reports in `broken\.json`, line 1:\n```text\n.*error.*\n```$/s);
    assert.equal(file, 'The whole file `broken.json`:\n````json\n{ "a": 1,, "b": "```" }\n````');
    if (hasGit) {
      assert.match(changes, /^The uncommitted changes in `[^`]+`:\n````diff\n/);
      assert.match(changes, /^\+Changed, with ``` in it\.$/m);
      assert.match(changes, /^Untracked file: new\.txt\n````$/m);
    }
  });
});

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { DevelopmentActions } from '../../src/editor/actions/developmentApi.ts';
import type { Repository } from '../../src/editor/code/gitChanges.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import { chooseDefault } from './pickSelected.ts';
import { typeLetter } from './typeLetter.ts';

type GitApi = {
  readonly repositories: readonly Repository[];
  openRepository(root: vscode.Uri): Promise<(Repository & { status(): Promise<void> }) | null>;
};

describe('the changes of a repository', () => {
  const workspace = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const shop = join(workspace, 'shop');
  const other = join(workspace, 'other');
  const { showErrorMessage, showWarningMessage, showInformationMessage } = vscode.window;
  const told: { text: string; buttons: readonly string[] }[] = [];
  /** The title of the button that the person selects. */
  let choice: string | undefined;
  let gateway: Gateway;
  let git: GitApi;
  let repository: Repository & { status(): Promise<void> };

  const run = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'core.quotePath=false', ...args], {
      encoding: 'utf8',
      stdio: 'pipe',
      maxBuffer: 2 ** 26,
    });
  const init = async (folder: string) => {
    mkdirSync(folder);
    run(folder, 'init', '--quiet');
    run(folder, 'config', 'user.name', 'a');
    run(folder, 'config', 'user.email', 'a@example.org');
    return (await git.openRepository(vscode.Uri.file(folder))) ?? assert.fail();
  };
  const posts = () => gateway.requests().filter(({ method }) => method === 'POST');
  const sent = (): string => JSON.parse(posts().at(-1)?.body ?? '{}').messages[0].content;
  const write = (source: unknown = repository) => vscode.commands.executeCommand('askModel.writeCommitMessage', source);
  const title = 'Write a commit message for the staged changes: a subject line of at most 72 characters in the ';
  const prompt = `${title}imperative, a blank line, then what changed and why.`;
  /** Questions of commands are admitted while the person types. */
  const type = async () => {
    // The same command within a second is a repeat.
    await delay(1_100);
    const document = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(document);
    await typeLetter();
  };

  before(async function () {
    this.timeout(60_000);
    gateway = await startGateway({ delayMs: 0 });
    const api: DevelopmentActions = await vscode.extensions.getExtension('ask-model.ask-model')?.activate();
    await api.connect(gateway.baseUrl, gateway.createKey({ name: 'git' }).value);
    await vscode.commands.executeCommand('askModel.refreshModels');
    await chooseDefault('gpt-5.1');
    const extension = await vscode.extensions.getExtension('vscode.git')?.activate();
    git = extension.getAPI(1);
    const tell = async (text: string, _: unknown, ...buttons: { title: string }[] | string[]) => {
      const titles = buttons.map((each) => (typeof each === 'string' ? each : each.title));
      told.push({ text, buttons: titles });
      const index = titles.indexOf(choice ?? '');
      choice = undefined;
      return buttons[index];
    };
    Object.assign(vscode.window, { showErrorMessage: tell, showWarningMessage: tell, showInformationMessage: tell });
    repository = await init(shop);
  });

  beforeEach(async () => {
    told.length = 0;
    gateway.setFault(undefined);
    gateway.setDelayMs(0);
    await type();
  });

  after(async () => {
    Object.assign(vscode.window, { showErrorMessage, showWarningMessage, showInformationMessage });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await gateway.close();
    for (const folder of [shop, other]) {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  it('are sent as git has staged them, before the first commit too, and become a message in the box', async () => {
    writeFileSync(join(shop, 'cart.ts'), 'one\ntwo\r\nthree\n');
    writeFileSync(join(shop, 'yarn.lock'), 'x\n');
    run(shop, 'add', '.');
    writeFileSync(join(shop, 'cart.ts'), 'one\ntwo\r\nthree\nnot staged\n');
    await repository.status();
    repository.inputBox.value = 'fixes #12';
    const setting = vscode.workspace.getConfiguration();
    await setting.update('askModel.commitMessage.model', 'deepseek-chat', vscode.ConfigurationTarget.Global);
    try {
      await Promise.all(Array.from({ length: 8 }, () => write()));
      await write();
    } finally {
      await setting.update('askModel.commitMessage.model', undefined, vscode.ConfigurationTarget.Global);
    }
    assert.deepEqual(told, []);
    assert.equal(posts().length, 1);
    assert.equal(JSON.parse(posts()[0]?.body ?? '').model, 'deepseek-chat');
    assert.equal(
      sent(),
      [
        prompt,
        'Left out of the diff: yarn.lock.',
        'Consider this note. Keep lines that git or a template put there:\nfixes #12',
        'Answer with the commit message alone.',
        `The staged changes in \`shop\`:\n\`\`\`diff\n${run(shop, 'diff', '--cached', '--', 'cart.ts')}\`\`\``,
      ].join('\n\n'),
    );
    assert.match(repository.inputBox.value, /^I am \*\*.*a script on this machine/);
  });

  it('are asked about with the same note again while the message is left as it was (di-sukharev/opencommit#104)', async () => {
    const [before, { length }] = [sent(), posts()];
    await type();
    await write();
    assert.deepEqual([sent(), posts().length], [before, length + 1]);
  });

  it('are all those since the last commit where nothing is staged, for the clicked repository, in the style of its log', async () => {
    run(shop, 'add', '.');
    run(shop, 'commit', '--quiet', '--message', 'feat(cart): add lines');
    const second = await init(other);
    writeFileSync(join(other, 'x'), 'x');
    writeFileSync(join(shop, '.env'), 'PASSWORD=ku7-Rf2_pLq9sVx\n');
    run(shop, 'mv', 'cart.ts', 'basket.ts');
    run(shop, 'reset', '--quiet');
    await Promise.all([repository.status(), second.status()]);
    await until(() => repository.state.HEAD?.commit !== undefined);
    repository.inputBox.value = '';
    const writing = write();
    // What looks like a secret is asked about in a list.
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return posts().length === 3;
    });
    await writing;
    const content = sent();
    assert.ok(content.startsWith('Write a commit message for the uncommitted changes: '));
    assert.ok(content.includes('Use the language and the style of the last commits:\n- feat(cart): add lines\n\n'));
    assert.match(content, /diff --git a\/cart\.ts b\/cart\.ts\ndeleted file mode/);
    assert.match(content, /diff --git a\/basket\.ts b\/basket\.ts\nnew file mode/);
    assert.doesNotMatch(content, /diff --git a\/x b\/x|ku7-Rf2/);
    assert.match(repository.inputBox.value, /^I am /);
    assert.equal(second.inputBox.value, '');
  });

  it('leave the box as it was when the call fails or is stopped, and say what helps', async function () {
    this.timeout(60_000);
    rmSync(join(shop, '.env'));
    run(shop, 'add', '.');
    const box = 'my note';
    repository.inputBox.value = box;
    let count = posts().length;
    for (const [fault, text, button] of [
      ['key-rejected', 'The gateway rejected this key', 'Replace Key…'],
      ['rate-limited-ms', 'Rate limit reached', 'Send Again'],
      ['error-mid-stream', "The commit message wasn't written", 'Show Conversation'],
      ['only-reasoning', "The commit message wasn't written", 'Show Conversation'],
      ['clean-end-without-finish', "The commit message wasn't written", 'Show Conversation'],
    ] as const) {
      await type();
      gateway.setFault(fault);
      told.length = 0;
      await write();
      count++;
      assert.equal(posts().length, count, fault);
      assert.equal(repository.inputBox.value, box);
      assert.match(told[0]?.text ?? '', new RegExp(text), fault);
      assert.ok(
        told[0]?.buttons.some((each) => each.startsWith(button)),
        `${fault}: ${told[0]?.buttons}`,
      );
    }
    await type();
    gateway.setFault(undefined);
    gateway.setDelayMs(50);
    const writing = write();
    await until(() => posts().length > count);
    await vscode.commands.executeCommand('askModel.stopCommitMessage', repository);
    await writing;
    assert.equal(repository.inputBox.value, box);
    assert.equal(posts().length, count + 1);
    assert.match(told.at(-1)?.text ?? '', /The gateway may still charge for this answer/);
  });

  it('do not become a message in a box that has another text by then: it can be copied or inserted', async () => {
    gateway.setDelayMs(20);
    const count = posts().length;
    repository.inputBox.value = '';
    const writing = write();
    await until(() => posts().length > count);
    repository.inputBox.value = 'typed meanwhile';
    choice = 'Insert';
    await writing;
    await until(() => /^I am .*\n\ntyped meanwhile$/s.test(repository.inputBox.value));
    assert.deepEqual(told[0]?.buttons, ['Copy', 'Insert']);
    assert.equal(posts().length, count + 1);
  });

  it('of two megabytes are sent whole after a question, with the message that git has for a merge', async function () {
    this.timeout(60_000);
    run(shop, 'commit', '--quiet', '--message', 'feat(cart): rename it');
    run(shop, 'checkout', '--quiet', '-b', 'side', 'HEAD~1');
    const lines = Array.from({ length: 110_000 }, (_, at) => `const line${at} = ${at};\n`).join('');
    writeFileSync(join(shop, 'large.ts'), lines);
    run(shop, 'add', '.');
    run(shop, 'commit', '--quiet', '--message', 'feat: large');
    run(shop, 'checkout', '--quiet', '-');
    run(shop, 'merge', '--quiet', '--no-ff', '--no-commit', 'side');
    const diff = run(shop, 'diff', '--cached');
    assert.ok(diff.length > 2_000_000);
    await repository.status();
    // As VS Code does when it opens a repository in a merge.
    repository.inputBox.value = readFileSync(join(shop, '.git', 'MERGE_MSG'), 'utf8');
    const count = posts().length;
    const writing = write();
    await until(async () => {
      await vscode.commands.executeCommand('workbench.action.quickOpenSelectNext');
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return posts().length === count + 1;
    }, 40_000);
    await writing;
    assert.ok(sent().endsWith(`:\n\`\`\`diff\n${diff}\`\`\``));
    assert.ok(
      sent().includes("\n\nConsider this note. Keep lines that git or a template put there:\nMerge branch 'side'"),
    );
    // The gateway refuses its length.
    assert.match(told[0]?.text ?? '', /too long for this model/);
    assert.equal(repository.inputBox.value, readFileSync(join(shop, '.git', 'MERGE_MSG'), 'utf8'));
    run(shop, 'commit', '--quiet', '--message', 'Merge');
  });

  const pick = async (command: 'quickInput.first' | 'quickInput.last') => {
    for (let step = 0; step < 20; step++) {
      // Does nothing until the list is shown.
      await vscode.commands.executeCommand(command);
      await delay(50);
    }
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
  };

  it('of more than four million characters are sent by no command, and the person is told', async function () {
    this.timeout(60_000);
    const names = ['one.ts', 'two.ts'];
    for (const name of names) {
      writeFileSync(join(shop, name), 'const line = 1;\n'.repeat(130_000));
    }
    run(shop, 'add', '.');
    await repository.status();
    const count = posts().length;
    await write();
    run(shop, 'rm', '--quiet', '--force', ...names);
    await repository.status();
    assert.equal(posts().length, count);
    assert.match(
      told[0]?.text ?? '',
      /too large to send: they have 4,\d{3},\d{3} characters, and the limit is 4,000,000/,
    );
  });

  it('are explained, in the repository that is chosen in the palette', async () => {
    const count = posts().length;
    const asking = vscode.commands.executeCommand('askModel.explainChanges');
    const [first] = git.repositories;
    await pick(first?.rootUri.fsPath === other ? 'quickInput.first' : 'quickInput.last');
    await pick('quickInput.last');
    await asking;
    await until(() => posts().length === count + 1);
    assert.match(sent(), /^Explain the uncommitted changes: what they change, /);
    assert.match(sent(), /\n\nThe uncommitted changes in `other`:\n```diff\ndiff --git a\/x b\/x\nnew file mode /);
  });

  it('are reviewed in a panel, also those of a commit', async () => {
    const count = posts().length;
    const commit = run(shop, 'rev-list', '--max-parents=0', 'HEAD').slice(0, 8);
    const asking = vscode.commands.executeCommand('askModel.reviewChanges', repository);
    await pick('quickInput.last');
    await asking;
    await until(() => posts().length === count + 1);
    assert.match(sent(), /^Review the commit "feat\(cart\): add lines" for defects and risks/);
    const diff = run(shop, 'show', '--format=', commit, '--', 'cart.ts');
    assert.ok(sent().endsWith(`The commit ${commit} in \`shop\`:\n\`\`\`diff\n${diff}\`\`\``));
    assert.match(sent(), /\n\nLeft out of the diff: yarn\.lock\.\n\n/);
    const tabs = () => vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    await until(() => tabs().some(({ label }) => label.startsWith('Review the commit')));
  });
});

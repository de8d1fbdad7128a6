import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { ListServer } from '../gateway/models/listServer.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { answerFileDialog } from './support/answerFileDialog.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { connect } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

const key = 'key-of-a-person-0123';
const command = 'command:workbench.action.toggleZenMode';
/** Every form of a link there is, and an icon. */
const links = `[free](${command}) [etc](file:///etc/hostname) [page](https://evil.test "x") [named][1] <${command}> https://evil.test $(bug)`;
/** A name that a file can have. */
const name = (word: string) => `[${word}](${command}) $(bug).ts`;
const turned = 'gpt\u202E5-\u200Bmini';
const turnedShown = 'gpt\\u{202e}5-\\u{200b}mini';
const hostileId = `[best](${command}) $(bug)`;
const code = 'export function area(r: number): number {\n  return 3 * r * r;\n}';

describe('words from outside, in everything of VS Code that shows them', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let workbench: Workbench;
  let base: string;
  let mode: 'refuse' | 'portal' | 'serve' = 'refuse';
  let block = '';
  const paths: string[] = [];
  const folder = suite.folder('workspace');
  const files = suite.folder('imported');

  /** A gateway, a network's sign-in page, and a listener that records when a schema is read. */
  const answer: RequestListener = (request, response) => {
    paths.push(request.url ?? '');
    if (mode === 'portal') {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><html><head><title>${links.replaceAll('<', '&lt;')}</title></head></html>`);
      return;
    }
    response.setHeader('content-type', 'application/json');
    if (mode === 'refuse') {
      response.statusCode = 401;
      response.end(JSON.stringify({ error: { message: links, code: 'invalid_api_key' } }));
    } else if (request.method === 'POST') {
      const message = { role: 'assistant', content: `Here it is:\n\n\`\`\`${block}\n\`\`\`\n` };
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    } else {
      const data = [
        { id: hostileId, owned_by: links, name: links, description: links },
        { id: turned },
        { id: 'with-schema', $schema: schemaOf('details') },
      ];
      response.end(JSON.stringify({ object: 'list', data: data.map((each) => ({ object: 'model', ...each })) }));
    }
  };
  const server = new ListServer(answer);
  suite.ends(() => server.close());
  const schemaOf = (word: string) => `${new URL(base).origin}/schema-of-${word}.json`;
  /** A document in JSON whose schema VS Code does read, opened later than one whose schema it must not read. */
  const openControl = async (word: string) => {
    await workbench.openFile(`${word}.json`);
    await until(async () => assert.ok(paths.includes(`/schema-of-${word}.json`)));
  };

  /** The words are there, and nothing in that place can be followed or is an icon of theirs. */
  const assertPlain = async (place: Locator, words: string) => {
    // A blank that is not seen stands in what would have been a link.
    const pattern = [...words].map((letter) => letter.replace(/[[\](){}$.*+?\\^|]/, '\\$&')).join('\u200b?');
    const shown = place.filter({ hasText: new RegExp(pattern) }).first();
    await shown.waitFor();
    const followed = shown.locator(
      'a:not(.action-label, .label-name, [role=button]), [href], .monaco-link, .codicon-bug',
    );
    assert.deepEqual(await followed.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)), []);
  };
  const underBox = () => workbench.page.locator('.quick-input-widget:visible .quick-input-message');
  const dialog = () => workbench.page.locator('.monaco-dialog-box');
  const message = () => workbench.page.locator('.part.sidebar .message');
  const boxTitled = (text: string) =>
    workbench.page.locator('.quick-input-widget:visible .quick-input-title', { hasText: text });
  const leave = () => workbench.page.keyboard.press('Escape');
  const apply = async (panel: FrameLocator) => {
    const block = panel.locator('.codeBlock').last();
    await block.scrollIntoViewIfNeeded();
    await block.hover();
    await block.getByLabel('Apply…').click();
  };

  before(async () => {
    base = await server.listen();
    writeFileSync(join(folder, name('file')), `${code}\n`);
    for (const word of ['control', 'later']) {
      writeFileSync(join(folder, `${word}.json`), `{ "$schema": "${schemaOf(word)}" }\n`);
    }
    workbench = await suite.workbench({
      folder,
      settings: { 'files.autoSave': 'off' },
    });
  });

  it('has no link of a gateway’s error under the box of the key', async () => {
    await connect(workbench, base, key);
    await assertPlain(underBox(), links);
    await workbench.screenshot('95-key-refused');
    await leave();
  });

  it('has no link of a sign-in page’s title under the box of the address', async () => {
    mode = 'portal';
    await connect(workbench, base, key);
    await assertPlain(workbench.quickPicks, 'Change the Address');
    await workbench.pick('Change the Address');
    await boxTitled('(1/2)').waitFor();
    await assertPlain(underBox(), `[free](${command}) [etc](file:///etc/hostname)`);
    await workbench.screenshot('96-portal');
    await leave();
  });

  it('has no link of a model’s id or owner in the tree, the lists, the status bar or the details', async () => {
    const { page } = workbench;
    mode = 'serve';
    await connect(workbench, base, key);
    await assertPlain(workbench.treeRows, hostileId);
    await assertPlain(workbench.treeRows, turnedShown);
    await workbench.treeRows.filter({ hasText: '[best]' }).hover();
    await assertPlain(page.locator('.monaco-hover:visible'), hostileId);
    await workbench.screenshot('97-tree');
    await workbench.runCommand('Ask Model: Choose Default Model');
    await assertPlain(workbench.quickPicks, hostileId);
    await workbench.pick('with-schema');
    await page.locator('.statusbar-item', { hasText: 'with-schema' }).waitFor();
    await workbench.runCommand('Ask Model: Choose Default Model');
    await workbench.pick(turnedShown);
    await assertPlain(page.locator('.statusbar-item'), turnedShown);
  });

  it('reads no address that a model’s details name as their schema', async () => {
    const { page } = workbench;
    const shown = page.locator('.editor-group-container.active .monaco-editor .view-line');
    await chooseInMenu(workbench, workbench.treeRows.filter({ hasText: 'with-schema' }).first(), 'Show Details');
    await shown.filter({ hasText: 'schema-of-details' }).waitFor();
    await workbench.screenshot('98-details');
    await openControl('control');
    assert.ok(!paths.includes('/schema-of-details.json'));
  });

  it('reads no address that a change names as its schema before it is accepted', async () => {
    const { page } = workbench;
    block = `json\n{ "$schema": "${schemaOf('change')}" }`;
    await workbench.selectLines(1, 1);
    await workbench.runCommand('Ask Model: Ask Model');
    await boxTitled(turnedShown).waitFor();
    await workbench.answerQuickInput('Is there a better schema?');
    await apply(await workbench.webview('Is there a better schema?'));
    await page.locator('.tab', { hasText: 'control.json: proposed by' }).waitFor();
    await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: 'schema-of-change' }).first().waitFor();
    await workbench.screenshot('98-change');
    await openControl('later');
    assert.ok(!paths.includes('/schema-of-change.json'));
  });

  it('has no link of a file’s name in the box of a question, nor in what Apply says', async () => {
    const { page } = workbench;
    block = `ts\n${code}`;
    await workbench.sideBar('Explorer');
    await workbench.treeRows.filter({ hasText: '[file]' }).dblclick();
    await page.locator('.tab.active', { hasText: '[file]' }).waitFor();
    await page.locator('.editor-group-container.active .view-line', { hasText: 'area' }).first().click();
    await page.locator('.editor-group-container.active .monaco-editor.focused').first().waitFor();
    await workbench.selectLines(1, 3);
    await workbench.runCommand('Ask Model: Ask Model');
    await boxTitled(turnedShown).waitFor();
    await assertPlain(underBox(), name('file'));
    await workbench.screenshot('99-question');
    await workbench.answerQuickInput('Is this right?');
    const panel = await workbench.webview('Is this right?');
    await panel.locator('.reply .model .name', { hasText: turnedShown }).waitFor();
    await panel.locator('.modelButton', { hasText: turnedShown }).waitFor();
    await apply(panel);
    await assertPlain(workbench.notifications, `${name('file')} holds this code already`);
    await workbench.screenshot('99-apply');
  });

  it('has no link of models’ ids above the question of a comparison', async () => {
    await workbench.sideBar('Ask Model');
    await workbench.runCommand('Ask Model: Compare Models');
    await assertPlain(workbench.quickPicks, hostileId);
    await workbench.pick('[best]');
    await workbench.pick('with-schema');
    await workbench.page.keyboard.press('Enter');
    await boxTitled('(2/2)').waitFor();
    await assertPlain(underBox(), hostileId);
    await leave();
  });

  it('has no link of a connection’s name in lists, boxes and dialogs', async () => {
    const own = `[mine](${command}) $(bug)`;
    await workbench.runCommand('Ask Model: Edit Connection');
    await workbench.quickPicks.filter({ hasText: 'Name' }).first().click();
    await boxTitled('Rename').waitFor();
    await workbench.answerQuickInput(own);
    await boxTitled('Edit [mine]').waitFor();
    await assertPlain(workbench.quickPicks, own);
    await leave();
    await assertPlain(message(), own);
    await workbench.runCommand('Ask Model: Switch or Manage Connections');
    await assertPlain(workbench.quickPicks, own);
    await workbench.screenshot('99-connections');
    await leave();
    await workbench.runCommand('Ask Model: Remove Key');
    await assertPlain(dialog(), own);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
  });

  it('has no link of a gateway’s error in the message above the models', async () => {
    mode = 'refuse';
    await workbench.runCommand('Ask Model: Refresh Models');
    await assertPlain(message(), links);
    mode = 'serve';
  });

  it('has no link of an imported conversation, in its title or of a path in it', async () => {
    const { page } = workbench;
    const kept = join(files, 'hostile.json');
    const context = { kind: 'selection', id: 'c', languageId: 'typescript', startLine: 1, endLine: 3, text: code };
    const reply = { id: 'r', model: hostileId, host: 'a.test', state: 'complete', reasoning: '', startedAt: 1 };
    const turn = {
      id: 't',
      question: 'What is lost?',
      contexts: [{ ...context, path: name('lost') }],
      replies: [{ ...reply, text: `\`\`\`ts\n${code}\n\`\`\`\n` }],
    };
    const draft = { text: '', contexts: [] };
    const conversation = {
      id: 'hostile',
      createdAt: 1,
      title: `[title](${command}) \u202E$(bug)`,
      turns: [turn],
      draft,
    };
    const all = { format: 'ask-model-conversations', version: 1, conversations: [conversation] };
    writeFileSync(kept, JSON.stringify(all));
    await workbench.runCommand('Ask Model: Import Conversations');
    await answerFileDialog(workbench, 'Import Conversations', kept);
    await workbench.notifications
      .filter({ hasText: 'One conversation imported' })
      .getByRole('button', { name: 'Open' })
      .click();
    const title = `[title](${command}) \\u{202e}`;
    await assertPlain(page.locator('.tab'), title);
    const panel = await workbench.webview('[title]');
    await apply(panel);
    await assertPlain(workbench.notifications, `${name('lost')} is not in this workspace any more`);
    await workbench.screenshot('99-imported');
    await workbench.runCommand('Ask Model: Rename Conversation');
    await assertPlain(workbench.quickPicks, title);
    await leave();
  });
});

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import type { FrameLocator, Locator } from 'playwright-core';
import { ListServer } from '../gateway/listServer.ts';
import { until } from '../until.ts';
import type { Workbench } from '../vscode/workbench.ts';
import { answerFileDialog } from './support/answerFileDialog.ts';
import { chooseInMenu } from './support/chooseInMenu.ts';
import { askQuestion, chooseModel, connect } from './support/connectedWorkbench.ts';
import { openForSuite } from './support/openForSuite.ts';

const key = 'key-of-a-person-0123';
const command = 'command:workbench.action.toggleZenMode';
/** All forms of links, and an icon. */
const links = `[free](${command}) [etc](file:///etc/hostname) [page](https://evil.test "x") [named][1] <${command}> https://evil.test $(bug)`;
/** A valid file name with a link and an icon. */
const name = (word: string) => `[${word}](${command}) $(bug).ts`;
const invisible = 'gpt\u202E5-\u200Bmini';
const invisibleShown = 'gpt\\u{202e}5-\\u{200b}mini';
const hostileId = `[best](${command}) $(bug)`;
const code = 'export function area(r: number): number {\n  return 3 * r * r;\n}';

describe('links and icons in text from outside, wherever VS Code shows it', { timeout: 300_000 }, () => {
  const suite = openForSuite();
  let workbench: Workbench;
  let base: string;
  let block = '';
  const paths: string[] = [];
  const folder = suite.folder('workspace');
  const files = suite.folder('imported');

  /** Acts as a gateway, and records the paths of all requests, such as for a schema. */
  const answer: RequestListener = (request, response) => {
    paths.push(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    if (request.method === 'POST') {
      const message = { role: 'assistant', content: `Here it is:\n\n\`\`\`${block}\n\`\`\`\n` };
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] }));
    } else {
      const data = [
        { id: hostileId, owned_by: links, name: links, description: links },
        { id: invisible },
        { id: 'with-schema', $schema: schemaOf('details') },
      ];
      response.end(JSON.stringify({ object: 'list', data: data.map((each) => ({ object: 'model', ...each })) }));
    }
  };
  const server = new ListServer(answer);
  suite.ends(() => server.close());
  const schemaOf = (word: string) => `${new URL(base).origin}/schema-of-${word}.json`;
  /** Opens a JSON file and waits until VS Code has read its schema, so that an earlier file had time to be read too. */
  const openControl = async (word: string) => {
    await workbench.openFile(`${word}.json`);
    await until(async () => assert.ok(paths.includes(`/schema-of-${word}.json`)));
  };

  /** Checks that `place` shows the text and contains no link and no icon of it. */
  const assertPlain = async (place: Locator, text: string) => {
    // Possible links are broken up with zero-width spaces.
    const pattern = [...text].map((letter) => letter.replace(/[[\](){}$.*+?\\^|]/, '\\$&')).join('\u200b?');
    const shown = place.filter({ hasText: new RegExp(pattern) }).first();
    await shown.waitFor();
    const linked = shown.locator(
      'a:not(.action-label, .label-name, [role=button]), [href], .monaco-link, .codicon-bug',
    );
    assert.deepEqual(await linked.evaluateAll((all) => all.map(({ outerHTML }) => outerHTML)), []);
  };
  const leave = () => workbench.page.keyboard.press('Escape');
  const apply = async (panel: FrameLocator) => {
    const block = panel.locator('.codeBlock').last();
    await block.scrollIntoViewIfNeeded();
    await block.hover();
    await block.getByLabel('Apply…').click();
  };

  before(async () => {
    base = await server.listen();
    for (const word of ['control', 'later']) {
      writeFileSync(join(folder, `${word}.json`), `{ "$schema": "${schemaOf(word)}" }\n`);
    }
    workbench = await suite.workbench({
      folder,
      settings: { 'files.autoSave': 'off' },
    });
    await connect(workbench, base, key);
    await chooseModel(workbench, 'with-schema');
  });

  it('shows no link from a model’s id or owner in the tree, the quick picks and the status bar', async () => {
    const { page } = workbench;
    await assertPlain(workbench.treeRows, hostileId);
    await assertPlain(workbench.treeRows, invisibleShown);
    await workbench.treeRows.filter({ hasText: '[best]' }).hover();
    await assertPlain(page.locator('.monaco-hover:visible'), hostileId);
    await workbench.screenshot('97-tree');
    await workbench.start('askModel.chooseModel');
    await assertPlain(workbench.quickPicks, hostileId);
    await workbench.pick(invisibleShown);
    await assertPlain(page.locator('.statusbar-item'), invisibleShown);
  });

  it('doesn’t read a schema that the details of a model name, or a proposed change before it is accepted', async () => {
    const { page } = workbench;
    const shown = page.locator('.editor-group-container.active .monaco-editor .view-line');
    await chooseInMenu(workbench, workbench.treeRows.filter({ hasText: 'with-schema' }).first(), 'Show Details');
    await shown.filter({ hasText: 'schema-of-details' }).waitFor();
    await workbench.screenshot('98-details');
    await openControl('control');
    assert.ok(!paths.includes('/schema-of-details.json'));
    block = `json\n{ "$schema": "${schemaOf('change')}" }`;
    await workbench.selectLines(1, 1);
    await askQuestion(workbench, 'Is there a better schema?');
    await apply(await workbench.webview('Is there a better schema?'));
    await page.locator('.tab', { hasText: 'control.json (Proposed by' }).waitFor();
    await page.locator('.modified-in-monaco-diff-editor .view-line', { hasText: 'schema-of-change' }).first().waitFor();
    await workbench.screenshot('98-change');
    await openControl('later');
    assert.ok(!paths.includes('/schema-of-change.json'));
  });

  it('shows no link from the title of an imported conversation or from a path in it', async () => {
    const { page } = workbench;
    const file = join(files, 'hostile.json');
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
    writeFileSync(file, JSON.stringify(all));
    await workbench.start('askModel.importConversations');
    await answerFileDialog(workbench, 'Import Conversations', file);
    await workbench.notifications
      .filter({ hasText: 'Imported conversations: 1' })
      .getByRole('button', { name: 'Open' })
      .click();
    const title = `[title](${command}) \\u{202e}`;
    await assertPlain(page.locator('.tab'), title);
    const panel = await workbench.webview('[title]');
    await apply(panel);
    await assertPlain(workbench.notifications, `${name('lost')} isn't in this workspace`);
    await workbench.screenshot('99-imported');
    await workbench.start('askModel.renameConversation');
    await assertPlain(workbench.quickPicks, title);
    await leave();
  });
});

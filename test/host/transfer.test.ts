import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { until } from '../until.ts';

describe('export and import of conversations', () => {
  let folder: string;
  const { showSaveDialog, showOpenDialog, showInformationMessage, showWarningMessage } = vscode.window;
  const stored = join(process.env.ASK_MODEL_HOST_SETTINGS ?? '', '../globalStorage/ask-model.ask-model/conversations');
  const ids = () =>
    (existsSync(stored) ? readdirSync(stored) : []).flatMap((name) => name.match(/^(.+)\.jsonl$/)?.[1] ?? []);
  const said: string[] = [];
  let chosen = '';

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'ask-model-transfer-'));
    const uri = () => vscode.Uri.file(join(folder, chosen));
    Object.assign(vscode.window, {
      showSaveDialog: async () => uri(),
      showOpenDialog: async () => [uri()],
      showInformationMessage: async (message: string, _: object, ...buttons: string[]) => {
        said.push(message);
        return message.startsWith('Imported') ? buttons[0] : undefined;
      },
    });
  });

  after(async () => {
    Object.assign(vscode.window, { showSaveDialog, showOpenDialog, showInformationMessage, showWarningMessage });
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(folder, { recursive: true });
  });

  /** Imports a file, and returns the ids of the new conversations. */
  const importFile = async (name: string) => {
    const before = ids();
    chosen = name;
    await vscode.commands.executeCommand('askModel.importConversations');
    return ids().filter((id) => !before.includes(id));
  };
  const exportFile = async (name: string, command: string, id: string | undefined) => {
    chosen = name;
    await vscode.commands.executeCommand(command, id);
    assert.equal(said.at(-1), `Exported to ${join(folder, name)}`);
    return readFileSync(join(folder, name), 'utf8');
  };

  it('exports a conversation as Markdown and as JSON with all answers, and imports it beside the existing one', async () => {
    const reply = (model: string) => ({ id: model, model, host: 'a.test', state: 'complete', text: `I am ${model}.` });
    const replies = ['gpt-5-mini', 'claude-haiku-4-5'].map((model) => ({
      ...reply(model),
      reasoning: '',
      startedAt: 1,
    }));
    const conversation = {
      id: 'tree',
      createdAt: 1,
      title: 'What is a tree?',
      turns: [{ id: 't', question: 'What is a tree?', contexts: [], replies }],
      draft: { text: '', contexts: [] },
    };
    const all = { format: 'ask-model-conversations', version: 1, conversations: [conversation] };
    writeFileSync(join(folder, 'tree.json'), JSON.stringify(all));
    const [first] = await importFile('tree.json');
    const markdown = await exportFile('tree.md', 'askModel.exportConversationMarkdown', first);
    assert.match(markdown, /^# What is a tree\?[\s\S]*gpt-5-mini[\s\S]*claude-haiku-4-5/);
    const json = await exportFile('again.json', 'askModel.exportConversationJson', first);
    assert.match(json, /I am claude-haiku-4-5\./);
    const [second] = await importFile('again.json');
    assert.equal(said.at(-1), 'Imported conversations: 1.');
    const content = (text: string) => JSON.parse(text).conversations[0].turns;
    const copy = await exportFile('copy.json', 'askModel.exportConversationJson', second);
    assert.deepEqual(content(copy), content(json));
    assert.notEqual(first, second);
    // The button of the notification opens each.
    await until(() => {
      const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
      return tabs.filter(({ label }) => label === 'What is a tree?').length === 2;
    });
  });

  it('asks about the secrets in a file, and imports them masked, as they are, or nothing', async () => {
    const draft = { text: 'Why does DB_PASSWORD=Kz82mQx1 fail?', contexts: [] };
    const conversations = [{ id: 'c', createdAt: 1, turns: [], draft }];
    writeFileSync(
      join(folder, 'secret.json'),
      JSON.stringify({ format: 'ask-model-conversations', version: 1, conversations }),
    );
    for (const [answer, expected] of [
      ['Mask and Import', /DB_PASSWORD=MASKED_PASSWORD_1_[a-z0-9]{12} fail/],
      ['Import As Is', /DB_PASSWORD=Kz82mQx1 fail/],
      [undefined, undefined],
    ] as const) {
      const asked: string[] = [];
      Object.assign(vscode.window, {
        showWarningMessage: async (message: string) => {
          asked.push(message);
          return answer;
        },
      });
      const [id] = await importFile('secret.json');
      assert.deepEqual(asked, ['Possible secrets in secret.json: 1.']);
      assert.equal(id === undefined, expected === undefined);
      assert.match(id === undefined ? '' : readFileSync(join(stored, `${id}.jsonl`), 'utf8'), expected ?? /^$/);
    }
  });

  it('refuses a file that is too large to be read', async () => {
    const { showErrorMessage } = vscode.window;
    const errors: string[] = [];
    Object.assign(vscode.window, { showErrorMessage: async (message: string) => void errors.push(message) });
    writeFileSync(join(folder, 'large.json'), '');
    truncateSync(join(folder, 'large.json'), 128 * 1_048_576 + 1);
    assert.deepEqual(await importFile('large.json'), []);
    Object.assign(vscode.window, { showErrorMessage });
    assert.deepEqual(errors, ['Nothing was imported from large.json. The file is larger than 128 MB.']);
  });
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import * as vscode from 'vscode';
import type { DevelopmentActions } from '../../src/editor/actions/developmentApi.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import { chooseDefault } from './pickSelected.ts';

const undiciSlots = () =>
  Object.getOwnPropertySymbols(globalThis)
    .map(String)
    .filter((name) => name.includes('undici'));
const isAppLoaded = () => Object.keys(require.cache).some((path) => basename(path) === 'app.cjs');
const panels = () =>
  vscode.window.tabGroups.all
    .flatMap(({ tabs }) => tabs)
    .filter(({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('askModel.conversation'));

describe('a conversation inside VS Code', () => {
  let gateway: Gateway;
  let key: string;
  let api: DevelopmentActions;
  let slotsBefore: string[];
  /** The editors that became active since the first explanation was requested. */
  const activeEditors: (vscode.TextEditor | undefined)[] = [];

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'host' }).value;
    slotsBefore = undiciSlots();
    api = await vscode.extensions.getExtension('ask-model.ask-model')?.activate();
  });

  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await gateway.close();
  });

  it('loads only its entry file when it is activated', () => {
    assert.equal(isAppLoaded(), false);
    assert.deepEqual(undiciSlots(), slotsBefore);
  });

  it('registers every command of its manifest', async () => {
    const manifest = vscode.extensions.getExtension('ask-model.ask-model')?.packageJSON;
    const registered = await vscode.commands.getCommands(true);
    for (const { command } of manifest.contributes.commands) {
      assert.ok(registered.includes(command), command);
    }
  });

  it('stores nothing of a key that the gateway rejects', async () => {
    await assert.rejects(api.connect(gateway.baseUrl, 'sk-unknown-to-this-gateway'), { name: 'GatewayError' });
    assert.equal(await api.isConnected(), false);
    assert.equal(vscode.workspace.getConfiguration().inspect('askModel.connections')?.globalValue, undefined);
  });

  it('connects, and stores the address in the settings and the key elsewhere', async () => {
    await api.connect(gateway.consoleUrl, key);
    assert.equal(await api.isConnected(), true);
    const value = vscode.workspace.getConfiguration().inspect<{ baseUrl: string }[]>('askModel.connections');
    assert.equal(value?.globalValue?.[0]?.baseUrl, gateway.baseUrl);
    assert.ok(!JSON.stringify(value).includes(key));
  });

  it('reads no connection from a workspace', async () => {
    const setting = vscode.workspace.getConfiguration();
    const hostile = [{ id: 'hostile', baseUrl: `${gateway.foreign.origin}/v1` }];
    // VS Code itself refuses to write it there. It would still read it from a file of the workspace; that value is
    // ignored.
    await assert.rejects(async () =>
      setting.update('askModel.connections', hostile, vscode.ConfigurationTarget.Workspace),
    );
    assert.equal(await api.isConnected(), true);
    assert.equal(gateway.foreign.requests().length, 0);
  });

  it('sends the selection once, with path, lines and language, and shows it in a panel beside the editor', async () => {
    await vscode.commands.executeCommand('askModel.refreshModels');
    const document = await vscode.workspace.openTextDocument({
      language: 'python',
      content: 'def area(r):\n    """```not the end```"""\n    return 3.14 * r * r\n',
    });
    const editor = await vscode.window.showTextDocument(document);
    editor.selection = new vscode.Selection(0, 0, 2, 24);
    await chooseDefault('gpt-5.1');
    vscode.window.onDidChangeActiveTextEditor((active) => activeEditors.push(active));
    await vscode.commands.executeCommand('askModel.explainSelection');
    await until(() => gateway.usageLog().length === 1);
    await until(() => panels().length === 1);
    const posts = gateway.requests().filter(({ method }) => method === 'POST');
    assert.equal(posts.length, 1);
    const body = JSON.parse(posts[0]?.body ?? '');
    assert.equal(body.model, 'gpt-5.1');
    assert.equal(body.messages.length, 1);
    assert.match(body.messages[0].content, /^Explain this code\.\n\nFrom `[^`]+`, lines 1–3:\n````python\ndef area/);
    assert.ok(body.messages[0].content.endsWith('\n````'));
    assert.equal(posts[0]?.headers.authorization, `Bearer ${key}`);
  });

  it('gives the focus back to the editor', async () => {
    await until(() => vscode.window.activeTextEditor?.document.languageId === 'python');
  });

  it('never takes the focus from the editor', () => {
    assert.deepEqual(activeEditors, []);
  });

  it('moves limits of an earlier version into the two settings that have them with the first question', async () => {
    const settings = () => JSON.parse(readFileSync(process.env.ASK_MODEL_HOST_SETTINGS ?? '', 'utf8'));
    const names = () => Object.keys(settings()).filter((name) => /^askModel\.(?:dailyLimit|timeouts)/.test(name));
    await until(() => names().length === 2);
    const moved = {
      'askModel.dailyLimit': { tokens: 900_000_000, calls: 1000 },
      'askModel.timeouts': { connect: 20, total: 900 },
    };
    for (const [name, value] of Object.entries(moved)) {
      assert.deepEqual(settings()[name], value);
      assert.deepEqual(vscode.workspace.getConfiguration().inspect(name)?.globalValue, value);
    }
  });

  it('sends requests through VS Code’s own network when the setting says so, without a reload', async () => {
    const setting = vscode.workspace.getConfiguration();
    const name = 'askModel.network.transport';
    await assert.rejects(async () => setting.update(name, 'host', vscode.ConfigurationTarget.Workspace));
    const agentsOf = () => gateway.requests().map(({ headers }) => headers['user-agent']);
    const before = agentsOf().length;
    await setting.update(name, 'host', vscode.ConfigurationTarget.Global);
    try {
      await vscode.commands.executeCommand('askModel.refreshModels');
      // Another selection: the same one within a second would count as a repeat of the same action.
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      editor.selection = new vscode.Selection(0, 0, 2, 0);
      await vscode.commands.executeCommand('askModel.explainSelection');
      await until(() => gateway.usageLog().length === 2);
      assert.equal(gateway.usageLog().at(-1)?.state, 'ok');
      assert.equal(gateway.postCount(), 2);
    } finally {
      await setting.update(name, undefined, vscode.ConfigurationTarget.Global);
    }
    await vscode.commands.executeCommand('askModel.refreshModels');
    assert.equal(agentsOf().length, before + 3);
    assert.ok(agentsOf().every((agent) => agent?.startsWith('ask-model/')));
  });

  it('leaves no global of undici in the process', () => {
    assert.equal(isAppLoaded(), true);
    assert.deepEqual(undiciSlots(), slotsBefore);
  });
});

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type * as vscodeApi from 'vscode';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import { writeEvent } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import type { PanelParts } from '../../../../src/editor/panel/panelUpdates.ts';
import type { UnreadAnswers } from '../../../../src/editor/panel/unreadAnswers.ts';
import type { Gateways } from '../../../../src/editor/sending/paidCalls.ts';
import type { UnscannedFiles } from '../../../../src/editor/sending/questionSecrets.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import type { SharedPorts } from '../../../../src/editor/ui/remembered.ts';
import { conversationFiles } from '../../../../src/node/files/conversationFiles.ts';
import { until } from '../../../until.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { settle } from '../../core/chat/sending/chatScene.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type Notification = { words: string; buttons: string[]; press: (button: string) => void };
const notifications: Notification[] = [];
const written: string[] = [];
Object.assign(globalThis, { notificationsOfTest: notifications, writtenByTest: written });
// The part of VS Code that shows a conversation and saves it to a file. The test answers the notifications.
const vscode = `data:text/javascript,
  const nothing = () => ({ dispose() {} });
  export const window = {
    tabGroups: { all: [], activeTabGroup: { tabs: [] }, onDidChangeTabs: nothing, onDidChangeTabGroups: nothing, close: async () => true },
    showWarningMessage: (words, _, ...buttons) =>
      new Promise((press) => globalThis.notificationsOfTest.push({ words, buttons, press })),
    showInformationMessage: async () => undefined,
    showSaveDialog: async () => ({ path: '/saved.md', fsPath: '/saved.md' }),
  };
  let size = 0;
  export const workspace = {
    registerTextDocumentContentProvider: nothing,
    onDidCloseTextDocument: nothing,
    onDidGrantWorkspaceTrust: nothing,
    onDidChangeConfiguration: nothing,
    onDidChangeWorkspaceFolders: nothing,
    fs: {
      writeFile: async (_, bytes) => {
        size = bytes.length;
        globalThis.writtenByTest.push(new TextDecoder().decode(bytes));
      },
      stat: async () => ({ size }),
    },
  };
  export const [l10n, env] = [{}, { language: 'en' }];
  export const Uri = { joinPath: () => ({ toString: () => '' }) };
  export class EventEmitter {
    dispose() {}
  }`;
fakeVSCode(import.meta, vscode);
const { ChatPanels } = await import('../../../../src/editor/panel/chatPanels.ts');
const { LoadedConversations } = await import('../../../../src/editor/panel/loadedConversations.ts');
const { openUnsavedConversations } = await import('../../../../src/editor/panel/unsavedConversations.ts');

/** A fake webview panel. */
function surface() {
  const [closed, received] = [new Emitter<void>(), new Emitter<unknown>()];
  const panel = {
    visible: true,
    webview: { onDidReceiveMessage: received.event, asWebviewUri: () => '', postMessage: async () => true },
    onDidChangeViewState: () => ({ dispose() {} }),
    onDidDispose: closed.event,
    dispose: () => closed.fire(),
  };
  return { panel: panel as unknown as vscodeApi.WebviewPanel, close: () => closed.fire() };
}

/** A shown conversation that can no longer be written; by default, because another window has deleted it. */
async function scene(context: TestContext, diskError?: Error) {
  const folder = await mkdtemp(join(tmpdir(), 'ask-model-'));
  context.after(() => rm(folder, { recursive: true, force: true }));
  const [here, there] = [conversationFiles(folder), conversationFiles(folder)];
  const clock = new ManualClock();
  const log = { info() {}, warn() {}, defect() {} } as unknown as Log;
  const onDidChange = () => ({ dispose() {} });
  const shared = { clock, log } as unknown as SharedPorts;
  const gateways = {
    catalogue: { onDidChange },
    connections: { active: undefined, onDidChange, readKeys: async () => undefined },
    accounts: { onDidChange },
    costs: { onDidChange },
    senders: {},
    ledger: () => ({ chargedOf: () => undefined, onDidReceive: onDidChange }),
  } as unknown as Gateways;
  const unread = { ended() {}, remove() {} } as unknown as UnreadAnswers;
  const unsaved = openUnsavedConversations(log, here, {} as vscodeApi.Uri);
  const unscanned = { has: () => false } as unknown as UnscannedFiles;
  const panels = new ChatPanels(
    new LoadedConversations(shared, here, gateways, unscanned, unread, unsaved),
    unread,
    { shared, gateways, store: here, changes: { onDidChange, blocks: [] } } as unknown as PanelParts,
    {} as vscodeApi.Uri,
  );
  const text = [
    { type: 'conversation' as const, version: 1 as const, id: 'a', createdAt: 5 },
    { type: 'title' as const, text: 'Plan' },
  ];
  await here.append('a', text.map(writeEvent).join(''));
  const shown = surface();
  await panels.restore(shown.panel, { conversation: 'a' });
  if (diskError) {
    here.append = async () => {
      throw diskError;
    };
  } else {
    await there.remove('a');
  }
  await panels.conversations.change('a', (live) => live.rename('Better plan'));
  const [notification] = notifications.splice(0);
  assert.ok(notification);
  return { folder, panels, there, clock, shown, notification };
}

test('notifies of a conversation that was deleted in another window, keeps it in memory, and saves it to a file', async (context) => {
  const { folder, panels, clock, shown, notification } = await scene(context);
  assert.match(notification.words, /^"Better plan" can't be saved\. The conversation was deleted in another window\. /);
  assert.deepEqual(notification.buttons, ['Show Conversation', 'Save As…']);
  shown.close();
  await until(() => notifications.length > 0);
  assert.equal(notifications.splice(0)[0]?.words, notification.words);
  clock.pass(60_000);
  await settle();
  assert.ok(panels.conversations.get('a'));
  assert.deepEqual(
    (await readdir(folder)).filter((name) => name !== 'claims' && name !== 'deleted'),
    [],
  );
  notification.press('Save As…');
  await until(() => written.length > 0);
  assert.match(written.splice(0).join(), /Better plan/);
});

test('continues a conversation that is restored while its panel is open', async (context) => {
  const { panels, there } = await scene(context);
  await there.restore('a');
  await panels.conversations.change('a', (live) => live.rename('Best plan'));
  assert.match((await there.read('a')) ?? '', /Better plan.*\n.*Best plan/);
  assert.deepEqual(notifications, []);
});

test('notifies of a full disk again when the panel is closed, in the same words, so that VS Code shows it once', async (context) => {
  const full = Object.assign(new Error('ENOSPC'), { code: 'ENOSPC' });
  const { panels, shown, notification } = await scene(context, full);
  assert.match(notification.words, /^"Better plan" can't be saved\. The disk is full\./);
  assert.deepEqual(notification.buttons, ['Show Conversation', 'Save As…']);
  shown.close();
  await until(() => notifications.length > 0);
  const { words, buttons } = notification;
  assert.deepEqual(
    notifications.splice(0).map((each) => [each.words, each.buttons]),
    [[words, buttons]],
  );
  assert.ok(panels.conversations.get('a'), 'it stays in memory');
});

test('deletes a conversation that can’t be saved, with its panel, and says nothing more of it', async (context) => {
  const { folder, panels, clock } = await scene(context, new Error('the disk is full'));
  assert.equal(await panels.conversations.remove('a'), true);
  await settle();
  assert.deepEqual([panels.conversations.get('a'), panels.conversations.panels, notifications], [undefined, [], []]);
  clock.pass(60_000);
  assert.equal(clock.pending, 0);
  assert.ok(!(await readdir(folder)).some((name) => name.startsWith('a')));
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ExtensionContext, Uri } from 'vscode';
import type { PaidActions } from '../../../../src/core/chat/sending/paidActions.ts';
import type { GitChanges } from '../../../../src/editor/code/gitChanges.ts';
import type { WorkspaceFiles } from '../../../../src/editor/code/workspaceFiles.ts';
import type { Gateways } from '../../../../src/editor/sending/paidCalls.ts';
import type { LastEditor } from '../../../../src/editor/ui/lastEditor.ts';
import type { SharedPorts } from '../../../../src/editor/ui/remembered.ts';
import type { ShownTexts } from '../../../../src/editor/ui/shownTexts.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { settle } from '../../core/chat/sending/chatScene.ts';
import { memoryConversations } from '../../core/chat/store/memoryConversations.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code that is used before a panel is opened.
const vscode = `data:text/javascript,
  const nothing = () => ({ dispose() {} });
  export const window = new Proxy({ tabGroups: { onDidChangeTabs: nothing, onDidChangeTabGroups: nothing } }, { get: (own, name) => own[name] ?? nothing });
  export const languages = { createDiagnosticCollection: nothing };
  export const workspace = {
    getConfiguration: () => ({ get: () => true, inspect: () => undefined }),
    onDidChangeTextDocument: nothing,
    onDidCloseTextDocument: nothing,
    registerTextDocumentContentProvider: nothing,
  };
  export const [env, Uri, ViewColumn, ThemeIcon, l10n, QuickPickItemKind] = [{}, {}, {}, class {}, {}, {}];
  export class EventEmitter { dispose() {} }`;
fakeVSCode(import.meta, vscode);
const { openPanels } = await import('../../../../src/editor/panel/openPanels.ts');

test('releases the lock of a call when its end is in the ledger', async () => {
  const clock = new ManualClock();
  let released = 0;
  let settleCalls = () => {};
  const panels = openPanels(
    { store: { add: <T>(each: T) => each }, clock, log: { defect: assert.fail } } as unknown as SharedPorts,
    {} as ExtensionContext,
    {} as Gateways,
    {
      ...memoryConversations(clock),
      lock: async (id: string) => (id === 'a' ? () => void released++ : 'deletion'),
      clearDeleted: async () => undefined,
    },
    () => new Promise<void>((resolve) => (settleCalls = resolve)),
    {} as WorkspaceFiles,
    {} as GitChanges,
    {} as LastEditor,
    {} as PaidActions,
    {} as ShownTexts,
    {} as Uri,
  );
  const store = panels.conversationStore;
  assert.equal(await store.lock('b'), 'deletion');
  const release = await store.lock('a');
  assert.ok(typeof release === 'function');
  release();
  await settle();
  assert.equal(released, 0);
  settleCalls();
  await settle();
  assert.equal(released, 1);
});

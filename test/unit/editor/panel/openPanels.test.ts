import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryConversations } from '../../../../src/core/chat/store/memoryConversations.ts';
import type { PanelsPorts } from '../../../../src/editor/panel/openPanels.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { settle } from '../../core/chat/sending/chatScene.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code that is used before a panel is opened.
const vscode = `data:text/javascript,
  const nothing = () => ({ dispose() {} });
  export const window = new Proxy({}, { get: () => nothing });
  export const workspace = { getConfiguration: () => ({ get: () => true, inspect: () => undefined }) };
  export const [env, Uri, ViewColumn, ThemeIcon, l10n] = [{}, {}, {}, class {}, {}];
  export class EventEmitter { dispose() {} }`;
fakeVSCode(import.meta, vscode);
const { openPanels } = await import('../../../../src/editor/panel/openPanels.ts');

test('releases the lock of a call when its end is in the ledger', async () => {
  const clock = new ManualClock();
  let released = 0;
  let settleCalls = () => {};
  const ports = {
    store: { add: <T>(each: T) => each },
    clock,
    log: { defect: assert.fail },
    callsSettled: () => new Promise<void>((resolve) => (settleCalls = resolve)),
    conversationFiles: {
      ...memoryConversations(clock),
      lock: async (id: string) => (id === 'a' ? () => void released++ : 'deletion'),
      clearDeleted: async () => undefined,
      takeUnsaved: async () => [],
    },
  };
  const store = await openPanels(ports as unknown as PanelsPorts).conversationStore();
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

import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { beforeEach, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../../src/editor/ui/log.ts';

type Listener = () => void;
const listeners: Listener[] = [];
Object.assign(globalThis, { listenersByTest: listeners });
// A fake VS Code with a panel on the left and a file on the right. It rejects all moves and all closing of tabs.
const vscode = `data:text/javascript,
  const refuse = () => Promise.reject(new Error('refused'));
  const nothing = { dispose: () => undefined };
  const listen = (listener) => (globalThis.listenersByTest.push(listener), nothing);
  export class TabInputWebview { viewType = 'mainThreadWebview-askModel.conversation' }
  export class TabInputText { uri = { scheme: 'file' } }
  export class TabInputTextDiff {}
  export class EventEmitter { event = () => nothing; dispose() {} }
  export const panel = [{ input: new TabInputWebview() }];
  export const file = [{ input: new TabInputText() }];
  const groups = [{ viewColumn: 1, tabs: panel }];
  Object.assign(globalThis, { openFileInTest: () => groups.push({ viewColumn: 2, isActive: true, tabs: file }) });
  export const window = { tabGroups: {
    all: groups, close: refuse, onDidChangeTabs: listen, onDidChangeTabGroups: listen,
  } };
  export const workspace = new Proxy({}, { get: () => () => nothing });
  export const commands = { executeCommand: refuse };`;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: vscode, shortCircuit: true } : next(name, context)),
});
const { keepFilesLeft } = await import('../../../../src/editor/panel/panelGroup.ts');
const { RequestDocuments } = await import('../../../../src/editor/panel/requestDocuments.ts');
const { ProposedChanges } = await import('../../../../src/editor/code/proposedChanges.ts');

const defects: string[] = [];
const log = { defect: (where: string) => defects.push(where) } as unknown as Log;
beforeEach(() => void defects.splice(0));

test('logs that the files could not be moved left of the panels', async () => {
  keepFilesLeft(log);
  await turn();
  assert.deepEqual(defects, [], 'there is no file yet');
  (globalThis as unknown as { openFileInTest: () => void }).openFileInTest();
  for (const listener of listeners) {
    listener();
  }
  await turn();
  assert.deepEqual([...new Set(defects)], ['The files could not be kept left of the panels']);
});

test('logs that tabs from before a reload could not be closed', async () => {
  new RequestDocuments(log);
  new ProposedChanges(log);
  await turn();
  assert.deepEqual(defects, [
    'Requests shown before a reload could not be closed',
    'Changes shown before a reload could not be closed',
  ]);
});

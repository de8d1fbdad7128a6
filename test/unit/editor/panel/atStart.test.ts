import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// A fake VS Code that rejects all closing of tabs.
const vscode = `data:text/javascript,
  const refuse = () => Promise.reject(new Error('refused'));
  const nothing = { dispose: () => undefined };
  export class TabInputText { uri = { scheme: 'file' } }
  export class TabInputTextDiff {}
  export class EventEmitter { event = () => nothing; dispose() {} }
  export const window = { tabGroups: { all: [], close: refuse, onDidChangeTabs: () => nothing } };
  export const workspace = new Proxy({}, { get: () => () => nothing });`;
fakeVSCode(import.meta, vscode);
const { RequestDocuments } = await import('../../../../src/editor/panel/requestDocuments.ts');
const { ProposedChanges } = await import('../../../../src/editor/code/proposedChanges.ts');

const defects: string[] = [];
const log = { defect: (where: string) => defects.push(where) } as unknown as Log;

test('logs that tabs from before a reload could not be closed', async () => {
  new RequestDocuments(log);
  new ProposedChanges(log);
  await turn();
  assert.deepEqual(defects, [
    'Requests shown before a reload could not be closed',
    'Changes shown before a reload could not be closed',
  ]);
});

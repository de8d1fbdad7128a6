import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { SecretStorage } from 'vscode';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// A VS Code where the first button of a notification is pressed and every command fails.
const vscode = `data:text/javascript,
  export const window = { showWarningMessage: async (words, options, button) => button };
  export const commands = { executeCommand: () => Promise.reject(new Error('refused')) };
  export const workspace = {};`;
fakeVSCode(import.meta, vscode);
const { connectionStores } = await import('../../../../src/editor/connections/connectionStores.ts');

test('logs an error when the settings with a problem can’t be opened', async () => {
  const logged: string[] = [];
  const log = {
    warn: (words: string) => logged.push(words),
    defect: (where: string, error: unknown) => logged.push(`${where}: ${error}`),
  } as unknown as Log;
  const { onProblems } = connectionStores(
    {} as SecretStorage,
    log,
    () => undefined,
    () => undefined,
  );
  onProblems?.(['The second entry has no address.']);
  await turn();
  assert.deepEqual(logged, ['Problems in askModel.connections: 1', 'The settings could not be opened: Error: refused']);
});

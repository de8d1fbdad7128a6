import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Connection, readConnections } from '../../../../src/core/connections/connection.ts';
import { redact } from '../../../../src/core/secrets/redact.ts';
import type { DiagnosticsDeps } from '../../../../src/editor/connections/copyDiagnostics.ts';
import { until } from '../../../until.ts';
import { projectRoot } from '../../../vscode/paths.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type Pick = {
  readonly items: readonly { readonly label: string }[];
  readonly options: { readonly canPickMany: boolean };
  readonly close: (ticked?: readonly unknown[]) => void;
};
type Screen = { pick: Pick | undefined; readonly events: string[]; settings: object };
const screen: Screen = { pick: undefined, events: [], settings: {} };
Object.assign(globalThis, { diagnosticsScreen: screen });
const code = `data:text/javascript,
  const screen = globalThis.diagnosticsScreen;
  export const version = '1.104.0';
  export const UIKind = { Desktop: 1, Web: 2 };
  export const ExtensionKind = { UI: 1, Workspace: 2 };
  export const env = { appName: 'Code', appHost: 'desktop', uiKind: 1, remoteName: 'wsl', language: 'zh-cn',
    clipboard: { writeText: async (text) => void screen.events.push('copied: ' + text) } };
  export const workspace = { isTrusted: true,
    getConfiguration: () => ({ inspect: (name) => screen.settings[name] }) };
  export const window = {
    showQuickPick: (items, options) => new Promise((close) => { screen.pick = { items, options, close }; }),
    showInformationMessage: async (text) => void screen.events.push('said: ' + text) };`;
fakeVSCode(import.meta, code);
const { copyDiagnostics } = await import('../../../../src/editor/connections/copyDiagnostics.ts');

const key = 'zyxwv98765abcde43210';
const entry = { id: 'a', baseUrl: 'https://gw.example/v1', headers: { 'x-team': 'blue' } };
const connection = readConnections([entry]).connections[0] as Connection;

function depsOf(): DiagnosticsDeps {
  return {
    connections: { all: [connection], destinationOf: async () => ({ status: 'ready', connection, key }) },
    clock: new ManualClock(),
    extension: { packageJSON: JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8')), extensionKind: 1 },
    version: '1.2.3',
    system: 'Linux 6.1 x64',
    runtime: 'v22.1.0',
    errors: { all: [{ at: 0, text: `GET models: keyRejected, code ${key}`, origin: 'https://gw.example' }] },
    redact: (text) => redact(text, [key]),
  };
}

/** Runs the command. @returns what happened, after `act` on the list. */
async function run(act: (pick: Pick) => void): Promise<readonly string[]> {
  screen.events.length = 0;
  screen.settings = {
    'askModel.connections': { defaultValue: [], globalValue: [entry] },
    'askModel.confirmPrice': { defaultValue: 120, globalValue: 120, workspaceValue: 5 },
  };
  const running = copyDiagnostics(depsOf());
  await until(() => screen.pick !== undefined);
  assert.ok(screen.pick);
  act(screen.pick);
  await running;
  screen.pick = undefined;
  return [...screen.events];
}

test('copies a report without addresses when the person only presses Enter', async () => {
  const [copied = '', ...others] = await run((pick) => {
    assert.ok(pick.options.canPickMany);
    assert.equal(pick.items.length, 1);
    pick.close([]);
  });
  assert.match(copied, /^copied: # Ask Model: diagnostics/);
  assert.match(copied, /VS Code +1\.104\.0\n.*Code \(desktop\).*Remote +wsl.*Node\.js +v22\.1\.0.*zh-cn/s);
  assert.match(copied, /1 \(active\) +ready/);
  assert.match(copied, /askModel\.connections \(user\): 1 entry\naskModel\.confirmPrice \(workspace\): 5\n```/);
  assert.match(copied, /keyRejected, code \[key\]\n/);
  assert.doesNotMatch(copied, /gw\.example|blue|zyxwv/);
  assert.deepEqual(others, ['said: Diagnostics copied.']);
});

test('copies the addresses too when the person ticks them', async () => {
  const [copied = '', ...others] = await run((pick) => {
    pick.close(pick.items);
  });
  assert.match(copied, /1 \(active\) +https:\/\/gw\.example, ready/);
  assert.doesNotMatch(copied, /blue|zyxwv/);
  assert.deepEqual(others, ['said: Diagnostics copied.']);
});

test('copies nothing when the person cancels', async () => {
  assert.deepEqual(await run((pick) => pick.close()), []);
});

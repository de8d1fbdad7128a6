import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';
import type { ModelList } from '../../../../src/core/models/list/model.ts';
import type { ConnectDeps } from '../../../../src/editor/connections/connect.ts';
import { until } from '../../../until.ts';
import { urlOf } from '../../core/connections/connectionTo.ts';
import { Profile } from '../../core/connections/profile.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

/** The messages shown, of which each is answered with the next of `answers`. */
const screen = { messages: [] as string[], answers: [] as string[], status: '' };
Object.assign(globalThis, { screenByTest: screen });
const code = `data:text/javascript,
  const screen = globalThis.screenByTest;
  const front = () => new FakePick();
  const showMessage = async (words) => { screen.messages.push(words); return screen.answers.shift(); };
  export class ThemeIcon {}
  export const QuickInputButtons = { Back: { isBack: true } };
  export const QuickPickItemKind = { Separator: -1 };
  export const ProgressLocation = { Notification: 15 };
  export const window = { createInputBox: front, createQuickPick: front, showWarningMessage: showMessage, showErrorMessage: showMessage,
    showInformationMessage: showMessage, setStatusBarMessage: (text) => void (screen.status = text),
    withProgress: (options, task) => task(undefined, { onCancellationRequested: () => undefined }) };`;
fakeVSCode(import.meta, code);
const { confirmAddress, connect, replaceKey } = await import('../../../../src/editor/connections/connect.ts');
const { editAddress, editHeaders, editLine } = await import('../../../../src/editor/connections/editConnection.ts');

/** Waits for the box or list with this title, until it is no longer busy. */
async function front(title: string): Promise<FakePick> {
  await until(() => FakePick.front?.title === title && !FakePick.front.busy);
  return FakePick.front ?? assert.fail();
}

/** Types into the box with this title, and presses Enter. */
async function type(title: string, text: string): Promise<void> {
  const box = await front(title);
  box.type(text);
  box.accept();
}

async function pick(title: string, label: string): Promise<void> {
  const list = await front(title);
  const row = list.items.find((each) => each.label.startsWith(label));
  assert.ok(row, `${label}: ${list.items.map((each) => each.label)}`);
  list.selectedItems = [row];
  list.accept();
}

async function goBack(title: string): Promise<void> {
  const { QuickInputButtons } = await import('vscode');
  (await front(title)).fire('TriggerButton', QuickInputButtons.Back);
}

async function assertProblem(title: string, words: RegExp): Promise<void> {
  await until(() => assert.match(String(FakePick.front?.validationMessage), words));
  await front(title);
}

/** No connection yet, and gateways that answer as `check` decides. */
function scene(
  check: (base: string, key: string, headers?: Readonly<Record<string, string>>) => GatewayProblem | undefined = () =>
    undefined,
) {
  const profile = new Profile();
  const connections = profile.window();
  const checked: string[] = [];
  const deps: ConnectDeps = {
    connections,
    check: async ({ url, key, headers }) => {
      checked.push([url.base, key, ...Object.keys(headers ?? {})].join(' '));
      const problem = check(url.base, key, headers);
      return problem ?? ({ models: [{ id: 'a' }, { id: 'b' }] } as unknown as ModelList);
    },
    holdsKey: () => false,
    routes: { routeTo: () => undefined, accept: async () => undefined },
  };
  screen.messages.length = 0;
  screen.answers.length = 0;
  const active = () => {
    assert.ok(connections.active);
    return connections.active;
  };
  const addConnection = () => connections.add(urlOf('a.example'), 'key-a');
  return { connections, deps, checked, profile, active, addConnection };
}

const addressBox = 'Connect to a Gateway';
const rejected: GatewayProblem = { kind: 'keyRejected' };
const noList: GatewayProblem = { kind: 'wrongAddress' } as GatewayProblem;

test('connects after a check, and shows a problem under the box without clearing its text', async () => {
  const { deps, checked, connections } = scene((_, key) => (key === 'key-b' ? undefined : rejected));
  const connecting = connect(deps);
  await type(addressBox, 'ftp://a.example');
  await assertProblem(addressBox, /must start with https:/);
  await type(addressBox, 'a.example');
  await type(addressBox, 'two words');
  await assertProblem(addressBox, /contains a space/);
  await type(addressBox, 'key-a');
  await assertProblem(addressBox, /rejected this key.*Press Enter again for other options/);
  assert.equal(FakePick.front?.value, 'key-a');
  assert.equal(connections.all.length, 0);
  await type(addressBox, 'key-b');
  assert.equal(await connecting, true);
  assert.deepEqual(checked, ['https://a.example/v1 key-a', 'https://a.example/v1 key-b']);
  const destination = await connections.findDestination();
  assert.ok(destination.status === 'ready' && destination.key === 'key-b');
  assert.equal(screen.status, 'Connected: 2 models');
  assert.deepEqual(screen.messages, [], 'nothing covers the Send button of a panel');
});

test('stores nothing when the person cancels, and keeps the typed key when storing it fails', async () => {
  const { deps, connections, profile } = scene();
  const cancelled = connect(deps);
  await type(addressBox, 'a.example');
  (await front(addressBox)).hide();
  assert.equal(await cancelled, false);
  assert.equal(connections.all.length, 0);
  const connecting = connect(deps);
  await type(addressBox, 'a.example');
  profile.settingFailure = new Error('settings.json has unsaved changes');
  await until(() => FakePick.front?.password === true);
  await type(addressBox, 'key-a');
  await assertProblem(addressBox, /key couldn't be stored: settings\.json has unsaved changes/);
  assert.equal(FakePick.front?.value, 'key-a');
  profile.settingFailure = undefined;
  await type(addressBox, 'key-a');
  assert.equal(await connecting, true);
});

test('goes back to the address without losing the key, and stores an unchecked key only when the person picks that', async () => {
  const { deps, connections } = scene(() => noList);
  const connecting = connect(deps);
  await type(addressBox, 'a.example');
  await until(() => FakePick.front?.password === true);
  await type(addressBox, 'key-a');
  await until(() => (FakePick.front?.items.length ?? 0) > 0);
  assert.match(FakePick.front?.items?.[0]?.label ?? '', /^Change Address/);
  await pick(addressBox, 'Change Address');
  await until(() => FakePick.front?.password === false);
  assert.ok(FakePick.front?.validationMessage);
  await type(addressBox, 'b.example');
  await until(() => FakePick.front?.password === true);
  assert.equal(FakePick.front?.value, 'key-a');
  await goBack(addressBox);
  await until(() => FakePick.front?.password === false);
  await type(addressBox, 'b.example');
  await until(() => FakePick.front?.password === true);
  await type(addressBox, 'key-a');
  await until(() => (FakePick.front?.items.length ?? 0) > 0);
  assert.ok(!FakePick.front?.items[0]?.label.startsWith('Save'), 'an extra Enter stores nothing');
  await pick(addressBox, 'Save Without Checking');
  assert.equal(await connecting, true);
  assert.equal(connections.active?.url.base, 'https://b.example/v1');
});

test('edits extra headers as JSON, and checks another key with them', async () => {
  const { deps, checked, active, addConnection } = scene();
  await addConnection();
  const editing = editHeaders(deps, active());
  await type('Extra Headers for a.example', '{"X-Team": "blue"}');
  assert.equal(await editing, 'back');
  assert.equal(active().headers['x-team'], 'blue');
  const replacing = replaceKey(deps, active());
  await type('Key for a.example', 'key-b');
  assert.equal(await replacing, true);
  assert.equal(checked.at(-1), 'https://a.example/v1 key-b x-team');
});

test('accepts a host name with non-ASCII letters at the second Enter', async () => {
  const { deps } = scene();
  const connecting = connect(deps);
  await type(addressBox, 'gаteway.example');
  await assertProblem(addressBox, /xn--gteway-3nf\.example.*Press Enter again/);
  await type(addressBox, 'gаteway.example');
  await until(() => FakePick.front?.password === true);
  (await front(addressBox)).hide();
  assert.equal(await connecting, false);
});

test('checks another path of a gateway, and accepts it unchecked at the second Enter', async () => {
  const { deps, connections, checked, active, addConnection } = scene((base) =>
    base.includes('/x/') ? noList : undefined,
  );
  await addConnection();
  const title = 'Address of a.example';
  const editing = editAddress(deps, active());
  await type(title, 'a.example/x');
  await assertProblem(title, /Press Enter again to save it anyway/);
  assert.equal(active().url.base, 'https://a.example/v1');
  await type(title, 'a.example/x');
  assert.equal(await editing, 'back');
  assert.equal(active().url.base, 'https://a.example/x/v1');
  assert.deepEqual(checked, ['https://a.example/x/v1 key-a']);
  assert.equal((await connections.findDestination()).status, 'ready');
});

test('checks a path before it is accepted, even when Enter is pressed again for another reason', async () => {
  const { deps, connections, checked, profile, active } = scene();
  await connections.add(urlOf('bücher.example'), 'key-a');
  const title = `Address of ${active().name}`;
  const editing = editAddress(deps, active());
  await type(title, 'bücher.example/x');
  await assertProblem(title, /Press Enter again to use this address/);
  profile.settingFailure = new Error('The disk is full');
  await type(title, 'bücher.example/x');
  await assertProblem(title, /The disk is full/);
  profile.settingFailure = undefined;
  await type(title, 'bücher.example/x');
  assert.equal(await editing, 'back');
  const check = 'https://xn--bcher-kva.example/x/v1 key-a';
  assert.deepEqual(checked, [check, check]);
});

test('sends a key to another origin only after a confirmation and a check, and accepts another key instead', async () => {
  const { deps, connections, checked, active, profile, addConnection } = scene((base, key) =>
    base.includes('b.example') && key === 'key-a' ? rejected : undefined,
  );
  await addConnection();
  const title = 'Address of a.example';
  // The dialog is cancelled, then the key is sent, then another key is entered.
  const cancelled = editAddress(deps, active());
  await type(title, 'b.example');
  assert.equal(await cancelled, 'back');
  assert.match(
    screen.messages[0] ?? '',
    /^Send the key to https:\/\/b\.example\? It was entered for https:\/\/a\.example\.$/,
  );
  assert.deepEqual(checked, []);
  assert.equal((await connections.findDestination()).status, 'ready');
  screen.answers.push('Send Key to https://b.example');
  const rejecting = editAddress(deps, active());
  await type(title, 'b.example');
  assert.equal(await rejecting, 'back');
  assert.match(screen.messages.at(-1) ?? '', /rejected this key/);
  assert.equal(active().url.base, 'https://a.example/v1');
  assert.equal(active().name, 'a.example');
  screen.answers.push('Enter Another Key…');
  const editing = editAddress(deps, active());
  await type(title, 'b.example');
  await type('Key for b.example', 'key-b');
  assert.equal(await editing, 'back');
  const destination = await connections.findDestination();
  assert.ok(destination.status === 'ready' && destination.key === 'key-b');
  assert.equal(destination.connection.url.base, 'https://b.example/v1');
  // An address that was changed in the settings is confirmed separately.
  profile.entries = [{ id: 'id1', baseUrl: 'https://c.example' }];
  await connections.use(active());
  assert.equal((await connections.findDestination()).status, 'keyElsewhere');
  screen.answers.push('Send Key to https://c.example');
  assert.equal(await confirmAddress(deps, active()), true);
  assert.equal((await connections.findDestination()).status, 'ready');
  assert.equal(checked.at(-1), 'https://c.example/v1 key-b');
});

test('replaces a key, and removes blanks around a new name', async () => {
  const { deps, connections, active, addConnection } = scene();
  await addConnection();
  const replacing = replaceKey(deps, active());
  await type('Key for a.example', 'Bearer key-b');
  assert.equal(await replacing, true);
  const destination = await connections.findDestination();
  assert.ok(destination.status === 'ready' && destination.key === 'key-b');
  const renaming = editLine(deps, active(), 'name');
  await type('Rename a.example', ' Work ');
  assert.equal(await renaming, 'back');
  assert.equal(active().name, 'Work');
});

test('gives no connection the name of another one', async () => {
  const { deps, connections } = scene();
  await connections.add(urlOf('a.example'), 'key-a');
  await connections.add(urlOf('b.example'), 'key-b');
  const [second] = connections.all;
  assert.ok(second);
  const renaming = editLine(deps, second, 'name');
  await type('Rename b.example', ' a.example ');
  await assertProblem('Rename b.example', /^Another connection already has this name/);
  await type('Rename b.example', 'b.example');
  assert.equal(await renaming, 'back');
  assert.deepEqual(
    connections.all.map(({ name }) => name),
    ['b.example', 'a.example'],
  );
});

test('saves the note of a connection, removes an empty one, and refuses a key', async () => {
  const { deps, active, addConnection } = scene();
  await addConnection();
  const holdsKey = (text: string) => text.includes('sk-');
  for (const [text, saved] of [
    ['Group "team-a"', 'Group "team-a"'],
    ['', undefined],
  ] as const) {
    const editing = editLine({ ...deps, holdsKey }, active(), 'note');
    await type('Note for a.example', 'sk-0123456789');
    await assertProblem('Note for a.example', /^This looks like a key/);
    await type('Note for a.example', text);
    assert.equal(await editing, 'back');
    assert.equal(active().note, saved);
  }
});

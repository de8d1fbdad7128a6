import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebviewPanel } from 'vscode';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import { Ledger } from '../../../../src/core/usage/ledger.ts';
import type { MatchResult } from '../../../../src/core/usage/receipts/matchLog.ts';
import type { UsageDocument } from '../../../../src/core/usage/view/usageDocument.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { until } from '../../../until.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { connectionTo } from '../../core/connections/connectionTo.ts';
import { anEnd, aStart, MemoryLedger, noon } from '../../core/usage/memoryLedger.ts';
import { sampleMatch } from '../../core/usage/view/usageSample.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code that the view uses; the panels are the tests' own.
const vscode = `data:text/javascript,
  const nothing = () => ({ dispose() {} });
  export const window = new Proxy({}, { get: () => nothing });
  export const workspace = { onDidChangeConfiguration: nothing, getConfiguration: () => ({ inspect: nothing }) };
  export const [env, commands, ViewColumn, l10n] = [{}, {}, {}, {}];
  export const Uri = { joinPath: (_, ...names) => names.join('/') };`;
fakeVSCode(import.meta, vscode);
const { openUsageView } = await import('../../../../src/editor/usage/usageView.ts');

/** A panel of VS Code whose page is the test. */
function aPanel() {
  const received = new Emitter<unknown>();
  const disposed = new Emitter<void>();
  const shown: UsageDocument[] = [];
  const surface = {
    visible: true,
    title: '',
    webview: {
      html: '',
      cspSource: 'https://csp.example',
      asWebviewUri: (uri: unknown) => `webview:${uri}`,
      onDidReceiveMessage: received.event,
      postMessage: async (message: UsageDocument) => shown.push(message),
    },
    onDidDispose: disposed.event,
    dispose: () => disposed.fire(),
  };
  return { surface, shown, post: (action: unknown) => received.fire(action) };
}

function scene(
  titles: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>> = async () => new Map(),
  state?: unknown,
  match?: MatchResult,
) {
  const clock = new ManualClock(noon);
  const store = new MemoryLedger();
  const ledger = new Ledger(store, clock, () => assert.fail());
  const [logged, opened]: [string[], string[]] = [[], []];
  const log = {
    warn: (text: string) => logged.push(text),
    defect: (where: string) => logged.push(where),
    redact: String,
  };
  const matching = {
    match: async () => undefined,
    importLog: async () => undefined,
    resultOf: () => match,
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const connection = connectionTo('https://h', { id: 'c1', name: 'work key' });
  const view = openUsageView(
    log as unknown as Log,
    clock,
    ledger,
    { all: [connection], find: (id) => (id === 'c1' ? connection : undefined) },
    matching,
    { titles, open: async (id) => opened.push(id) },
    '' as never,
    '' as never,
    () => void opened.push('gesture'),
  );
  const panel = aPanel();
  view.restore(panel.surface as unknown as WebviewPanel, state);
  const callOnce = async (id: string) => (await ledger.begin(aStart(id, { conversation: 'k' }))).end(anEnd());
  return { ...panel, view, clock, store, callOnce, logged, opened };
}

const callsIn = (document: UsageDocument | undefined) => document?.tables.at(-1)?.rows.length ?? 0;

test('shows the calls when the page is ready, and again a moment after each change while it is visible', async () => {
  const { surface, shown, post, clock, callOnce } = scene();
  assert.match(surface.webview.html, /script-src 'nonce-[\w-]+'; style-src https:\/\/csp\.example; require-trusted/);
  await callOnce('a');
  clock.pass(1_000);
  post({ type: 'ready' });
  await until(() => callsIn(shown.at(-1)) === 1);
  await callOnce('b');
  await callOnce('c');
  assert.equal(clock.pending, 1, 'calls that end together are read together');
  clock.pass(200);
  await until(() => callsIn(shown.at(-1)) === 3);
  surface.visible = false;
  await callOnce('d');
  assert.equal(clock.pending, 0);
});

test('shows the titles of conversations, and leads to them', async () => {
  const { shown, post, callOnce, opened } = scene(async (ids) => new Map(ids.map((id) => [id, `title of ${id}`])));
  await callOnce('a');
  post({ type: 'ready' });
  await until(() => shown.length === 1);
  assert.equal(shown[0]?.tables.at(-1)?.rows[0]?.at(-1)?.text, 'title of k');
  post({ type: 'broken', message: 'The usage view hit a bug.' });
  post({ type: 'openConversation', id: 'k' });
  await until(() => opened.length === 2);
  assert.deepEqual(
    [opened, shown.length],
    [['gesture', 'k'], 1],
    'a click counts as one of the person, and what the page sends by itself not',
  );
});

test('shows the titles of conversations whose calls differ from the log, however old they are', async () => {
  const titles = async (ids: readonly string[]) => new Map(ids.map((id) => [id, `title of ${id}`]));
  const { shown, post } = scene(titles, { period: 'week', isDifferences: true }, sampleMatch());
  post({ type: 'ready' });
  await until(() => shown.length === 1);
  assert.equal(shown[0]?.tables[0]?.rows[0]?.at(-1)?.text, 'title of conversation-1');
});

test('restores what was chosen, changes it by actions, and shows only the last choice', async () => {
  const { shown, post, callOnce } = scene(undefined, { period: 'days30', model: 'm1', other: 1 });
  await callOnce('a');
  post({ type: 'ready' });
  await until(() => shown.length > 0);
  assert.deepEqual(shown[0]?.choice, { period: 'days30', model: 'm1' });
  shown.length = 0;
  post({ type: 'period', period: 'today' });
  post({ type: 'filter', by: 'model' });
  await until(() => shown.length > 0);
  const { choice } = shown[0] ?? {};
  assert.deepEqual({ ...choice }, { period: 'today', model: undefined });
});

test('begins with a week when the saved state is not its own', async () => {
  const { shown, post } = scene(undefined, { period: 'century' });
  post({ type: 'ready' });
  await until(() => shown.length > 0);
  assert.deepEqual(shown[0]?.choice, { period: 'week' });
});

test('logs and drops what is no action, and logs what can’t be read', async () => {
  const { post, shown, logged, store } = scene();
  post({ type: 'filter', by: 'secret', value: 'sk-1' });
  assert.deepEqual(logged, ['The usage view sent what is no message: ']);
  store.read = () => Promise.reject(new Error('unreadable'));
  post({ type: 'ready' });
  await until(() => logged.length === 2);
  assert.deepEqual([logged[1], shown], ['The usage view', []]);
});

test('stops with its panel, and replaces a panel that is restored', async () => {
  const { view, surface, clock, callOnce, shown, post } = scene();
  const other = aPanel();
  view.restore(other.surface as unknown as WebviewPanel, undefined);
  await callOnce('a');
  clock.pass(1_000);
  other.post({ type: 'ready' });
  await until(() => callsIn(other.shown.at(-1)) === 1);
  post({ type: 'ready' });
  surface.dispose();
  assert.deepEqual(shown, []);
  view.dispose();
  await callOnce('b');
  assert.equal(clock.pending, 0);
});

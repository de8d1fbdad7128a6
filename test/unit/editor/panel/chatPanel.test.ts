import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Uri, WebviewPanel } from 'vscode';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import type { Conversation } from '../../../../src/core/chat/conversation/conversation.ts';
import { emptyConversation } from '../../../../src/core/chat/conversation/conversationRecord.ts';
import type { PanelParts } from '../../../../src/editor/panel/panelUpdates.ts';
import type { HostMessage } from '../../../../src/protocol/protocol.ts';
import { Scene } from '../../core/chat/sending/chatScene.ts';
import { fakeVSCode } from '../fakeVSCode.ts';
import { partsOf } from './shownPage.ts';

const vscode = `data:text/javascript,
  export class EventEmitter {}
  export const settings = {};
  export const listeners = [];
  const workspace = {
    getConfiguration: () => ({ get: (name) => settings[name] }),
    onDidChangeConfiguration: (listener) => { listeners.push(listener); return { dispose: () => undefined }; },
  };
  export { workspace };
  export const [l10n, env, window] = [{}, { language: 'en' }, {}];
  export const Uri = { joinPath: () => '' };`;
fakeVSCode(import.meta, vscode);
const { ChatPanel } = await import('../../../../src/editor/panel/chatPanel.ts');
type Change = { affectsConfiguration(section: string): boolean };
const { settings, listeners } = (await import('vscode')) as unknown as {
  readonly settings: Record<string, unknown>;
  readonly listeners: readonly ((change: Change) => void)[];
};

/**
 * The panel of a conversation.
 *
 * @param parts what the test needs of other rooms.
 * @param active whether it is the active editor.
 * @returns `receive` hands a message of the page over; `posted` are those to it.
 */
function openPanel(parts: object, turns: readonly object[] = [], active = true) {
  const received = new Emitter<unknown>();
  const posted: HostMessage[] = [];
  const surface = {
    active,
    reveal: () => undefined,
    viewColumn: 2,
    webview: {
      onDidReceiveMessage: received.event,
      asWebviewUri: () => '',
      postMessage: async (message: HostMessage) => posted.push(message),
    },
    onDidChangeViewState: () => ({ dispose: () => undefined }),
  };
  const scene = new Scene({ ...emptyConversation('c1', 5), turns: turns as Conversation['turns'] });
  const paid = { noteGesture: () => undefined };
  const all = { ...partsOf(scene, assert.fail), paid, ...parts };
  const panel = new ChatPanel(surface as unknown as WebviewPanel, scene.chat, all as unknown as PanelParts, {} as Uri);
  return { panel, receive: (message: object) => received.fire(message), posted };
}

test('counts a click or a typed text in the panel as a gesture, and nothing that the page says by itself', () => {
  let gestures = 0;
  const { receive } = openPanel({ paid: { noteGesture: () => gestures++ } });
  for (const automatic of [{ type: 'ready' }, { type: 'ping' }, { type: 'broken', message: 'x' }, { type: 'other' }]) {
    receive(automatic);
  }
  assert.equal(gestures, 0);
  receive({ type: 'draft', text: 'a' });
  receive({ type: 'stopAll' });
  assert.equal(gestures, 2);
});

test('focuses the box after settings were edited, unless their file was opened or another editor is active', async () => {
  const isFocused = async (isOpened: boolean, active: boolean) => {
    const edit = async () => isOpened;
    const sources = { lastEditor: { fileColumn: (column: number) => column } };
    const parts = { questionSettings: { editSystemPrompt: edit, editParameters: edit }, sources };
    const { panel, receive, posted } = openPanel(parts, [], active);
    receive({ type: 'ready' });
    await panel.editSettings('editSystemPrompt');
    return posted.some(({ type }) => type === 'focus');
  };
  assert.equal(await isFocused(false, true), true);
  assert.equal(await isFocused(true, true), false);
  assert.equal(await isFocused(false, false), false);
});

test("has the font of VS Code's own chat, also when it changes (openai/codex#14738, anthropics/claude-code#11651)", () => {
  Object.assign(settings, { fontSize: 20, fontFamily: 'default' });
  const { receive, posted } = openPanel({});
  receive({ type: 'ready' });
  assert.deepEqual(posted[0], { type: 'font', size: 20, family: undefined });
  Object.assign(settings, { fontSize: '1', fontFamily: 'Noto Sans' });
  for (const name of ['editor', 'chat']) {
    listeners.at(-1)?.({ affectsConfiguration: (section: string) => section === name });
  }
  const fonts = posted.filter(({ type }) => type === 'font');
  assert.deepEqual(fonts.slice(1), [{ type: 'font', size: undefined, family: 'Noto Sans' }]);
});

test('cancels a review when its page is loaded anew, as in a panel that is moved to another window', () => {
  const { panel, receive } = openPanel({});
  let cancelled = 0;
  panel.calls.cancelReview = () => cancelled++;
  receive({ type: 'ready' });
  assert.equal(cancelled, 0, 'a command can ask before there is a page');
  receive({ type: 'ready' });
  assert.equal(cancelled, 1);
});

test('shows the newest answers of two models in a diff editor', async () => {
  const done = Promise.withResolvers<unknown>();
  const answers = [['a', 1, 'old'] as const, ['b', 2, 'second'] as const, ['c', 1, 'new'] as const];
  const replies = [...answers, ['d', 2, ' '] as const, ['e', 3, ''] as const].map(([id, column, text]) => {
    return { id, column, text, model: `m/${column}`, reasoning: '' };
  });
  const turns = [{ id: 't1', question: 'Why?', contexts: [], replies }];
  const panel = openPanel(
    {
      documents: { diff: async (...shown: unknown[]) => done.resolve(shown) },
      sources: { lastEditor: { fileColumn: (column: number) => column - 1 } },
    },
    turns,
  );
  panel.receive({ type: 'diffAnswers', turnId: 't1' });
  assert.deepEqual(await done.promise, [
    [
      { name: 'm/1', about: 'c', text: 'new' },
      { name: 'm/2', about: 'b', text: 'second' },
    ],
    1,
  ]);
});

test('accepts a change of an answer that was continued since', async () => {
  const decided: unknown[] = [];
  const [part, rest] = ['r1', 'r2'].map((id) => ({ id, text: '', reasoning: '', state: 'complete' }));
  const turn = { id: 't1', question: 'Why?', contexts: [], replies: [part, { ...rest, continues: { replyId: 'r1' } }] };
  const changes = {
    onDidChange: () => ({ dispose: () => undefined }),
    decide: async (...all: unknown[]) => decided.push(all),
  };
  openPanel({ changes }, [turn]).receive({ type: 'decide', replyId: 'r2', block: 0, accepts: true });
  await setImmediate();
  assert.deepEqual(decided, [
    [{ replyId: 'r1', block: 0 }, true],
    [{ replyId: 'r2', block: 0 }, true],
  ]);
});

test('compares a finding with the changes of the conversation, and leaves its line where there are none', async () => {
  const answered: unknown[] = [];
  const ask = async (contexts: object[]) => {
    const turn = {
      id: 't1',
      question: 'Review',
      contexts: contexts.map((each) => ({ path: '', ...each })),
      replies: [],
    };
    const { receive, posted } = openPanel({}, [turn]);
    receive({ type: 'ready' });
    for (const quote of ['two', 'three']) {
      receive({ type: 'checkFinding', index: 0, path: 'a.ts', line: 7, quote });
    }
    await setImmediate();
    answered.push(...posted.filter(({ type }) => type === 'finding'));
  };
  await ask([{ kind: 'changes', text: 'diff --git a/a.ts b/a.ts\n@@ -3 +3,2 @@\n one\n+two\n' }]);
  await ask([{ kind: 'file', text: 'three' }]);
  assert.deepEqual(
    answered,
    [4, undefined, 7, 7].map((line) => ({ type: 'finding', index: 0, line })),
  );
});

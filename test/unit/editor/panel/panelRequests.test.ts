import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { WebviewPanel } from 'vscode';
import { Masks } from '../../../../src/core/chat/masking/masks.ts';
import type { Chat } from '../../../../src/core/chat/sending/chat.ts';
import type { PaidCalls } from '../../../../src/editor/panel/paidCalls.ts';
import type { PanelParts } from '../../../../src/editor/panel/panelParts.ts';
import type { PanelUpdates } from '../../../../src/editor/panel/panelUpdates.ts';
import type { ComparisonLayout } from '../../../../src/editor/panel/panelView.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(import.meta, 'data:text/javascript,export class EventEmitter {}');
const { PanelRequests } = await import('../../../../src/editor/panel/panelRequests.ts');

type Parts = { panel?: object; chat?: object; calls?: object; updates?: object; parts?: object };

/** The requests of a panel of which a test needs only these parts. */
function openRequests({ panel = {}, chat = {}, calls = {}, updates = {}, parts = {} }: Parts) {
  return new PanelRequests(
    panel as WebviewPanel,
    chat as Chat,
    calls as PaidCalls,
    updates as PanelUpdates,
    {} as ComparisonLayout,
    { paid: { noteGesture: () => undefined }, ...parts } as unknown as PanelParts,
  );
}

test('counts a click or a typed text in the panel as a gesture, and nothing that the page says by itself', () => {
  let gestures = 0;
  const live = { secretsIn: () => [], conversation: {}, setDraft: () => undefined };
  const log = { warn: () => undefined, defect: (_: string, error: unknown) => assert.fail(String(error)) };
  const requests = openRequests({
    chat: { stop: () => undefined, live },
    updates: { begin: () => undefined, post: () => undefined },
    parts: { paid: { noteGesture: () => gestures++ }, shared: { log } },
  });
  for (const automatic of [{ type: 'ready' }, { type: 'ping' }, { type: 'broken', message: 'x' }, { type: 'other' }]) {
    requests.receive(automatic);
  }
  assert.equal(gestures, 0);
  requests.receive({ type: 'draft', text: 'a' });
  requests.receive({ type: 'stopAll' });
  assert.equal(gestures, 2);
});

test('sends again without a rejected parameter after that is noted for its model', async () => {
  const done: unknown[] = [];
  const reply = { model: 'm', problem: { kind: 'parameterRejected', parameter: 'temperature' } };
  const calls = {
    answered: () => reply,
    askAgain: async (id: string, _turn: string, _reply: string, prepare?: () => Promise<void>) => {
      await prepare?.();
      done.push(id);
      return { ok: true };
    },
  };
  const active = { modelParameters: new Map([['m', { temperature: 1, seed: 2 }]]) };
  const setParameters = async (_: unknown, model: string, change: unknown) => void done.push(model, change);
  const sent = Promise.withResolvers<unknown>();
  const requests = openRequests({
    chat: { live: {} },
    calls,
    updates: { post: sent.resolve, composer: () => undefined },
    parts: {
      shared: { log: { defect: (_: string, error: unknown) => sent.reject(error) } },
      gateways: { connections: { active, setParameters } },
    },
  });
  requests.receive({ type: 'act', action: 'sendWithoutParameter', sendId: 's1', turnId: 't1', replyId: 'r1' });
  assert.deepEqual(await sent.promise, { type: 'sent', sendId: 's1' });
  assert.deepEqual(done, ['m', { omit: ['temperature'] }, 's1']);
});

test('shows the newest answers of two models in a diff editor', async () => {
  const done = Promise.withResolvers<unknown>();
  const answers = [['a', 1, 'old'] as const, ['b', 2, 'second'] as const, ['c', 1, 'new'] as const];
  const replies = [...answers, ['d', 2, ' '] as const, ['e', 3, ''] as const].map(([id, column, text]) => {
    return { id, column, text, model: `m/${column}`, reasoning: '' };
  });
  const turns = [{ id: 't1', question: 'Why?', contexts: [], replies }];
  const conversation = { id: 'c1', turns, draft: { text: '', contexts: [] } };
  const requests = openRequests({
    panel: { viewColumn: 2 },
    chat: { live: { conversation, masks: new Masks('k3f9x2a8b7c6') } },
    parts: {
      shared: { log: { defect: (_: string, error: unknown) => done.reject(error) } },
      documents: { diff: async (...shown: unknown[]) => done.resolve(shown) },
      sources: { lastEditor: { fileColumn: (column: number) => column - 1 } },
    },
  });
  requests.receive({ type: 'diffAnswers', turnId: 't1' });
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
  const turn = { replies: [{ id: 'r1' }, { id: 'r2', continues: { replyId: 'r1' } }] };
  new PanelRequests(
    {} as WebviewPanel,
    { live: { turnOf: () => turn } } as unknown as Chat,
    {} as PaidCalls,
    {} as PanelUpdates,
    {} as ComparisonLayout,
    {
      shared: { log: { defect: assert.fail } },
      paid: { noteGesture: () => undefined },
      changes: { decide: async (...all: unknown[]) => decided.push(all) },
    } as unknown as PanelParts,
  ).receive({ type: 'decide', replyId: 'r2', block: 0, accepts: true });
  await setImmediate();
  assert.deepEqual(decided, [
    [{ replyId: 'r1', block: 0 }, true],
    [{ replyId: 'r2', block: 0 }, true],
  ]);
});

test('compares a finding with the changes of the conversation, and leaves its line where there are none', async () => {
  const answered: unknown[] = [];
  const ask = (contexts: object[]) => {
    const turns = [{ id: 't1', question: 'Review', contexts, replies: [] }];
    const requests = openRequests({
      chat: { live: { conversation: { id: 'c1', turns } } },
      updates: { post: (message: unknown) => answered.push(message) },
      parts: { shared: { log: { defect: assert.fail } } },
    });
    for (const quote of ['two', 'three']) {
      requests.receive({ type: 'checkFinding', index: 0, path: 'a.ts', line: 7, quote });
    }
  };
  ask([{ kind: 'changes', text: 'diff --git a/a.ts b/a.ts\n@@ -3 +3,2 @@\n one\n+two\n' }]);
  ask([{ kind: 'file', text: 'three' }]);
  assert.deepEqual(
    answered,
    [4, undefined, 7, 7].map((line) => ({ type: 'finding', index: 0, line })),
  );
});

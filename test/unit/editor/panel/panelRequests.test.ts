import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebviewPanel } from 'vscode';
import type { Chat } from '../../../../src/core/chat/sending/chat.ts';
import type { PaidCalls } from '../../../../src/editor/panel/paidCalls.ts';
import type { PanelParts } from '../../../../src/editor/panel/panelParts.ts';
import type { PanelUpdates } from '../../../../src/editor/panel/panelUpdates.ts';
import type { ComparisonLayout } from '../../../../src/editor/panel/panelView.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(import.meta, 'data:text/javascript,export class EventEmitter {}');
const { PanelRequests } = await import('../../../../src/editor/panel/panelRequests.ts');

test('counts a click or a typed text in the panel as a gesture, and nothing that the page says by itself', () => {
  let gestures = 0;
  const live = { secretsIn: () => [], conversation: {}, setDraft: () => undefined };
  const log = { warn: () => undefined, defect: (_: string, error: unknown) => assert.fail(String(error)) };
  const requests = new PanelRequests(
    {} as WebviewPanel,
    { stop: () => undefined, live } as unknown as Chat,
    {} as PaidCalls,
    { begin: () => undefined, post: () => undefined } as unknown as PanelUpdates,
    {} as ComparisonLayout,
    { paid: { noteGesture: () => gestures++ }, shared: { log } } as unknown as PanelParts,
  );
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
  const requests = new PanelRequests(
    {} as WebviewPanel,
    { live: {} } as unknown as Chat,
    calls as unknown as PaidCalls,
    { post: sent.resolve, composer: () => undefined } as unknown as PanelUpdates,
    {} as ComparisonLayout,
    {
      paid: { noteGesture: () => undefined },
      shared: { log: { defect: (_: string, error: unknown) => sent.reject(error) } },
      gateways: { connections: { active, setParameters } },
    } as unknown as PanelParts,
  );
  requests.receive({ type: 'act', action: 'sendWithoutParameter', sendId: 's1', turnId: 't1', replyId: 'r1' });
  assert.deepEqual(await sent.promise, { type: 'sent', sendId: 's1' });
  assert.deepEqual(done, ['m', { omit: ['temperature'] }, 's1']);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebviewPanel } from 'vscode';
import type { PanelRequestsDeps } from '../../../../src/editor/panel/panelRequests.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

fakeVSCode(import.meta, 'data:text/javascript,export class EventEmitter {}');
const { PanelRequests } = await import('../../../../src/editor/panel/panelRequests.ts');

test('counts a click or a typed text in the panel as a gesture, and nothing that the page says by itself', () => {
  let gestures = 0;
  const requests = new PanelRequests(
    {} as WebviewPanel,
    {
      paid: { noteGesture: () => gestures++ },
      chat: { stop: () => undefined, secretsIn: () => [], conversation: {}, setDraft: () => undefined },
      updates: { begin: () => undefined, post: () => undefined },
      log: { warn: () => undefined, defect: (_: string, error: unknown) => assert.fail(String(error)) },
    } as unknown as PanelRequestsDeps,
  );
  for (const automatic of [{ type: 'ready' }, { type: 'ping' }, { type: 'broken', message: 'x' }, { type: 'other' }]) {
    requests.receive(automatic);
  }
  assert.equal(gestures, 0);
  requests.receive({ type: 'draft', text: 'a' });
  requests.receive({ type: 'stopAll' });
  assert.equal(gestures, 2);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const notifications: string[] = [];
Object.assign(globalThis, { unsavedNotifications: notifications });
// The part of VS Code that shows notifications; no button is pressed.
const vscode = `data:text/javascript,
  export const window = { showWarningMessage: async (words) => void globalThis.unsavedNotifications.push(words) };`;
fakeVSCode(import.meta, vscode);
const { reportUnsaved } = await import('../../../../src/editor/panel/unsavedConversations.ts');

const fileOf = (id: string) =>
  [
    { type: 'conversation', version: 1, id, createdAt: 5 },
    { type: 'title', text: `Title of ${id}` },
    { type: 'turn', id: 'q', question: 'Why?', contexts: [] },
    { type: 'reply', turnId: 'q', id: 'q', model: 'm', host: 'h', startedAt: 6 },
  ]
    .map((event) => `${JSON.stringify(event)}\n`)
    .join('');

test('reports every incomplete conversation, even when another one can’t be read, written or marked', async () => {
  const marked: string[] = [];
  const defects: string[] = [];
  const refused = async () => Promise.reject(Object.assign(new Error('permission denied'), { code: 'EACCES' }));
  await reportUnsaved(
    {
      read: async (id) => (id.startsWith('unreadable') ? refused() : fileOf(id)),
      append: async (id) => (id.startsWith('unwritable') ? refused() : undefined),
      markUnsaved: async (id) => (id.endsWith('unmarkable') ? refused() : void marked.push(id)),
    },
    ['unreadable', 'a', 'unreadable-unmarkable', 'unwritable', 'unwritable-unmarkable', 'b'],
    { defect: (where: string) => defects.push(where) } as unknown as Log,
  );
  assert.deepEqual(
    notifications.map((words) => /"Title of (.*)" is incomplete/.exec(words)?.[1]),
    ['a', 'unwritable', 'unwritable-unmarkable', 'b'],
  );
  assert.deepEqual(marked, ['unreadable', 'unwritable'], 'the next start reports them again');
  assert.equal(defects.length, 6);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Uri } from 'vscode';
import type { Connections } from '../../../../src/core/connections/connections.ts';
import type { StoredConversations } from '../../../../src/editor/conversations/openConversations.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const record: {
  readonly steps: string[];
  readonly messages: string[];
  readonly defects: unknown[];
  answer: string | undefined;
  failing: string[];
} = { steps: [], messages: [], defects: [], answer: undefined, failing: [] };

/** A step of the deletion, which fails when its name is in `failing`. */
async function step(name: string): Promise<void> {
  record.steps.push(name);
  if (record.failing.includes(name)) {
    throw new Error(`${name} failed with sk-secret`);
  }
}

Object.assign(globalThis, { recordOfTest: record, stepOfTest: step });
const code = `data:text/javascript,
  const { recordOfTest: record, stepOfTest: step } = globalThis;
  const show = async (text, options) => { record.messages.push(options.modal ? options.detail : text); return options.modal ? record.answer : undefined; };
  export const window = { showWarningMessage: show, showErrorMessage: show, showInformationMessage: show };
  export const ConfigurationTarget = { Global: 1 };
  export const workspace = {
    getConfiguration: () => ({ update: (id) => step(id) }),
    fs: { createDirectory: () => undefined, delete: () => step('folder') },
  };`;
fakeVSCode(import.meta, code);
const { deleteAllData } = await import('../../../../src/editor/actions/deleteAllData.ts');

const steps = [
  'conversations',
  'connection work',
  'connection home',
  'secrets',
  'usage',
  'choices',
  'askModel.connections',
  'folder',
];

/** Runs the command with two connections and three conversations. */
async function run(options: { answer?: string; failing?: string[]; isRunning?: boolean } = {}): Promise<typeof record> {
  const { answer = 'Delete All', failing = [], isRunning = false } = options;
  Object.assign(record, { steps: [], messages: [], defects: [], answer, failing });
  const connections = [{ id: 'work' }, { id: 'home' }];
  const conversations = {
    count: async () => 3,
    isAnswering: async () => isRunning,
    removeAll: async () => {
      record.steps.push('conversations');
      return record.failing.includes('conversations') ? [new Error('one is locked'), new Error('another is')] : [];
    },
    refresh: async () => {},
  };
  const log = {
    defect: (_: string, error: unknown) => record.defects.push(error),
    redact: (text: string) => text.replace('sk-secret', '[redacted]'),
  };
  await deleteAllData(
    log as unknown as Log,
    { all: connections, remove: ({ id }: { id: string }) => step(`connection ${id}`) } as unknown as Connections,
    conversations as unknown as StoredConversations,
    { clear: () => step('usage') },
    { forget: () => step('choices') },
    () => step('secrets'),
    {} as Uri,
  );
  return record;
}

test('deletes everything after a confirmation that lists it', async () => {
  const { steps: done, messages } = await run();
  assert.deepEqual(done, steps);
  assert.match(messages[0] ?? '', /Connections with their keys: 2\n• Conversations: 3\n/);
  assert.deepEqual(messages.slice(1), ['All data of Ask Model was deleted from this computer.']);
});

test('deletes nothing without the confirmation, or while an answer arrives', async () => {
  const { steps: declined, messages } = await run({ answer: 'Other' });
  assert.deepEqual([declined, messages.length], [[], 1]);
  const { steps: running, messages: refused } = await run({ isRunning: true });
  assert.deepEqual(running, []);
  assert.match(refused[1] ?? '', /Nothing was deleted/);
});

test('deletes the rest when a part can’t be deleted, and shows why without a secret', async () => {
  for (const failing of steps.slice(1)) {
    const { steps: done, messages, defects } = await run({ failing: [failing] });
    assert.deepEqual(done, steps);
    assert.deepEqual(messages.slice(1), [`Some data couldn't be deleted: ${failing} failed with [redacted]`]);
    assert.equal(defects.length, 1);
  }
  const { steps: done, messages, defects } = await run({ failing: ['conversations', 'usage'] });
  assert.deepEqual(done, steps);
  assert.deepEqual(messages.slice(1), ["Some data couldn't be deleted: one is locked"]);
  assert.equal(defects.length, 3);
});

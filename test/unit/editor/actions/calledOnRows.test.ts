import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { ConversationIndex } from '../../../../src/core/chat/store/conversationIndex.ts';
import type { Catalogue } from '../../../../src/core/models/catalogue/catalogue.ts';
import type { ShownModel } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { ConversationDeps } from '../../../../src/editor/conversations/conversationCommands.ts';
import type { OpenedModels } from '../../../../src/editor/models/openModels.ts';
import type { ShownTexts } from '../../../../src/editor/ui/shownTexts.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { memoryConversations } from '../../core/chat/store/memoryConversations.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const calls: unknown[][] = [];
Object.assign(globalThis, { callsOnRows: calls });
// The part of VS Code that the commands use before anything is picked. It records each call.
const vscode = `data:text/javascript,
  const all = () => new Proxy({}, { get: (_, name) => async (...args) => {
    globalThis.callsOnRows.push([name, ...args]);
    return name === 'withProgress' ? args[1](undefined, { onCancellationRequested: () => undefined }) : args.find((each) => each === 'Undo');
  } });
  export const window = new Proxy(all(), { get: (calls, name) => name === 'createInputBox' ? () => new FakePick() : calls[name] });
  export const commands = all();
  export const env = { clipboard: all() };`;
fakeVSCode(import.meta, vscode);
const { modelCommands } = await import('../../../../src/editor/models/modelCommands.ts');
const { ModelRow, ModelsView } = await import('../../../../src/editor/models/modelsView.ts');
const { ConversationsView } = await import('../../../../src/editor/conversations/conversationsView.ts');
const { conversationCommands } = await import('../../../../src/editor/conversations/conversationCommands.ts');

/** Arguments that another extension or a key binding may pass to a command. */
const malformed: readonly unknown[] = [
  null,
  '',
  ' \n',
  0,
  Number.NaN,
  true,
  [],
  [null, {}],
  {},
  { kind: 'model' },
  { kind: 'model', shown: null },
  { kind: 'group' },
  { kind: 'conversation' },
  { kind: 'conversation', entry: null },
  { kind: 'conversation', entry: { id: {} } },
  { rows: 'other' },
  () => undefined,
  Symbol('row'),
  new Map(),
  '../../etc/passwd\u0000',
];

test('finds no model and no conversation in an argument that is not a row', () => {
  for (const row of malformed) {
    for (const selected of [undefined, ...malformed, [row]]) {
      assert.deepEqual(ModelsView.idsOf(row, selected), [], String(row));
      assert.deepEqual(ConversationsView.idsOf(row, selected), [], String(row));
    }
  }
  assert.equal(ModelsView.modelOf('vendor/model one'), 'vendor/model one');
  assert.deepEqual(ConversationsView.idsOf('0f-a_1'), ['0f-a_1']);
});

const rowsOf = (models: readonly ShownModel[]) =>
  models.map((shown) => {
    return new ModelRow({ key: 'vendor X', name: 'X', kind: 'vendor', models }, shown);
  });

const documents = { show: async () => undefined } as unknown as ShownTexts;

/** A command handler as VS Code calls it. */
type Command = (row?: unknown, selected?: unknown) => unknown;

test('a command for a model lets the person pick one when its argument is not a row', async () => {
  const favourites: string[] = [];
  let picks = 0;
  const deps = {
    catalogue: {
      setFavourite: async (id: string) => void favourites.push(id),
      setDefaultModel: async () => undefined,
      removeManual: async () => undefined,
    } as unknown as Catalogue,
    pickModel: async () => {
      picks++;
      return undefined;
    },
  } as unknown as OpenedModels;
  const commands = modelCommands(deps, documents, async () => true);
  const onRows = [
    'setDefaultModel',
    'addFavourite',
    'removeFavourite',
    'copyModelId',
    'showModelDetails',
    'removeModel',
  ] as const;
  for (const name of onRows) {
    for (const row of malformed) {
      const before = picks;
      await (commands[`askModel.${name}`] as Command)(row, [row]);
      assert.equal(picks, before + 1, `${name} ${String(row)}`);
    }
  }
  assert.deepEqual([favourites, calls.splice(0)], [[], []]);
});

test('a model ID that a command is called with only fills the list that the person picks the default model from', async () => {
  const [picks, defaults]: [unknown[][], string[]] = [[], []];
  const commands = modelCommands(
    {
      catalogue: { setDefaultModel: async (id: string) => void defaults.push(id) },
      pickModel: async (...options: unknown[]) => void picks.push(options),
    } as unknown as OpenedModels,
    documents,
    async () => true,
  );
  await commands['askModel.setDefaultModel']('the-dearest');
  assert.deepEqual([picks, defaults], [[['Choose Default Model', undefined, 'the-dearest']], []]);
  const models = [{ id: 'a', isDefault: false, isFavourite: false, isNew: false, isGone: false, isManual: false }];
  const [row] = rowsOf(models);
  await commands['askModel.setDefaultModel'](row);
  assert.deepEqual([picks.length, defaults], [1, ['a']]);
});

test('a command on a selected row applies to all selected rows, and on another row only to that one', async () => {
  const favourites: string[] = [];
  const catalogue = { setFavourite: async (id: string) => void favourites.push(id) };
  const commands = modelCommands({ catalogue } as unknown as OpenedModels, documents, async () => true);
  const shown = (id: string): ShownModel => {
    return { id, isDefault: false, isFavourite: false, isNew: false, isGone: false, isManual: false };
  };
  const models = ['a', 'b', 'c', 'd'].map(shown);
  const rows = rowsOf(models);
  const selected = rows.slice(0, 3);
  await commands['askModel.addFavourite'](rows[1], selected);
  assert.deepEqual(favourites.splice(0), ['a', 'b', 'c']);
  await commands['askModel.addFavourite'](rows[3], selected);
  assert.deepEqual(favourites.splice(0), ['d']);
  await commands['askModel.copyModelId'](rows[0], selected);
  assert.deepEqual(calls.splice(0), [['writeText', 'a\nb\nc']]);
});

test('a command for a conversation acts as from the command palette when its argument is not a row', async () => {
  const clock = new ManualClock();
  const store = memoryConversations(clock);
  const index = new ConversationIndex(store, clock, () => undefined);
  const deps = {
    index,
    store,
    clock,
    selection: () => malformed,
    conversations: {},
  };
  const commands = conversationCommands(deps as unknown as ConversationDeps);
  const onRows = [
    'openConversation',
    'renameConversation',
    'deleteConversation',
    'exportConversationMarkdown',
  ] as const;
  for (const name of onRows) {
    for (const row of malformed) {
      await commands[`askModel.${name}`](row, [row]);
      const messages = calls.splice(0).map(([call, words]) => [call, words]);
      assert.deepEqual(messages, [['showInformationMessage', 'No conversations yet. Ask a model first.']], String(row));
    }
    await commands[`askModel.${name}`]({ rows: 'selected' }, undefined);
    assert.deepEqual(
      calls.splice(0).filter(([call]) => call !== 'executeCommand'),
      [],
      'from a key binding without a selection',
    );
  }
});

test('deletes the selected conversation on the key without a question, and brings it back with Undo', async () => {
  const clock = new ManualClock();
  const store = memoryConversations(clock);
  await store.append('one', '{"type":"title","text":"One"}\n');
  const index = new ConversationIndex(store, clock, () => undefined);
  await index.refresh();
  const counts: number[] = [];
  const commands = conversationCommands({
    index,
    store,
    clock,
    selection: () => ['one'],
    view: { refresh: async () => void counts.push((await store.list()).length) },
    conversations: { remove: async (id: string) => (await store.remove(id)) ?? true },
  } as unknown as ConversationDeps);
  await commands['askModel.deleteConversation']({ rows: 'selected' }, undefined);
  await turn();
  const messages = calls.splice(0).map(([call, words, , ...buttons]) => [call, words, ...buttons]);
  assert.deepEqual(messages.slice(1), [['showInformationMessage', 'Deleted "One".', 'Undo']]);
  assert.deepEqual(counts, [0, 1]);
});

test('gives a renamed conversation back its place only where the new title was written', async () => {
  const clock = new ManualClock();
  const stored = memoryConversations(clock);
  await stored.append('one', '{"type":"title","text":"One"}\n');
  const before = await stored.list();
  const index = new ConversationIndex(stored, clock, () => undefined);
  await index.refresh();
  for (const isReadOnly of [true, false]) {
    let sets = 0;
    const setChangedAt = async (id: string, at: number) => {
      assert.equal(isReadOnly, false, 'a second notification, after the one that says why it is not saved');
      sets++;
      await stored.setChangedAt(id, at);
    };
    const commands = conversationCommands({
      index,
      store: { ...stored, setChangedAt },
      view: { refresh: async () => undefined },
      conversations: {
        change: async (id: string) => {
          clock.pass(1_000);
          await (isReadOnly || stored.append(id, '{"type":"title","text":"Two"}\n'));
          return true;
        },
      },
    } as unknown as ConversationDeps);
    const renaming = commands['askModel.renameConversation']('one');
    await turn();
    FakePick.front?.type('Two');
    FakePick.front?.accept();
    await renaming;
    assert.deepEqual([sets, (await stored.list())[0]?.changedAt], [isReadOnly ? 0 : 1, before[0]?.changedAt]);
  }
});

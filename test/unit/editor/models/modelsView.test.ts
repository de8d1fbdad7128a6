import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import { Connections } from '../../../../src/core/connections/connections.ts';
import { Catalogue } from '../../../../src/core/models/catalogue/catalogue.ts';
import type { ModelPricing } from '../../../../src/editor/models/modelPricing.ts';
import type { LazyTree } from '../../../../src/editor/ui/registrations.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { noLists } from '../../core/models/catalogue/noLists.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const vscode = `data:text/javascript,
  export const commands = { executeCommand: async () => undefined };
  export const workspace = { getConfiguration: () => ({ get: () => undefined }) };`;
fakeVSCode(import.meta, vscode);
const { ModelsView } = await import('../../../../src/editor/models/modelsView.ts');
const { connectionCommands } = await import('../../../../src/editor/connections/connectionCommands.ts');

/** The models view of a gateway that has look-ups, and the commands of its rows. */
async function scene(stored: object = {}) {
  const changed = new Emitter<void>();
  const setting = { entries: [{ id: 'one', baseUrl: 'https://one.example/v1', ...stored }] as unknown };
  const connections = new Connections({
    secrets: {
      get: async () => undefined,
      store: async () => {},
      delete: async () => {},
      onDidChange: new Emitter<{ key: string }>().event,
    },
    setting: {
      read: () => setting.entries,
      write: async (entries) => {
        setting.entries = structuredClone(entries);
        changed.fire();
      },
      onDidChange: changed.event,
    },
    newId: () => 'two',
    onProblems: (problems) => assert.equal(problems.length, 0),
    onUnreadableSecret: () => undefined,
    onKey: () => undefined,
    unacceptedRoute: () => undefined,
  });
  const { active } = connections;
  assert.ok(active);
  const catalogue = new Catalogue({
    findDestination: async () => ({ status: 'ready', connection: active, key: 'k' }),
    connectionId: () => 'one',
    listModels: async () => ({ models: [], dropped: 0, hasLookUps: true, items: new Map() }),
    clock: new ManualClock(),
    lists: noLists,
    fingerprint: async (text) => text,
    onFailure: (error) => assert.fail(String(error)),
    memory: { read: () => undefined, write: async () => undefined },
  });
  await catalogue.load();
  const tree = { repaint: () => undefined, view: {} };
  const pricing = { onDidChange: new Emitter<void>().event };
  const view = new ModelsView(
    catalogue,
    connections,
    { defect: assert.fail } as never,
    tree as unknown as LazyTree,
    pricing as unknown as ModelPricing,
  );
  const commands = connectionCommands({ connecting: { connections } } as never);
  const offers = () =>
    view
      .getChildren()
      .filter((row) => row.kind === 'action')
      .map(({ command }) => command);
  return { setting, commands, offers };
}

test('offers look-ups until the person says yes or no, and for good', async () => {
  for (const [command, probes] of [
    ['askModel.readAccount', true],
    ['askModel.hideAccountOffer', false],
  ] as const) {
    const { setting, commands, offers } = await scene();
    assert.deepEqual(offers(), ['askModel.readAccount']);
    await commands[command]();
    assert.deepEqual(setting.entries, [{ id: 'one', baseUrl: 'https://one.example/v1', probes }]);
    assert.deepEqual(offers(), []);
    // Also after a restart.
    assert.deepEqual((await scene({ probes })).offers(), []);
  }
});

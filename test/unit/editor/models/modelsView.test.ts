import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import type { ModelPricing } from '../../../../src/editor/models/modelPricing.ts';
import type { LazyTree } from '../../../../src/editor/ui/registrations.ts';
import { Profile } from '../../core/connections/profile.ts';
import { CatalogueScene } from '../../core/models/catalogue/catalogueScene.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const vscode = `data:text/javascript,
  export const commands = { executeCommand: async () => undefined };
  export const workspace = { getConfiguration: () => ({ get: () => undefined }) };`;
fakeVSCode(import.meta, vscode);
const { ModelsView } = await import('../../../../src/editor/models/modelsView.ts');
const { connectionCommands } = await import('../../../../src/editor/connections/connectionCommands.ts');

/** The models view of a gateway that has look-ups, and the commands of its rows. */
async function scene(stored: object = {}) {
  const profile = new Profile();
  profile.entries = [{ id: 'one', baseUrl: 'https://one.example/v1', ...stored }];
  const connections = profile.window();
  const scene = new CatalogueScene();
  await scene.answer('load', { models: [], dropped: 0, hasLookUps: true, items: [] });
  const tree = { repaint: () => undefined, view: {} };
  const pricing = { onDidChange: new Emitter<void>().event };
  const view = new ModelsView(
    scene.catalogue,
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
  return { profile, commands, offers };
}

test('offers look-ups until the person says yes or no, and for good', async () => {
  for (const [command, probes] of [
    ['askModel.readAccount', true],
    ['askModel.hideAccountOffer', false],
  ] as const) {
    const { profile, commands, offers } = await scene();
    assert.deepEqual(offers(), ['askModel.readAccount']);
    await commands[command]();
    assert.deepEqual(profile.entries, [{ id: 'one', baseUrl: 'https://one.example/v1', probes }]);
    assert.deepEqual(offers(), []);
    // Also after a restart.
    assert.deepEqual((await scene({ probes })).offers(), []);
  }
});

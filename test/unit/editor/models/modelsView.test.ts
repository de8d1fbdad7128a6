import assert from 'node:assert/strict';
import { mock, test } from 'node:test';
import { Emitter } from '../../../../src/core/base/lifetime.ts';
import { GatewayError } from '../../../../src/core/errors/gatewayProblem.ts';
import type { ModelListAnswer } from '../../../../src/core/models/list/model.ts';
import type { ModelPricing } from '../../../../src/editor/models/modelPricing.ts';
import type { LazyTree } from '../../../../src/editor/ui/registrations.ts';
import { Profile } from '../../core/connections/profile.ts';
import { CatalogueScene, settle } from '../../core/models/catalogue/catalogueScene.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

const vscode = `data:text/javascript,
  export const commands = { executeCommand: async () => undefined };
  export const workspace = { getConfiguration: () => ({ get: () => undefined }) };`;
fakeVSCode(import.meta, vscode);
const { ModelsView } = await import('../../../../src/editor/models/modelsView.ts');
const { connectionCommands } = await import('../../../../src/editor/connections/connectionCommands.ts');

const lookUps: ModelListAnswer = { models: [], dropped: 0, hasLookUps: true, items: [] };

/** The models view of a gateway that has look-ups, or whose list can't be read, and the commands of its rows. */
async function scene(stored: object = {}, answer: ModelListAnswer | GatewayError = lookUps) {
  const profile = new Profile();
  profile.entries = [{ id: 'one', baseUrl: 'https://one.example/v1', ...stored }];
  const connections = profile.window();
  const scene = new CatalogueScene();
  if (answer instanceof GatewayError) {
    const loading = scene.catalogue.load();
    await settle();
    await scene.call().fail(answer);
    await loading;
  } else {
    await scene.answer('load', answer);
  }
  const repaint = mock.fn();
  const tree = { repaint, view: { message: '' } };
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
  const message = () => {
    view.setFilter(undefined);
    return tree.view.message;
  };
  return { profile, commands, offers, message, repaint };
}

test('says the words of a gateway last, which may have no full stop', async () => {
  const words = 'Invalid URL (GET /v1/models)';
  const { message } = await scene({}, new GatewayError({ kind: 'wrongAddress', status: 404, words }));
  assert.match(
    message(),
    /\. If the gateway has no model list, add models by ID\. one\.example says: "Invalid URL [^"]+"$/,
  );
});

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

test('repaints the prices of a site in the unit of its credit when that changes, and only then', async () => {
  const { profile, repaint } = await scene({ probes: true });
  const paintsAfter = (change: object) => {
    repaint.mock.resetCalls();
    profile.setEntries([{ id: 'one', baseUrl: 'https://one.example/v1', probes: true, ...change }]);
    return repaint.mock.callCount();
  };
  paintsAfter({ note: 'a' });
  assert.equal(paintsAfter({ creditUnit: '0.5 CNY' }), 1);
  assert.equal(paintsAfter({ creditUnit: '0.5 CNY', note: 'b' }), 0);
  assert.equal(paintsAfter({}), 1);
});

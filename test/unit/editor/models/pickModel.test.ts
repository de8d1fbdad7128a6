import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { Catalogue } from '../../../../src/core/models/catalogue/catalogue.ts';
import { ManualClock } from '../../core/base/manualClock.ts';

type Pick = { readonly press: (event: object) => void; readonly hide: () => void };
const shown: { pick?: Pick; readonly errors: string[] } = { errors: [] };
Object.assign(globalThis, { shownByTest: shown });
// The part of VS Code's API that shows quick picks and errors.
const vscode = `data:text/javascript,
  const nothing = { dispose: () => undefined };
  export const QuickPickItemKind = { Separator: -1 };
  export class ThemeIcon {}
  export const window = {
    createQuickPick: () => {
      const pick = { items: [], activeItems: [], selectedItems: [], value: '', show() {}, dispose() {} };
      for (const each of ['ChangeValue', 'TriggerButton', 'Accept']) pick['onDid' + each] = () => nothing;
      pick.onDidTriggerItemButton = (listener) => ((pick.press = listener), nothing);
      pick.onDidHide = (listener) => ((pick.hide = listener), nothing);
      return (globalThis.shownByTest.pick = pick);
    },
    showErrorMessage: async (words) => void globalThis.shownByTest.errors.push(words),
  };`;
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: vscode, shortCircuit: true } : next(name, context)),
});
const { pickModel } = await import('../../../../src/editor/models/pickModel.ts');

test('shows an error when a favourite can’t be saved, and leaves the pick open', async () => {
  const catalogue = new Catalogue({
    findDestination: async () => ({ status: 'disconnected' }),
    connectionId: () => 'one',
    listModels: () => assert.fail('nothing is read'),
    advise: () => assert.fail('nothing fails'),
    clock: new ManualClock(),
    memory: { read: () => undefined, write: () => Promise.reject(new Error('the disk is full')) },
  });
  const pricing = {
    load: async () => undefined,
    priceOf: () => undefined,
    cheaperElsewhere: () => undefined,
    lines: () => [],
    onDidChange: () => ({ dispose: () => undefined }),
  };
  const picking = pickModel(catalogue, pricing);
  await turn();
  shown.pick?.press({ item: { id: 'a' } });
  await turn();
  assert.deepEqual(shown.errors, ["The favorite couldn't be saved: the disk is full"]);
  shown.pick?.hide();
  assert.equal(await picking, undefined);
});

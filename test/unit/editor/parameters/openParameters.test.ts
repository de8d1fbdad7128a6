import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import type { ParameterChange, RequestParameters } from '../../../../src/core/connections/requestParameters.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type Box = {
  value: string;
  title: string;
  validationMessage: string | undefined;
  items?: readonly { readonly label: string }[];
  selectedItems: readonly object[];
  readonly accept: () => void;
  readonly hide: () => void;
};
const shown: { box?: Box } = {};
Object.assign(globalThis, { boxOfTest: shown });
// The part of VS Code's API that shows quick picks and input boxes.
const vscode = `data:text/javascript,
  const nothing = { dispose: () => undefined };
  export const QuickPickItemKind = { Separator: -1 };
  export const QuickInputButtons = { Back: {} };
  export class ThemeIcon {}
  const create = () => {
    const box = { items: [], activeItems: [], selectedItems: [], value: '', show() {}, dispose() {} };
    for (const each of ['ChangeValue', 'TriggerButton', 'TriggerItemButton']) box['onDid' + each] = () => nothing;
    box.onDidAccept = (listener) => ((box.accept = listener), nothing);
    box.onDidHide = (listener) => ((box.hide = listener), nothing);
    return (globalThis.boxOfTest.box = box);
  };
  export const window = { createQuickPick: create, createInputBox: create };`;
fakeVSCode(import.meta, vscode);
const { openParameters } = await import('../../../../src/editor/parameters/openParameters.ts');

/** A connection whose parameters are edited, and what was written of them. */
class Scene {
  readonly written: [string | undefined, ParameterChange][] = [];
  readonly #keys: string[] = [];
  failure: Error | undefined;
  readonly connection: Connection;
  readonly #opened;

  constructor(parameters?: RequestParameters, ofModel?: RequestParameters) {
    this.connection = {
      name: 'one',
      parameters,
      ...(ofModel && { modelParameters: new Map([['m', ofModel]]) }),
    } satisfies Partial<Connection> as unknown as Connection;
    this.#opened = openParameters({
      connections: {
        active: this.connection,
        readKeys: async () => void this.#keys.push('own-gateway-key-77'),
        setParameters: async (_, model, change) => {
          if (this.failure) {
            throw this.failure;
          }
          this.written.push([model, change]);
        },
      },
      log: { redact: (text: string) => this.#keys.reduce((rest, key) => rest.replaceAll(key, ''), text) } as Log,
    });
  }

  editModel(): Promise<void> {
    return this.#opened.editParameters(undefined, 'm');
  }

  editConnection(): Promise<void> {
    return this.#opened.editConnectionParameters(this.connection);
  }
}

const box = (): Box => shown.box ?? assert.fail('nothing is shown');
const pick = async (label: string) => {
  await turn();
  box().selectedItems = [box().items?.find((item) => item.label === label) ?? assert.fail(`no row ${label}`)];
  box().accept();
  await turn();
};
const enter = async (text: string) => {
  box().value = text;
  box().accept();
  await turn();
};

test('leaves the box open with what was typed when the settings can’t be written', async () => {
  const scene = new Scene();
  scene.failure = new Error('settings.json is read-only');
  const editing = scene.editModel();
  await pick('Extra Body');
  await enter('{"top_p": 0.9}');
  assert.deepEqual([box().value, box().validationMessage], ['{"top_p": 0.9}', 'settings.json is read-only']);
  scene.failure = undefined;
  await enter('{"top_p": 0.9}');
  await editing;
  assert.deepEqual(scene.written, [['m', { extraBody: { top_p: 0.9 } }]]);
});

test('reads the keys of connections before it accepts a text for the settings', async () => {
  const scene = new Scene();
  const editing = scene.editConnection();
  await pick('Extra Body');
  await enter('{"user": "own-gateway-key-77"}');
  assert.match(box().validationMessage ?? '', /^extraBody contains a key/);
  box().hide();
  await editing;
  assert.deepEqual(scene.written, []);
});

test('saves the effort that is named none, and sends no other parameter for this word', async () => {
  const scene = new Scene({ reasoningEffort: 'high', temperature: 1 }, { reasoningEffort: 'none' });
  let editing = scene.editModel();
  await pick('Reasoning Effort');
  await pick('Other…');
  assert.equal(box().value, 'none');
  await enter('none');
  await editing;
  editing = scene.editModel();
  await pick('Temperature');
  await enter('none');
  await editing;
  assert.deepEqual(scene.written, [
    ['m', { reasoningEffort: 'none' }],
    ['m', { temperature: null }],
  ]);
});

test('accepts the word of a box that opened with it', async () => {
  const scene = new Scene({ temperature: null });
  const editing = scene.editConnection();
  await pick('Temperature');
  assert.equal(box().value, 'none');
  await enter('none');
  await editing;
  assert.deepEqual(scene.written, [[undefined, { temperature: null }]]);
});

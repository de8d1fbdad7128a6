import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { DisposableStore } from '../../../../src/core/base/lifetime.ts';
import type { Conversation } from '../../../../src/core/chat/conversation/conversation.ts';
import type { LiveConversation } from '../../../../src/core/chat/sending/liveConversation.ts';
import type { Connection } from '../../../../src/core/connections/connection.ts';
import { type RequestParameters, withChanges } from '../../../../src/core/connections/questionDefaults.ts';
import type { Log } from '../../../../src/editor/ui/log.ts';
import { FakePick } from '../fakePick.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

type Underlined = { readonly range: unknown; readonly message: string };
const shown: { opened?: string; underlined?: readonly Underlined[]; type?: (change: object) => void } = {};
Object.assign(globalThis, { shownByQuestionSettings: shown });
// The part of VS Code's API that shows boxes and lists, and that opens and checks files.
const vscode = `data:text/javascript,
  const shown = globalThis.shownByQuestionSettings;
  const nothing = { dispose: () => undefined };
  class Refusal extends Error { constructor(code, message) { super(message); this.code = code; } }
  export const FileSystemError = {
    FileNotFound: () => new Refusal('FileNotFound'), Unavailable: (message) => new Refusal('Unavailable', message),
  };
  export const FileType = { File: 1 };
  export const Uri = { from: (parts) => ({ ...parts, toString: () => parts.path + '?' + parts.query }) };
  export const QuickPickItemKind = { Separator: -1 };
  export const QuickInputButtons = { Back: {} };
  export class ThemeIcon {}
  export class Range { constructor(...places) { this.places = places; } }
  export class Diagnostic { constructor(range, message) { this.range = range; this.message = message; } }
  export const languages = { createDiagnosticCollection: () =>
    ({ set: (_, all) => (shown.underlined = all), delete: () => (shown.underlined = []), dispose() {} }) };
  export const workspace = {
    onDidChangeTextDocument: (listener) => ((shown.type = (document) => listener({ document })), nothing),
    onDidCloseTextDocument: () => nothing,
    openTextDocument: async (uri) => (shown.opened = uri),
  };
  const create = () => new FakePick();
  export const window = { createQuickPick: create, createInputBox: create, showTextDocument: async () => undefined };`;
fakeVSCode(import.meta, vscode);
const { fileOf, fileUri, QuestionSettings } = await import('../../../../src/editor/settingFiles/questionSettings.ts');

const bytes = (text: string) => new TextEncoder().encode(text);

/** A connection and a conversation whose settings are edited. */
class Scene {
  readonly store = new DisposableStore();
  connection = { id: 'g', name: 'one' } as Connection;
  conversation = { id: 'c1' } as Conversation;
  isOnDisk = true;
  failure: Error | undefined;
  readonly begun: string[] = [];
  readonly #keys: string[] = [];
  readonly settings = new QuestionSettings(
    this.store,
    { redact: (text: string) => this.#keys.reduce((rest, key) => rest.replaceAll(key, ''), text) } as Log,
    {
      active: this.connection,
      find: (id) => (id === 'g' ? this.connection : undefined),
      readKeys: async () => void this.#keys.push('own-gateway-key-77'),
      setSystemPrompt: async (_, model, text) => this.#set(model, text, 'systemPrompt'),
      setParameters: async ({ parameters, modelParameters }, model, change) => {
        const before = model === undefined ? parameters : modelParameters?.get(model);
        this.#set(model, withChanges(before, change), 'parameters');
      },
    },
    {
      find: async (id) => (id === 'c1' ? this.conversation : undefined),
      begin: (id) => void this.begun.push(id),
      change: async (id, change) => {
        const set = (each: object) => {
          this.conversation = { ...this.conversation, ...each };
        };
        change({
          conversation: this.conversation,
          setSystemPrompt: (systemPrompt?: string) => set({ systemPrompt }),
          setParameters: (parameters?: RequestParameters) => set({ parameters }),
        } as unknown as LiveConversation);
        return id === 'c1';
      },
    },
    { isOnDisk: async () => this.isOnDisk },
  );

  #set(model: string | undefined, value: unknown, kind: 'systemPrompt' | 'parameters'): void {
    if (this.failure) {
      throw this.failure;
    }
    const ofModel = kind === 'parameters' ? 'modelParameters' : 'modelSystemPrompts';
    const change = model === undefined ? { [kind]: value } : { [ofModel]: new Map([[model, value]]) };
    this.connection = { ...this.connection, ...change };
  }

  async textOf(uri: Parameters<typeof fileOf>[0]): Promise<string> {
    return new TextDecoder().decode(await this.settings.readFile(uri as ReturnType<typeof fileUri>));
  }
}

const box = () => FakePick.front ?? assert.fail('nothing is shown');
const pick = async (label: string) => {
  await turn();
  box().selectedItems = [box().items?.find((item) => item.label === label) ?? assert.fail(`no row ${label}`)];
  box().accept();
  await turn();
};
const prompt = fileUri({ kind: 'systemPrompt', place: 'connection', id: 'g' }, 'work');
const parameters = fileUri({ kind: 'parameters', place: 'connection', id: 'g' }, 'work');
const ofConversation = fileUri({ kind: 'parameters', place: 'conversation', id: 'c1' }, 'Secret');

test('finds what a file sets by its address, which contains nothing of a conversation but its id', () => {
  for (const kind of ['systemPrompt', 'parameters'] as const) {
    for (const owner of [
      { place: 'conversation', id: 'c-1' },
      { place: 'model', id: 'g', model: 'vendor/a model?b#c' },
      { place: 'connection', id: 'g' },
    ] as const) {
      assert.deepEqual(fileOf(fileUri({ kind, ...owner }, 'a/name')), { kind, ...owner });
    }
  }
  assert.equal(ofConversation.toString().includes('Secret'), false);
  const ofModel = fileUri({ kind: 'systemPrompt', place: 'model', id: 'g', model: 'v/m' }, 'v/m');
  assert.equal(ofModel.path, '/System Prompt of v m.md', 'files that VS Code restores keep their address');
  for (const query of ['', 'model g', 'connection ../x', 'other g', 'conversation']) {
    assert.equal(fileOf({ path: '/a.md', query }), undefined, query);
  }
});

test('reads and writes a prompt of many lines exactly, and removes it when it is blank', async () => {
  const { settings, ...scene } = new Scene();
  assert.equal((await settings.stat(prompt)).size, 0);
  const text = 'Be brief.\r\n\r\n“So”\n';
  await settings.writeFile(prompt, bytes(text));
  assert.deepEqual(await settings.readFile(prompt), bytes(text));
  await settings.writeFile(prompt, bytes(' \n'));
  assert.equal((await settings.stat(prompt)).size, 0);
  scene.store.dispose();
});

test('refuses a text that can’t be saved with the reason, and stores nothing of it', async () => {
  const { settings } = new Scene();
  await settings.writeFile(parameters, bytes('{"temperature": 1}'));
  for (const [uri, text, reason] of [
    [prompt, 'Use own-gateway-key-77.', /contains a key/],
    [parameters, '{"extraBody": {"user": "own-gateway-key-77"}}', /^extraBody contains a key/],
    [parameters, '{"temperature": 3}', 'temperature must be a number from 0 to 2.'],
    [parameters, '{"temperature": 1', /must be a JSON object/],
    [parameters, '[]', /must be a JSON object/],
    [ofConversation, '{"omit": ["seed"]}', /^omit isn't a parameter/],
  ] as const) {
    await assert.rejects(async () => settings.writeFile(uri, bytes(text)), { message: reason });
  }
  await assert.rejects(async () => settings.writeFile(prompt, Uint8Array.of(0xff)), /utf-8/i);
  assert.equal((await settings.stat(prompt)).size, 0);
  assert.deepEqual(JSON.parse(new TextDecoder().decode(await settings.readFile(parameters))), { temperature: 1 });
});

test('has no file for an owner that does not exist', async () => {
  const { settings } = new Scene();
  const gone = fileUri({ kind: 'systemPrompt', place: 'conversation', id: 'c2' }, '');
  await assert.rejects(async () => settings.stat(gone), { code: 'FileNotFound' });
  await assert.rejects(async () => settings.writeFile(gone, bytes('x')), { code: 'FileNotFound' });
});

test('saves all parameters of a file, removes those that are no longer in it, and passes on why they can’t be written', async () => {
  const scene = new Scene();
  await scene.settings.writeFile(parameters, bytes('{"reasoningEffort": "none", "tokenLimit": 5, "omit": ["seed"]}'));
  await scene.settings.writeFile(parameters, bytes('{"extraBody": {"top_p": 0.9}, "temperature": null}'));
  assert.deepEqual(scene.connection.parameters, { extraBody: { top_p: 0.9 }, temperature: null });
  assert.equal(
    await scene.textOf(parameters),
    '{\n  "temperature": null,\n  "extraBody": {\n    "top_p": 0.9\n  }\n}\n',
  );
  scene.failure = new Error('settings.json is read-only');
  await assert.rejects(async () => scene.settings.writeFile(parameters, bytes('{}')), /read-only/);
});

test('underlines the field of a problem at its line, and stores a conversation whose file is typed in', async () => {
  const scene = new Scene();
  const lines = ['{', '  "temperature": 3,', '  "top_p": 1', '}'];
  const text = lines.join('\n');
  shown.type?.({
    uri: ofConversation,
    isDirty: true,
    lineCount: lines.length,
    getText: () => text,
    positionAt: (at: number) => ({ line: text.slice(0, at).split('\n').length - 1 }),
    lineAt: (line: number) => ({ range: lines[line] }),
  });
  assert.deepEqual(
    shown.underlined?.map(({ range, message }) => [range, message.split(' ')[0]]),
    [
      ['  "top_p": 1', 'top_p'],
      ['  "temperature": 3,', 'temperature'],
    ],
  );
  assert.deepEqual(scene.begun, ['c1']);
});

test('sets the effort of a conversation by a pick, and opens the file with the parameters of another owner', async () => {
  const scene = new Scene();
  scene.conversation = { ...scene.conversation, parameters: { temperature: 1 } };
  let editing = scene.settings.editParameters(scene.conversation, 'm');
  await pick('high');
  assert.equal(await editing, false);
  assert.deepEqual(scene.conversation.parameters, { temperature: 1, reasoningEffort: 'high' });
  editing = scene.settings.editParameters(scene.conversation, 'm');
  await pick('Parameters of m');
  assert.equal(await editing, true);
  assert.equal(String(shown.opened), '/.ask-model-parameters/Parameters of m.json?model g m');
});

test('asks in a box for what is set in a conversation that is not on disk', async () => {
  const scene = new Scene();
  scene.isOnDisk = false;
  const editing = scene.settings.editParameters(scene.conversation);
  await pick('Parameters of This Conversation');
  box().value = '{"temperature": 5}';
  box().accept();
  await turn();
  assert.equal(box().validationMessage, 'temperature must be a number from 0 to 2.');
  box().value = '{"temperature": 0.5}';
  box().accept();
  assert.equal(await editing, false);
  assert.deepEqual(scene.conversation.parameters, { temperature: 0.5 });
});

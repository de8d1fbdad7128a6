import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AskDeps } from '../../../../src/editor/actions/askCommands.ts';
import type { ChatPanels } from '../../../../src/editor/panel/chatPanels.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code's API that the command uses: one editor, with a selection.
const vscode = `data:text/javascript,
  const uri = { scheme: 'file', path: '/cart.ts', toString: () => 'file:///cart.ts' };
  const selection = { isEmpty: false, start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
  export const window = {
    activeTextEditor: {
      document: { uri, languageId: 'typescript', getText: () => 'total' },
      selections: [selection],
    },
    tabGroups: { all: [] },
  };
  export const workspace = {
    getConfiguration: () => ({ get: () => undefined }),
    getWorkspaceFolder: () => ({}),
    asRelativePath: ({ path }) => path.slice(1),
  };`.replaceAll('\n', ' ');
fakeVSCode(import.meta, vscode);
const { ask, explainSelection } = await import('../../../../src/editor/actions/askCommands.ts');

/** Runs a command. @returns what it did, in order. */
async function run(
  command: typeof ask,
  modelToAsk: string | undefined,
  host: string | undefined,
  isConnected = true,
  row?: string,
) {
  const steps: string[] = [];
  const ensureConnected = async () => {
    steps.push('connect');
    return isConnected;
  };
  const panels = {
    ask: async (...[{ model, caller }]: Parameters<ChatPanels['ask']>) => {
      steps.push(`ask ${model}`);
      assert.equal(caller, 'explain');
      return { ok: true };
    },
    prepare: async (_contexts: unknown, models: readonly string[]) =>
      void steps.push(`open the box for ${models.join()}`),
  } as unknown as ChatPanels;
  const deps = {
    gateways: {
      catalogue: {
        modelToAsk,
        isGone: () => false,
        used: async (model: string) => void steps.push(`remember ${model}`),
      },
      pickModel: async () => {
        steps.push('pick');
        return 'picked';
      },
      ensureConnected,
      connections: { active: host === undefined ? undefined : { url: { base: `https://${host}/v1` } } },
    } as unknown as AskDeps['gateways'],
    panels: async () => panels,
    lastEditor: {} as AskDeps['lastEditor'],
    paid: {
      admit: async () => 'admitted',
      once: async (_identity: unknown, act: () => Promise<unknown>) => act(),
    } as unknown as AskDeps['paid'],
    priceOf: () => undefined,
    remembered: {} as AskDeps['remembered'],
  };
  await command(deps, row);
  return steps;
}

const explain = (...args: [string | undefined, string | undefined, boolean?]) => run(explainSelection, ...args);

test('asks the default model without reading the key before the call', async () => {
  assert.deepEqual(await explain('brief', 'gateway.example'), ['ask brief']);
});

test('connects before a model is picked, and before any question is sent without a connection', async () => {
  assert.deepEqual(await explain(undefined, 'gateway.example'), ['connect', 'pick', 'remember picked', 'ask picked']);
  assert.deepEqual(await explain('brief', undefined), ['connect', 'ask brief']);
  assert.deepEqual(await explain('brief', undefined, false), ['connect']);
});

test('opens the question box without a picker for the default model or the last one used, and remembers a picked one', async () => {
  const host = 'gateway.example';
  assert.deepEqual(await run(ask, 'brief', host), ['connect', 'open the box for brief']);
  assert.deepEqual(await run(ask, undefined, host), ['connect', 'pick', 'remember picked', 'open the box for picked']);
});

test('opens the question box for the model of a row, sends nothing, and leaves the recent models as they are', async () => {
  assert.deepEqual(await run(ask, 'brief', 'gateway.example', true, 'other'), ['open the box for other']);
});

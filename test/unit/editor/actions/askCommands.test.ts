import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import { test } from 'node:test';
import type { ChatPanels } from '../../../../src/editor/panel/chatPanels.ts';

// The part of VS Code's API that the command uses: one editor, with a selection.
const vscode = `data:text/javascript,
  const uri = { scheme: 'file', path: '/cart.ts', toString: () => 'file:///cart.ts' };
  const selection = { isEmpty: false, start: { line: 0, character: 0 }, end: { line: 0, character: 5 } };
  export const window = {
    activeTextEditor: {
      document: { uri, languageId: 'typescript', getText: () => 'total' },
      selections: [selection],
    },
  };
  export const workspace = {
    getConfiguration: () => ({ get: () => undefined }),
    getWorkspaceFolder: () => ({}),
    asRelativePath: ({ path }) => path.slice(1),
  };`.replaceAll('\n', ' ');
registerHooks({
  resolve: (name, context, next) => (name === 'vscode' ? { url: vscode, shortCircuit: true } : next(name, context)),
});
const { explainSelection } = await import('../../../../src/editor/actions/askCommands.ts');

/** Runs the command. @returns what it did, in order. */
async function explain(defaultModel: string | undefined, host: string | undefined, isConnected = true) {
  const steps: string[] = [];
  const ensureConnected = async () => {
    steps.push('connect');
    return isConnected;
  };
  const panels = {
    ask: async ({ models, ...request }: Parameters<ChatPanels['ask']>[0]) => {
      steps.push(`ask ${models.join()}`);
      assert.equal(request.ensureConnected, ensureConnected);
      return { ok: true };
    },
  } as unknown as ChatPanels;
  await explainSelection({
    catalogue: { defaultModel, isGone: () => false } as unknown as Parameters<typeof explainSelection>[0]['catalogue'],
    pickModel: async () => {
      steps.push('pick');
      return 'picked';
    },
    panels: async () => panels,
    lastEditor: {} as Parameters<typeof explainSelection>[0]['lastEditor'],
    ensureConnected,
    host: () => host,
    paid: {
      admit: async () => 'admitted',
      once: async (_identity: unknown, act: () => Promise<unknown>) => act(),
    } as unknown as Parameters<typeof explainSelection>[0]['paid'],
  });
  return steps;
}

test('asks the default model without reading the key before the call', async () => {
  assert.deepEqual(await explain('brief', 'gateway.example'), ['ask brief']);
});

test('connects before a model is picked, and before any question is sent without a connection', async () => {
  assert.deepEqual(await explain(undefined, 'gateway.example'), ['connect', 'pick', 'ask picked']);
  assert.deepEqual(await explain('brief', undefined), ['connect', 'ask brief']);
  assert.deepEqual(await explain('brief', undefined, false), ['connect']);
});

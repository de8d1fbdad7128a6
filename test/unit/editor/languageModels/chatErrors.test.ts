import assert from 'node:assert/strict';
import { test } from 'node:test';
import MarkdownIt from 'markdown-it';
import type { GatewayProblem } from '../../../../src/core/errors/gatewayProblem.ts';
import { noChoices } from '../../../../src/core/models/catalogue/modelChoices.ts';
import { catalogueView } from '../../../../src/core/models/catalogue/shownGroups.ts';
import type { LanguageModelDeps } from '../../../../src/editor/languageModels/languageModels.ts';
import { until } from '../../../until.ts';
import { ManualClock } from '../../core/base/manualClock.ts';
import { fakeVSCode } from '../fakeVSCode.ts';

// The part of VS Code's API that creates errors and the parts of an answer.
const vscode = `data:text/javascript,
  const made = (code) => (message) => Object.assign(new Error(message), { code });
  export const LanguageModelError = { NotFound: made('NotFound'), Blocked: made('Blocked') };
  export const LanguageModelChatToolMode = { Auto: 1, Required: 2 };
  export class LanguageModelThinkingPart { constructor(value) { this.value = value; } }
  export class LanguageModelTextPart { constructor(value) { this.value = value; } }
  export class LanguageModelToolCallPart {
    constructor(callId, name, input) { Object.assign(this, { callId, name, input }); }
  }`;
fakeVSCode(import.meta, vscode);
const { ThinkingPart } = await import('../../../../src/editor/languageModels/laterReleases.ts');
assert.ok(ThinkingPart);
const { LanguageModels } = await import('../../../../src/editor/languageModels/languageModels.ts');

const hostile =
  '[Top up now](https://evil.test)\n![x](http://evil.test/1.png) <command:a> www.evil.test\n[y](command:a)';
const token = { isCancellationRequested: false, onCancellationRequested: () => ({ dispose: () => undefined }) };

function modelsWith(deps: object) {
  const log = { redact: (text: string) => text, info: () => undefined };
  return new LanguageModels({ log, ...deps } as unknown as LanguageModelDeps);
}

function sendersOf(sender: object) {
  return { find: async () => ({ ok: true, sender: { host: 'h.test', ...sender } }) };
}

/** Asks as another extension does. */
function ask(
  models: ReturnType<typeof modelsWith>,
  { messages = [{ role: 1, content: 'Hi' }] as object[], tools = [] as object[], report = (_part: object) => {} } = {},
): Promise<void> {
  const model = { id: 'm', connectionId: 'c', detail: 'd' };
  return models.provideLanguageModelChatResponse(
    ...([model, messages, { toolMode: 1, tools }, { report }, token] as unknown as Parameters<
      typeof models.provideLanguageModelChatResponse
    >),
  );
}

async function errorOf(running: Promise<unknown>): Promise<Error> {
  const error = await running.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Error);
  return error;
}

function assertPlain({ message }: Error): void {
  assert.doesNotMatch(new MarkdownIt({ linkify: true }).render(message), /<(?:a|img) /);
  assert.ok(message.replaceAll('\u200b', '').includes(hostile), 'the text is otherwise unchanged');
}

test('shows a gateway’s words in a Chat error without links, and keeps their line breaks', async () => {
  for (const kind of ['balanceEmpty', 'requestRejected'] as const) {
    const clock = new ManualClock();
    const problem: GatewayProblem = { kind, words: hostile };
    const models = modelsWith({
      clock,
      catalogue: { onDidChange: () => ({ dispose: () => undefined }) },
      consent: { refusal: async () => undefined },
      senders: sendersOf({ connection: 'c', send: async () => ({ outcome: 'failed', problem }) }),
    });
    const failing = errorOf(ask(models));
    await until(() => clock.pending === 1);
    clock.pass(1_000);
    assertPlain(await failing);
    models.dispose();
  }
});

test('reports a call of a tool whose name was too long to be sent by its own name (Laurent00TT/deepseek-v4-vscode-chat#20, microsoft/foundry-dev-tools#723, cline/cline#11877)', async () => {
  const name = 'activate_fallback_mcp_pylance_mcp_s_pylanceCheckSignatureCompatibility_1';
  const toolCalls = [{ name: name.slice(-64), arguments: '{}' }];
  const models = modelsWith({
    clock: new ManualClock(),
    catalogue: { onDidChange: () => ({ dispose: () => undefined }) },
    consent: { refusal: async () => undefined },
    senders: sendersOf({ connection: 'c', send: async () => ({ outcome: 'complete', toolCalls }) }),
  });
  const parts: object[] = [];
  const tools = ['find', name].map((each) => ({ name: each, description: '', inputSchema: {} }));
  await ask(models, { tools, report: (part) => parts.push(part) });
  assert.deepEqual(
    parts.map((part) => (part as { name?: string }).name),
    [name],
  );
  models.dispose();
});

test('sends no more reasoning of earlier answers to a model that rejected it (janhq/jan#8136, NousResearch/hermes-agent#11089, SimonSchubert/Kai#265, agentjido/req_llm#772)', async () => {
  const clock = new ManualClock();
  const problem: GatewayProblem = { kind: 'requestRejected', words: "property 'reasoning_content' is unsupported" };
  const sent: string[] = [];
  const send = async (request: object) => {
    sent.push(JSON.stringify(request));
    return sent.length === 1
      ? { outcome: 'failed', problem, toolCalls: [] }
      : { outcome: 'complete', toolCalls: [{ id: 'c', name: 'find', arguments: '{}' }] };
  };
  const models = modelsWith({
    clock,
    catalogue: { onDidChange: () => ({ dispose: () => undefined }) },
    consent: { refusal: async () => undefined },
    senders: sendersOf({ connection: 'c', send }),
  });
  const thinking = new ThinkingPart('Look.');
  const messages = [
    { role: 1, content: 'Hi' },
    { role: 2, content: [thinking, { callId: 'c', name: 'find', input: {} }] },
    { role: 1, content: [{ callId: 'c', content: [{ value: 'found' }] }] },
  ];
  const failing = errorOf(ask(models, { messages }));
  await until(() => clock.pending === 1);
  clock.pass(1_000);
  await failing;
  await ask(models, { messages });
  assert.deepEqual(
    sent.map((request) => /reasoning_content/.test(request)),
    [true, false],
  );
  models.dispose();
});

test('sends nothing for another extension to a connection that became active meanwhile', async () => {
  const models = modelsWith({
    clock: new ManualClock(),
    catalogue: { onDidChange: () => ({ dispose: () => undefined }) },
    consent: { refusal: async () => undefined },
    senders: sendersOf({ connection: 'other', send: () => Promise.reject(new Error('It is sent')) }),
  });
  const error = await errorOf(ask(models));
  assert.equal(error.message, "m belongs to a connection that isn't active. Nothing was sent.");
  models.dispose();
});

test('shows a gateway’s words without links in the error for a missing list of models', async () => {
  const models = modelsWith({
    clock: new ManualClock(),
    ensureConnected: async () => true,
    catalogue: {
      onDidChange: () => ({ dispose: () => undefined }),
      load: async () => undefined,
      view: catalogueView(undefined, noChoices, new Set()),
      state: { status: 'failed', advice: { title: 'No list', remedy: hostile } },
    },
  });
  const listing = models.provideLanguageModelChatInformation(
    { silent: false },
    token as unknown as Parameters<typeof models.provideLanguageModelChatInformation>[1],
  );
  assertPlain(await errorOf(listing));
  models.dispose();
});

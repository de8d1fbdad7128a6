import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { DevelopmentActions } from '../../src/editor/actions/developmentApi.ts';
import { catalogue } from '../gateway/catalogue.ts';
import { type Gateway, startGateway } from '../gateway/gateway.ts';
import { until } from '../until.ts';
import { pickSelected } from './pickSelected.ts';

type Vscode = typeof vscode;

const chatIds = (...groups: string[]) =>
  catalogue
    .filter((model) => model.kind === 'chat' && model.groups.some((group) => groups.includes(group)))
    .map(({ id }) => id)
    .sort();

/** Only newer versions of VS Code have these at run time. */
const { LanguageModelDataPart: DataPart } = vscode as {
  LanguageModelDataPart?: { image(data: Uint8Array, mimeType: string): vscode.LanguageModelTextPart };
};

const caller = 'ask-model.ask-model-caller';

describe('language models for another extension', () => {
  let gateway: Gateway;
  let key: string;
  let api: DevelopmentActions;
  /** The API of VS Code as the other extension gets it. */
  let other: Vscode;

  const models = (selector: vscode.LanguageModelChatSelector = {}) =>
    other.lm.selectChatModels({ vendor: 'ask-model', ...selector });
  const model = async (id: string) => (await models({ id }))[0] ?? assert.fail(`no model ${id}`);
  const say = (text: string) => other.LanguageModelChatMessage.User(text);
  const posts = () => gateway.requests().filter(({ method }) => method === 'POST');

  /** Sends a request, and returns its parts and its error. */
  async function ask(
    id: string,
    messages: vscode.LanguageModelChatMessage[],
    options: vscode.LanguageModelChatRequestOptions = {},
    token?: vscode.CancellationToken,
    onPart: (part: unknown) => void = () => {},
  ) {
    const parts: unknown[] = [];
    let error: unknown;
    try {
      const response = await (await model(id)).sendRequest(messages, options, token);
      for await (const part of response.stream) {
        parts.push(part);
        onPart(part);
      }
    } catch (caught) {
      error = caught;
    }
    const text = parts.map((part) => (part instanceof other.LanguageModelTextPart ? part.value : '')).join('');
    const calls = parts.filter((part) => part instanceof other.LanguageModelToolCallPart);
    return { parts, text, calls, error };
  }

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'all' }).value;
    api = await vscode.extensions.getExtension('ask-model.ask-model')?.activate();
    const extension = vscode.extensions.getExtension<{ vscode: Vscode }>(caller);
    other = (await extension?.activate())?.vscode ?? assert.fail('the other extension is not there');
    assert.notEqual(other, vscode);
  });

  after(() => gateway.close());

  it('offers the chat models of the connection, with the limits that the gateway states, without a paid request', async () => {
    const few = gateway.createKey({ name: 'few', groups: ['preview'] }).value;
    await api.connect(gateway.consoleUrl, few);
    await until(async () => (await models()).length === chatIds('preview').length);
    const found = await models();
    assert.deepEqual(found.map(({ id }) => id).sort(), chatIds('preview'));
    const kimi = await model('kimi-k2-thinking');
    assert.deepEqual(
      [kimi.vendor, kimi.name, kimi.family, kimi.version],
      ['ask-model', 'kimi-k2-thinking', 'kimi-k2-thinking', 'kimi-k2-thinking'],
    );
    assert.equal(kimi.maxInputTokens, 262_144 - 8_192);
    assert.equal(await kimi.countTokens('abcdefg'), 2);
    assert.equal(await kimi.countTokens(say('abcdefg')), 6);
    assert.equal(gateway.postCount(), 0);
  });

  it('notifies once that another key has other models, and offers those', async () => {
    let fired = 0;
    const listening = other.lm.onDidChangeChatModels(() => fired++);
    try {
      const before = gateway.requests().length;
      await api.connect(gateway.consoleUrl, key);
      await until(async () => (await models()).length === chatIds('default', 'premium', 'preview').length);
      assert.deepEqual((await models()).map(({ id }) => id).sort(), chatIds('default', 'premium', 'preview'));
      // The former models are removed at once; the new ones are added when the gateway has answered.
      assert.ok(fired >= 1 && fired <= 2, `fired ${fired} times`);
      const firedBefore = fired;
      await vscode.commands.executeCommand('askModel.refreshModels');
      await models();
      assert.equal(fired, firedBefore, 'a refresh without changes is not reported');
      // The check of the key, the list, its refresh.
      assert.equal(gateway.requests().length, before + 3);
    } finally {
      listening.dispose();
    }
  });

  /** Answers VS Code's modal warnings with a button. `act` gets what they say. */
  async function answering(answer: string, act: (shown: readonly string[]) => Promise<void>): Promise<void> {
    const { showWarningMessage } = vscode.window;
    const shown: string[] = [];
    Object.assign(vscode.window, {
      showWarningMessage: async (message: string, { detail }: vscode.MessageOptions, ...buttons: string[]) => {
        shown.push(`${message} ${detail}`);
        return buttons.find((button) => button === answer);
      },
    });
    await act(shown).finally(() => Object.assign(vscode.window, { showWarningMessage }));
  }

  it('asks the person once whether an extension may ask, whatever settings of an earlier version say', async () => {
    const settings = () => JSON.parse(readFileSync(process.env.ASK_MODEL_HOST_SETTINGS ?? '', 'utf8'));
    await answering('Allow', async (shown) => {
      for (const _ of [1, 2]) {
        assert.equal((await ask('gpt-5-mini', [say('Hi')])).error, undefined);
      }
      assert.equal(shown.length, 1);
      assert.match(
        shown[0] ?? '',
        /^Allow Ask Model: the other extension of the tests \(ask-model\.ask-model-caller\) to ask models .* a paid call to 127\.0\.0\.1/,
      );
    });
    await until(() => !('askModel.languageModels.allowedExtensions' in settings()));
  });

  it('answers a request with one POST', async () => {
    const { text, error } = await ask('gpt-5-mini', [say('How are you?')], {
      modelOptions: { temperature: 0.5, model: 'gpt-5.1', stream: false, n: 4 },
    });
    assert.equal(error, undefined);
    assert.match(text, /> How are you\?/);
    assert.equal(posts().length, 3);
    assert.deepEqual(JSON.parse(posts().at(-1)?.body ?? ''), {
      temperature: 0.5,
      model: 'gpt-5-mini',
      messages: [{ role: 'user', content: 'How are you?' }],
      stream: true,
      stream_options: { include_usage: true },
    });
    assert.equal(posts().at(-1)?.headers.authorization, `Bearer ${key}`);
    assert.equal(gateway.usageLog().at(-1)?.state, 'ok');
  });

  it('lets the model call tools and continue with their results', async () => {
    const tools = [{ name: 'find', description: 'Finds a word.', inputSchema: { type: 'object' } }];
    const question = say('Please find {"word": "a b"}.');
    const first = await ask('gpt-5-mini', [question], { tools, toolMode: other.LanguageModelChatToolMode.Required });
    assert.equal(first.error, undefined);
    const call = first.calls[0] ?? assert.fail('no call');
    assert.deepEqual([first.calls.length, call.name, call.input], [1, 'find', { word: 'a b' }]);
    const second = await ask(
      'gpt-5-mini',
      [
        question,
        other.LanguageModelChatMessage.Assistant([call]),
        other.LanguageModelChatMessage.User([
          new other.LanguageModelToolResultPart(call.callId, [new other.LanguageModelTextPart('in line 7')]),
        ]),
      ],
      { tools },
    );
    assert.equal(second.error, undefined);
    assert.match(second.text, /> in line 7/);
    assert.equal(posts().length, 5);
    const [asked, answered] = posts()
      .slice(-2)
      .map(({ body }) => JSON.parse(body));
    assert.equal(asked.tool_choice, 'required');
    assert.equal(asked.tools[0].function.name, 'find');
    assert.deepEqual(answered.messages.slice(1), [
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: call.callId, type: 'function', function: { name: 'find', arguments: '{"word":"a b"}' } }],
      },
      { role: 'tool', tool_call_id: call.callId, content: 'in line 7' },
    ]);
  });

  it('sends an image', async () => {
    assert.ok(DataPart, 'this editor has a part for images');
    // A valid image, because VS Code itself reads it before it passes it on.
    const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    const image = DataPart.image(new Uint8Array(Buffer.from(dot, 'base64')), 'image/png');
    const before = posts().length;
    const { error } = await ask('gpt-5-mini', [other.LanguageModelChatMessage.User([image])]);
    assert.equal(error, undefined);
    const [message] = JSON.parse(posts().at(-1)?.body ?? '').messages;
    assert.equal(message.content[0].type, 'image_url');
    assert.match(message.content[0].image_url.url, /^data:image\/png;base64,iVBORw0KGgo/);
    assert.equal(posts().length, before + 1);
  });

  it('closes the connection when the other extension cancels in the middle of a reply', async () => {
    const before = gateway.postCount();
    const cancel = new vscode.CancellationTokenSource();
    const { text, error } = await ask('qwen3-8b-slow', [say('Slowly')], {}, cancel.token, () => cancel.cancel());
    assert.notEqual(text, '');
    assert.ok(text.length < 200, text);
    assert.ok(error instanceof Error && /cancel/i.test(`${error.name} ${error.message}`), String(error));
    await until(() => gateway.usageLog().at(-1)?.state === 'client_gone');
    assert.equal(gateway.postCount(), before + 1);
  });

  it('reports an error with a code of VS Code, the remedy and the request id, after one POST and without the key', async () => {
    const before = gateway.postCount();
    gateway.setFault('key-in-error');
    try {
      const { error } = await ask('gpt-5-mini', [say('Hi')]);
      assert.ok(error instanceof other.LanguageModelError);
      assert.equal(error.code, other.LanguageModelError.Blocked.name);
      assert.match(error.message, /^This key's quota is used up\. Raise .* Request ID: req_\w+\./);
      assert.ok(!`${error.message} ${error.stack}`.includes(key));
      gateway.setFault('cut-mid-stream');
      const cut = await ask('gpt-5-mini', [say('Hi')]);
      assert.notEqual(cut.text, '');
      assert.match(String(cut.error), /The answer was cut off\./);
    } finally {
      gateway.setFault(undefined);
    }
    assert.equal(gateway.postCount(), before + 2);
  });

  it('lets a running reply end at its own gateway when the connection is switched', async () => {
    const second = await startGateway({ delayMs: 0 });
    try {
      const before = gateway.postCount();
      let isBegun = false;
      const slow = ask('qwen3-8b-slow', [say('Slowly')], { modelOptions: { max_tokens: 30 } }, undefined, () => {
        isBegun = true;
      });
      await until(() => isBegun);
      const former = await model('glm-4.6');
      await api.connect(second.consoleUrl, second.createKey({ name: 'second', groups: ['default'] }).value);
      const ended = await slow;
      assert.equal(ended.error, undefined);
      assert.equal(ended.text.length, 120);
      assert.deepEqual([gateway.postCount(), second.postCount()], [before + 1, 0]);
      await until(async () => (await models()).length === chatIds('default').length);
      // Only the former gateway has it.
      await assert.rejects(async () => former.sendRequest([say('Hi')]), { code: 'NotFound' });
      assert.equal((await ask('qwen3-8b', [say('Hi')])).error, undefined);
      assert.deepEqual([gateway.postCount(), second.postCount()], [before + 1, 1]);
    } finally {
      await second.close();
    }
  });

  it('ends an answer with its token counts in a part of their own, and leaves the text as it is', async () => {
    await api.connect(gateway.consoleUrl, key);
    await until(async () => (await models()).length > 0);
    const { parts, text, error } = await ask('gpt-5-mini', [say('Count the tokens.')]);
    assert.equal(error, undefined);
    const { promptTokens, completionTokens } = gateway.usageLog().at(-1) ?? assert.fail('no call');
    const last = parts.at(-1) as { mimeType?: string; data?: Uint8Array };
    if (DataPart !== undefined) {
      assert.equal(last.mimeType, 'usage');
      assert.deepEqual(JSON.parse(new TextDecoder().decode(last.data)), {
        prompt_tokens: promptTokens,
        completion_tokens: completionTokens,
        total_tokens: (promptTokens ?? 0) + (completionTokens ?? 0),
      });
    }
    assert.match(text, /^I am .*It has 3 words/s);
    assert.doesNotMatch(text, /prompt_tokens/);
  });

  it('asks once again after the access of an extension was revoked, and sends nothing after a refusal', async () => {
    const before = gateway.postCount();
    await pickSelected('askModel.revokeExtension');
    await answering('Cancel', async (shown) => {
      for (const _ of [1, 2]) {
        const refused = await ask('gpt-5-mini', [say('Hi')]);
        assert.ok(refused.error instanceof other.LanguageModelError);
        assert.equal(refused.error.code, other.LanguageModelError.NoPermissions.name);
        assert.match(refused.error.message, /^Ask Model: the other .* isn't allowed .* Nothing was sent\.$/);
      }
      assert.deepEqual([shown.length, gateway.postCount()], [1, before]);
    });
  });
});

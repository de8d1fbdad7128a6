import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask, askChat, chatBody, withGateway } from './askGateway.ts';

interface Chunk {
  readonly choices: {
    readonly delta: { role?: string; content?: string; reasoning_content?: string };
    readonly finish_reason: string | null;
  }[];
  readonly usage?: { prompt_tokens: number; completion_tokens: number };
}

function chunksOf(text: string): Chunk[] {
  assert.ok(text.endsWith('data: [DONE]\n\n'));
  return text
    .split('\n\n')
    .slice(0, -2)
    .map((event) => JSON.parse(event.slice('data: '.length)));
}

const textOf = (chunks: readonly Chunk[]) => chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('');

describe('the replies of the local gateway', () => {
  it('stream a role, deltas, a finish reason and usage, and have the same text and usage in one body', () =>
    withGateway(async (gateway, key) => {
      const wallet = gateway.walletMicroUsd();
      const stream = await askChat(gateway, key);
      const chunks = chunksOf(stream.text);
      assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: 'assistant', content: '' });
      assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
      assert.deepEqual(chunks.at(-1)?.choices, []);
      const { choices, usage } = JSON.parse((await askChat(gateway, key, chatBody({ stream: false }))).text);
      assert.deepEqual(choices[0].message, { role: 'assistant', content: textOf(chunks) });
      const last = chunks.at(-1)?.usage ?? assert.fail('no usage');
      assert.deepEqual(usage, last);
      await gateway.settled();
      const log = gateway.usageLog();
      assert.equal(log[0]?.requestId, stream.headers.get('x-request-id'));
      for (const entry of log) {
        assert.deepEqual([entry.state, entry.promptTokens], ['ok', last.prompt_tokens]);
        assert.deepEqual([entry.completionTokens, entry.costMicroUsd > 0], [last.completion_tokens, true]);
      }
      assert.equal(gateway.walletMicroUsd(), wallet - log.reduce((sum, entry) => sum + entry.costMicroUsd, 0));
    }));

  it('say that a script wrote them, and what code was sent', () =>
    withGateway(async (gateway, key) => {
      const text = textOf(chunksOf((await askChat(gateway, key)).text));
      assert.match(text, /a script on this machine, no real model/);
      assert.match(text, /It is `ts`, 3 lines/);
      assert.match(text, /```ts\nexport function double[\s\S]*Asked, without the code:\n\n> Explain:/);
    }));

  it('reason first where the name of the model says so, and end at the token limit', () =>
    withGateway(async (gateway, key) => {
      const chunks = chunksOf((await askChat(gateway, key, chatBody({ model: 'deepseek-reasoner' }))).text);
      const kinds = chunks.slice(1, -2).map(({ choices }) => choices[0]?.delta.reasoning_content !== undefined);
      assert.ok(kinds[0] && kinds.lastIndexOf(true) < kinds.indexOf(false));
      const cut = chunksOf((await askChat(gateway, key, chatBody({ max_tokens: 10 }))).text);
      assert.equal(cut.at(-2)?.choices[0]?.finish_reason, 'length');
      assert.equal(cut.at(-1)?.usage?.completion_tokens, 10);
    }));

  it('call the tools that the question names, and then answer with their results', () =>
    withGateway(async (gateway, key) => {
      const tools = [{ function: { name: 'find' } }, { function: { name: 'other' } }];
      const question = { role: 'user', content: 'Please find {"word": "a b"}.' };
      const called = await askChat(gateway, key, chatBody({ tools, messages: [question], stream: false }));
      const [{ message, finish_reason: reason }] = JSON.parse(called.text).choices;
      assert.equal(reason, 'tool_calls');
      const [call] = message.tool_calls;
      assert.deepEqual([message.content, call.function], [null, { name: 'find', arguments: '{"word": "a b"}' }]);
      const result = { role: 'tool', tool_call_id: call.id, content: 'It is here.' };
      const messages = [question, { role: 'assistant', content: null, tool_calls: [call] }, result];
      assert.match((await askChat(gateway, key, chatBody({ tools, messages, stream: false }))).text, /> It is here\./);
      const unanswered = await askChat(
        gateway,
        key,
        chatBody({ tools, messages: [...messages.slice(0, 2), question] }),
      );
      assert.equal(unanswered.status, 400);
    }));

  it('are charged for the tokens produced before the client disconnected', () =>
    withGateway(async (gateway, key) => {
      for (const stream of [true, false]) {
        const body = chatBody({ model: 'qwen3-8b-slow', stream });
        const signal = AbortSignal.timeout(500);
        await ask(`${gateway.baseUrl}/chat/completions`, key, body, {}, signal).catch(() => undefined);
      }
      await gateway.settled();
      for (const entry of gateway.usageLog()) {
        assert.equal(entry.state, 'client_gone');
        assert.ok(entry.completionTokens > 0 && entry.completionTokens < 30);
      }
      assert.equal(gateway.usageLog().length, 2);
    }));
});

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { pieces } from '../../gateway/chat/pieces.ts';
import { scriptedAnswer, scriptNotice } from '../../gateway/chat/scriptedAnswer.ts';
import { type Gateway, startGateway } from '../../gateway/gateway.ts';
import { catalogue } from '../../gateway/models/catalogue.ts';
import { ask, askChat, chatBody, chunksOf, streamedText } from './askGateway.ts';

describe('the replies of the local gateway', () => {
  let gateway: Gateway;
  let key: string;

  before(async () => {
    gateway = await startGateway({ delayMs: 0 });
    key = gateway.createKey({ name: 'test' }).value;
  });
  after(() => gateway.close());

  it('streams a role, deltas, a finish reason, usage and [DONE], in this order', async () => {
    const answer = await askChat(gateway, key);
    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8');
    assert.ok(answer.text.endsWith('data: [DONE]\n\n'));
    const chunks = chunksOf(answer.text);
    assert.deepEqual(chunks[0]?.choices[0]?.delta, { role: 'assistant', content: '' });
    assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'stop');
    assert.deepEqual(chunks.at(-1)?.choices, []);
    assert.ok(chunks.length > 20);
    assert.ok(chunks.slice(1, -2).every((chunk) => typeof chunk.choices[0]?.delta.content === 'string'));
  });

  it('sends a usage chunk only on request', async () => {
    const answer = await askChat(gateway, key, chatBody({ stream_options: undefined }));
    assert.ok(chunksOf(answer.text).every((chunk) => chunk.usage === undefined && chunk.choices.length === 1));
  });

  it('sends the same text in one body as in a stream', async () => {
    const stream = await askChat(gateway, key);
    const plain = await askChat(gateway, key, chatBody({ stream: false }));
    const completion = JSON.parse(plain.text) as {
      object: string;
      choices: { index: number; message: { role: string; content: string }; finish_reason: string }[];
    };
    assert.equal(completion.object, 'chat.completion');
    assert.deepEqual(completion.choices[0]?.message, { role: 'assistant', content: streamedText(stream.text) });
    assert.equal(completion.choices[0]?.finish_reason, 'stop');
  });

  it('says in every chat model’s answer that it is a script', () => {
    for (const model of catalogue.filter((each) => each.kind === 'chat')) {
      const { text } = scriptedAnswer(model, { messages: [{ role: 'user', text: 'Who are you?' }] });
      assert.ok(text.includes(scriptNotice) && text.includes(model.title), model.id);
    }
  });

  it('sends reasoning first for models whose id says so', async () => {
    const chunks = chunksOf((await askChat(gateway, key, chatBody({ model: 'deepseek-reasoner' }))).text);
    const firstText = chunks.findIndex((chunk) => (chunk.choices[0]?.delta.content ?? '') !== '');
    const reasoning = chunks.filter((chunk) => chunk.choices[0]?.delta.reasoning_content !== undefined);
    assert.ok(reasoning.length > 5);
    assert.ok(chunks.indexOf(reasoning.at(-1) ?? chunks[0] ?? assert.fail()) < firstText);
  });

  it('echoes a dated name for some models', async () => {
    const [first] = chunksOf((await askChat(gateway, key, chatBody({ model: 'gpt-5-mini' }))).text);
    assert.match(first?.model ?? '', /^gpt-5-mini-\d{4}-\d\d-\d\d$/);
  });

  it('stops at the token limit with finish reason length', async () => {
    for (const limit of [{ max_tokens: 10 }, { max_completion_tokens: 10 }]) {
      const chunks = chunksOf((await askChat(gateway, key, chatBody(limit))).text);
      assert.equal(chunks.at(-2)?.choices[0]?.finish_reason, 'length');
      assert.equal(chunks.at(-1)?.usage?.completion_tokens, 10);
    }
  });

  it('sends about 400 KB for a long model', async () => {
    const { bytes } = await askChat(gateway, key, chatBody({ model: 'qwen3-8b-long', stream: false }));
    assert.ok(bytes.length > 390_000 && bytes.length < 430_000, String(bytes.length));
  });

  it('takes more than ten seconds for a slow model, whatever the delay of the gateway is', async () => {
    const slow = catalogue.find((model) => model.id === 'qwen3-8b-slow') ?? assert.fail();
    const { text } = scriptedAnswer(slow, { messages: [{ role: 'user', text: 'Hi' }] });
    assert.ok(pieces(text).length * 150 > 10_000);
    const cut = await ask(`${gateway.baseUrl}/chat/completions`, key, {
      body: chatBody({ model: slow.id }),
      openAfter: /data: /,
    });
    assert.equal(cut.end, 'open');
    assert.ok(cut.text.split('\n\n').length < 12);
  });

  it('accepts content in parts and messages without content', async () => {
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'assistant', content: null, tool_calls: [] },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'How ' },
          { type: 'text', text: 'are you?' },
        ],
      },
    ];
    const text = streamedText((await askChat(gateway, key, chatBody({ messages }))).text);
    assert.match(text, /> How are you\?/);
    assert.match(text, /3 words\. 2 earlier messages came/);
  });

  it('calls the tools that the question names, and then answers with their results', async () => {
    const tools = [
      { type: 'function', function: { name: 'find' } },
      { type: 'function', function: { name: 'other' } },
    ];
    const messages = [{ role: 'user', content: 'Please find {"word": "a b"}.' }];
    const plain = await askChat(gateway, key, chatBody({ tools, messages, stream: false }));
    const choice = (JSON.parse(plain.text) as { choices: { message: object; finish_reason: string }[] }).choices[0];
    assert.equal(choice?.finish_reason, 'tool_calls');
    assert.match(JSON.stringify(choice?.message), /"content":null,"tool_calls":\[\{"id":"call_\w+","type":"function"/);
    assert.match(JSON.stringify(choice?.message), /"name":"find","arguments":"\{\\"word\\": \\"a b\\"\}"/);
    const stream = await askChat(gateway, key, chatBody({ tools, messages }));
    assert.match(
      stream.text,
      /"tool_calls":\[\{"index":0,"id":"call_\w+","type":"function","function":\{"name":"find","arguments":""/,
    );
    assert.equal(chunksOf(stream.text).at(-2)?.choices[0]?.finish_reason, 'tool_calls');
    const after = await askChat(
      gateway,
      key,
      chatBody({ tools, messages: [...messages, { role: 'tool', content: 'seven' }] }),
    );
    assert.match(streamedText(after.text), /> seven/);
  });

  it('adds a unique request id to every response', async () => {
    const ids = await Promise.all(
      ['/v1/models', '/v1/nope', '/', '/nope'].map(async (path) =>
        (await ask(gateway.consoleUrl + path, key)).headers.get('x-request-id'),
      ),
    );
    assert.ok(ids.every((id) => /^req_[0-9a-f]{24}$/.test(id ?? '')));
    assert.equal(new Set(ids).size, ids.length);
  });

  it('splits a text into pieces that join to the same text', () => {
    for (const text of ['', ' ', 'one', ' a  b\n\nc\td ', '```ts\n  x\n```\n', 'a '.repeat(1000)]) {
      assert.equal(pieces(text).join(''), text);
    }
  });
});

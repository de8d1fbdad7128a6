import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { replacePictures } from '../../../../src/core/base/pictures.ts';
import { finishKind } from '../../../../src/core/reply/finishReason.ts';
import { ReplyReader } from '../../../../src/core/reply/replyReader.ts';
import { bytesOf, cutAt, everySplit } from './pieces.ts';
import { chunk, completion, done, key, readPieces, readText, stop, text } from './replyFixture.ts';

const complete = { outcome: 'complete', finishReason: 'stop', model: 'm' } as const;

test('reads text, finish reason, model and usage of an ordinary stream', () => {
  const usage = `data: ${JSON.stringify({ model: 'm', choices: [], usage: { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 } })}\n\n`;
  const read = readText(chunk({ role: 'assistant', content: '' }) + text('Hel') + text('lo') + stop + usage + done, {
    headers: { 'x-oneapi-request-id': 'r1' },
  });
  assert.equal(read.text, 'Hello');
  assert.equal(read.deltas, 1, 'one delta for each piece that is fed');
  assert.deepEqual(read.verdict, {
    ...complete,
    requestId: 'r1',
    usage: { promptTokens: 3, completionTokens: 2, totalTokens: 5 },
  });
});

test('Q5 reports a reply without a finish reason as cut, even after [DONE]', () => {
  const { verdict, text: shown } = readText(text('Hel') + done);
  assert.equal(shown, 'Hel');
  assert.equal(verdict.outcome, 'incomplete');
  assert.equal(verdict.problem?.kind, 'cut');
});

test('Q6 completes a reply with a finish reason but no [DONE]', () => {
  assert.deepEqual(readText(text('Hi') + stop).verdict, complete);
});

test('Q7 reads a last event without a line end', () => {
  assert.deepEqual(readText((text('Hi') + stop).trimEnd()).verdict, complete);
});

test('Q8 reports when only usage can still follow, and when nothing can', () => {
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [], now: 0 }, () => undefined);
  reader.feed(bytesOf(text('Hi')));
  assert.deepEqual([reader.isFinished, reader.isDone], [false, false]);
  reader.feed(bytesOf(stop));
  assert.deepEqual([reader.isFinished, reader.isDone], [true, false]);
  reader.feed(bytesOf(done));
  assert.deepEqual([reader.isFinished, reader.isDone], [true, true]);
});

test('Q9 ignores everything after [DONE]', () => {
  const read = readText(`${text('Hi') + stop + done + done + text('more')}data: {"error":{"message":"late"}}\n\n{junk`);
  assert.equal(read.text, 'Hi');
  assert.deepEqual(read.verdict, complete);
});

test('Q3 does not count comments as payloads', () => {
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [], now: 0 }, () => undefined);
  reader.feed(bytesOf(': PING\n\n: PING\n\n'));
  assert.equal(reader.payloads, 0);
  reader.feed(bytesOf(text('a')));
  assert.equal(reader.payloads, 1);
});

test('Q14 skips events that are not objects', () => {
  const junk = ['', ' ', '""', '{}', 'null', 'ping', '[PING]', '1', 'true', '[]']
    .map((data) => `data: ${data}\n\n`)
    .join('');
  const read = readText(junk + text('Hi') + junk + stop + junk + done);
  assert.equal(read.text, 'Hi');
  assert.deepEqual(read.verdict, complete);
});

test('Q15 skips invalid JSON, continues, and reports what was not read', () => {
  for (const [broken, unread] of [
    ['data: {"choices":[{"delta":{"content":"x"\n\n', '{"choices":[{"delta":{"content":"x"'],
    ['data: {bad}\n\n', '{bad}'],
    ['data: {{{\n\ndata: }}}\n\n', '{{{}}}'],
    [`data: {"choices":[{"delta":{"content":"the "key":${key}, or ."}}]}\n\n`, /the "key":\[key\], or/],
  ] as const) {
    const read = readText(text('a') + broken + text('b') + broken + broken + text('c') + stop);
    assert.equal(read.text, 'abc', broken);
    const { unread: found = '', ...verdict } = read.verdict;
    assert.deepEqual(verdict, complete);
    if (typeof unread === 'string') {
      assert.equal(found, [unread, unread, unread].join('\n'));
    } else {
      assert.match(found, unread);
    }
  }
});

test('Q15 ragflow#15266, openclaw#14321, pi#4446 reads JSON that is complete but not strict, and completes none that is cut', () => {
  const event = (content: string, more = '') => `data: {"choices":[{"delta":{"content":${content}}${more}}]}\n\n`;
  for (const [loose, expected] of [
    [event('"x"', ',"logprobs":{"a":NaN,"b":[-Infinity,Infinity]}'), 'x'],
    [event('NaN') + event('"x"', ',"finish_reason":NaN'), 'x'],
    [event('"x\u0000\u0007\u001b[1m\ty"'), 'x\u0000\u0007\u001b[1m\ty'],
    [event('"line one\nline two\nid: three"'), 'line one\nline two\nid: three'],
    [event('"x"', ','), 'x'],
    [event('"C:\\ab\\q"'), 'C:\\ab\\q'],
    [event('"say "hi" now"'), 'say "hi" now'],
    [event('"NaN is NaN"', ',"p":NaN'), 'NaN is NaN'],
  ] as const) {
    for (const pieces of everySplit(bytesOf(loose))) {
      const read = readPieces([bytesOf(text('a')), ...pieces, bytesOf(text('b') + stop + done)]);
      assert.deepEqual(
        [read.text, read.verdict.outcome, read.verdict.unread],
        [`a${expected}b`, 'complete', undefined],
        loose,
      );
    }
  }
  const whole = event('"x"', ',"logprobs":{"a":NaN}').trim();
  for (let at = 'data: {'.length; at < whole.length - 1; at++) {
    const read = readText(`${text('a')}${whole.slice(0, at)}\n\n${text('b')}${stop}`);
    assert.deepEqual([read.text, read.verdict.unread], ['ab', whole.slice(6, at).trim()], `cut at ${at}`);
  }
});

test('Q16 opencode#23442, opencode#8282 reads an event that is glued to a cut one, and reports the cut one', () => {
  const lost = text('lost').trim();
  const next = text('b').trim();
  for (const glue of ['', '\n', '\ndata: ', ' ']) {
    for (let at = 'data: {'.length; at < lost.length - 1; at++) {
      const cut = lost.slice(0, at);
      const read = readText(
        `${text('a')}${cut}${glue}${glue === '\ndata: ' ? next.slice(6) : next}\n\n${text('c')}${stop}${done}`,
      );
      assert.deepEqual([read.text, read.verdict.outcome], ['abc', 'complete'], `${at} ${JSON.stringify(glue)}`);
      assert.ok(read.verdict.unread?.startsWith(cut.slice(6)), `${at} ${read.verdict.unread}`);
    }
  }
  const injected = readText(`${text('a')}${lost.slice(0, 90)}\n{"error":{"message":"stream_read_error"}}\n\n`);
  assert.deepEqual([injected.text, injected.verdict.problem?.words], ['a', 'stream_read_error']);
});

test('Q15 reports a reply whose text is invalid JSON alone as unreadable, never as complete or empty', () => {
  const lost = 'data: {"choices":[{"delta":{"content":"x"\n\n';
  for (const body of [lost, lost + stop + done, lost + lost + stop]) {
    const { outcome, problem } = readText(body).verdict;
    assert.deepEqual([outcome, problem?.kind], ['failed', body === lost ? 'cut' : 'unreadable'], body);
  }
});

test('Q16 reads two documents in one line, and one document split over two events', () => {
  const one = text('a').slice(6).trim();
  const two = text('b').slice(6).trim();
  assert.equal(readText(`data: ${one}${two}\n\n${stop}`).text, 'ab');
  for (let at = 1; at < one.length; at++) {
    const read = readText(`data: ${one.slice(0, at)}\n\ndata: ${one.slice(at)}\n\n${text('b')}${stop}`);
    assert.equal(read.text, 'ab', `split at ${at}`);
  }
});

test('Q16 joins a document to its own start and not to an earlier incomplete one', () => {
  const one = text('a').slice(6).trim();
  const read = readText(`data: {"lost":\n\ndata: ${one.slice(0, 30)}\n\ndata: ${one.slice(30)}\n\n${stop}`);
  assert.equal(read.text, 'a');
});

test('Q17 and Q18 reads the same reply wherever the bytes are split', () => {
  const body = bytesOf(`\ufeff: ping\r\n\r\n${chunk({ content: '汉😀' })}${chunk({ reasoning: 'ü' })}${stop}${done}`);
  const whole = readPieces([body]);
  assert.equal(whole.text, '汉😀');
  for (const pieces of everySplit(body)) {
    const { deltas: _, ...read } = readPieces(pieces);
    assert.deepEqual(read, { text: whole.text, reasoning: whole.reasoning, verdict: whole.verdict });
  }
});

test('Q20 joins a surrogate pair that is split over two deltas', () => {
  const read = readText(
    'data: {"choices":[{"delta":{"content":"\\ud83d"}}]}\n\ndata: {"choices":[{"delta":{"content":"\\ude00"},"finish_reason":"stop"}]}\n\n',
  );
  assert.equal(read.text, '😀');
});

test('Q21, Q22 and Q23 reads the body regardless of its content type', () => {
  for (const type of [
    'application/json',
    'text/event-stream',
    'text/plain',
    'text/html',
    '',
    'application/octet-stream',
  ]) {
    const headers = { 'content-type': type };
    assert.equal(readText(text('Hi') + stop, { headers }).text, 'Hi');
    assert.equal(readText(completion({ role: 'assistant', content: 'Hi' }), { headers }).text, 'Hi');
    assert.equal(readText('{"error":{"message":"no"}}', { headers }).verdict.problem?.words, 'no');
  }
});

test('Q23 reads a whole JSON completion in answer to a stream request, on one or many lines and however split', () => {
  for (const body of [
    completion({ role: 'assistant', content: 'Hi' }),
    JSON.stringify(JSON.parse(completion({ role: 'assistant', content: 'Hi' })), null, 2),
    `\n\n  \r\n${completion({ role: 'assistant', content: 'Hi' })}\n`,
    `\ufeff${completion({ role: 'assistant', content: 'Hi' })}`,
  ]) {
    for (const pieces of everySplit(bytesOf(body))) {
      const read = readPieces(pieces);
      assert.equal(read.text, 'Hi');
      assert.deepEqual(read.verdict, { ...complete, usage: { promptTokens: 3, completionTokens: 5, totalTokens: 8 } });
    }
  }
});

test('Q23 completes a whole completion without a finish reason, and fails an incomplete one', () => {
  assert.equal(readText(completion({ content: 'Hi' }, null)).verdict.outcome, 'complete');
  const half = completion({ content: 'Hi' }).slice(0, -20);
  assert.equal(readText(half).verdict.outcome, 'failed');
});

test('Q23 reads a whole completion of any size, in pieces of any size', () => {
  const long = 'word '.repeat(100_000);
  const body = bytesOf(completion({ role: 'assistant', content: long }));
  for (const size of [body.length, 20_000, 20_001, 65_536, 1_000]) {
    const places = Array.from({ length: Math.floor(body.length / size) }, (_, index) => index * size);
    assert.equal(readPieces(cutAt(body, places)).text, long, `pieces of ${size}`);
  }
});

test('skips any number of blank lines before the answer', () => {
  for (const blanks of [1, 63, 64, 65, 1_000, 30_000]) {
    const read = readPieces([
      ...Array.from({ length: blanks }, () => bytesOf('\n')),
      bytesOf(completion({ content: 'Hi' })),
    ]);
    assert.equal(read.text, 'Hi', `${blanks} blank lines`);
    assert.equal(readText('\n'.repeat(blanks) + text('Hi') + stop).text, 'Hi', `${blanks} blank lines at once`);
  }
});

test('Q11 reads a stream of bare JSON lines', () => {
  const lines = [text('a'), text('b'), stop].map((each) => `${each.slice(6).trim()}\n`).join('');
  const read = readText(lines);
  assert.equal(read.text, 'ab');
  assert.deepEqual(read.verdict, complete);
});

test('Q24 reads a whole completion in one event', () => {
  const read = readText(`data: ${completion({ content: 'Hi' })}\n\n${done}`);
  assert.equal(read.text, 'Hi');
  assert.equal(read.verdict.outcome, 'complete');
});

test('reads chunks that have message instead of delta, and detects a cut among them', () => {
  const odd = (content: string) =>
    `data: {"object":"chat.completion.chunk","choices":[{"index":0,"message":{"content":"${content}"}}]}\n\n`;
  const read = readText(odd('a') + odd('b'));
  assert.equal(read.text, 'ab');
  assert.equal(read.verdict.outcome, 'incomplete');
});

test('Q25 and Q26 reports an empty body, white space, comments and a mere [DONE] as an empty reply', () => {
  for (const body of [
    '',
    '\n',
    '   ',
    '\n'.repeat(30_000),
    ': ping\n\n',
    'data: [DONE]\n\n',
    'data:\n\ndata: [DONE]',
    ':\n\nevent: x\nid: 1\nretry: 3\n\n',
    chunk({ role: 'assistant' }),
    chunk({ content: '\n\n' }) + stop,
  ]) {
    assert.deepEqual(readText(body).verdict.problem?.kind, 'emptyReply', JSON.stringify(body.slice(0, 40)));
    assert.equal(readText(body).verdict.outcome, 'failed');
  }
});

test('Q26 keeps the finish reason of a reply without text', () => {
  for (const reason of ['stop', 'length']) {
    const { verdict } = readText(chunk({ role: 'assistant', content: '' }) + chunk({}, reason) + done);
    assert.deepEqual([verdict.outcome, verdict.problem?.kind, verdict.finishReason], ['failed', 'emptyReply', reason]);
  }
  const filtered = readText(chunk({ role: 'assistant' }) + chunk({}, 'content_filter')).verdict;
  assert.deepEqual([filtered.outcome, filtered.problem?.kind], ['failed', 'contentFiltered']);
  const partly = readText(text('Well') + chunk({}, 'content_filter'));
  assert.deepEqual(
    [partly.text, partly.verdict.outcome, partly.verdict.problem?.kind],
    ['Well', 'incomplete', 'contentFiltered'],
  );
});

test('reports reasoning without an answer as empty when it finished, and as cut when it did not', () => {
  const finished = readText(chunk({ reasoning_content: 'hm' }) + chunk({}, 'length'));
  assert.deepEqual(
    [finished.reasoning, finished.verdict.outcome, finished.verdict.problem],
    ['hm', 'failed', { kind: 'emptyReply', isAllReasoning: true, status: 200 }],
  );
  const cut = readText(chunk({ reasoning_content: 'hm' }));
  assert.deepEqual([cut.reasoning, cut.verdict.outcome, cut.verdict.problem?.kind], ['hm', 'incomplete', 'cut']);
});

test('white space alone is no reasoning (a-ghorbani/pocketpal-ai#299, UKGovernmentBEIS/inspect_ai#1744)', () => {
  for (const body of [
    text('<think>\n\n</think>\n\nHi'),
    text('<think>') + text('\n\n') + text('</think>') + text('\n\nHi'),
    text('\n') + text('</think>\n\nHi'),
    chunk({ reasoning_content: '\n' }) + chunk({ reasoning_content: '\n' }) + text('Hi'),
  ]) {
    const read = readText(body + stop + done);
    assert.deepEqual([read.text.trim(), read.reasoning, read.verdict.outcome], ['Hi', '', 'complete'], body);
  }
  const late = readText(chunk({ reasoning_content: '\n' }) + chunk({ reasoning_content: 'Hm' }) + text('Hi') + stop);
  assert.deepEqual([late.text, late.reasoning], ['Hi', '\nHm']);
  const nothing = readText(text('<think>\n\n</think>') + stop + done).verdict;
  assert.deepEqual([nothing.outcome, nothing.problem?.kind], ['failed', 'emptyReply']);
});

test('an answer that reached its limit without a word was all reasoning, which need not be shown (QwenLM/qwen-code#9884, 64bit/async-openai#424)', () => {
  for (const body of [
    chunk({ role: 'assistant', content: '' }) + chunk({}, 'length') + done,
    completion({ role: 'assistant' }, 'MAX_TOKENS'),
  ]) {
    const { problem } = readText(body).verdict;
    assert.deepEqual(problem, { kind: 'emptyReply', isAllReasoning: true, status: 200 });
  }
  const counted = (usage: object) =>
    readText(`${chunk({ content: '' }, 'length')}data: ${JSON.stringify({ choices: [], usage })}\n\n${done}`).verdict
      .problem;
  const full = counted({ prompt_tokens: 32_767, completion_tokens: 1, total_tokens: 32_768 });
  assert.deepEqual(full, { kind: 'emptyReply', status: 200 }, 'the prompt left no room (can1357/oh-my-pi#2774)');
  for (const usage of [
    { prompt_tokens: 10, completion_tokens: 65, total_tokens: 75 },
    { prompt_tokens: 10, completion_tokens: 0, total_tokens: 75 },
  ]) {
    assert.deepEqual(counted(usage), { kind: 'emptyReply', isAllReasoning: true, status: 200 });
  }
  const damaged = readText(`data: {"choices":[{"delta":{"content":"Hi\n\n${chunk({}, 'length')}${done}`).verdict;
  assert.equal(damaged.problem?.kind, 'unreadable', 'words may be in what is damaged');
});

test('Q27 uses the last usage wherever it comes, and never adds up', () => {
  const usage = (tokens: unknown) => ({ usage: tokens });
  const counts = (total: number) => ({ prompt_tokens: 10, completion_tokens: total, total_tokens: 10 + total });
  const expected = { promptTokens: 10, completionTokens: 3, totalTokens: 13 };
  for (const body of [
    chunk({ content: 'a' }, null, usage(counts(1))) +
      chunk({ content: 'b' }, null, usage(counts(2))) +
      chunk({}, 'stop', usage(counts(3))),
    chunk({ content: 'a' }, null, usage(counts(3))) +
      chunk({ content: 'b' }, null, usage(null)) +
      chunk({}, 'stop', usage({})),
    `${text('ab') + stop}data: ${JSON.stringify({ choices: [], ...usage(counts(3)) })}\n\n`,
    text('ab') + stop + chunk({ content: '' }, 'stop', usage(counts(3))),
    chunk({ content: 'ab' }, 'stop', { x_groq: usage(counts(3)) }),
    `data: ${JSON.stringify({ choices: null, ...usage(counts(3)) })}\n\n${text('ab')}${stop}`,
  ]) {
    const read = readText(body + done);
    assert.equal(read.text, 'ab');
    assert.deepEqual(read.verdict.usage, expected);
    assert.equal(read.verdict.outcome, 'complete');
  }
  assert.equal(readText(text('ab') + stop).verdict.usage, undefined);
});

test('reads chunks that differ in their text alone like those that differ in their id too', () => {
  const part = fc.record({
    words: fc.constantFrom('a', ' b', 'a table', '', '<think>', '</think>'),
    more: fc.constantFrom(
      {},
      { usage: { prompt_tokens: 3, completion_tokens: 5 } },
      { usage: { prompt_tokens: 3, completion_tokens: 9 }, citations: ['https://a.example/'] },
      { search_results: [{ title: 'B', url: 'https://b.example/' }], model: 'n' },
    ),
    reason: fc.constantFrom(null, null, 'stop'),
    times: fc.integer({ min: 1, max: 6 }),
  });
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }), (parts) => {
      const chunks = parts.flatMap((each) => Array<typeof each>(each.times).fill(each));
      const body = (idOf: (at: number) => string) =>
        chunks.map(({ words, more, reason }, at) =>
          chunk({ content: `${words}${at}` }, reason, { ...more, id: idOf(at) }),
        );
      assert.deepEqual(readText(body(() => 'c').join('')), readText(body((at) => `c${at}`).join('')));
    }),
  );
});

test('Q28 ignores choices that are null, empty, missing, or of another type', () => {
  const odd = [
    null,
    [],
    undefined,
    'x',
    3,
    {},
    [null],
    [[]],
    ['x'],
    [{}],
    [{ delta: null }],
    [{ delta: [] }],
    [{ index: 0, delta: 7, finish_reason: 5 }],
    [{ message: null }],
  ]
    .map((choices) => `data: ${JSON.stringify({ id: '', created: 0, choices })}\n\n`)
    .join('');
  const read = readText(odd + text('Hi') + odd + stop + odd + done);
  assert.equal(read.text, 'Hi');
  assert.deepEqual(read.verdict, complete);
});

test('Q28 text-generation-inference#1648, foundry-local#263 reads all of a text whose choice index counts tokens', () => {
  const choice = (index: number, delta: object, finish: string | null = null) =>
    `data: ${JSON.stringify({ choices: [{ index, delta, finish_reason: finish }] })}\n\n`;
  for (const start of [0, 1]) {
    for (const length of [2, 3, 7, 8, 9, 10, 40]) {
      const words = Array.from({ length }, (_, at) => `w${at} `);
      const chunks = words.map((content, at) => choice(start + at, { content }));
      const role = choice(0, { role: 'assistant', content: '' });
      for (const last of [choice(start + length, {}, 'stop'), choice(start, {}, 'stop')]) {
        const read = readText(role + chunks.join('') + last + done);
        assert.deepEqual([read.text, read.verdict.outcome], [words.join(''), 'complete'], `${start} ${length} ${last}`);
      }
    }
  }
  const empty = choice(1, { role: 'assistant', content: '' });
  for (const rest of [
    text('a') + text('b') + stop,
    chunk({ content: 'ab' }) + stop,
    chunk({ content: 'ab' }, 'stop'),
  ]) {
    const other = readText(empty + rest + done);
    assert.deepEqual([other.text, other.verdict.outcome], ['ab', 'complete'], 'an empty first chunk of another index');
  }
});

test('Q28 langchain4j/langchain4j#4931 reads text in one choice and tool calls in the next as parts of one answer', () => {
  const message = (fields: object) => ({ role: 'assistant', ...fields });
  const call = { id: 'call_1', type: 'function', function: { name: 'readFile', arguments: '{"path":"a.ts"}' } };
  const choices = [
    { index: 0, finish_reason: 'stop', message: message({ content: 'I will read it.' }) },
    { index: 1, finish_reason: 'tool_calls', message: message({ content: null, tool_calls: [call] }) },
  ];
  const read = readText(JSON.stringify({ object: 'chat.completion', choices }));
  assert.deepEqual(
    [read.text, read.verdict.finishReason, read.verdict.toolCalls?.map(({ name }) => name)],
    ['I will read it.', 'tool_calls', ['readFile']],
  );
});

test('Q31 keeps the text before an error in any form', () => {
  const forms = [
    'data: {"error":{"message":"overloaded upstream","code":502}}\n\n',
    'data: {"error":{"message":"overloaded upstream","code":502}}\n\ndata: [DONE]\n\n',
    'event: error\ndata: {"error":{"message":"overloaded upstream"}}\n\n',
    'event: error\ndata: {"message":"overloaded upstream"}\n\n',
    'event: error\ndata: overloaded upstream\n\n',
    'error: {"message":"overloaded upstream"}\n\n',
    'error: {"error":{"message":"overloaded upstream"}}\n\n',
    'error: overloaded upstream\n\n',
    'data: error: overloaded upstream\n\n',
    '{"error":{"message":"overloaded upstream"}}',
    ': PING\n\n{\n  "error": {\n    "message": "overloaded upstream"\n  }\n}\n',
    'data: {"object":"error","message":"overloaded upstream"}\n\n',
    'data: {"type":"error","error":{"type":"overloaded_error","message":"overloaded upstream"}}\n\n',
    'data: {"choices":[{"index":0,"delta":{},"finish_reason":"error","error":{"message":"overloaded upstream"}}]}\n\n',
    'data: {"choices":[{"index":0,"delta":{"content":""},"finish_reason":"error"}],"error":{"message":"overloaded upstream"}}\n\n',
  ];
  for (const form of forms) {
    for (const [before, expected] of [
      ['', ''],
      [text('Hel') + text('lo'), 'Hello'],
    ] as const) {
      for (const after of ['', done, text('never') + stop + done]) {
        const read = readText(before + form + after);
        assert.equal(read.text, expected, form);
        assert.equal(read.verdict.outcome, 'failed', form);
        assert.equal(read.verdict.problem?.words, 'overloaded upstream', form);
        assert.equal(read.verdict.problem?.kind, 'rateLimited', form);
      }
    }
  }
});

test('Q31 reads text in the same chunk as an error', () => {
  const read = readText(`${text('a')}data: {"choices":[{"delta":{"content":"b"}}],"error":{"message":"no"}}\n\n`);
  assert.deepEqual([read.text, read.verdict.outcome], ['ab', 'failed']);
});

test('ignores an empty error beside an answer', () => {
  for (const error of [null, '', false, {}]) {
    const more = { error };
    const usageLast = `data: ${JSON.stringify({ choices: [], usage: { prompt_tokens: 1 }, error })}\n\n`;
    assert.equal(
      readText(chunk({ content: 'Hi' }, null, more) + chunk({}, 'stop', more) + usageLast + done).verdict.outcome,
      'complete',
      String(error),
    );
    assert.equal(readText(completion({ content: 'Hi' }, 'stop', more)).verdict.outcome, 'complete', String(error));
  }
});

test('fails a reply with an error beside an answer', () => {
  const read = readText(completion({ content: 'Hi' }, 'stop', { error: { message: 'no' } }));
  assert.deepEqual([read.text, read.verdict.outcome], ['Hi', 'failed']);
});

test('1.2 a vendor that failed or reached a limit counts where OpenRouter only says that it stopped (earendil-works/pi#8511, reVrost/go-openrouter#43)', () => {
  const ended = (native: unknown, reason = 'stop') => {
    const choice = { index: 0, delta: { content: 'Half' }, finish_reason: reason, native_finish_reason: native };
    const { outcome, problem, finishReason } = readText(`data: ${JSON.stringify({ choices: [choice] })}\n\n`).verdict;
    return [outcome, problem?.kind, finishReason];
  };
  assert.deepEqual(ended('network_error'), ['incomplete', 'gatewayDown', 'network_error']);
  assert.deepEqual(ended('SAFETY'), ['incomplete', 'contentFiltered', 'SAFETY']);
  assert.deepEqual(ended('MAX_TOKENS'), ['complete', undefined, 'MAX_TOKENS']);
  for (const other of ['end_turn', 'anything', '', null, undefined]) {
    assert.deepEqual(ended(other), ['complete', undefined, 'stop']);
  }
  assert.deepEqual(ended('stop', 'length'), ['complete', undefined, 'length']);
});

test('1.2 lidge-jun/opencodex#3150, meclaw#569, LiveAgent#625 takes out marks of sources that only ChatGPT shows, in any pieces', () => {
  const read = (...pieces: string[]) => readText(pieces.map(text).join('') + stop + done).text;
  const all = 'It is. \uE200cite\uE202turn0search1\uE202turn1view0\uE201 So\uE200filecite\uE202turn0file2\uE201.';
  assert.equal(read(all), 'It is.  So.');
  assert.equal(read(...all), 'It is.  So.');
  for (const cut of [10, 20, 30]) {
    assert.equal(read(all.slice(0, cut), all.slice(cut)), 'It is.  So.');
  }
  assert.equal(readText(completion({ content: all })).text, 'It is.  So.');
  assert.equal(read('It is.\uE200cite\uE202turn0'), 'It is.', 'an answer that ends inside a mark');
  for (const other of [
    '\uE200',
    'a\uE200b\uE201c',
    '\uE200cite',
    '\uE0B0 \uE201',
    `\uE200cite\uE202${'a'.repeat(500)}`,
  ]) {
    assert.equal(read(other), other);
    assert.equal(read(...other), other);
  }
});

test('Q32, 1.2 turnstone#1162, agenc-core#2111, promptfoo#9905, dify#7559, Google_GenerativeAI#98, litellm#28223 knows what a finish reason means', () => {
  const meant = {
    complete: [
      'stop',
      'STOP',
      'end_turn',
      'stop_sequence',
      'eos',
      'tool_calls',
      'FINISH_REASON_STOP',
      'COMPLETE',
      'completed',
    ],
    limit: [
      'length',
      'max_tokens',
      'MAX_TOKENS',
      'model_context_window_exceeded',
      'max_output_tokens',
      'model_length',
      'Max-Tokens',
      'ERROR_LIMIT',
    ],
    filter: [
      'content_filter',
      'content-filter',
      'SAFETY',
      'RECITATION',
      'SPII',
      'refusal',
      'sensitive',
      'guardrail_intervened',
      'MODEL_ARMOR',
    ],
    failure: [
      'error',
      'network_error',
      'MALFORMED_FUNCTION_CALL',
      'insufficient_system_resource',
      'abort',
      'OTHER',
      'timeout',
      'USER_CANCEL',
      // ranxianglei/billion-context-pi#169, where the text before it is the JSON of a limit.
      'error_finish',
    ],
    pause: ['pause_turn'],
    unknown: ['load_shedding', '?'],
  } as const;
  const kinds = { filter: 'contentFiltered', failure: 'gatewayDown' } as const;
  for (const [kind, reasons] of Object.entries(meant)) {
    for (const reason of reasons) {
      assert.equal(finishKind(reason), kind, reason);
      const { outcome, problem, finishReason } = readText(text('Hel') + chunk({}, reason) + done).verdict;
      const expected = kind === 'filter' || kind === 'failure' ? ['incomplete', kinds[kind]] : ['complete', undefined];
      assert.deepEqual([outcome, problem?.kind, finishReason], [...expected, reason], reason);
    }
  }
  const camel = readText(`${text('a')}data: {"choices":[{"delta":{},"finishReason":"stop"}]}\n\n`);
  assert.equal(camel.verdict.outcome, 'complete', 'llmcord#84');
  const { problem } = readText(text('Hel') + chunk({}, 'network_error')).verdict;
  assert.equal(problem?.code, 'network_error');
});

test('Q33 finds a think block wherever its tags are split', () => {
  const content = ' <think>a < b </ c</think>\n\nanswer <think>x</think>';
  for (let one = 0; one <= content.length; one++) {
    for (let two = one; two <= content.length; two += 3) {
      const read = readText(
        text(content.slice(0, one)) + text(content.slice(one, two)) + text(content.slice(two)) + stop,
      );
      assert.deepEqual([read.reasoning, read.text], ['a < b </ c', 'answer <think>x</think>'], `${one} ${two}`);
    }
  }
});

test('Q33 leaves text that only resembles a tag, and later tags, in the text', () => {
  for (const content of [
    '<thin',
    '<',
    '  <thi',
    'Use <think>x</think>',
    'It ends with `</think>`.',
    'Cut it at the first </think> tag, then go on.',
    '```xml\n</think>\n```\n',
    'The tag "</think>" and </thi',
    '[1] a[0] <b>',
  ]) {
    const read = readText([...content].map(text).join('') + stop);
    assert.deepEqual([read.reasoning, read.text], ['', content]);
  }
});

test('Q33 keeps reasoning that was cut in the middle of a tag', () => {
  const read = readText(text('<think>so</thi'));
  assert.deepEqual([read.reasoning, read.text, read.verdict.outcome], ['so</thi', '', 'incomplete']);
});

test('Q34 joins parts of text, and skips other parts', () => {
  const read = readText(
    chunk({
      content: [
        { type: 'text', text: 'a' },
        'b',
        null,
        5,
        { type: 'image_url' },
        { text: 7 },
        { type: 'text', text: 'c' },
      ],
    }) + stop,
  );
  assert.equal(read.text, 'abc');
});

test('Q35 completes a reply of tool calls alone', () => {
  const tool = chunk({ tool_calls: [{ function: { name: 'f', arguments: '{' } }] });
  assert.equal(readText(tool + chunk({}, 'tool_calls')).verdict.outcome, 'complete');
  assert.equal(
    readText(
      completion({ content: null, tool_calls: [{ id: '', type: 'function', function: { name: 'f', arguments: {} } }] }),
    ).verdict.outcome,
    'complete',
  );
  assert.equal(readText(chunk({ tool_calls: null }) + stop).verdict.problem?.kind, 'emptyReply');
});

test('ai00_server#90 takes nothing, or a word for it, for no finish reason', () => {
  for (const reason of ['', null, 5, 'null', 'None', 'FINISH_REASON_UNSPECIFIED']) {
    const body = `data: ${JSON.stringify({ choices: [{ delta: { content: 'a' }, finish_reason: reason }] })}\n\n`;
    assert.equal(readText(body + body).verdict.outcome, 'incomplete', String(reason));
  }
});

test('reports a refusal as the words of a content filter', () => {
  const { verdict } = readText(chunk({ refusal: 'I can ' }) + chunk({ refusal: 'not.' }) + stop);
  assert.deepEqual(
    [verdict.outcome, verdict.problem?.kind, verdict.problem?.words],
    ['failed', 'contentFiltered', 'I can not.'],
  );
});

test('Q37 decides by the body: a failure with status 200, a success with status 500', () => {
  assert.equal(readText('{"error":{"message":"no"}}', { status: 200 }).verdict.outcome, 'failed');
  assert.equal(readText(text('Hi') + stop, { status: 500 }).verdict.outcome, 'complete');
  assert.equal(readText(completion({ content: 'Hi' }), { status: 403 }).verdict.outcome, 'complete');
});

test('Q33 reads reasoning from every field, once, and details when no other field has it', () => {
  const details = (...texts: string[]) => texts.map((text) => ({ type: 'reasoning.text', text, signature: null }));
  const summary = (text: string) => [{ type: 'reasoning.summary', summary: text }];
  const rows: readonly (readonly [name: string, deltas: readonly Record<string, unknown>[]])[] = [
    ['reasoning_content', [{ reasoning_content: 'hm ' }, { reasoning_content: 'ok' }]],
    ['reasoning', [{ reasoning: 'hm ' }, { reasoning: 'ok' }]],
    ['both', ['hm ', 'ok'].map((each) => ({ reasoning_content: each, reasoning: each }))],
    [
      'one of them empty',
      [
        { reasoning_content: '', reasoning: 'hm ' },
        { reasoning_content: null, reasoning: 'ok' },
      ],
    ],
    [
      'the other empty',
      [
        { reasoning_content: 'hm ', reasoning: '' },
        { reasoning_content: 'ok', reasoning: null },
      ],
    ],
    ['a block in the text', [{ content: '<think>hm ' }, { content: 'ok</think>\n\n' }]],
    ['Q34 a part', [{ content: [{ type: 'thinking', thinking: [{ type: 'text', text: 'hm ' }, 'ok'] }] }]],
    [
      'earendil-works/pi#7216, databricks/appkit#559 a part with a summary',
      [{ content: [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm ok' }] }] }],
    ],
    ['details alone', [{ reasoning_details: details('hm ') }, { reasoning_details: details('ok') }]],
    ['several in one', [{ reasoning_details: details('hm', ' ', 'ok') }]],
    ['summaries', [{ reasoning_details: summary('hm ') }, { reasoning_details: summary('ok') }]],
    ['a text and its summary', [{ reasoning_details: [...details('hm ok'), ...summary('in short')] }]],
    [
      'both fields',
      [
        { reasoning: 'hm ', reasoning_details: details('hm ') },
        { reasoning: 'ok', reasoning_details: details('ok') },
      ],
    ],
    ['all three', [{ reasoning_content: 'hm ok', reasoning: 'hm ok', reasoning_details: details('hm ok') }]],
    [
      'all of it repeated at the end',
      [{ reasoning: 'hm ' }, { reasoning: 'ok' }, { reasoning_details: details('hm ok') }],
    ],
    [
      'all details repeated',
      [
        { reasoning_details: details('hm ') },
        { reasoning_details: details('ok') },
        { reasoning_details: details('hm ok') },
      ],
    ],
    ['the other field after the details', [{ reasoning_details: details('hm ok') }, { reasoning: 'hm ok' }]],
    ['encrypted details', [{ reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }, ...details('hm ok')] }]],
    ['invalid details', [{ reasoning_details: [null, 5, { text: 7 }, ...details('hm ok')] }]],
    ['picoclaw#1858 reasoning_text', [{ reasoning_text: 'hm ' }, { thinking: 'ok', content: null }]],
    ['an object', [{ reasoning: { content: 'hm ' } }, { reasoning: { text: 'ok' } }]],
    ['a list', [{ reasoning: [{ type: 'text', text: 'hm ' }, 'ok'] }]],
    ['a list of summaries', [{ reasoning: { summary: [{ type: 'summary_text', text: 'hm ok' }] } }]],
    ['thinking blocks', [{ thinking_blocks: [{ type: 'thinking', thinking: 'hm ok', signature: 's' }] }]],
    [
      'blocks that repeat',
      [{ reasoning_content: 'hm ok', thinking_blocks: [{ type: 'thinking', thinking: 'hm ok' }] }],
    ],
    ['parts', [{ content: [{ type: 'reasoning', text: 'hm ok' }] }]],
    [
      'empty ones',
      [
        { reasoning: '', reasoning_details: [] },
        { reasoning: null, reasoning_details: details('hm ok') },
        { reasoning_details: {} },
      ],
    ],
  ];
  for (const [name, deltas] of rows) {
    const read = readText(deltas.map((delta) => chunk(delta)).join('') + text('Yes') + stop + done);
    assert.deepEqual([read.reasoning, read.text, read.verdict.outcome], ['hm ok', 'Yes', 'complete'], name);
  }
  for (const message of [
    { content: 'Yes', reasoning_details: details('hm ok') },
    { content: 'Yes', reasoning: 'hm ok', reasoning_details: details('hm ok') },
    { content: '<think>hm ok</think>Yes', reasoning_details: [] },
    { content: 'Yes', reasoning_content: 'hm ok', reasoning: 'hm ok' },
    { content: '<think>\nhm ok\n</think>Yes', reasoning_content: 'hm ok' },
  ]) {
    const whole = readText(completion(message));
    assert.deepEqual([whole.reasoning, whole.text], ['hm ok', 'Yes']);
  }
  const tagged = readText(text('<think>hm</think>Yes') + chunk({ reasoning_details: details('hm') }) + stop);
  assert.deepEqual([tagged.reasoning, tagged.text], ['hm', 'Yes']);
});

test('1.4 reports the cost from a header, streamed or not', () => {
  const headers = { 'x-litellm-response-cost': '0.00042' };
  assert.deepEqual(readText(text('Yes') + stop + done, { headers }).verdict.usage, { cost: 0.00042 });
  assert.equal(readText(completion({ content: 'Yes' }), { headers }).verdict.usage?.cost, 0.00042);
  const both = readText(completion({ content: 'Yes' }, 'stop', { usage: { cost: 0.5 } }), { headers });
  assert.deepEqual(both.verdict.usage, { cost: 0.5 });
});

test('Q60 reports a redirect without an address', () => {
  for (const status of [301, 302, 303, 307, 308]) {
    const { outcome, problem } = readText(' \n', { status, headers: { 'x-request-id': 'r' } }).verdict;
    assert.deepEqual([outcome, problem], ['failed', { kind: 'redirected', target: '', status, requestId: 'r' }]);
    assert.equal(readText(completion({ content: 'Yes' }), { status }).verdict.outcome, 'complete');
    assert.equal(readText('{"error":{"message":"no"}}', { status }).verdict.problem?.words, 'no');
  }
  for (const status of [200, 204, 300, 304]) {
    assert.equal(readText('', { status }).verdict.problem?.kind, 'emptyReply');
  }
});

test('Q79 recognizes the plain-text errors of Cloudflare', () => {
  for (const [body, status, kind] of [
    ['error code: 1010', 403, 'blocked'],
    ['error code: 1020\n', 403, 'blocked'],
    ['error code: 1009', 200, 'unreadable'],
    ['error code: 1015', 429, 'rateLimited'],
    ['error code: 1016', 530, 'gatewayDown'],
    ['error code: 502', 502, 'gatewayDown'],
  ] as const) {
    const { problem } = readText(body, { status, headers: { 'cf-ray': 'r' } }).verdict;
    assert.deepEqual([problem?.kind, problem?.requestId], [kind, 'r'], body);
  }
});

test('Q43 decides by the status when there is no body', () => {
  assert.equal(readText('', { status: 429 }).verdict.problem?.kind, 'rateLimited');
  assert.equal(readText('', { status: 401 }).verdict.problem?.kind, 'keyRejected');
  assert.equal(readText('', { status: 503 }).verdict.problem?.kind, 'gatewayDown');
  assert.equal(readText('Internal Server Error', { status: 500 }).verdict.problem?.words, 'Internal Server Error');
});

test('Q53, Q79 and Q80 distinguish a web page from an answer, however split', () => {
  const page =
    '<!DOCTYPE html><html><head><title>Sign in\n to Wi-Fi</title></head><body>data: {"choices":[]}</body></html>';
  for (const pieces of everySplit(bytesOf(`\n ${page}`))) {
    const { verdict } = readPieces(pieces);
    assert.deepEqual(
      [verdict.outcome, verdict.problem?.kind, verdict.problem?.words],
      ['failed', 'webPage', 'Sign in to Wi-Fi'],
    );
  }
  const kinds = [
    [403, { 'cf-ray': 'r' }, 'blocked'],
    [502, {}, 'gatewayDown'],
    [520, { 'cf-ray': 'r' }, 'gatewayDown'],
    [413, {}, 'requestTooLarge'],
    [429, {}, 'rateLimited'],
    [404, {}, 'webPage'],
    [200, {}, 'webPage'],
  ] as const;
  for (const [status, headers, kind] of kinds) {
    assert.equal(readText(page, { status, headers }).verdict.problem?.kind, kind, String(status));
  }
  assert.equal(
    readText('<html><title>Just a moment...</title>cloudflare', { status: 200 }).verdict.problem?.kind,
    'blocked',
  );
});

test('does not report other text as a web page', () => {
  assert.equal(readText('<').verdict.problem?.kind, 'unreadable');
  assert.equal(readText('<3 ').verdict.problem?.kind, 'unreadable');
  assert.equal(readText('hello there').verdict.problem?.words, 'hello there');
});

test('Q57 never repeats the key, wherever the gateway sends it', () => {
  const headers = { 'x-request-id': `id-${key}`, 'retry-after': key };
  const bodies = [
    `{"error":{"message":"bad ${key}","code":"${key}","type":"${key}"}}`,
    `{"error":"${key.toUpperCase()}"}`,
    `{"detail":[{"loc":["${key}"],"msg":"${encodeURIComponent(key)}"}]}`,
    `<html><title>${'x'.repeat(290)}${key}</title>`,
    `<html><title>${key}`,
    `plain ${key}`,
    `${'x'.repeat(2_040)}${key}`,
    `error: ${key}\n\n`,
    `data: {"model":"${key}","choices":[{"delta":{},"finish_reason":"${key}"}]}\n\n`,
    chunk({ refusal: key }) + stop,
    `{"id":"${key}"}`,
    key,
    `{"${key}`,
  ];
  for (const body of bodies) {
    for (const status of [200, 401, 403, 429, 500]) {
      const json = JSON.stringify(readText(body, { status, headers }).verdict).toLowerCase();
      assert.ok(!json.includes(key.slice(0, 10).toLowerCase()), json);
    }
  }
});

test('Q88 and Q89 report the echoed model, and ignore other odd fields', () => {
  const odd = `data: ${JSON.stringify({ id: '', object: 5, created: 1.5, model: 'real-model', choices: [{ delta: { role: '', content: 'a' }, finish_reason: 'stop' }] })}\n\n`;
  assert.equal(readText(odd).verdict.model, 'real-model');
  assert.equal(readText(odd.replace('"real-model"', 'null')).verdict.model, undefined);
  assert.equal(readText(odd.replace('"real-model"', '""')).verdict.model, undefined);
});

test('Q19 stops at an event that is too large, keeps the text before it, and can still end', () => {
  let shown = '';
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [], now: 0 }, (delta) => {
    shown += delta.text;
  });
  reader.feed(bytesOf(text('Hel')));
  const piece = bytesOf('x'.repeat(1_048_576));
  assert.throws(() => {
    reader.feed(bytesOf('data: {"a":"'));
    for (let times = 0; times < 40; times++) {
      reader.feed(piece);
    }
  }, RangeError);
  // The decoder holds half of a character, which the end would feed.
  assert.doesNotThrow(() => reader.feed(Uint8Array.of(0xe6)));
  assert.equal(reader.end().outcome, 'incomplete');
  assert.equal(shown, 'Hel');
});

test('reads bytes that are not valid text the same wherever they are split', () => {
  const body = Uint8Array.from([0xc3, 0xef, 0xbb, 0xbf, 0x78]);
  const whole = readPieces([body]);
  assert.equal(whole.verdict.problem?.kind, 'unreadable');
  for (let at = 1; at < body.length; at++) {
    assert.deepEqual({ ...readPieces(cutAt(body, [at])), deltas: 0 }, { ...whole, deltas: 0 });
  }
});

test('never throws for any bytes', () => {
  const token = fc.constantFrom(
    'data: ',
    '{',
    '}',
    '[',
    ']',
    '"choices":',
    '"delta":',
    '"error":',
    'null',
    '\n\n',
    '\n',
    '\r',
    ':',
    ',',
    '"',
    '\\',
    '[DONE]',
    '<html>',
    '"content":"x"',
    'event: error',
    'error: ',
    '"index":0',
    '"finish_reason":"stop"',
    '{"error":',
    'é😀',
  );
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.array(token, { maxLength: 40 }).map((parts) => bytesOf(parts.join(''))),
  );
  fc.assert(
    fc.property(
      bytes,
      fc.array(fc.nat(300), { maxLength: 8 }),
      fc.constantFrom(200, 204, 302, 400, 401, 429, 500, 999),
      (body, cuts, status) => {
        const whole = readPieces([body], { status });
        const pieces = readPieces(
          cutAt(
            body,
            cuts.map((cut) => cut % (body.length + 1)),
          ),
          { status },
        );
        assert.deepEqual({ ...pieces, deltas: 0 }, { ...whole, deltas: 0 });
        assert.match(whole.verdict.outcome, /^(?:complete|incomplete|failed)$/);
        assert.equal(whole.verdict.outcome === 'complete', whole.verdict.problem === undefined);
      },
    ),
  );
});

test('never throws for any JSON value in any field', () => {
  const place = fc.constantFrom(
    'choices',
    'error',
    'usage',
    'model',
    'code',
    'message',
    'detail',
    'data',
    'x_groq',
    'success',
    'object',
    'status',
    'type',
  );
  fc.assert(
    fc.property(fc.dictionary(place, fc.jsonValue({ maxDepth: 4 })), fc.jsonValue({ maxDepth: 4 }), (body, delta) => {
      readText(`data: ${JSON.stringify(body)}\n\n`);
      readText(JSON.stringify(body));
      readText(`data: ${JSON.stringify({ choices: [delta] })}\n\n`);
      readText(`data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`);
      readText(completion(delta));
    }),
  );
});

test('distinguishes an invalid completion from a cut one, and reports the start of both', () => {
  const whole = completion({ role: 'assistant', content: 'The answer is 42.' });
  for (const [body, kind, isDamaged] of [
    [whole.replace('is 42', 'is "42"'), 'unreadable', true],
    [whole.replace('"index":0', '"index":'), 'unreadable', true],
    [`data: ${whole.replace('"index":0', '"index":')}\n\ndata: [DONE]\n\n`, 'unreadable', true],
    [whole.replace('is 42', 'is "42" or '), 'unreadable', true],
    [whole.slice(0, -30), 'cut', undefined],
    ['{"result":"The answer is 42."}', 'unreadable', undefined],
  ] as const) {
    const { problem } = readText(body).verdict;
    assert.equal(problem?.kind, kind, body);
    assert.equal(problem && 'isDamaged' in problem ? problem.isDamaged : undefined, isDamaged, body);
    assert.match(problem?.words ?? '', /The answer is/, body);
  }
});

test('Zoo-Code#324, hermes-agent#6149, openclaw#37703 makes reasoning the answer when the reply ended with nothing else', () => {
  for (const reason of ['stop', 'pause_turn', 'something_new']) {
    for (const deltas of [
      [{ reasoning_content: 'Hello! ' }, { reasoning_content: 'How are you?' }],
      [{ content: '<think>Hello! ' }, { content: 'How are you?' }],
      [{ content: '<thou' }, { content: 'ght>Hello! How' }, { content: ' are you?' }],
      [{ content: 'Hello! How' }, { content: ' are you?</think>' }],
      [{ content: [{ type: 'thinking', thinking: 'Hello! How are you?' }] }],
    ]) {
      const read = readText(deltas.map((delta) => chunk(delta)).join('') + chunk({}, reason) + done);
      assert.deepEqual([read.text, read.reasoning, read.verdict.outcome], ['Hello! How are you?', '', 'complete']);
    }
  }
  const cut = readText(text('<think>Hello! How'));
  assert.deepEqual([cut.text, cut.reasoning, cut.verdict.problem?.kind], ['', 'Hello! How', 'cut']);
  const called = readText(
    chunk({ reasoning: 'Hm' }) + chunk({ tool_calls: [{ function: { name: 'f' } }] }, 'tool_calls'),
  );
  assert.deepEqual([called.text, called.reasoning], ['', 'Hm']);
});

test('Q33 gaia#3945, obsidian-copilot#2153, vllm-mlx#402, hermes-agent#56275, lmstudio-bug-tracker#2013, omlx#2533, maclocal-api#121, cherry-studio#9498, gpt_markdown#42 finds blocks of any tag, and one without its opening tag, wherever they are split', () => {
  for (const [content, reasoning, answer] of [
    ['<thinking>a < b</thinking>\n\nanswer', 'a < b', 'answer'],
    ['<thought>short.</thought>answer </think>', 'short.', 'answer </think>'],
    ['[THINK]x[0] = 1[/THINK]answer', 'x[0] = 1', 'answer'],
    ['◁think▷hm◁/think▷answer', 'hm', 'answer'],
    ['<think>one</think>\n<think></think><think>two</think>\n\nanswer <think>', 'onetwo', 'answer <think>'],
    ['One.</think><think>two</think>answer', 'One.two', 'answer'],
    ['<Think>a</b></ThInK>answer', 'a</b>', 'answer'],
    ['<seed:think>hm</seed:think>answer', 'hm', 'answer'],
    ['<|begin_of_thought|>hm<|end_of_thought|>\nanswer', 'hm', 'answer'],
    ['<|channel>thought\nhm<channel|>answer', '\nhm', 'answer'],
    ['The user greets.<channel|>answer', 'The user greets.', 'answer'],
    ['<|channel|>analysis<|message|>a<|end|><|start|>assistant<|channel|>final<|message|>answer', 'a', 'answer'],
    ['I should <b>answer</b>.\n</think>\n\nHi! [1]', 'I should <b>answer</b>.\n', 'Hi! [1]'],
    ["I'll ask.</think>I can't.", "I'll ask.", "I can't."],
    ['It says `</think>` here </think>\nHi', 'It says `</think>` here ', 'Hi'],
    ['</think>\n\nHi', '', 'Hi'],
  ] as const) {
    for (let one = 0; one <= content.length; one++) {
      for (let two = one; two <= content.length; two += 4) {
        const read = readText(
          text(content.slice(0, one)) + text(content.slice(one, two)) + text(content.slice(two)) + stop + done,
        );
        assert.deepEqual(
          [read.reasoning, read.text, read.verdict.outcome],
          [reasoning, answer, 'complete'],
          `${content} ${one} ${two}`,
        );
      }
    }
  }
  const both = readText(chunk({ reasoning_content: 'first. ' }) + text('second.</think>answer') + stop);
  assert.deepEqual([both.reasoning, both.text], ['first. second.', 'answer'], 'ds4#678');
});

test('Q8 open-webui#16377, litellm#27139 ends nothing by a finish reason that content follows', () => {
  const each = ['First half, ', 'second half, ', 'and the end.'].map((content) => chunk({ content }, 'stop'));
  const first = chunk({ reasoning_content: 'Hm.' }, 'stop');
  const whole = readText(first + each.join('') + done);
  assert.deepEqual(
    [whole.text, whole.reasoning, whole.verdict.outcome],
    ['First half, second half, and the end.', 'Hm.', 'complete'],
  );
  for (const [body, isClosed, outcome] of [
    [first + each.join(''), true, 'complete'],
    [first + each.join(''), false, 'incomplete'],
    [first + each[0], false, 'incomplete'],
    [each[0], false, 'complete'],
    [text('a') + stop, false, 'complete'],
    [`${text('a') + stop}data: {"choices":[],"usage":{"prompt`, false, 'complete'],
    [`${each[0]}data: {"choices":[{"index":0,"delta":{"content":"second h`, false, 'incomplete'],
    [`${each[0]}data: {"choices":[{"index":0,"delta":{"content":"second h`, true, 'incomplete'],
  ] as const) {
    const { verdict } = readPieces([bytesOf(String(body))], {}, isClosed);
    assert.deepEqual(
      [verdict.outcome, verdict.problem?.kind],
      [outcome, outcome === 'complete' ? undefined : 'cut'],
      body,
    );
  }
});

test('Q8 says how long nothing may follow before the reply has ended', () => {
  const usage = 'data: {"choices":[],"usage":{"prompt_tokens":3}}\n\n';
  for (const [body, expected] of [
    [text('a'), undefined],
    [text('a') + stop, 30_000],
    [text('a') + stop + usage, 5_000],
    [chunk({ content: 'a' }, 'stop'), undefined],
    [chunk({ content: 'a' }, 'stop') + usage, 5_000],
    [chunk({ content: '' }, 'stop'), undefined],
    [chunk({ reasoning_content: 'a' }, 'stop') + chunk({}, 'stop') + usage, undefined],
    [text('a') + stop + text('b') + stop + usage, undefined],
    [text('a') + usage + chunk({ content: 'b' }, 'stop'), undefined],
  ] as const) {
    const reader = new ReplyReader({ status: 200, headers: {}, secrets: [], now: 0 }, () => undefined);
    reader.feed(bytesOf(body));
    assert.equal(reader.quietMs, expected, body);
  }
});

test('hermes-browser-extension#11, ragflow#15286 adds nothing for a last chunk that repeats the whole text', () => {
  const parts = ['The cart keeps items', ' in a map, and the total ', 'is computed on demand.'];
  const whole = parts.join('');
  const message = (content: string, more = {}) =>
    `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, message: { content, ...more }, finish_reason: 'stop' }] })}\n\n`;
  for (const last of [
    message(whole),
    text(whole),
    `${text(whole) + stop}`,
    stop + message(` ${whole}\n`),
    chunk({ content: whole }, 'stop'),
    message(`${whole} Now.`),
  ]) {
    const read = readText(parts.map(text).join('') + last + (last.includes('stop') ? '' : stop) + done);
    assert.deepEqual(
      [read.text, read.verdict.outcome],
      [last.includes('Now') ? `${whole} Now.` : whole, 'complete'],
      last,
    );
  }
  const reasoned = readText(
    chunk({ reasoning_content: 'Where are ' }) +
      chunk({ reasoning_content: 'the items? ' }) +
      text('In a map.') +
      message('In a map.', { reasoning_content: 'Where are the items? ' }),
  );
  assert.deepEqual([reasoned.reasoning, reasoned.text], ['Where are the items? ', 'In a map.']);
  const tagged = readText(text('<think>Hm.</think>') + text('In a map.') + message('In a map.') + done);
  assert.deepEqual([tagged.reasoning, tagged.text], ['Hm.', 'In a map.']);
  for (const words of [
    ['really ', 'really ', 'good'],
    ['ha', 'ha'],
    ['no, ', 'no'],
    ['1', '2', '12'],
    [whole, whole, ' Again.'],
    ['-----', '-----', '----------'],
  ]) {
    assert.equal(readText(words.map(text).join('') + stop).text, words.join(''), 'posit-dev/chatlas#435');
  }
});

/** The text, with the kinds of pictures in place of their names, and their data. */
function readPictures(pieces: readonly string[]) {
  const pictures = new Map<string, string>();
  let read = '';
  const reader = new ReplyReader({ status: 200, headers: {}, secrets: [key], now: 0 }, (delta) => {
    read += delta.text;
    for (const { name, base64 } of delta.pictures ?? []) {
      pictures.set(name, base64);
    }
  });
  for (const piece of pieces) {
    reader.feed(bytesOf(piece));
  }
  const { outcome, hasPicture } = reader.end();
  const named = replacePictures(read, (name, alt) => `<${alt}${name.replace(/.*\./, '.')} ${pictures.get(name)}>`);
  return { text: named, outcome, hasPicture };
}

test('LibreChat#9514, litellm#27277, AstrBot#4296 completes an answer that is or has a picture, with its data beside the text', () => {
  const url = 'data:image/png;base64,iVBORw0KGgo=';
  const shown = '\n\n<.png iVBORw0KGgo=>\n\n';
  for (const delta of [
    { content: '', images: [{ type: 'image_url', image_url: { url } }] },
    { content: [{ type: 'image_url', image_url: { url } }] },
    { content: [{ type: 'output_image', image_base64: url }] },
    { content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } }] },
    { content: [{ inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }] },
  ]) {
    for (const before of ['', 'Here: ']) {
      const read = readPictures([before && text(before), chunk(delta), stop, done]);
      assert.deepEqual(read, { text: before + shown, outcome: 'complete', hasPicture: true });
    }
    // A last message repeats the answer.
    assert.equal(readPictures([chunk(delta), completion(delta)]).text, shown);
    assert.equal(readPictures([completion(delta)]).text, shown);
  }
  const parts = [
    { type: 'text', text: 'A' },
    { type: 'image_url', image_url: { url } },
    { type: 'text', text: 'B' },
  ];
  assert.equal(readPictures([chunk({ content: parts }), stop]).text, `A${shown}B`);
  const remote = { images: [{ type: 'image_url', image_url: { url: 'https://a.example/b c.png' } }] };
  assert.equal(readPictures([chunk(remote), stop]).text, '\n\n![](https://a.example/b%20c.png)\n\n');
  assert.deepEqual(
    readPictures([chunk({ images: [{ image_url: { url: 'data:image/svg+xml;base64,PHN2Zy8+' } }] }), stop]),
    {
      text: '\n\n<.svg PHN2Zy8+>\n\n',
      outcome: 'complete',
      hasPicture: true,
    },
  );
  assert.equal(readText(chunk({ content: 'a', images: [] }) + stop).verdict.hasPicture, undefined);
});

test('AstrBot#4296 takes the data of pictures out of Markdown, in any pieces, but not out of code', () => {
  const data = (url: string) =>
    `![A [b] c](${url}) and \n\`\`\`md\n![x](${url})\n\`\`\`\n\`![y](${url})\` a[0](d) [data](data:x)`;
  const url = `data:image/jpeg;base64,/9j/${'Ab+/'.repeat(50)}`;
  const whole = data(url);
  const expected = whole.replace(`![A [b] c](${url})`, `<A [b] c.jpg ${url.split(',')[1]}>`);
  for (let size = 1; size < whole.length; size += size < 40 ? 1 : 37) {
    const pieces = whole.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [];
    const read = readPictures([...pieces.map(text), stop]);
    assert.equal(read.text, expected);
    assert.equal(read.hasPicture, true);
  }
  // The answer was cut in a picture.
  assert.match(readPictures([text(`![a](${url}`)]).text, /^<a\.jpg \/9j\/Ab[\w+/]+>$/);
});

test('ravendb#22997 keeps text and the refusal that follows it', () => {
  for (const delta of [{ refusal: 'I cannot.' }, { content: [{ type: 'refusal', refusal: 'I cannot.' }] }]) {
    const read = readText(text('Sure, ') + chunk(delta) + stop + done);
    const { outcome, problem } = read.verdict;
    assert.deepEqual([read.text, outcome, problem?.words], ['Sure, ', 'incomplete', 'I cannot.']);
  }
});

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ToolCalls } from '../../../../src/core/reply/toolCalls.ts';
import { cpuMs } from '../base/cpuMs.ts';
import { readPieces, readText } from './replyFixture.ts';

function read(...deltas: unknown[][]) {
  const calls = new ToolCalls();
  for (const delta of deltas) {
    calls.push(delta);
  }
  return calls.list();
}

const piece = (more: object, fn: object = {}) => ({ ...more, type: 'function', function: fn });

test('Q35 joins deltas of calls by index, even interleaved ones', () => {
  assert.deepEqual(
    read(
      [piece({ index: 0, id: 'a' }, { name: 'open', arguments: '' })],
      [piece({ index: 1, id: 'b' }, { name: 'find', arguments: '{"x"' })],
      [piece({ index: 0 }, { arguments: '{"y":' })],
      [piece({ index: 1 }, { arguments: ':1}' }), piece({ index: 0 }, { arguments: '2}' })],
    ),
    [
      { id: 'a', name: 'open', arguments: '{"y":2}' },
      { id: 'b', name: 'find', arguments: '{"x":1}' },
    ],
  );
});

test('Q35 joins deltas without an index by id, and those without either to the last call', () => {
  assert.deepEqual(
    read(
      [piece({ id: 'a' }, { name: 'open', arguments: '{' })],
      [piece({}, { arguments: '}' })],
      [piece({ id: 'b' }, { name: 'find', arguments: '[]' })],
      [piece({ id: 'a' }, { arguments: ' ' })],
    ),
    [
      { id: 'a', name: 'open', arguments: '{}' },
      { id: 'b', name: 'find', arguments: '[]' },
    ],
  );
  assert.deepEqual(read([piece({ id: '' }, { name: 'one', arguments: '{}' })], [piece({ id: '' }, { name: 'two' })]), [
    { name: 'one', arguments: '{}' },
    { name: 'two', arguments: '{}' },
  ]);
});

test('Q35 separates calls at the same index by id, and reads indices from one and a late name', () => {
  assert.deepEqual(
    read(
      [piece({ index: 1, id: 'a' }, { arguments: '{}' })],
      [piece({ index: 1 }, { name: 'late' })],
      [piece({ index: 1, id: 'b' }, { name: 'other', arguments: '1' })],
      [piece({ index: 1 }, { arguments: '2' })],
    ),
    [
      { id: 'a', name: 'late', arguments: '{}' },
      { id: 'b', name: 'other', arguments: '12' },
    ],
  );
});

test('reads arguments that are an object, incomplete, or in the older function_call field', () => {
  assert.deepEqual(read([piece({ index: 0 }, { name: 'f', arguments: { a: 1 } })]), [
    { name: 'f', arguments: '{"a":1}' },
  ]);
  const legacy = new ToolCalls();
  legacy.push([{ index: 0, function: { name: 'f', arguments: '{"a' } }]);
  legacy.push([{ index: 0, function: { arguments: '":' } }]);
  assert.deepEqual(legacy.list(), [{ name: 'f', arguments: '{"a":' }]);
});

for (const [fixture, sources, expected] of [
  ['09-tool-arguments-begin-with-empty-object', 'Wei-Shaw/sub2api#6336', ['read_file', { path: 'src/a.ts' }]],
  ['11-tool-arguments-cumulative', 'vercel/ai#15888', ['search', { query: 'token' }]],
  [
    '16-tool-arguments-with-raw-newline',
    'earendil-works/pi#2981',
    ['edit', { path: '/a.ts', oldText: 'line one\nline two', newText: '\tx' }],
  ],
] as const) {
  test(`Q35 reads one call with one object from ${fixture}, in pieces of any size (${sources})`, () => {
    const bytes = readFileSync(new URL(`../../../fixtures/reports/${fixture}.sse`, import.meta.url));
    for (const size of [1, 7, 64, bytes.length]) {
      const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
        bytes.subarray(at * size, (at + 1) * size),
      );
      const { verdict } = readPieces(pieces);
      assert.equal(verdict.outcome, 'complete');
      assert.deepEqual(
        verdict.toolCalls?.map(({ name, arguments: given }) => [name, JSON.parse(given)]),
        [expected],
      );
    }
  });
}

/** Calls of other shapes, each with the deltas of one call and its arguments. */
const shapes: readonly (readonly [
  source: string,
  about: string,
  deltas: readonly object[],
  input: unknown,
  name?: string,
])[] = [
  [
    'decolua/9router#2869',
    'arguments that are repeated as a whole',
    [piece({ index: 0, id: 'a' }, { name: 'f', arguments: '{"a":' }), piece({ index: 0 }, { arguments: '1}{"a":1}' })],
    { a: 1 },
  ],
  [
    'lidge-jun/opencodex#361',
    'all arguments once more after their pieces',
    ['', '{"a"', ':1}', '{"a":1}'].map((each) => piece({ index: 0, id: 'a' }, { name: 'f', arguments: each })),
    { a: 1 },
  ],
  [
    'NousResearch/hermes-agent#35718',
    'the arguments so far in each delta, with neither id nor index',
    ['{"a"', '{"a": "b', '{"a": "b"}', '{"a": "b"}'].map((each) => piece({}, { name: 'f', arguments: each })),
    { a: 'b' },
  ],
  [
    'microsoft/autogen#7549',
    'an empty object before the arguments as an object',
    [piece({ index: 0 }, { name: 'f', arguments: {} }), piece({ index: 0 }, { arguments: { stock: 'M' } })],
    { stock: 'M' },
  ],
  [
    'FoundationAgents/OpenManus#989',
    'JSON in a JSON string',
    [piece({ index: 0 }, { name: 'f', arguments: '"{\\"shop\\": ' }), piece({ index: 0 }, { arguments: '\\"A\\"}"' })],
    { shop: 'A' },
  ],
  [
    'agentscope-ai/agentscope-java#1223',
    'the name once more on the last piece',
    [
      piece({ id: 'a' }, { name: 'f', arguments: '' }),
      piece({}, { arguments: '{"a": 1' }),
      piece({ id: null }, { name: 'f', arguments: '}' }),
    ],
    { a: 1 },
  ],
  [
    'BerriAI/litellm#20480',
    'the name on the last piece alone',
    [piece({}, { arguments: '{"a"' }), piece({}, { arguments: ': 1' }), piece({}, { name: 'f', arguments: '}' })],
    { a: 1 },
  ],
  [
    'poolsideai/pool#9',
    'another id from the second piece on',
    [
      piece({ index: 0, id: 'a' }, { name: 'f', arguments: '' }),
      piece({ index: 0, id: 'b' }, { arguments: '{"a":' }),
      piece({ index: 0, id: 'b' }, { arguments: '1}' }),
    ],
    { a: 1 },
  ],
  [
    'Avarok-Cybersecurity/atlas#33',
    'two beginnings with different ids',
    [
      piece({ index: 0, id: 'a' }, { name: 'f', arguments: '' }),
      piece({ index: 0, id: 'b' }, { name: 'f', arguments: '' }),
      piece({ index: 0 }, { arguments: '{"a":1}' }),
    ],
    { a: 1 },
  ],
  [
    'sgl-project/sglang#6310',
    'arguments under another index',
    [piece({ index: 3, id: 'a' }, { name: 'f' }), piece({ index: 0 }, { arguments: '{"a":1}' })],
    { a: 1 },
  ],
  [
    'QuantumNous/new-api#6278',
    'the whole call once more under the next index',
    [
      piece({ index: 0, id: 'a' }, { name: 'f', arguments: '{"a":' }),
      piece({ index: 0 }, { arguments: '1}' }),
      piece({ index: 1, id: 'a' }, { name: 'f', arguments: '{"a":1}' }),
    ],
    { a: 1 },
  ],
  [
    'continuedev/continue#5849',
    'a name in two pieces',
    [piece({ index: 0, id: 'a' }, { name: 'read_' }), piece({ index: 0 }, { name: 'f', arguments: '{"a":1}' })],
    { a: 1 },
    'read_f',
  ],
  [
    'google/adk-python#5754, waybarrios/vllm-mlx#63',
    'what Python writes',
    [piece({ index: 0 }, { name: 'f', arguments: "{'a': 'None is', 'b': None, 'c': True}" })],
    { a: 'None is', b: null, c: true },
  ],
  ['ogx-ai/ogx#5462', 'no arguments', [piece({ index: 0 }, { name: 'f', arguments: null })], {}],
  [
    'ogx-ai/ogx#5462',
    'an empty object twice',
    ['{}', '{}'].map((each) => piece({ index: 0 }, { name: 'f', arguments: each })),
    {},
  ],
  [
    'rhesis-ai/rhesis#2488',
    'a raw tab',
    [piece({ index: 0 }, { name: 'f', arguments: '{"a": "b\tc"}' })],
    { a: 'b\tc' },
  ],
];

for (const [source, about, deltas, input, name = 'f'] of shapes) {
  test(`Q35 reads one call with one object from ${about} (${source})`, () => {
    assert.deepEqual(
      read([...deltas]).map(({ name, arguments: given }) => [name, JSON.parse(given)]),
      [[name, input]],
    );
    assert.deepEqual(read(...deltas.map((each) => [each])), read([...deltas]));
  });
}

test('Q35 completes no arguments that were cut, and guesses none among several objects (open-webui/open-webui#22235)', () => {
  for (const cut of [
    '{"a": 1',
    '{"a": {"b": 1}',
    '{"a": "b',
    '{}{"a": ',
    '{"a":1}{"a":',
    '{"q":"A"}{"q":"B"}',
    '[1]',
    '5',
  ]) {
    assert.deepEqual(read([piece({ index: 0 }, { name: 'f', arguments: cut })]), [{ name: 'f', arguments: cut }]);
  }
});

test('Q35 skye-harris/hass_local_openai_llm#92 keeps calls of two tools with one index and id apart', () => {
  const calls = ['f', 'g'].map((name) => piece({ index: 0, id: 'a' }, { name, arguments: '{"a":1}' }));
  assert.deepEqual(
    read(calls).map(({ name }) => name),
    ['f', 'g'],
  );
});

test('Q35 keeps two calls of one tool apart where there is neither index nor id', () => {
  assert.deepEqual(
    read([piece({}, { name: 'f', arguments: '{"a":1}' })], [piece({}, { name: 'f', arguments: '{"a":2}' })]),
    [
      { name: 'f', arguments: '{"a":1}' },
      { name: 'f', arguments: '{"a":2}' },
    ],
  );
});

test('Q35 keeps a call whose name never came (agentscope-ai/agentscope-java#2205)', () => {
  const chunk = {
    choices: [
      { index: 0, delta: { tool_calls: [piece({ index: 0 }, { arguments: '{"a":1}' })] }, finish_reason: 'tool_calls' },
    ],
  };
  assert.deepEqual(readText(`data: ${JSON.stringify(chunk)}\n\n`).verdict.toolCalls, [
    { name: '', arguments: '{"a":1}' },
  ]);
});

test('ignores values that are not calls', () => {
  const calls = new ToolCalls();
  for (const junk of [null, 5, 'x', {}, [null], [5], [[]], [{ function: null }], [{ index: 'x', function: 5 }]]) {
    calls.push(junk);
    calls.push([{ index: 0, function: junk }]);
  }
  assert.deepEqual(calls.list(), []);
});

test('limits the number of calls, in linear time', () => {
  for (const piece of [
    (at: number) => ({ index: at, function: { name: 'f' } }),
    (at: number) => ({ index: 0, id: `c${at}`, function: { name: 'f', arguments: '{}' } }),
    (at: number) => ({ id: `c${at}`, function: { name: 'f', arguments: '{}' } }),
  ]) {
    const cost = cpuMs(() => {
      const calls = new ToolCalls();
      calls.push(Array.from({ length: 20_000 }, (_, at) => piece(at)));
      assert.equal(calls.list().length, 256);
    });
    assert.ok(cost < 2_000);
  }
});

test('drops the arguments of a call beyond the limit with the call', () => {
  const calls = new ToolCalls();
  for (let at = 0; at < 258; at++) {
    calls.push([{ function: { name: `f${at}` } }]);
    calls.push([{ function: { arguments: `{"i":${at}}` } }]);
  }
  assert.deepEqual(calls.list().at(-1), { name: 'f255', arguments: '{"i":255}' });
});

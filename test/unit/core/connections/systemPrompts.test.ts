import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentPrompt } from '../../../../src/core/chat/conversation/sentParameters.ts';
import { readConnections, withSetting } from '../../../../src/core/connections/connection.ts';
import { systemPromptProblem } from '../../../../src/core/connections/questionDefaults.ts';

const entry = { id: 'g', baseUrl: 'https://gateway.example' };
const read = (more: object) => readConnections([{ ...entry, ...more }]);

test('reads the system prompts of a connection and of its models as they are written', () => {
  const { connections, problems } = read({
    systemPrompt: ' Be brief.\n\nIn French.\n',
    modelSystemPrompts: { 'vendor/m': 'Show code.', blank: ' \n', ['__proto__']: 'x', constructor: 'y' },
  });
  assert.deepEqual(problems, []);
  assert.equal(connections[0]?.systemPrompt, ' Be brief.\n\nIn French.\n');
  assert.deepEqual(
    connections[0]?.modelSystemPrompts,
    new Map([
      ['vendor/m', 'Show code.'],
      ['__proto__', 'x'],
      ['constructor', 'y'],
    ]),
  );
  const without = read({ systemPrompt: ' ', modelSystemPrompts: {} }).connections[0];
  assert.deepEqual([without?.systemPrompt, without?.modelSystemPrompts], [undefined, undefined]);
});

test('reports and leaves out a prompt that is too long or has a key, and reads the rest', () => {
  const key = `sk-${'a1B2'.repeat(10)}`;
  for (const [bad, words] of [
    ['x'.repeat(32_001), /at most 32,000 characters, and this one has 32,001/],
    [`Use ${key}.`, /contains a key/],
  ] as const) {
    const { connections, problems } = read({
      systemPrompt: bad,
      modelSystemPrompts: { bad, good: 'x'.repeat(32_000) },
    });
    assert.equal(connections[0]?.systemPrompt, undefined);
    assert.deepEqual([...(connections[0]?.modelSystemPrompts?.keys() ?? [])], ['good']);
    assert.equal(problems.length, 2);
    assert.ok(problems.every((problem) => words.test(problem) && !problem.includes(key)));
  }
  assert.equal(systemPromptProblem('Be brief.'), undefined);
  assert.match(systemPromptProblem('my key', () => true) ?? '', /contains a key/);
});

test('sets and removes the prompt of one model, and leaves everything else as it is written', () => {
  const entries = [{ ...entry, own: 1, modelSystemPrompts: { a: 'A', bad: 5 } }, { id: 'other' }, 7];
  const changed = withSetting(entries, 'g', 'vendor/b', 'systemPrompt', () => 'B');
  assert.deepEqual(changed, [
    { ...entry, own: 1, modelSystemPrompts: { a: 'A', bad: 5, 'vendor/b': 'B' } },
    { id: 'other' },
    7,
  ]);
  assert.deepEqual(
    withSetting(changed, 'g', 'vendor/b', 'systemPrompt', () => undefined),
    entries,
  );
  assert.deepEqual(
    withSetting([{ ...entry, modelSystemPrompts: { a: 'A' } }], 'g', 'a', 'systemPrompt', () => undefined),
    [entry],
  );
});

test('sends the first of conversation, model and connection that is set', () => {
  const prompts = { systemPrompt: 'C', modelSystemPrompts: new Map([['m', 'M\n']]) };
  assert.deepEqual(sentPrompt({ systemPrompt: 'Own' }, prompts, 'm'), { place: 'conversation', text: 'Own' });
  assert.deepEqual(sentPrompt({}, prompts, 'm'), { place: 'model', text: 'M' });
  assert.deepEqual(sentPrompt({}, prompts, 'n'), { place: 'connection', text: 'C' });
  assert.deepEqual(sentPrompt({}, prompts, undefined), { place: 'connection', text: 'C' });
  assert.equal(sentPrompt({ systemPrompt: ' ' }, prompts, 'm'), undefined, 'none is sent in this conversation');
  assert.equal(sentPrompt({}, {}, 'm'), undefined);
  assert.equal(sentPrompt({}, undefined, 'm'), undefined);
});

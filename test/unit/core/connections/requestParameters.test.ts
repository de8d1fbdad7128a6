import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { recordOf } from '../../../../src/core/base/loose.ts';
import { readConnections, withSetting } from '../../../../src/core/connections/connection.ts';
import {
  changeAfterRejection,
  type ParameterChange,
  parameterNames,
  parameterProblem,
  type RequestParameters,
  readParameters,
  withChanges,
} from '../../../../src/core/connections/questionDefaults.ts';
import { KeyRemover, removedKey } from '../../../../src/core/secrets/keyRemover.ts';

const entry = { id: 'g', baseUrl: 'https://gateway.example' };
const read = (more: object) => readConnections([{ ...entry, ...more }]);
const all = {
  reasoningEffort: 'high',
  temperature: 0.2,
  tokenLimit: 4_000,
  extraBody: { top_p: 0.9, provider: { order: ['a'] } },
  tokenLimitField: 'max_completion_tokens',
  omit: ['seed'],
} as const satisfies RequestParameters;

test('reads the parameters of a connection and of its models as they are written', () => {
  const { connections, problems } = read({
    parameters: all,
    modelParameters: { 'vendor/m': { temperature: null }, none: {}, ['__proto__']: { tokenLimit: 5 } },
  });
  assert.deepEqual(problems, []);
  assert.deepEqual(connections[0]?.parameters, all);
  assert.deepEqual(
    connections[0]?.modelParameters,
    new Map<string, RequestParameters>([
      ['vendor/m', { temperature: null }],
      ['__proto__', { tokenLimit: 5 }],
    ]),
  );
  assert.deepEqual(read({}).connections[0]?.parameters, undefined);
});

test('reports and leaves out each value that can’t be sent, by its name, and reads the others', () => {
  for (const [bad, words] of [
    [{ temperature: 2.1 }, /^temperature must be a number from 0 to 2\.$/],
    [{ temperature: '0.2' }, /^temperature must be a number/],
    [{ tokenLimit: 0 }, /^tokenLimit must be a whole number of at least 1\.$/],
    [{ tokenLimit: 1.5 }, /^tokenLimit must/],
    [{ reasoningEffort: 'very high' }, /^reasoningEffort must be one word, such as high\.$/],
    [{ reasoningEffort: '' }, /^reasoningEffort must/],
    [{ extraBody: [1] }, /^extraBody must be a JSON object/],
    [{ extraBody: 'x' }, /^extraBody must be a JSON object/],
    [{ tokenLimitField: 'max' }, /^tokenLimitField must be max_tokens or max_completion_tokens\.$/],
    [{ omit: 'seed' }, /^omit must be a list\.$/],
  ] as const) {
    const { connections, problems } = read({
      parameters: { ...all, ...bad },
      modelParameters: { m: { ...all, ...bad } },
    });
    assert.equal(problems.length, 2, JSON.stringify(bad));
    assert.ok(
      problems.every((problem) => words.test(problem.replace(/^Entry 1 of askModel\.connections: /, ''))),
      problems.join(),
    );
    const [name = ''] = Object.keys(bad);
    const { [name as keyof typeof all]: _, ...others } = all;
    assert.deepEqual(connections[0]?.parameters, others);
    assert.deepEqual(connections[0]?.modelParameters?.get('m'), others);
  }
  assert.match(read({ parameters: 7 }).problems.join(), /parameters must be an object/);
});

test('refuses fields of the extra body that the extension sets, in any spelling that a gateway may accept', () => {
  for (const field of ['model', 'messages', 'stream', 'stream_options', 'tools', 'n']) {
    for (const spelled of [field, field.toUpperCase(), field.replace('s', '\u017f')]) {
      const problem = parameterProblem('extraBody', { top_p: 1, [spelled]: 1 });
      assert.equal(problem, `${spelled} can't be set in extraBody, because Ask Model sets it.`);
    }
  }
  for (const [field, name] of [
    ['temperature', 'temperature'],
    ['max_tokens', 'tokenLimit'],
    ['max_completion_tokens', 'tokenLimit'],
    ['Reasoning_Effort', 'reasoningEffort'],
  ]) {
    assert.equal(
      parameterProblem('extraBody', { [field ?? '']: 1 }),
      `${field} can't be set in extraBody. Set the parameter ${name} instead.`,
    );
  }
  for (const good of [{}, { tool_choice: 'none' }, { stop: ['\n'] }, { nested: { model: 'x', stream: true } }]) {
    assert.equal(parameterProblem('extraBody', good), undefined);
  }
});

test('refuses an extra body that is too large, too deep or has a key', () => {
  assert.equal(parameterProblem('extraBody', { a: 'x'.repeat(65_527) }), undefined);
  assert.equal(
    parameterProblem('extraBody', { a: '字'.repeat(22_000) }),
    'extraBody can have at most 64 KB, and this one has 65 KB.',
  );
  const nested = (levels: number) => JSON.parse(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`);
  const keys = new KeyRemover(removedKey, true);
  keys.add('my-own-key-1234567890');
  for (const levels of [3_000, 30_000]) {
    assert.equal(parameterProblem('extraBody', nested(levels)), 'extraBody is nested too deeply.');
  }
  for (const levels of [1, 50, 99, 1_000, 2_900]) {
    const body = nested(levels);
    // What is accepted can be sent.
    assert.deepEqual(parameterProblem('extraBody', body) === undefined && keys.withoutIn(body), levels < 100 && body);
  }
  const key = `sk-${'a1B2'.repeat(10)}`;
  for (const body of [{ a: { token: key } }, { [key]: 1 }, JSON.parse(`{"a":"\\u0073${key.slice(1)}"}`)]) {
    const problem = parameterProblem('extraBody', body);
    assert.match(problem ?? '', /^extraBody contains a key/);
    assert.ok(!problem?.includes(key));
  }
  const isStored = (text: string) => text.includes('my-own-key');
  assert.match(parameterProblem('extraBody', { a: 'my-own-key' }, isStored) ?? '', /contains a key/);
  assert.match(parameterProblem('reasoningEffort', 'my-own-key', isStored) ?? '', /contains a key/);
});

test('reads no value that it would refuse when it is typed', () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom(...parameterNames), (value, name) => {
      const read = readParameters({ [name]: value });
      const isGood = value === null || (value !== undefined && parameterProblem(name, value) === undefined);
      assert.deepEqual(read, isGood ? { [name]: value } : undefined);
    }),
  );
});

test('remembers a rejected field once, or the field that a token limit is sent in instead', () => {
  const omitted = changeAfterRejection({ temperature: 1 }, { parameter: 'seed' });
  assert.deepEqual(omitted, { omit: ['seed'] });
  assert.deepEqual(changeAfterRejection({ omit: ['seed'] }, { parameter: 'seed' }), omitted);
  assert.deepEqual(changeAfterRejection(undefined, { parameter: 'max_tokens', instead: 'max_completion_tokens' }), {
    tokenLimitField: 'max_completion_tokens',
  });
});

/** The entries with some parameters changed, as `Connections.setParameters` changes them. */
const changedIn = (entries: readonly unknown[], model: string | undefined, change: ParameterChange) =>
  withSetting(entries, 'g', model, 'parameters', (written) => withChanges(recordOf(written), change));

test('changes one parameter in the settings, and leaves those that can’t be used as they are written', () => {
  const unusable = { extraBody: { n: 2, top_p: 0.5 }, fromLaterVersion: [1] };
  const entries = [{ ...entry, parameters: unusable, modelParameters: { m: unusable, other: 7 } }];
  assert.deepEqual(changedIn(entries, 'm', { omit: ['seed'] }), [
    { ...entry, parameters: unusable, modelParameters: { m: { ...unusable, omit: ['seed'] }, other: 7 } },
  ]);
  const changed = changedIn(entries, undefined, { temperature: 1 });
  assert.deepEqual(changed, [
    { ...entry, parameters: { ...unusable, temperature: 1 }, modelParameters: { m: unusable, other: 7 } },
  ]);
  assert.deepEqual(changedIn(changed, undefined, { temperature: undefined }), entries);
  const set = changedIn([entry], '__proto__', { temperature: 1 });
  assert.equal(
    JSON.stringify(set),
    JSON.stringify([{ ...entry, modelParameters: JSON.parse('{"__proto__":{"temperature":1}}') }]),
  );
  assert.deepEqual(changedIn(set, '__proto__', { temperature: undefined }), [entry]);
});

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecentError, RecentErrors, recordedClient } from '../../../../src/core/check/recentErrors.ts';
import type { ReplyEnd, Target } from '../../../../src/core/client/gatewayClient.ts';
import { parseBaseUrl } from '../../../../src/core/connections/baseUrl.ts';
import { GatewayError } from '../../../../src/core/errors/gatewayProblem.ts';
import { ManualClock } from '../base/manualClock.ts';

const url = parseBaseUrl('gw.example');
assert.ok(url.ok);
const target: Target = { url: url.value, key: 'sk-of-this-test' };
const { signal } = new AbortController();

test('holds the last 20 errors, each with its time', () => {
  const clock = new ManualClock(0);
  const errors = new RecentErrors(clock);
  for (let index = 0; index < 25; index++) {
    clock.pass(1);
    errors.problem('GET models', 'https://gw.example', { kind: 'cut' });
  }
  assert.deepEqual(
    errors.all.map(({ at }) => at),
    Array.from({ length: 20 }, (_, index) => index + 6),
  );
});

test('holds no message of an error, and of its stack only the place in the extension', () => {
  const errors = new RecentErrors(new ManualClock(7));
  const error = Object.assign(new TypeError('"What is love?" is not valid JSON'), { code: 'ENOENT' });
  error.stack = [
    `TypeError: ${error.message}`,
    '    at JSON.parse (<anonymous>)',
    '    at Chat.read (/home/jane/.vscode/extensions/ask-model.ask-model-0.1.0/dist/app/chunk-AB12.cjs:12:345)',
    '    at async /home/jane/.vscode/extensions/ask-model.ask-model-0.1.0/dist/extension.cjs:1:2',
  ].join('\n');
  errors.defect('askModel.ask', error);
  errors.defect('Reply', 'What is love?');
  assert.deepEqual(errors.all, [
    {
      at: 7,
      where: 'askModel.ask',
      kind: 'defect',
      name: 'TypeError',
      code: 'ENOENT',
      place: 'app/chunk-AB12.cjs:12:345',
    },
    { at: 7, where: 'Reply', kind: 'defect', name: 'string' },
  ] satisfies RecentError[]);
});

test('records the problems of both calls, and passes on results, problems and other errors', async () => {
  const errors = new RecentErrors(new ManualClock(7));
  const ends: ReplyEnd[] = [
    { outcome: 'complete' },
    { outcome: 'failed', problem: { kind: 'timedOut', timer: 'idle', limitMs: 5 } },
    { outcome: 'stopped' },
  ];
  const failures: unknown[] = [
    new GatewayError({ kind: 'keyRejected', status: 401, code: '401', requestId: 'r1', words: 'No.' }),
    new DOMException('', 'AbortError'),
  ];
  const client = recordedClient(
    {
      chat: async () => ends[0] ?? assert.fail(),
      listModels: async () => {
        throw failures[0];
      },
    },
    errors,
  );
  const request = { model: 'm', messages: [] };
  for (const end of [...ends]) {
    assert.equal(await client.chat(target, request, () => undefined, signal), end);
    ends.shift();
  }
  for (const failure of [...failures]) {
    await assert.rejects(client.listModels(target, signal), (error) => error === failure);
    failures.shift();
  }
  const origin = 'https://gw.example';
  assert.deepEqual(errors.all, [
    { at: 7, where: 'POST chat/completions', kind: 'timedOut', origin, cause: 'idle' },
    { at: 7, where: 'GET models', kind: 'keyRejected', origin, status: 401, code: '401', requestId: 'r1' },
  ] satisfies RecentError[]);
});

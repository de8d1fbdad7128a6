import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type RecentError, RecentErrors } from '../../../../src/core/check/recentErrors.ts';
import { ManualClock } from '../base/manualClock.ts';

test('holds the last 5 errors, each with its time', () => {
  const clock = new ManualClock(0);
  const errors = new RecentErrors(clock);
  for (let index = 0; index < 8; index++) {
    clock.pass(1);
    errors.problem('GET models', 'https://gw.example', { kind: 'cut' });
  }
  assert.deepEqual(
    errors.all.map(({ at }) => at),
    Array.from({ length: 5 }, (_, index) => index + 4),
  );
});

test('holds no message of an error, and of its stack only the place in the extension', () => {
  const errors = new RecentErrors(new ManualClock(7));
  const error = Object.assign(new TypeError('"What is love?" is not valid JSON'), { code: 'ENOENT' });
  error.stack = [
    `TypeError: ${error.message}`,
    '    at JSON.parse (<anonymous>)',
    '    at Chat.read (/home/jane/.vscode/extensions/ask-model.ask-model-0.1.0/dist/app.cjs:12:345)',
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
      place: 'app.cjs:12:345',
    },
    { at: 7, where: 'Reply', kind: 'defect', name: 'string' },
  ] satisfies RecentError[]);
});

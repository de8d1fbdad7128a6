import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Sequencer } from '../../../../src/core/base/sequencer.ts';

test('runs the tasks of a key in order, even after a failure, and independently of other keys', async () => {
  const sequencer = new Sequencer();
  const ran: string[] = [];
  let finish = () => {};
  const first = sequencer.run('a', async () => {
    ran.push('first begins');
    await new Promise<void>((resolve) => {
      finish = resolve;
    });
    ran.push('first ends');
    throw new Error('first');
  });
  const second = sequencer.run('a', async () => {
    ran.push('second');
    return 2;
  });
  assert.equal(await sequencer.run('b', async () => ran.push('other')), 2);
  assert.deepEqual(ran, ['first begins', 'other']);
  const settled = sequencer.settled('a');
  finish();
  await assert.rejects(first, /first/);
  assert.equal(await second, 2);
  await settled;
  await sequencer.settled('never used');
  assert.deepEqual(ran, ['first begins', 'other', 'first ends', 'second']);
});

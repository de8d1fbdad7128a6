import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaidActions } from '../../../../../src/core/chat/sending/paidActions.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { settle } from './chatScene.ts';

/** The gate with a clock in the hands of the test, and a person who answers later. */
class Gate {
  readonly clock = new ManualClock();
  /** How many were begun. */
  begun = 0;
  readonly questions: { count: number; hosts: readonly string[]; answer: (isConfirmed: boolean) => void }[] = [];
  readonly paid = new PaidActions(
    this.clock,
    (count, hosts) => new Promise((answer) => this.questions.push({ count, hosts, answer })),
  );

  /** An action that begins at once. */
  press(identity: readonly unknown[] = ['explain', 'a.ts']): Promise<number> {
    return this.paid.once(
      identity,
      async () => ++this.begun,
      () => true,
    );
  }

  /** Commands that each begin something else. @returns what became of them; filled as they are answered. */
  begin(count: number, host = 'one.example'): string[] {
    const admissions: string[] = [];
    for (let index = 0; index < count; index++) {
      void this.paid.admit(host).then((admission) => admissions.push(admission));
    }
    return admissions;
  }
}

test('a key held for five seconds is one action', async () => {
  const gate = new Gate();
  for (let ms = 0; ms <= 5_000; ms += 40) {
    assert.equal(await gate.press(), 1);
    gate.clock.pass(40);
  }
  assert.equal(gate.begun, 1);
});

test('is the same action up to a second after its last repeat, and another one after that', async () => {
  const gate = new Gate();
  await gate.press();
  gate.clock.pass(990);
  await gate.press();
  gate.clock.pass(990);
  await gate.press();
  assert.equal(gate.begun, 1);
  gate.clock.pass(1_000);
  await gate.press();
  assert.equal(gate.begun, 2);
  gate.clock.pass(1_000);
  assert.equal(gate.clock.pending, 0);
});

test('repeats that were read late, because the host was busy, are repeats', async () => {
  const gate = new Gate();
  await gate.press();
  // The timers that were due meanwhile run first, each once, as in an event loop.
  gate.clock.sleep(5_000);
  await gate.press();
  assert.equal(gate.begun, 1);
});

test('an action that is starting is the same one for as long as that takes, and for a second more', async () => {
  const gate = new Gate();
  let start = (_: string) => {};
  const run = () => {
    gate.begun++;
    return new Promise<string>((resolve) => {
      start = resolve;
    });
  };
  const press = () => gate.paid.once(['explain'], run, () => true);
  const first = press();
  gate.clock.pass(60_000);
  const second = press();
  start('sent');
  assert.deepEqual(await Promise.all([first, second]), ['sent', 'sent']);
  gate.clock.pass(900);
  assert.equal(await press(), 'sent');
  assert.equal(gate.begun, 1);
});

test('another selection, model or question is another action', async () => {
  const gate = new Gate();
  await Promise.all([
    gate.press(['explain', 'a.ts', 1]),
    gate.press(['explain', 'a.ts', 2]),
    gate.press(['fix', 'a.ts', 1]),
  ]);
  assert.equal(gate.begun, 3);
});

test('one that came to nothing, or failed, can be begun again at once', async () => {
  const gate = new Gate();
  const leave = () =>
    gate.paid.once(
      ['explain'],
      async () => ++gate.begun,
      () => false,
    );
  await leave();
  await leave();
  assert.equal(gate.begun, 2);
  const fail = () =>
    gate.paid.once(
      ['fix'],
      async () => {
        gate.begun++;
        throw new Error('no disk');
      },
      () => true,
    );
  await assert.rejects(fail(), { message: 'no disk' });
  await assert.rejects(fail(), { message: 'no disk' });
  assert.equal(gate.begun, 4);
  assert.equal(gate.clock.pending, 0);
});

test('commands begin three within ten seconds, and the fourth asks first, with how many and to where', async () => {
  const gate = new Gate();
  const first = gate.begin(3);
  gate.clock.pass(9_000);
  const fourth = gate.begin(1);
  await settle();
  assert.deepEqual(first, ['admitted', 'admitted', 'admitted']);
  assert.deepEqual(fourth, []);
  assert.deepEqual(
    gate.questions.map(({ count, hosts }) => [count, hosts]),
    [[1, ['one.example']]],
  );
  gate.questions[0]?.answer(true);
  await settle();
  assert.deepEqual(fourth, ['admitted']);
});

test('what was confirmed is no reason to ask, and after ten seconds nothing is', async () => {
  const gate = new Gate();
  gate.begin(3);
  gate.begin(1);
  await settle();
  gate.questions[0]?.answer(true);
  await settle();
  gate.clock.pass(10_000);
  const later = gate.begin(3);
  await settle();
  assert.deepEqual(later, ['admitted', 'admitted', 'admitted']);
  assert.equal(gate.questions.length, 1);
});

test('what comes while it asks is asked about together, and sent only when that is confirmed', async () => {
  const gate = new Gate();
  gate.begin(3);
  const asked = gate.begin(1);
  const meanwhile = [gate.begin(9), gate.begin(7, 'two.example')];
  await settle();
  assert.equal(gate.questions.length, 1);
  gate.questions[0]?.answer(true);
  await settle();
  assert.deepEqual(asked, ['admitted']);
  assert.deepEqual(meanwhile, [[], []]);
  assert.deepEqual([gate.questions[1]?.count, gate.questions[1]?.hosts], [16, ['one.example', 'two.example']]);
  gate.questions[1]?.answer(true);
  await settle();
  assert.deepEqual(new Set(meanwhile.flat()), new Set(['admitted']));
  assert.equal(meanwhile.flat().length, 16);
});

test('a no is one for all that waits, of which the first is kept', async () => {
  const gate = new Gate();
  gate.begin(3);
  const asked = gate.begin(1);
  await settle();
  const meanwhile = gate.begin(100);
  gate.questions[0]?.answer(false);
  await settle();
  assert.deepEqual(asked, ['declined']);
  assert.deepEqual(new Set(meanwhile), new Set(['dropped']));
  assert.equal(gate.questions.length, 1);
  gate.begin(1);
  assert.equal(gate.questions.length, 2, 'the next one asks again');
});

test('a clock that was set back keeps no action waiting', async () => {
  const gate = new Gate();
  gate.begin(3);
  gate.clock.sleep(-3_600_000);
  const later = gate.begin(1);
  await settle();
  assert.deepEqual(later, ['admitted']);
});

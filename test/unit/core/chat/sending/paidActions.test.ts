import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PaidActions } from '../../../../../src/core/chat/sending/paidActions.ts';
import { ManualClock } from '../../base/manualClock.ts';
import { settle } from './chatScene.ts';

/** The gate with a clock that the test controls, and a person who answers later. */
class Gate {
  readonly clock = new ManualClock();
  /** Number of actions that were started. */
  begun = 0;
  readonly questions: { count: number; hosts: readonly string[]; answer: (isConfirmed: boolean) => void }[] = [];
  readonly paid = new PaidActions(
    this.clock,
    (count, hosts) => new Promise((answer) => this.questions.push({ count, hosts, answer })),
  );

  /** Runs an action that ends at once. */
  press(identity: readonly unknown[] = ['explain', 'a.ts']): Promise<unknown> {
    return this.paid.once(identity, async () => ++this.begun);
  }

  /** Runs commands that each start a different action. @returns their admissions, added as they are decided. */
  begin(count: number, host = 'one.example'): string[] {
    const admissions: string[] = [];
    for (let index = 0; index < count; index++) {
      void this.paid.admit(host).then((admission) => admissions.push(admission));
    }
    return admissions;
  }
}

test('treats an action as the same for a second after its last repeat, and as a new one after that', async () => {
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

test('detects repeats that are handled late because the extension host was busy', async () => {
  const gate = new Gate();
  await gate.press();
  // The timers that are due by then run first, each once, as in an event loop.
  gate.clock.sleep(5_000);
  await gate.press();
  assert.equal(gate.begun, 1);
});

test('treats an action as the same while it is running and for a second afterwards', async () => {
  const gate = new Gate();
  let start = (_: string) => {};
  const run = () => {
    gate.begun++;
    return new Promise<string>((resolve) => {
      start = resolve;
    });
  };
  const press = () => gate.paid.once(['explain'], run);
  const first = press();
  gate.clock.pass(60_000);
  const second = press();
  start('sent');
  assert.deepEqual(await Promise.all([first, second]), ['sent', 'sent']);
  gate.clock.pass(900);
  assert.equal(await press(), 'sent');
  assert.equal(gate.begun, 1);
});

test('treats another selection, model or question as another action', async () => {
  const gate = new Gate();
  await Promise.all([
    gate.press(['explain', 'a.ts', 1]),
    gate.press(['explain', 'a.ts', 2]),
    gate.press(['fix', 'a.ts', 1]),
  ]);
  assert.equal(gate.begun, 3);
});

test('lets an action without a result, or a failed one, start again at once', async () => {
  const gate = new Gate();
  const leave = () => gate.paid.once(['explain'], async () => void gate.begun++);
  await leave();
  await leave();
  assert.equal(gate.begun, 2);
  const fail = () =>
    gate.paid.once(['fix'], async () => {
      gate.begun++;
      throw new Error('no disk');
    });
  await assert.rejects(fail(), { message: 'no disk' });
  await assert.rejects(fail(), { message: 'no disk' });
  assert.equal(gate.begun, 4);
  assert.equal(gate.clock.pending, 0);
});

test('lets commands start three actions, and asks before the fourth, however late it comes, with count and host', async () => {
  const gate = new Gate();
  const first = gate.begin(3);
  gate.clock.pass(86_400_000);
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

test('asks before each further action after a confirmed one, and lets three more start after a gesture', async () => {
  const gate = new Gate();
  gate.begin(3);
  for (const [at] of ['a', 'b'].entries()) {
    const asked = gate.begin(1);
    gate.questions[at]?.answer(true);
    await settle();
    assert.deepEqual([asked, gate.questions.length], [['admitted'], at + 1]);
  }
  gate.paid.noteGesture();
  const later = gate.begin(4);
  await settle();
  assert.deepEqual(later, ['admitted', 'admitted', 'admitted']);
  assert.equal(gate.questions.length, 3);
});

test('asks once for all actions that come while it is asking, and admits them only when confirmed', async () => {
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

test('applies a no to all waiting actions, and reports only the first as declined', async () => {
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

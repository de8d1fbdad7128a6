import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, hasBrowser, openPanel } from './panelPage.ts';
import { reply, snapshot, turn } from './samples.ts';

after(closeBrowser);

const options = { skip: !hasBrowser };
const retries = ['sendAgain', 'askOther'] as const;

test('goes from one answer to the next with the keyboard, and says which is shown', options, async () => {
  const panel = await openPanel();
  const answers = ['One', 'Two', 'Three'];
  const show = (at: number) =>
    snapshot([
      {
        ...turn({ id: `r${at}`, text: answers[at - 1] ?? '' }),
        id: 't1',
        replies: {
          at,
          of: 3,
          ...(at > 1 && { previous: `r${at - 1}` }),
          ...(at < 3 && { next: `r${at + 1}` }),
        },
      },
    ]);
  await panel.tell(show(3));
  await panel.heard();
  const group = panel.page.getByRole('group', { name: 'Answer 3 of 3' });
  await group.getByText('3 of 3').waitFor();
  assert.equal(await group.getAttribute('aria-live'), 'off');
  const previous = panel.page.getByRole('button', { name: 'Previous answer' });
  const next = panel.page.getByRole('button', { name: 'Next answer' });
  assert.equal(await next.isDisabled(), true);
  await previous.focus();
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.heard(), [{ type: 'chooseReply', replyId: 'r2' }]);
  await panel.tell(show(2));
  await panel.page.getByText('Two').waitFor();
  assert.equal(await panel.page.getByText('Three').count(), 0);
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.heard(), [{ type: 'chooseReply', replyId: 'r1' }]);
  await panel.tell(show(1));
  assert.equal(await next.evaluate((one) => one === document.activeElement), true, 'the way back is left');
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.heard(), [{ type: 'chooseReply', replyId: 'r2' }]);
  await panel.tell(snapshot([turn({ text: 'One' })]));
  assert.equal(await panel.page.getByRole('group').count(), 0);
  await panel.close();
});

test('goes from one question to the next, with what follows it', options, async () => {
  const panel = await openPanel();
  const first = (id: string, at: number) => ({
    ...turn({ id: `r-${id}`, text: `Answer ${id}` }, { text: `Question ${id}` }),
    id,
    questions: { at, of: 2, ...(at === 1 ? { next: 'b' } : { previous: 'a' }) },
  });
  const below = turn({ id: 'r9', text: 'Below' });
  await panel.tell(snapshot([first('a', 1), below]));
  await panel.heard();
  await panel.page.getByRole('button', { name: 'Next question' }).focus();
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.heard(), [{ type: 'chooseTurn', turnId: 'b' }]);
  await panel.tell(snapshot([first('b', 2)]));
  await panel.page.getByText('Answer b').waitFor();
  assert.equal(await panel.page.getByText('Below').count(), 0);
  const previous = panel.page.getByRole('button', { name: 'Previous question' });
  assert.equal(await previous.evaluate((one) => one === document.activeElement), true);
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.heard(), [{ type: 'chooseTurn', turnId: 'a' }]);
  await panel.close();
});

test('asking again is one paid call, locked until it is answered and while a reply arrives', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ text: 'One', retries }), turn({ id: 'r2', text: 'Two', retries })]));
  await panel.heard();
  const again = panel.page.getByRole('button', { name: 'Ask again (a new paid call)' });
  const other = panel.page.getByRole('button', { name: 'Ask another model… (a new paid call)' });
  await again.last().dblclick({ force: true });
  await other.last().click({ force: true });
  await again.first().click({ force: true });
  const acts = (await panel.heard()).filter((message) => message.type === 'act');
  assert.deepEqual(
    acts.map(({ turnId, action }) => [turnId, action]),
    [['t-r2', 'sendAgain']],
  );
  const reason = 'No model was picked, and nothing was sent.';
  await panel.tell({ type: 'notSent', sendId: acts[0]?.sendId ?? '', reason });
  await panel.page.getByRole('alert').getByText(reason).waitFor();
  await other.first().press('Enter');
  const [second] = (await panel.heard()).filter((message) => message.type === 'act');
  assert.deepEqual([second?.turnId, second?.action], ['t-r1', 'askOther']);
  await panel.tell(
    { type: 'composer', composer: { chips: [], tokens: 0, draft: '', runningReply: 'r3' } },
    { type: 'sent', sendId: second?.sendId ?? '' },
  );
  assert.equal(await again.first().isDisabled(), true);
  await panel.tell({
    type: 'turn',
    turn: { ...turn({ id: 'r3', state: 'waiting' }), id: 't-r1', replies: { at: 2, of: 2, previous: 'r1' } },
  });
  await panel.page.getByRole('group', { name: 'Answer 2 of 2' }).waitFor();
  assert.equal(await again.count(), 1, 'what runs is not asked again');
  await panel.close();
});

test('Continue on the card of a reply that reached its limit is one paid call', options, async () => {
  const panel = await openPanel();
  const trouble = {
    severity: 'warning' as const,
    title: 'The reply reached its length limit',
    remedy: '',
    facts: [],
    actions: [{ action: 'continue' as const, label: 'Continue (a new paid call)' }],
  };
  await panel.tell(snapshot([{ ...turn(), reply: reply({ text: 'Half', trouble }) }]));
  await panel.heard();
  const button = panel.page.getByRole('button', { name: 'Continue (a new paid call)' });
  await button.dblclick({ force: true });
  const heard = await panel.heard();
  assert.deepEqual(
    heard.map((message) => (message.type === 'act' ? [message.turnId, message.action] : message.type)),
    [['t-r1', 'continue']],
  );
  assert.equal(await button.isDisabled(), true);
  await panel.close();
});

import assert from 'node:assert/strict';
import { panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const retries = ['sendAgain', 'askOther'] as const;

panelTest('shows another answer with its text and facts at once', async (panel) => {
  await panel.draw(snapshot([turn({ id: 'r1', text: 'The *first* answer', footer: ['8 in'] })]));
  const other = snapshot([turn({ id: 'r2', text: 'The *second* answer', footer: ['9 in'] })]);
  const shown = await panel.page.evaluate((data) => {
    window.dispatchEvent(new MessageEvent('message', { data }));
    const text = (selector: string) => document.querySelector<HTMLElement>(selector)?.innerText;
    return [text('.reply .markdown'), text('.reply .facts'), document.querySelectorAll('.reply em').length];
  }, other as unknown);
  assert.deepEqual(shown, ['The second answer', '9 in', 1]);
});

panelTest('moves between answers with the keyboard, and shows the position', async (panel) => {
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
  await panel.begin(show(3));
  const group = panel.page.getByRole('group', { name: 'Answer 3 of 3' });
  await group.getByText('3 of 3').waitFor();
  assert.equal(await group.getAttribute('aria-live'), 'off');
  const previous = panel.page.getByRole('button', { name: 'Previous Answer' });
  const next = panel.page.getByRole('button', { name: 'Next Answer' });
  assert.equal(await next.isDisabled(), true);
  await previous.focus();
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'chooseReply', replyId: 'r2' }]);
  await panel.send(show(2));
  await panel.page.getByText('Two', { exact: true }).waitFor();
  assert.equal(await panel.page.getByText('Three').count(), 0);
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'chooseReply', replyId: 'r1' }]);
  await panel.send(show(1));
  assert.equal(
    await next.evaluate((one) => one === document.activeElement),
    true,
    'only the button in the other direction is left',
  );
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'chooseReply', replyId: 'r2' }]);
  await panel.send(snapshot([turn({ text: 'One' })]));
  assert.equal(await panel.page.getByRole('group').count(), 0);
});

panelTest('moves between questions, together with the turns after them', async (panel) => {
  const first = (id: string, at: number) => ({
    ...turn({ id: `r-${id}`, text: `Answer ${id}` }, { text: `Question ${id}` }),
    id,
    questions: { at, of: 2, ...(at === 1 ? { next: 'b' } : { previous: 'a' }) },
  });
  const below = turn({ id: 'r9', text: 'Below' });
  await panel.begin(snapshot([first('a', 1), below]));
  await panel.page.getByRole('button', { name: 'Next Question' }).focus();
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'chooseTurn', turnId: 'b' }]);
  await panel.send(snapshot([first('b', 2)]));
  await panel.page.getByText('Answer b').waitFor();
  assert.equal(await panel.page.getByText('Below').count(), 0);
  const previous = panel.page.getByRole('button', { name: 'Previous Question' });
  assert.equal(await previous.evaluate((one) => one === document.activeElement), true);
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'chooseTurn', turnId: 'a' }]);
});

panelTest('asks again with one paid call, disabled until the host answers and while a reply arrives', async (panel) => {
  await panel.begin(snapshot([turn({ text: 'One', retries }), turn({ id: 'r2', text: 'Two', retries })]));
  const again = panel.page.getByRole('button', { name: 'Ask Again (New Paid Call)' });
  const other = panel.page.getByRole('button', { name: 'Ask Another Model (New Paid Call)…' });
  await again.last().dblclick({ force: true });
  await other.last().click({ force: true });
  await again.first().click({ force: true });
  const acts = await panel.posted('act');
  assert.deepEqual(
    acts.map(({ turnId, action }) => [turnId, action]),
    [['t-r2', 'sendAgain']],
  );
  const reason = 'No model was selected. Nothing was sent.';
  await panel.send({ type: 'notSent', sendId: acts[0]?.sendId ?? '', reason });
  await panel.page.getByRole('alert').getByText(reason).waitFor();
  await other.first().press('Enter');
  const [second] = await panel.posted('act');
  assert.deepEqual([second?.turnId, second?.action], ['t-r1', 'askOther']);
  await panel.send(
    { type: 'composer', composer: { chips: [], tokens: 0, draft: '', runningReply: 'r3' } },
    { type: 'sent', sendId: second?.sendId ?? '' },
  );
  assert.equal(await again.first().isDisabled(), true);
  await panel.send({
    type: 'turn',
    turn: { ...turn({ id: 'r3', state: 'waiting' }), id: 't-r1', replies: { at: 2, of: 2, previous: 'r1' } },
  });
  await panel.page.getByRole('group', { name: 'Answer 2 of 2' }).waitFor();
  assert.equal(await again.count(), 1, 'a running reply cannot be asked again');
});

const editing = { model: 'm', chips: [], tokens: 0, draft: 'Why?', editing: 't-r1' };
const note = 'Editing question. Sending creates a new branch.';

panelTest('editing puts the question into the box, and Cancel restores the draft', async (panel) => {
  await panel.begin(snapshot([turn({ text: 'One' })]));
  const { box } = panel;
  await box.fill('Half a qu');
  await panel.page.getByRole('button', { name: 'Edit Question (Creates a New Branch)' }).press('Enter');
  assert.deepEqual(await panel.posted(), [
    { type: 'draft', text: 'Half a qu' },
    { type: 'edit', turnId: 't-r1' },
  ]);
  await panel.send({ type: 'composer', composer: editing }, { type: 'focus' });
  assert.equal(await box.inputValue(), 'Why?');
  await panel.page.getByText(note).waitFor();
  assert.equal(await box.evaluate((one) => one === document.activeElement), true);
  await box.fill('Why not?');
  assert.deepEqual(await panel.nextPosted(), [{ type: 'draft', text: 'Why not?', editing: 't-r1' }]);
  await panel.send({ type: 'composer', composer: { ...editing, tokens: 40 } });
  assert.equal(await box.inputValue(), 'Why not?', 'updates do not overwrite what is typed');
  await panel.page.getByRole('button', { name: 'Cancel' }).click();
  assert.deepEqual(await panel.posted(), [{ type: 'cancelEdit' }]);
  const { editing: _, ...after } = editing;
  await panel.send({ type: 'composer', composer: { ...after, draft: 'Half a qu' } });
  assert.equal(await box.inputValue(), 'Half a qu');
  assert.equal(await panel.page.getByText(note).isVisible(), false);
});

panelTest('says that the connection was switched, and Switch Back gives the focus to the box', async (panel) => {
  const text = 'Until now with one.example. The next question sends all of it to two.example, which charges for it.';
  const switched = { host: 'two.example', text, canSwitchBack: true };
  const { editing: _, ...plain } = editing;
  await panel.send(snapshot([turn({ text: 'One' })], { switched: { ...switched, canSwitchBack: false } }));
  await panel.page.getByText(text).waitFor();
  const button = panel.page.getByRole('button', { name: 'Switch Back' });
  assert.equal(await button.isVisible(), false, 'that connection was removed');
  await panel.send({ type: 'composer', composer: { ...plain, switched } });
  const { box } = panel;
  assert.equal(await panel.boxDescription(), text);
  await panel.posted();
  await button.press('Enter');
  assert.deepEqual(await panel.posted(), [{ type: 'switchBack' }]);
  await panel.send({ type: 'composer', composer: plain });
  assert.equal(await panel.page.getByText(text).isVisible(), false);
  await box.and(panel.page.locator(':focus')).waitFor();
  await panel.begin({ type: 'composer', composer: { ...plain, switched } });
  await box.fill('And now?');
  await box.press('Enter');
  const sent = (await panel.posted('send'))[0];
  assert.equal(sent?.type === 'send' && sent.host, 'two.example', 'the dialog need not say it again');
});

panelTest('sends when the call of another window may have ended since the panel looked', async (panel) => {
  const due = 'An answer in this conversation is still arriving in another window.';
  await panel.begin(snapshot([turn({ text: 'One' })], { due, mayBeDone: true }));
  await panel.page.getByText(due).waitFor();
  const { box } = panel;
  await box.fill('And then?');
  await box.press('Enter');
  assert.equal((await panel.posted('send')).length, 1);
});

panelTest('sends an edited question once, and restores the draft after it', async (panel) => {
  await panel.begin(snapshot([turn({ text: 'One' }), turn({ id: 'r2', text: 'Two' })], editing));
  const { box } = panel;
  assert.equal(await box.inputValue(), 'Why?', 'also after the page was reloaded');
  await box.fill('Why not?');
  await box.press('Enter');
  await box.press('Enter');
  const posted = await panel.posted();
  const sends = posted.filter((message) => message.type === 'send');
  assert.deepEqual(
    sends.map(({ text, editing }) => [text, editing]),
    [['Why not?', 't-r1']],
  );
  const branch = {
    ...turn({ id: 'r3', state: 'waiting' }, { text: 'Why not?' }),
    questions: { at: 2, of: 2, previous: 't-r1' },
  };
  await panel.send({ type: 'turn', turn: branch }, snapshot([branch], { draft: 'Half a qu', runningReply: 'r3' }), {
    type: 'sent',
    sendId: sends[0]?.sendId ?? '',
  });
  assert.equal(await box.inputValue(), 'Half a qu');
  assert.equal(await panel.page.locator('.turn').count(), 1);
  assert.equal(await panel.page.getByText(note).isVisible(), false);
  assert.equal(await panel.page.getByRole('status').textContent(), 'Answer started');
});

panelTest('keeps the typed text when an edit is refused', async (panel) => {
  await panel.begin(snapshot([turn({ text: 'One' })], editing));
  const { box } = panel;
  await box.fill('Why not?');
  await box.press('Enter');
  const [send] = await panel.posted('send');
  await panel.send(
    { type: 'notSent', sendId: send?.sendId ?? '', reason: 'There is no key.' },
    { type: 'composer', composer: { ...editing, draft: 'Why not?' } },
  );
  assert.equal(await box.inputValue(), 'Why not?');
  await panel.page.getByRole('alert').getByText('There is no key.').waitFor();
  await panel.page.getByText(note).waitFor();
});

import assert from 'node:assert/strict';
import type { PanelMessage } from '../../../../src/protocol/protocol.ts';
import { type PanelPage, panelTest } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

const composer = { model: 'm', chips: [], tokens: 0, draft: '' };
const nothingSent = 'Nothing was sent.';
/** What was not sent, without the color of an error. */
const quietNote = ({ page }: PanelPage, place = '.composer') =>
  page.locator(`${place} .refusal.isNote`).filter({ hasText: nothingSent });
const stillArriving = "An answer is still arriving. Stop it or wait until it's complete.";
const stop = ({ page }: PanelPage) => page.getByRole('button', { name: 'Stop', exact: true });
const send = ({ page }: PanelPage) => page.getByRole('button', { name: 'Send', exact: true });
/** Posted messages, except drafts. */
const posted = async (panel: PanelPage) => (await panel.posted()).filter(({ type }) => type !== 'draft');
const sendIdOf = (message: PanelMessage | undefined) => (message && 'sendId' in message ? message.sendId : '');

panelTest('Escape right after Enter stops that send, and the text is back in the box', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.fill('Why?');
  await posted(panel);
  await panel.box.evaluate((target) => {
    const press = (key: string) =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    press('Enter');
    press('Escape');
    press('Escape');
  });
  const [sent, stopped, ...more] = await posted(panel);
  const sendId = sendIdOf(sent);
  assert.equal(sent?.type, 'send');
  assert.deepEqual([stopped, more], [{ type: 'stop', replyId: sendId }, []]);
  assert.equal(await stop(panel).isDisabled(), true, 'it is being stopped');
  await panel.send({ type: 'notSent', sendId, reason: nothingSent, isNote: true }, { type: 'composer', composer });
  await quietNote(panel).waitFor();
  assert.equal(await panel.box.inputValue(), 'Why?');
  assert.equal(await panel.box.isEditable(), true);
  await panel.box.press('Enter');
  assert.deepEqual(
    (await posted(panel)).map(({ type }) => type),
    ['send'],
    'the next Enter sends',
  );
});

panelTest(
  'Escape that ends what an input method composes stops no answer (esengine/DeepSeek-Reasonix#7919)',
  async (panel) => {
    await panel.send(snapshot([turn({ id: 'r1', state: 'streaming', text: 'Because' })], { runningReply: 'r1' }));
    const pressEscape = (init: { isComposing?: boolean; keyCode?: number }) =>
      panel.box.evaluate((box, more) => {
        box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true, ...more }));
      }, init);
    await posted(panel);
    await pressEscape({ isComposing: true });
    await pressEscape({ keyCode: 229 });
    assert.deepEqual(await posted(panel), []);
    await pressEscape({});
    assert.deepEqual(await posted(panel), [{ type: 'stop', replyId: 'r1' }]);
  },
);

panelTest('shows Stop instead of Send after Enter, and stops once, whatever the host reports', async (panel) => {
  await panel.send(snapshot([]));
  await panel.box.fill('Why?');
  await posted(panel);
  await panel.box.press('Enter');
  await stop(panel).waitFor();
  assert.equal(await send(panel).count(), 0);
  await stop(panel).click();
  const [sent, stopped] = await posted(panel);
  const sendId = sendIdOf(sent);
  assert.deepEqual(stopped, { type: 'stop', replyId: sendId });
  // The question was already sent: its reply has the id of the send and is being stopped.
  await panel.send(
    { type: 'turn', turn: turn({ id: sendId, state: 'waiting' }) },
    { type: 'composer', composer: { ...composer, runningReply: sendId } },
    { type: 'sent', sendId },
  );
  await panel.box.press('Escape');
  assert.equal(await stop(panel).isDisabled(), true);
  assert.deepEqual(await posted(panel), []);
});

panelTest('a call made by a button can be stopped right after the click', async (panel) => {
  await panel.draw(snapshot([turn({ text: 'Yes.', retries: ['sendAgain', 'askOther'] })]));
  await panel.box.fill('Next');
  await posted(panel);
  await panel.page.getByRole('button', { name: 'Ask Again (New Paid Call)' }).click();
  await stop(panel).waitFor();
  await panel.box.press('Escape');
  const [act, stopped] = await posted(panel);
  assert.equal(act?.type, 'act');
  assert.deepEqual(stopped, { type: 'stop', replyId: sendIdOf(act) });
  await panel.send({ type: 'notSent', sendId: sendIdOf(act), reason: nothingSent, isNote: true });
  await quietNote(panel, '.reply').waitFor();
  await send(panel).waitFor();
  assert.equal(await panel.box.inputValue(), 'Next');
});

panelTest('a call that started before the panel opened can be stopped before there is a reply', async (panel) => {
  await panel.send(snapshot([], { runningReply: 'w1' }));
  await posted(panel);
  await stop(panel).waitFor();
  await panel.box.press('Escape');
  assert.deepEqual(await posted(panel), [{ type: 'stop', replyId: 'w1' }]);
  await panel.send(snapshot([], { draft: 'Why?' }));
  await send(panel).waitFor();
  assert.equal(await panel.box.inputValue(), 'Why?');
});

panelTest('refuses Enter while an answer arrives, and keeps the text, even of an edited question', async (panel) => {
  const running = { ...composer, runningReply: 'r1' };
  for (const editing of [undefined, 't-r1']) {
    const view = editing === undefined ? running : { ...running, editing, draft: 'Why?' };
    await panel.send(snapshot([turn({ state: 'streaming' })], view));
    await panel.box.fill('And then?');
    await posted(panel);
    await panel.box.press('Enter');
    await panel.box.press('Enter');
    await panel.page.getByText(stillArriving).waitFor();
    assert.deepEqual(await posted(panel), []);
    assert.equal(await panel.box.inputValue(), 'And then?');
    assert.equal(await panel.box.isEditable(), true);
    // The refusal disappears when the answer ends.
    const { runningReply: _, ...idle } = view;
    await panel.send({ type: 'composer', composer: idle });
    await panel.page.getByText(stillArriving).waitFor({ state: 'hidden' });
    await panel.box.press('Enter');
    const [sent] = await posted(panel);
    assert.ok(sent?.type === 'send' && sent.text === 'And then?' && sent.editing === editing);
    await panel.send({ type: 'sent', sendId: sent.sendId }, { type: 'composer', composer });
  }
});

panelTest('refuses Enter while a call made by a button is pending, and makes no second call', async (panel) => {
  await panel.draw(snapshot([turn({ text: 'Yes.', retries: ['sendAgain'] })]));
  await panel.box.fill('Next');
  await posted(panel);
  await panel.page.getByRole('button', { name: 'Ask Again (New Paid Call)' }).click();
  await panel.box.press('Enter');
  await panel.page.getByText(stillArriving).waitFor();
  assert.deepEqual(
    (await posted(panel)).map(({ type }) => type),
    ['act'],
  );
  assert.equal(await panel.box.inputValue(), 'Next');
});

panelTest('shows what the person stopped in a quiet line, and sends it again only by its button', async (panel) => {
  const trouble = {
    severity: 'warning' as const,
    title: 'Stopped after 2 s.',
    remedy: '',
    facts: [],
    actions: [{ action: 'sendAgain' as const, label: 'Send Again (New Paid Call)' }],
  };
  await panel.draw(snapshot([turn({ state: 'stopped', text: 'So', trouble })]));
  const line = panel.page.locator('.trouble.quiet', { hasText: 'Stopped after 2 s.' });
  assert.equal(await line.evaluate((one) => getComputedStyle(one).borderTopWidth), '0px');
  assert.equal(await panel.page.locator('.reply .primary').count(), 0);
  await panel.posted();
  await line.getByRole('button').click();
  const acts = await panel.posted('act');
  assert.deepEqual(
    acts.map((each) => each.type === 'act' && each.action),
    ['sendAgain'],
  );
});

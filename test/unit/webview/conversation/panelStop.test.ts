import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { PanelMessage } from '../../../../src/protocol.ts';
import { closeBrowser, hasBrowser, openPanel, type PanelPage } from '../page/panelPage.ts';
import { snapshot, turn } from '../page/samples.ts';

after(closeBrowser);

const options = { skip: !hasBrowser };
const composer = { model: 'm', chips: [], tokens: 0, draft: '' };
const nothingSent = 'Stopped. Nothing was sent.';
const stillArriving = 'An answer is still arriving. Stop it, or wait for it to end.';
const box = ({ page }: PanelPage) => page.getByLabel('Question', { exact: true });
const stop = ({ page }: PanelPage) => page.getByRole('button', { name: 'Stop', exact: true });
const send = ({ page }: PanelPage) => page.getByRole('button', { name: 'Send', exact: true });
/** All but what is said about the draft. */
const heard = async (panel: PanelPage) => (await panel.heard()).filter(({ type }) => type !== 'draft');
const sendIdOf = (message: PanelMessage | undefined) => (message && 'sendId' in message ? message.sendId : '');

test('Escape in the very moment of Enter stops that send, and the text is back in the box', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([]));
  await box(panel).fill('Why?');
  await heard(panel);
  await box(panel).evaluate((target) => {
    const press = (key: string) =>
      target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }));
    press('Enter');
    press('Escape');
    press('Escape');
  });
  const [asked, stopped, ...more] = await heard(panel);
  const sendId = sendIdOf(asked);
  assert.equal(asked?.type, 'send');
  assert.deepEqual([stopped, more], [{ type: 'stop', replyId: sendId }, []]);
  assert.equal(await stop(panel).isDisabled(), true, 'it is being stopped');
  await panel.tell({ type: 'notSent', sendId, reason: nothingSent }, { type: 'composer', composer });
  await panel.page.getByText(nothingSent).waitFor();
  assert.equal(await box(panel).inputValue(), 'Why?');
  assert.equal(await box(panel).isEditable(), true);
  await box(panel).press('Enter');
  assert.deepEqual(
    (await heard(panel)).map(({ type }) => type),
    ['send'],
    'the next Enter sends',
  );
  await panel.close();
});

test(
  'Send is Stop from the moment of Enter, and stops once, whatever the host says of it meanwhile',
  options,
  async () => {
    const panel = await openPanel();
    await panel.tell(snapshot([]));
    await box(panel).fill('Why?');
    await heard(panel);
    await box(panel).press('Enter');
    await stop(panel).waitFor();
    assert.equal(await send(panel).count(), 0);
    await stop(panel).click();
    const [asked, stopped] = await heard(panel);
    const sendId = sendIdOf(asked);
    assert.deepEqual(stopped, { type: 'stop', replyId: sendId });
    // It had left already: its reply has the id of the send, and is being stopped.
    await panel.tell(
      { type: 'turn', turn: turn({ id: sendId, state: 'waiting' }) },
      { type: 'composer', composer: { ...composer, runningReply: sendId } },
      { type: 'sent', sendId },
    );
    await box(panel).press('Escape');
    assert.equal(await stop(panel).isDisabled(), true);
    assert.deepEqual(await heard(panel), []);
    await panel.close();
  },
);

test('what a button sends can be stopped from the moment of the click', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ text: 'Yes.', retries: ['sendAgain', 'askOther'] })]));
  await panel.settle();
  await box(panel).fill('Next');
  await heard(panel);
  await panel.page.getByRole('button', { name: 'Ask again (a new paid call)' }).click();
  await stop(panel).waitFor();
  await box(panel).press('Escape');
  const [act, stopped] = await heard(panel);
  assert.equal(act?.type, 'act');
  assert.deepEqual(stopped, { type: 'stop', replyId: sendIdOf(act) });
  await panel.tell({ type: 'notSent', sendId: sendIdOf(act), reason: nothingSent });
  await panel.page.locator('.reply').getByText(nothingSent).waitFor();
  await send(panel).waitFor();
  assert.equal(await box(panel).inputValue(), 'Next');
  await panel.close();
});

test('what began before the panel was there can be stopped before there is a reply', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([], { runningReply: 'w1' }));
  await heard(panel);
  await stop(panel).waitFor();
  await box(panel).press('Escape');
  assert.deepEqual(await heard(panel), [{ type: 'stop', replyId: 'w1' }]);
  await panel.tell(snapshot([], { draft: 'Why?' }));
  await send(panel).waitFor();
  assert.equal(await box(panel).inputValue(), 'Why?');
  await panel.close();
});

test(
  'Enter while an answer arrives is refused in place and keeps the text, also of an edited question',
  options,
  async () => {
    const panel = await openPanel();
    const running = { ...composer, runningReply: 'r1' };
    for (const editing of [undefined, 't-r1']) {
      const view = editing === undefined ? running : { ...running, editing, draft: 'Why?' };
      await panel.tell(snapshot([turn({ state: 'streaming' })], view));
      await box(panel).fill('And then?');
      await heard(panel);
      await box(panel).press('Enter');
      await box(panel).press('Enter');
      await panel.page.getByText(stillArriving).waitFor();
      assert.deepEqual(await heard(panel), []);
      assert.equal(await box(panel).inputValue(), 'And then?');
      assert.equal(await box(panel).isEditable(), true);
      // Its end is the end of the refusal.
      const { runningReply: _, ...idle } = view;
      await panel.tell({ type: 'composer', composer: idle });
      await panel.page.getByText(stillArriving).waitFor({ state: 'hidden' });
      await box(panel).press('Enter');
      const [asked] = await heard(panel);
      assert.ok(asked?.type === 'send' && asked.text === 'And then?' && asked.editing === editing);
      await panel.tell({ type: 'sent', sendId: asked.sendId }, { type: 'composer', composer });
    }
    await panel.close();
  },
);

test('Enter while a button’s call is on its way is refused in place, and no second call', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ text: 'Yes.', retries: ['sendAgain'] })]));
  await panel.settle();
  await box(panel).fill('Next');
  await heard(panel);
  await panel.page.getByRole('button', { name: 'Ask again (a new paid call)' }).click();
  await box(panel).press('Enter');
  await panel.page.getByText(stillArriving).waitFor();
  assert.deepEqual(
    (await heard(panel)).map(({ type }) => type),
    ['act'],
  );
  assert.equal(await box(panel).inputValue(), 'Next');
  await panel.close();
});

test('Enter held down sends once, and does not send what is typed for the next question', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([]));
  await box(panel).fill('Why?');
  await heard(panel);
  await box(panel).focus();
  await panel.page.keyboard.down('Enter');
  await panel.page.keyboard.down('Enter');
  const [asked, ...more] = await heard(panel);
  assert.deepEqual([asked?.type, more], ['send', []]);
  await panel.tell({ type: 'sent', sendId: sendIdOf(asked) });
  await panel.tell(snapshot([turn({ text: 'Quick.' })], { draft: 'Kept' }));
  await panel.page.keyboard.down('Enter');
  await panel.page.keyboard.up('Enter');
  assert.deepEqual(await heard(panel), []);
  assert.equal(await box(panel).inputValue(), 'Kept');
  await panel.close();
});

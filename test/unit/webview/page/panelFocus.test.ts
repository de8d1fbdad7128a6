import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { closeBrowser, hasBrowser, openPanel, type PanelPage } from './panelPage.ts';
import { answerQuickly } from './quickHost.ts';
import { snapshot, turn } from './samples.ts';

after(closeBrowser);

const options = { skip: !hasBrowser };
const retries = ['sendAgain', 'askOther'] as const;

const box = ({ page }: PanelPage) => page.getByLabel('Question', { exact: true });
const isInBox = (panel: PanelPage) => box(panel).evaluate((one) => one === document.activeElement);
/** As VS Code does when the panel comes to the front. */
const gotFocus = ({ page }: PanelPage) =>
  page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
    window.dispatchEvent(new FocusEvent('focus'));
  });

test('what is typed into a new panel is in the question box, from the first key on', options, async () => {
  const panel = await openPanel();
  await panel.page.keyboard.type('Why');
  await panel.tell(snapshot([]));
  await panel.page.keyboard.type(' not?');
  assert.equal(await box(panel).inputValue(), 'Why not?');
  await panel.close();
});

test('the question box gets the focus whenever the panel does', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ text: 'Because *it* is so.' })]));
  await panel.settle();
  await gotFocus(panel);
  assert.equal(await isInBox(panel), true);
  const copy = panel.page.getByRole('button', { name: 'Copy Answer' });
  await copy.focus();
  await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
  assert.equal(await copy.evaluate((one) => one === document.activeElement), true, 'a button that has it keeps it');
  await panel.page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
  });
  assert.equal(await panel.page.evaluate("find('it', false, false, true)"), true);
  await panel.page.evaluate(() => window.dispatchEvent(new FocusEvent('focus')));
  assert.equal(await isInBox(panel), false);
  assert.equal(await panel.page.evaluate('String(getSelection())'), 'it', 'what was found stays selected');
  await panel.close();
});

test('a panel without the focus never takes it', options, async () => {
  const panel = await openPanel();
  await panel.page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) {
      document.activeElement.blur();
    }
    document.hasFocus = () => false;
  });
  await panel.tell(snapshot([]), { type: 'turn', turn: turn({ text: 'An answer.' }) });
  assert.equal(await isInBox(panel), false);
  await panel.close();
});

test('letters typed where none can be go to the question box, and other keys stay', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ text: 'Line\n\n'.repeat(200) })]));
  await panel.settle();
  const { page } = panel;
  const places = [
    () => page.getByRole('button', { name: 'Copy Answer' }).focus(),
    () => page.locator('.markdown').click(),
    () => page.evaluate(() => (document.activeElement as HTMLElement).blur()),
  ];
  for (const [index, go] of places.entries()) {
    await go();
    assert.equal(await isInBox(panel), false);
    for (const key of ['Shift', 'ArrowUp', 'Control+a', 'Escape']) {
      await page.keyboard.press(key);
    }
    assert.equal(await isInBox(panel), false, `place ${index}`);
    await page.keyboard.type(`${index}A `);
  }
  assert.equal(await box(panel).inputValue(), '0A 1A 2A ');
  await page.locator('.markdown').click();
  await page.keyboard.press('Space');
  assert.equal(await isInBox(panel), false, 'the space bar scrolls');
  await panel.close();
});

test('the focus is in the question box after the button that had it is gone', options, async () => {
  const panel = await openPanel();
  const shown = (id: string) => ({ ...turn({ id, text: 'Yes.', retries }), id: 't' });
  await panel.tell(snapshot([shown('r1')]));
  await answerQuickly(panel, [shown('r2')], { startMs: 0, replyMs: 20 });
  await panel.page.getByRole('button', { name: 'Ask again (a new paid call)' }).press('Enter');
  await panel.page.getByRole('button', { name: 'Stop' }).waitFor({ state: 'hidden' });
  assert.equal(await isInBox(panel), true);
  await panel.close();
});

test('a second Enter that finds itself in the box does not send what waited there', options, async () => {
  const panel = await openPanel();
  const shown = (id: string) => ({ ...turn({ id, text: 'Yes.', retries }), id: 't' });
  await panel.tell(snapshot([shown('r1')], { draft: 'For later' }));
  await panel.heard();
  await answerQuickly(panel, [shown('r2')], { startMs: 0, replyMs: 0 });
  await panel.stopTime();
  await panel.page.getByRole('button', { name: 'Ask again (a new paid call)' }).press('Enter');
  await panel.page.clock.runFor(100);
  await box(panel).and(panel.page.locator(':focus')).waitFor();
  await panel.page.keyboard.press('Enter');
  const paid = async () => (await panel.heard()).filter((message) => 'sendId' in message);
  assert.deepEqual(
    (await paid()).map(({ type }) => type),
    ['act'],
  );
  assert.equal(await box(panel).inputValue(), 'For later');
  await panel.page.keyboard.type('!');
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(
    (await paid()).map((message) => 'text' in message && message.text),
    ['For later!'],
  );
  await panel.close();
});

test('a second Enter does not send the draft that is back after an edited question went out', options, async () => {
  const panel = await openPanel();
  await panel.tell(snapshot([turn({ text: 'Yes.' })], { draft: 'For later' }));
  const editing = { model: 'm', chips: [], tokens: 0, draft: 'Why?', editing: 't-r1' };
  await panel.tell({ type: 'composer', composer: editing }, { type: 'focus' });
  await box(panel).fill('Why not?');
  await panel.heard();
  await panel.page.keyboard.press('Enter');
  const [send] = await panel.heard();
  assert.ok(send?.type === 'send');
  const { editing: _, ...plain } = editing;
  await panel.stopTime();
  await panel.tell(
    { type: 'composer', composer: { ...plain, draft: 'For later' } },
    { type: 'sent', sendId: send.sendId },
  );
  assert.equal(await box(panel).inputValue(), 'For later');
  await panel.page.keyboard.press('Enter');
  assert.deepEqual(await panel.heard(), []);
  await panel.close();
});

test('says nothing of an empty conversation before it is known to be one', options, async () => {
  const panel = await openPanel();
  const hint = panel.page.getByText('Ask about your code');
  const chooseModel = panel.page.getByRole('button', { name: 'Choose a model' });
  await box(panel).waitFor();
  await panel.page.keyboard.type('x');
  await panel.page.keyboard.press('Enter');
  assert.deepEqual([await hint.isVisible(), await chooseModel.isVisible()], [false, false]);
  const sends = async () => (await panel.heard()).filter(({ type }) => type === 'send');
  assert.deepEqual(await sends(), [], 'there is no host yet to answer it');
  await panel.tell(snapshot([], { runningReply: 'r1' }));
  assert.equal(await hint.isVisible(), false, 'the first question is on its way');
  await panel.tell(snapshot([]));
  assert.equal(await hint.isVisible(), true);
  await panel.tell({ type: 'turn', turn: turn({ state: 'waiting' }) });
  assert.equal(await hint.isVisible(), false);
  await panel.close();
});
